"""The Failure modes panel: a board that is worked on by keys, labels that stay as they are, and what modes become."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from tests.helpers.painted_texts import painted_texts
from tests.models.stories import TRACES, begin, call, judge, judged, put, trace, turn
from tests.views.doing import trigger, wait_for
from trace_inspector.core.review.codebook import Codebook, Mode
from trace_inspector.core.review.label import Answer, Label, Level, moment, placed
from trace_inspector.core.review.label_lines import label_line
from trace_inspector.core.review.subjects import OVERALL, turn_subject
from trace_inspector.core.trace.trace import Trace
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, Status, TurnVerdict
from trace_inspector.flows.review.codebook_file import load_codebook, own_codebook, save_codebook
from trace_inspector.flows.review.stored_labels import keep, kept
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.review.drawing import Drawing
from trace_inspector.views.criteria.panel import CriteriaPanel
from trace_inspector.views.failure_modes.panel import EXAMPLES, UNTAGGED, WHERE, FailureModesPanel
from trace_inspector.views.promote.dialog import PromoteDialog
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.shell.status import StatusBar

pytestmark = pytest.mark.shared_window

BAIT = "Zwiebelfisch"
NOTED = (
    ("Wrong day.", ("wrong date",), "call/0"),
    ("Another day than the tool says.", ("date",), "call/0"),
    ("Date is off by one.", ("wrong date",), "answer"),
    ("The price is missing.", (), ""),
    ("Forgets the price.", (), ""),
    ("Rude.", (), ""),
)


def conversations() -> list[Trace]:
    """Eight of one turn each, six of which fail."""
    return [trace(f"case {number}", turn(0, f"Hello {number}?", call("look", number=number))) for number in range(8)]


def label(made: Trace, number: int) -> Label:
    noted = NOTED[number] if number < len(NOTED) else None
    found = Label(
        turn_subject(made.turns[0]), Level.TURN, OVERALL, Answer.FAIL if noted else Answer.PASS, rater="Ana",
        at=moment(1_764_400_000 + number),
    )  # fmt: skip
    if noted:
        found = replace(found, note=noted[0], tags=noted[1], first_fault=noted[2])
    return placed(found, TRACES, made.id, made.id, 0)


def panel(window: MainWindow) -> FailureModesPanel:
    inside = window.desk.docks["failure-modes"].widget()
    assert isinstance(inside, FailureModesPanel)
    return inside


def open_board(window: MainWindow) -> tuple[FailureModesPanel, OpenFile]:
    made = conversations()
    keep(label(each, number) for number, each in enumerate(made))
    file = put(window.desk.workspace, TRACES, *made)
    dock = window.desk.docks["failure-modes"]
    dock.show()
    dock.raise_()
    board = panel(window)
    board._modes.use(None)
    assert wait_for(lambda: len(board._modes.places) == len(NOTED) and bool(board.table.records))
    board.tabs.setCurrentIndex(EXAMPLES)
    window.activateWindow()
    assert wait_for(window.isActiveWindow)
    return board, file


def modes(board: FailureModesPanel) -> dict[str, int]:
    return {rate.counted.mode.name: rate.counted.count for rate in board.table.records}


def choose(board: FailureModesPanel, *names: str) -> None:
    board.board.setFocus()
    board.board.clearSelection()
    for number, rate in enumerate(board.table.records):
        if rate.counted.mode.name in names:
            board.board.setCurrentIndex(board.table.index(number, 0))
    for number, rate in enumerate(board.table.records):
        if rate.counted.mode.name in names:
            selection = board.board.selectionModel()
            selection.select(
                board.table.index(number, 0), selection.SelectionFlag.Select | selection.SelectionFlag.Rows
            )


def say(board: FailureModesPanel, view: QWidget, key: Qt.Key, answer: str) -> None:
    """Press a key of a list, and answer what it asks."""
    QTest.keyClick(view, key)
    assert board.line.isVisible()
    board.line.field.clear()
    QTest.keyClicks(board.line.field, answer)
    QTest.keyClick(board.line.field, Qt.Key.Key_Return)
    assert not board.line.isVisible()
    board.window().activateWindow()  # a list of completions was a window of its own
    assert wait_for(board.window().isActiveWindow)


def told(window: MainWindow) -> str:
    bar = window.statusBar()
    assert isinstance(bar, StatusBar)
    return bar.message()


def on_disk() -> Codebook:
    return load_codebook(own_codebook()).book


def test_modes_are_listed_with_counts_intervals_and_examples(window: MainWindow) -> None:
    board, _file = open_board(window)
    assert modes(board) == {"wrong date": 2, "date": 1}
    cells = [board.table.index(0, column).data() for column in range(board.table.columnCount())]
    assert cells == ["wrong date", "2", "25 %", "3 to 65 %", ""]
    choose(board, "wrong date")
    assert [row.output.notes for row in board.examples.records if row.output] == [(NOTED[0][0],), (NOTED[2][0],)]
    assert [board.examples.index(row, 2).data() for row in range(2)] == [
        "look · helper_agent",
        "answer · helper_agent",
    ]
    assert "6 of them failures" in board._words.text()
    assert board.count == 2


def test_the_board_is_worked_on_by_keys_and_labels_stay(window: MainWindow) -> None:
    board, _file = open_board(window)
    before = kept()
    choose(board, "wrong date")
    say(board, board.board, Qt.Key.Key_F2, "another day")
    assert wait_for(lambda: modes(board) == {"another day": 2, "date": 1})
    choose(board, "another day", "date")
    say(board, board.board, Qt.Key.Key_M, "another day")
    assert wait_for(lambda: modes(board) == {"another day": 3})
    choose(board, "another day")
    say(board, board.board, Qt.Key.Key_D, "Not the day of the tool.")
    assert wait_for(lambda: board.table.index(0, 4).data() == "Not the day of the tool.")
    assert on_disk().modes == (Mode("another day", "Not the day of the tool.", ("wrong date", "date")),)
    assert kept() == before
    assert window.desk.workspace.steps.undoText() == "Describe “another day”"
    for _step in range(3):
        trigger(window, "undo")
    assert wait_for(lambda: modes(board) == {"wrong date": 2, "date": 1})
    assert on_disk() == Codebook()
    trigger(window, "redo")
    assert wait_for(lambda: modes(board) == {"another day": 2, "date": 1})


def test_examples_are_split_off(window: MainWindow) -> None:
    board, _file = open_board(window)
    choose(board, "wrong date")
    board.tabs.setCurrentIndex(EXAMPLES)
    board.example_list.setFocus()
    board.example_list.setCurrentIndex(board.examples.index(1, 0))
    say(board, board.example_list, Qt.Key.Key_S, "off by one")
    assert wait_for(lambda: modes(board) == {"wrong date": 1, "date": 1, "off by one": 1})


def test_a_group_of_notes_becomes_a_mode_when_somebody_says_so(window: MainWindow) -> None:
    board, _file = open_board(window)
    board.tabs.setCurrentIndex(UNTAGGED)
    listed = [board.untagged.index(row, 0).data() for row in range(board.untagged.rowCount())]
    assert listed == ["price · 2 alike", "The price is missing.", "Forgets the price.", "Like no other", "Rude."]
    assert on_disk() == Codebook()
    board.untagged_list.setFocus()
    board.untagged_list.setCurrentIndex(board.untagged.index(0, 0))
    QTest.keyClick(board.untagged_list, Qt.Key.Key_T)
    assert board.line.field.text() == "price"
    QTest.keyClick(board.line.field, Qt.Key.Key_Return)
    assert wait_for(lambda: modes(board) == {"wrong date": 2, "price": 2, "date": 1})
    assert [row.output.notes for row in board.untagged.records if row.output] == [("Rude.",)]


def test_what_is_refused_is_told_and_changes_nothing(window: MainWindow) -> None:
    board, _file = open_board(window)
    choose(board, "date")
    say(board, board.board, Qt.Key.Key_F2, " ")
    assert told(window) == "A mode needs a name."
    QTest.keyClick(board.board, Qt.Key.Key_F2)
    QTest.keyClick(board.line.field, Qt.Key.Key_Escape)
    assert not board.line.isVisible()
    assert board.board.hasFocus()
    assert modes(board) == {"wrong date": 2, "date": 1}


def test_somebody_elses_change_of_the_codebook_is_read_and_not_written_over(window: MainWindow) -> None:
    board, _file = open_board(window)
    theirs = save_codebook(load_codebook(own_codebook()), Codebook((Mode("theirs", was=("date",)),))).book
    choose(board, "date")
    say(board, board.board, Qt.Key.Key_F2, "mine")
    assert wait_for(lambda: modes(board) == {"wrong date": 2, "theirs": 1})
    assert on_disk() == theirs
    assert "changed by somebody else" in told(window)
    trigger(window, "undo")
    assert on_disk() == theirs


def test_an_example_is_shown_where_it_is(window: MainWindow) -> None:
    board, file = open_board(window)
    choose(board, "date")
    board.example_list.setFocus()
    board.example_list.setCurrentIndex(QModelIndex())
    board.example_list.setCurrentIndex(board.examples.index(0, 0))
    row = file.table.turns(file.table.tops[1])[0]
    assert window.desk.workspace.selection.value == Selection(file.number, row)
    QTest.keyClick(board.example_list, Qt.Key.Key_Return)
    assert not board.example_list.hasFocus()


def test_the_matrix_opens_its_failures(window: MainWindow) -> None:
    board, _file = open_board(window)
    board.tabs.setCurrentIndex(WHERE)
    shown = [[board.matrix.index(row, column).data() for column in range(2)] for row in range(2)]
    heads = [board.matrix.headerData(column, Qt.Orientation.Horizontal) for column in range(2)]
    assert (heads, shown) == (["look", "answer"], [["1", "1"], ["1", ""]])
    board.matrix_view.setFocus()
    board.matrix_view.setCurrentIndex(board.matrix.index(0, 1))
    QTest.keyClick(board.matrix_view, Qt.Key.Key_Return)
    assert board.tabs.currentIndex() == EXAMPLES
    assert [row.output.notes for row in board.examples.records if row.output] == [("Date is off by one.",)]
    board.tabs.setCurrentIndex(WHERE)
    board.axis.choose("agent")
    board._place()
    assert board.matrix.headerData(0, Qt.Orientation.Horizontal) == "helper_agent"


def test_a_mode_becomes_a_filter(window: MainWindow) -> None:
    board, file = open_board(window)
    choose(board, "wrong date")
    QTest.keyClick(board.board, Qt.Key.Key_F)
    filtering = window.desk.workspace.filtering
    assert filtering.text == 'mode:"wrong date"'
    tops = file.table.tops
    assert wait_for(lambda: [top for top in tops if file.table.visible.passes(top)] == [tops[0], tops[2]])
    say(board, board.board, Qt.Key.Key_F2, "day")
    filtering.set_text("mode:day")
    assert wait_for(lambda: [top for top in tops if file.table.visible.passes(top)] == [tops[0], tops[2]])
    filtering.set_text("")


def test_a_mode_becomes_goldens(window: MainWindow) -> None:
    board, _file = open_board(window)
    choose(board, "wrong date")
    QTest.keyClick(board.board, Qt.Key.Key_G)
    dialog = window.findChild(PromoteDialog)
    assert dialog is not None
    assert [(each.name, len(each.turns)) for each in dialog.promotion.picked] == [("case 0", 1), ("case 2", 1)]
    dialog.reject()


def test_a_mode_becomes_goldens_that_expect_what_was_called_before_it_went_wrong(window: MainWindow) -> None:
    board, file = open_board(window)
    choose(board, "wrong date")
    QTest.keyClick(board.board, Qt.Key.Key_E)
    dialog = window.findChild(PromoteDialog)
    assert dialog is not None
    promotion = dialog.promotion  # the other example went wrong in its answer
    assert [each.name for each in promotion.picked] == ["case 0"]
    (first,) = (output for output in board._meant if output.first_fault == "call/0")
    assert promotion.faults == {(file.number, board._modes.places[first.subject][0].row): 0}
    assert "calls" in promotion.wants
    assert "answers" not in promotion.wants
    dialog.reject()
    window.activateWindow()
    assert wait_for(window.isActiveWindow)
    board.example_list.setFocus()
    board.example_list.setCurrentIndex(board.examples.index(1, 0))
    QTest.keyClick(board.example_list, Qt.Key.Key_E)
    assert "Draft a rubric instead (R)" in told(window)


def test_a_mode_becomes_a_draft_of_a_rubric(window: MainWindow) -> None:
    board, _file = open_board(window)
    choose(board, "wrong date")
    say(board, board.board, Qt.Key.Key_D, "Not the day of the tool.")
    assert wait_for(lambda: board._modes.book.mode("wrong date").description != "")
    QTest.keyClick(board.board, Qt.Key.Key_R)
    criteria = window.desk.docks["criteria"].widget()
    assert isinstance(criteria, CriteriaPanel)
    metric = "rubric_based_final_response_quality_v1"
    assert wait_for(lambda: bool(criteria.draft.rubrics(metric)))
    (rubric,) = criteria.draft.rubrics(metric)
    assert rubric["rubric_id"] == "wrong_date"
    assert rubric["rubric_content"] == {
        "text_property": "The response does not show this failure: wrong date – Not the day of the tool."
    }
    criteria.draft.undo()


def test_a_blind_review_hides_the_panel_and_it_never_tells_a_verdict(window: MainWindow) -> None:
    board, _file = open_board(window)
    workspace = window.desk.workspace
    metric = MetricVerdict("final_response_match_v2", 0.125, Status.FAILED, 0.5, reason=BAIT)
    verdict = CaseVerdict(
        "case 0", "suite", "case 0", Status.FAILED, turns=(TurnVerdict(0, 0, Status.FAILED, (metric,), BAIT),),
        reason=BAIT, trace_path=TRACES, trace_place="/case 0",
    )  # fmt: skip
    whole = judged(conversations(), [])
    judge(workspace, begin(workspace, ("final_response_match_v2",)), replace(whole, cases=(verdict,)))
    assert workspace.run.value is not None
    assert BAIT in workspace.run.value.cases[0].reason
    for tab in (EXAMPLES, UNTAGGED, WHERE):
        board.tabs.setCurrentIndex(tab)
        QTest.qWait(20)
        assert all(BAIT not in text.text for part in board.findChildren(QWidget) for text in painted_texts(part))
    workspace.review.begin(Drawing(count=3, question=OVERALL, rater="Ben"))
    assert wait_for(lambda: workspace.review.is_open)
    assert not window.desk.docks["failure-modes"].isVisible()
    workspace.review.close()


def test_nothing_labelled_and_what_cannot_be_read_are_told(window: MainWindow, tmp_path: Path) -> None:
    board = panel(window)
    board._modes.use(None)
    assert wait_for(lambda: board._modes.failures is not None)
    assert "Review turns (Ctrl+Shift+L)" in board._empty.accessibleName()
    bad = tmp_path / "codebook.toml"
    bad.write_text("[[mode]\n", "utf-8")
    board._modes.use(bad)
    assert wait_for(lambda: "no TOML" in board._empty.accessibleName())
    board._modes.use(None)
    assert wait_for(lambda: board._modes.failures is not None)


def test_labels_beside_a_chosen_codebook_count_and_what_is_no_label_is_told(
    window: MainWindow, tmp_path: Path
) -> None:
    board, _file = open_board(window)
    before = modes(board)
    others = [
        replace(label(each, number), rater="Ben", tags=("slow",)) for number, each in enumerate(conversations())
    ]
    lines = [label_line(each) for each in others[:2]]
    (tmp_path / "Ben.jsonl").write_text("".join(f"{line}\n" for line in [*lines, "no label"]), "utf-8")
    (tmp_path / "codebook.toml").write_text('[[mode]]\nname = "late"\nwas = ["slow"]\n', "utf-8")
    board._modes.use(tmp_path / "codebook.toml")
    assert wait_for(lambda: modes(board).get("late") == 2)
    assert modes(board) == before | {"late": 2}
    assert told(window) == "1 line in files beside codebook.toml is no label."
    board._modes.use(None)
    assert wait_for(lambda: modes(board) == before)

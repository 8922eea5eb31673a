"""From a run to a golden by keys alone: what is saved is what the command would have written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from tests.helpers.eval_sets import case, turn, write_eval_set
from tests.views.doing import trigger
from tests.views.golden_tab import MADE, golden_file, trace_file
from tests.views.saving_doing import says
from tests.views.test_evaluate_dialog import open_all, session
from tests.views.test_every_panel import nameless, unreachable
from trace_inspector.core.trace.trace import calls_of
from trace_inspector.flows.goldens.promote_files import carry_out, planned
from trace_inspector.models.base.selection import Selection
from trace_inspector.views.promote.dialog import NAME, PromoteDialog
from trace_inspector.views.shell.main_window import MainWindow

pytestmark = pytest.mark.shared_window

WAIT_MS = 60_000
CONTROL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier
MOST_KEYS = 10


class Keys:
    """Presses keys where the focus is, and counts them."""

    def __init__(self, window: MainWindow) -> None:
        self.window = window
        self.count = 0

    def press(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        self.count += 1
        inside = QApplication.activeModalWidget() or self.window
        focus = inside.focusWidget()
        assert isinstance(focus, QWidget), "nothing has the focus"
        QTest.keyClick(focus, key, modifier)


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """An eval set with one golden, and two recorded conversations."""
    (folder := tmp_path / "work").mkdir()
    return [
        write_eval_set(folder / "shop.evalset.json", case("opening", turn("When do you open?", "At nine."))),
        session(folder / "one.json", "s-parking", "Where can I park?", "In the garage.", "Is it free?", "Yes."),
        session(folder / "two.json", "s-lost", "Do you sell maps?", "No."),
    ]


def settled(window: MainWindow, qtbot: QtBot) -> None:
    done: list[bool] = []
    window.desk.workspace.goldens.settled(lambda: done.append(True))
    qtbot.waitUntil(lambda: bool(done), timeout=WAIT_MS)
    timers = window.desk.workspace.goldens.findChildren(QTimer)
    qtbot.waitUntil(lambda: not any(timer.isActive() for timer in timers), timeout=WAIT_MS)


def file_of(window: MainWindow, name: str) -> int:
    return next(file.number for file in window.desk.workspace.files if file.name == name)


def select(window: MainWindow, name: str, *rows: int) -> None:
    """Rows of a file in the tree, the last of them the current one."""
    window.desk.workspace.selection.select(Selection(file_of(window, name), rows[0]))
    tree = window.desk.page.tree
    tree.setFocus()
    for row in rows[1:]:
        tree.selectionModel().select(
            window.desk.page.index_of(row),
            tree.selectionModel().SelectionFlag.Select | tree.selectionModel().SelectionFlag.Rows,
        )


def dialog_of(window: MainWindow, qtbot: QtBot) -> PromoteDialog:
    qtbot.waitUntil(lambda: window.findChild(PromoteDialog, NAME) is not None, timeout=WAIT_MS)
    dialog = window.findChild(PromoteDialog, NAME)
    assert dialog is not None
    qtbot.waitUntil(lambda: not dialog.promotion.waiting, timeout=WAIT_MS)
    return dialog


def ids(window: MainWindow, name: str) -> list[str]:
    goldens, number = window.desk.workspace.goldens, file_of(window, name)
    return [case.id for place in goldens.places(number) if (case := goldens.case(number, place)) is not None]


def test_a_run_becomes_a_golden_in_under_ten_key_presses(
    window: MainWindow, qtbot: QtBot, files: list[Path], tmp_path: Path
) -> None:
    (wanted := tmp_path / "wanted.evalset.json").write_bytes(files[0].read_bytes())
    carry_out(planned([files[1]], wanted))
    open_all(window, qtbot, files)
    select(window, "one.json", 0)
    keys = Keys(window)
    keys.press(Qt.Key.Key_G, CONTROL)
    dialog = dialog_of(window, qtbot)
    keys.press(Qt.Key.Key_Return)
    assert not dialog.isVisible()
    qtbot.waitUntil(window.commands.actions["save"].isEnabled, timeout=WAIT_MS)
    window.activateWindow()  # what a desktop does by itself when a dialog closes
    qtbot.waitUntil(window.isActiveWindow, timeout=WAIT_MS)
    keys.press(Qt.Key.Key_S, CONTROL)
    settled(window, qtbot)
    assert keys.count < MOST_KEYS
    assert files[0].read_bytes() == wanted.read_bytes()
    assert ids(window, "shop.evalset.json") == ["opening", "where_can_i_park"]


def test_the_dialog_is_told_by_names_and_reached_by_tab(window: MainWindow, qtbot: QtBot, files: list[Path]) -> None:
    open_all(window, qtbot, files)
    select(window, "one.json", 0)
    trigger(window, "promote")
    dialog = dialog_of(window, qtbot)
    assert nameless(dialog) == []
    assert unreachable(dialog) == []
    assert dialog.sentence.text() == "Adds “where_can_i_park” to shop.evalset.json."
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    settled(window, qtbot)


def test_chosen_turns_go_behind_those_of_a_golden_without_answers(
    window: MainWindow, qtbot: QtBot, files: list[Path]
) -> None:
    open_all(window, qtbot, files)
    table = window.desk.workspace.files.in_order[1].table
    select(window, "one.json", table.turns(0)[1])
    trigger(window, "promote")
    dialog = dialog_of(window, qtbot)
    dialog.target.case.setFocus()
    QTest.keyClick(dialog.target.case, Qt.Key.Key_Down)
    QTest.keyClick(dialog.checks["answers"], Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: not dialog.promotion.waiting, timeout=WAIT_MS)
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    settled(window, qtbot)
    number = file_of(window, "shop.evalset.json")
    golden = window.desk.workspace.goldens.case(number, window.desk.workspace.goldens.places(number)[0])
    assert golden is not None
    assert [turn.final_response is None for turn in golden.turns] == [False, True]
    window.desk.undo.undo()
    settled(window, qtbot)
    golden = window.desk.workspace.goldens.case(number, window.desk.workspace.goldens.places(number)[0])
    assert golden is not None
    assert len(golden.turns) == 1


def test_all_conversations_of_a_file_are_one_step(window: MainWindow, qtbot: QtBot, files: list[Path]) -> None:
    sets = write_eval_set(
        files[0].parent / "many.evalset.json", *(case(f"c{at}", turn(f"Question {at}?", "Yes.")) for at in range(12))
    )
    open_all(window, qtbot, [files[0], sets])
    window.desk.workspace.selection.select(Selection(file_of(window, "many.evalset.json")))
    trigger(window, "copy-goldens")
    dialog = dialog_of(window, qtbot)
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    settled(window, qtbot)
    assert ids(window, "shop.evalset.json") == ["opening", *(f"c{at}" for at in range(12))]
    window.desk.undo.undo()
    settled(window, qtbot)
    assert ids(window, "shop.evalset.json") == ["opening"]


def test_a_failing_run_is_tagged_and_a_new_file_is_written(
    window: MainWindow, qtbot: QtBot, files: list[Path]
) -> None:
    open_all(window, qtbot, files[1:])
    select(window, "one.json", 0)
    trigger(window, "promote")
    dialog = dialog_of(window, qtbot)
    assert dialog.promotion.target is None
    dialog.target.path.setFocus()
    dialog.target.path.selectAll()
    path = files[0].parent / "new.evalset.json"
    QTest.keyClicks(dialog.target.path, str(path))
    QTest.keyClick(dialog.target.path, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: any(file.name == path.name for file in window.desk.workspace.files), timeout=WAIT_MS)
    qtbot.waitUntil(lambda: not window.desk.jobs.busy, timeout=WAIT_MS)
    written = json.loads(path.read_text())
    assert [one["eval_id"] for one in written["eval_cases"]] == ["where_can_i_park"]


def test_undoing_leads_back_to_what_was_promoted(window: MainWindow, qtbot: QtBot, files: list[Path]) -> None:
    open_all(window, qtbot, files)
    select(window, "one.json", 0)
    workspace, was = window.desk.workspace, window.desk.workspace.selection.value
    trigger(window, "promote")
    QTest.keyClick(dialog_of(window, qtbot), Qt.Key.Key_Return)
    settled(window, qtbot)
    assert workspace.selection.value != was
    window.desk.undo.undo()
    settled(window, qtbot)
    assert workspace.selection.value == was
    assert window.desk.page.shows(file_of(window, "one.json"))
    workspace.selection.select(Selection(file_of(window, "shop.evalset.json")))
    tree = window.desk.page.tree
    assert tree.isExpanded(tree.model().index(0, 0)), "the tree of the goldens is folded"


def test_of_a_golden_what_a_run_did_is_promoted(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    golden, run = golden_file(tmp_path), trace_file(tmp_path)
    write_eval_set(tmp_path / "other.evalset.json", case("opening", turn("When do you open?", "At nine.")))
    open_all(window, qtbot, [tmp_path / "other.evalset.json", golden, run])
    table = window.desk.workspace.files.in_order[1].table
    select(window, golden.name, table.tops[0])
    trigger(window, "promote")
    assert window.findChild(PromoteDialog, NAME) is None, "a golden is promoted"
    assert says(window, "This is a golden already.")
    window.desk.workspace.evaluation.ask_to_start()

    def is_judged() -> bool:
        run = window.desk.workspace.run.value
        return run is not None and run.verdict is not None

    qtbot.waitUntil(is_judged, timeout=WAIT_MS)
    select(window, golden.name, table.turns(table.tops[0])[0])
    trigger(window, "promote")
    dialog = dialog_of(window, qtbot)
    assert not dialog.promotion.copies
    assert dialog.promotion.target is not None
    assert dialog.promotion.target.path == golden
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    settled(window, qtbot)
    number = file_of(window, golden.name)
    (place,) = window.desk.workspace.goldens.places(number)
    changed = window.desk.workspace.goldens.case(number, place)
    assert changed is not None
    assert [(call.name, call.args) for call in calls_of(changed.turns[0])] == list(MADE)

"""The Golden tab by keys: what is typed is written, shown, scored, undone and saved."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPlainTextEdit

from tests.views.golden_tab import (
    MADE,
    WANTED,
    GoldenWindow,
    focus,
    golden_file,
    key,
    retype,
    said,
    trace_file,
    until,
)
from trace_inspector.core.golden.matcher import Match
from trace_inspector.core.trace.trace import answer_text, user_text
from trace_inspector.models.base.selection import Selection
from trace_inspector.views.details.panel import GOLDEN
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.widgets.controls import Elided

pytestmark = pytest.mark.shared_window

CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def empty(window: MainWindow) -> GoldenWindow:
    return GoldenWindow(window)


@pytest.fixture
def golden(empty: GoldenWindow, tmp_path: Path) -> GoldenWindow:
    """A golden and its trace, evaluated; the trace's turn is selected and its golden about to be edited."""
    empty.open(golden_file(tmp_path), trace_file(tmp_path))
    empty.select_turn("run.json")
    empty.edit()
    return empty


def test_an_argument_that_is_typed_turns_the_mark_and_one_line_of_the_file(
    empty: GoldenWindow, tmp_path: Path
) -> None:
    golden = empty
    path = golden_file(tmp_path, WANTED[:1])
    golden.open(path, trace_file(tmp_path, MADE[:1]))
    before = path.read_text().splitlines()
    turn = golden.select_turn("run.json")
    golden.edit()
    assert golden.mark(turn) == "failed"
    retype(golden.field(0, "radius_m"), "500")
    until(lambda: golden.mark(turn) == "passed")
    golden.settle()
    golden.save()
    after = path.read_text().splitlines()
    changed = [new.strip() for old, new in zip(before, after, strict=True) if old != new]
    assert changed == ['"radius_m": 500']


def test_an_argument_that_is_ignored_turns_the_verdict(golden: GoldenWindow) -> None:
    row = golden.calls.cards[0].rows["radius_m"]
    focus(row.chip)
    QTest.keyClicks(row.chip, "i")
    golden.settle()
    assert row.chip.match is Match.IGNORE
    assert [(matcher.match, matcher.place.rpartition("/")[2]) for matcher in golden.case().matchers] == [
        (Match.IGNORE, "radius_m")
    ]
    assert golden.calls.cards[0].now.words == "now matches"
    assert QApplication.focusWidget() is row.chip


def test_what_is_typed_keeps_focus_and_cursor_and_is_one_step(golden: GoldenWindow) -> None:
    field = golden.field(0, "query")
    focus(field)
    field.setCursorPosition(1)
    for letter in "free ":
        QTest.keyClicks(field, letter)
    golden.settle()
    assert golden.field(0, "query") is field
    assert QApplication.focusWidget() is field
    assert (field.text(), field.cursorPosition()) == ('"free parking"', 6)
    assert golden.expected()[0][1] == {"query": "free parking", "radius_m": 800}
    assert golden.workspace.steps.count() == 1
    key(golden.window, Qt.Key.Key_Z, CONTROL)
    golden.settle()
    assert field.text() == '"parking"'
    assert golden.expected() == [*WANTED]
    key(golden.window, Qt.Key.Key_Z, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    golden.settle()
    assert field.text() == '"free parking"'
    assert golden.expected()[0][1] == {"query": "free parking", "radius_m": 800}


def test_enter_ends_a_step_and_esc_restores_what_stood_there(golden: GoldenWindow) -> None:
    field = golden.field(0, "radius_m")
    retype(field, "700")
    key(golden.window, Qt.Key.Key_Return)
    retype(field, "600")
    golden.settle()
    assert golden.workspace.steps.count() == 2
    key(golden.window, Qt.Key.Key_Escape)
    golden.settle()
    assert field.text() == "700"
    assert golden.expected()[0][1] == {"query": "parking", "radius_m": 700}


def test_what_is_no_json_is_said_and_not_written(golden: GoldenWindow) -> None:
    field = golden.field(0, "query")
    row = golden.calls.cards[0].rows["query"]
    retype(field, "Pike")
    golden.settle()
    assert 'Put text in quotes: "Pike"' in row.problem
    assert field.property("wrong") is True
    assert golden.expected() == [*WANTED]
    assert not golden.workspace.steps.canUndo()
    key(golden.window, Qt.Key.Key_Escape)
    assert (field.text(), row.problem, field.property("wrong")) == ('"parking"', "", False)


def test_undo_drops_first_what_could_not_be_written(golden: GoldenWindow) -> None:
    field = golden.field(0, "query")
    retype(field, '"Pike"')
    key(golden.window, Qt.Key.Key_Return)
    QTest.keyClicks(field, "x")
    golden.settle()
    assert field.problem
    key(golden.window, Qt.Key.Key_Z, CONTROL)
    assert (field.text(), field.problem) == ('"Pike"', "")
    key(golden.window, Qt.Key.Key_Z, CONTROL)
    golden.settle()
    assert field.text() == '"parking"'


def test_the_answer_is_typed_in_one_step_and_scored(golden: GoldenWindow) -> None:
    field = golden.answer
    focus(field)
    field.moveCursor(QTextCursor.MoveOperation.End)
    for letter in " Or free.":
        QTest.keyClicks(field, letter)
    golden.settle()
    assert answer_text(golden.case().turns[0]) == "Six dollars an hour. Or free."
    assert golden.workspace.steps.count() == 1
    assert QApplication.focusWidget() is field
    assert field.textCursor().atEnd()
    body = golden.tab.groups["answer"].body
    assert body is not None
    assert body.caption == "6 words"
    key(golden.window, Qt.Key.Key_Z, CONTROL)
    golden.settle()
    assert answer_text(golden.case().turns[0]) == "Six dollars an hour."
    assert field.toPlainText() == "Six dollars an hour."


def test_the_words_of_the_user_are_edited(golden: GoldenWindow) -> None:
    body = golden.tab.groups["user"].body
    assert body is not None
    field = next(iter(body.findChildren(QPlainTextEdit)))
    focus(field)
    QTest.keyClicks(field, "So: ")
    golden.settle()
    assert user_text(golden.case().turns[0]) == "So: Where can I park?"


def whole_title(golden: GoldenWindow, width_px: int, promote: str) -> str:
    """The title once it has room, where the panel is so wide and that stands on its button."""
    golden.window.resizeDocks([golden.window.desk.docks["details"]], [width_px], Qt.Orientation.Horizontal)
    until(lambda: abs(golden.tab.width() - width_px) < 20)
    until(lambda: golden.tab.head.promote.text() == promote)
    title = golden.tab.head.findChildren(Elided)[0]
    until(lambda: title.fontMetrics().horizontalAdvance(title.text()) <= title.width())
    return title.text()


def test_the_title_is_whole_in_a_narrow_panel_too(golden: GoldenWindow) -> None:
    assert whole_title(golden, 432, "Promote…") == "Golden for turn 1"
    assert whole_title(golden, 680, "Promote observed…") == "Golden for turn 1"


def test_the_head_and_the_foot_say_what_is_not_saved(golden: GoldenWindow) -> None:
    assert golden.tab.head.words == ("Golden for turn 1", "city.evalset.json › park › conversation[0]", "")
    retype(golden.field(0, "radius_m"), "7")
    golden.settle()
    assert golden.tab.head.words[2] == "1 unsaved edit"
    assert golden.tab.foot.undo.text() == "Undo: set radius_m to 7"
    until(lambda: golden.tab.foot.summary == "Changes 1 line")
    golden.save()
    assert golden.tab.head.words[2] == ""
    assert golden.tab.foot.summary == ""


def test_a_golden_that_is_selected_itself_is_edited_too(empty: GoldenWindow, tmp_path: Path) -> None:
    golden = empty
    golden.open(golden_file(tmp_path), evaluate=False)
    golden.select_turn("city.evalset.json")
    golden.edit()
    retype(golden.field(0, "radius_m"), "12")
    golden.settle()  # also until the rows of the file are told anew
    assert golden.expected()[0][1] == {"query": "parking", "radius_m": 12}
    assert golden.field(0, "radius_m").hasFocus()
    assert golden.tab.context is not None
    assert golden.tab.context.index == 0


def test_a_missing_turn_leads_to_its_golden(empty: GoldenWindow, tmp_path: Path) -> None:
    golden = empty
    path = golden_file(tmp_path)
    stated = json.loads(path.read_text())
    asked, answered = said("And at night?", "user"), said("Free.", "model")
    second = {"invocation_id": "i2", "user_content": asked, "final_response": answered}
    stated["eval_cases"][0]["conversation"].append(second)
    path.write_text(json.dumps(stated))
    golden.open(path, trace_file(tmp_path))
    file = golden.file("run.json")
    ghost = file.table.missing_turn(file.table.tops[0], 1)
    golden.workspace.selection.select(Selection(file.number, ghost))
    golden.edit()
    assert golden.tab.context is not None
    assert golden.tab.context.index == 1
    assert golden.answer.toPlainText() == "Free."


def test_without_a_golden_the_next_step_is_told(empty: GoldenWindow, tmp_path: Path) -> None:
    golden = empty
    golden.open(trace_file(tmp_path), evaluate=False)
    golden.select_turn("run.json")
    golden.panel.tabs.setCurrentIndex(GOLDEN)
    assert "F5" in golden.tab.reason
    golden.workspace.evaluation.ask_to_start()
    until(lambda: golden.workspace.run.value is not None and golden.workspace.run.value.verdict is not None)
    until(lambda: golden.tab.reason == "No golden belongs to this turn. Promote it with Ctrl+G.")


def test_the_change_is_listed_line_by_line(golden: GoldenWindow) -> None:
    retype(golden.field(0, "radius_m"), "7")
    golden.settle()
    focus(golden.tab.foot.show_change)
    key(golden.window, Qt.Key.Key_Return)
    until(lambda: QApplication.activeModalWidget() is not None)
    dialog = QApplication.activeModalWidget()
    assert dialog is not None
    text = dialog.findChild(QPlainTextEdit)
    assert text is not None
    lines = [line.split(maxsplit=1)[1].split() for line in text.toPlainText().splitlines()]
    assert lines == [["-", '"radius_m":', "800"], ["+", '"radius_m":', "7"]]
    dialog.close()


def test_what_was_made_is_observed_beside(golden: GoldenWindow) -> None:
    assert golden.calls.cards[0].rows["radius_m"].observed == "500"
    assert golden.calls.cards[1].now.words == "not called"

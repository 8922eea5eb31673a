"""Texts that a field of the Golden tab cannot take, by whatever way they come: nothing goes in silence."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.views.golden_doing import opened_golden, rest, retype, row_of, saved, settle, undone, unfold
from tests.views.golden_tab import said
from tests.views.test_golden_long_words import in_golden
from trace_inspector.core.values.values import Json
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.golden.values import MOST_CHARS, block_text, line_text, read_json
from trace_inspector.views.golden.fields.line_field import GoldenLine
from trace_inspector.views.golden.fields.text_field import GoldenText
from trace_inspector.views.golden.tab import GoldenTab
from trace_inspector.views.golden.words import ReferenceAnswer
from trace_inspector.views.shell.main_window import MainWindow

pytestmark = pytest.mark.shared_window

HALF = "\ud83d"
TOLD = "This text has an incomplete character"
LONG = "z" * (MOST_CHARS + 1)


def suite(*answers: str) -> Json:
    """A case for each answer."""
    cases: list[Json] = []
    for number, answer in enumerate(answers or ("yo",)):
        turn: Json = {
            "invocation_id": "i",
            "user_content": said("hi", "user"),
            "final_response": said(answer, "model"),
        }
        cases.append({"eval_id": f"c{number}", "conversation": [turn]})
    return {"eval_set_id": "x", "eval_cases": cases}


def answer_of(tab: GoldenTab) -> ReferenceAnswer:
    body = tab.groups["answer"].body
    assert isinstance(body, ReferenceAnswer)
    return body


def answer_in(value: Json) -> str:
    (text,) = answers_in(value)
    return text


def answers_in(value: Json) -> list[str]:
    """The reference answers of all cases."""
    cases = json.loads(json.dumps(value))["eval_cases"]
    return [case["conversation"][0]["final_response"]["parts"][0]["text"] for case in cases]


def pasted(field: GoldenText, text: str) -> None:
    data = QMimeData()
    data.setText(text)
    field.insertFromMimeData(data)


def composed(field: GoldenText | GoldenLine, text: str) -> None:
    event = QInputMethodEvent()
    event.setCommitString(text)
    QApplication.sendEvent(field, event)


def inserted(field: GoldenText, text: str) -> None:
    """As dictation and other programs do."""
    field.textCursor().insertText(text)


Way = Callable[[GoldenText, str], None]
WAYS: tuple[Way, ...] = (pasted, composed, inserted)


def test_half_a_character_is_told_and_nothing_is_written_until_it_is_gone(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "a.evalset.json"
    body = answer_of(opened_golden(window, path, suite(), turn=0))
    body.field.setFocus()
    for way in WAYS:
        body.field.selectAll()
        way(body.field, f"n{HALF}")
        rest(window)
        assert body.problem.startswith(TOLD), way
        assert not window.desk.workspace.files.in_order[0].unsaved, way
        QTest.keyClick(body.field, Qt.Key.Key_Backspace)
        composed(body.field, f"o \U0001f600 {way.__name__}")
        assert answer_in(saved(window, path)) == f"no \U0001f600 {way.__name__}"
        assert body.problem == "", way


def test_escape_brings_back_what_half_a_character_took_the_place_of(window: MainWindow, tmp_path: Path) -> None:
    body = answer_of(opened_golden(window, tmp_path / "a.evalset.json", suite(), turn=0))
    body.field.setFocus()
    for way in WAYS:
        body.field.selectAll()
        way(body.field, HALF)
        assert body.problem.startswith(TOLD), way
        QTest.keyClick(body.field, Qt.Key.Key_Escape)
        assert (body.field.toPlainText(), body.problem) == ("yo", ""), way


def test_a_text_that_is_too_long_is_not_written_by_whatever_way_it_comes(window: MainWindow, tmp_path: Path) -> None:
    body = answer_of(opened_golden(window, tmp_path / "a.evalset.json", suite(), turn=0))
    body.field.setFocus()
    for way in WAYS:
        way(body.field, LONG)
        rest(window)
        assert body.problem.startswith("That is too long to be edited here."), way
        assert (body.field.toPlainText() == "yo") == (way is not inserted)
        QTest.keyClick(body.field, Qt.Key.Key_Escape)
        assert (body.field.toPlainText(), body.problem) == ("yo", ""), way
        assert not window.desk.workspace.files.in_order[0].unsaved, way


def test_a_golden_that_has_half_a_character_is_not_written_without_it(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "a.evalset.json"
    body = answer_of(opened_golden(window, path, suite(f"a{HALF}b"), turn=0))
    body.field.setFocus()
    QTest.keyClick(body.field, Qt.Key.Key_End)
    QTest.keyClicks(body.field, "!")
    assert body.problem.startswith(TOLD)
    rest(window)
    assert not window.desk.workspace.files.in_order[0].unsaved
    QTest.keyClick(body.field, Qt.Key.Key_Escape)
    body.field.clearFocus()
    rest(window)
    assert answer_in(saved(window, path)) == f"a{HALF}b"
    retype(body.field, "ab")
    assert answer_in(saved(window, path)) == "ab"


def test_a_line_does_not_take_what_is_too_long_or_no_whole_character(window: MainWindow, tmp_path: Path) -> None:
    tab = opened_golden(window, tmp_path / "a.evalset.json", suite())
    unfold(tab, "case")
    row = row_of(tab, "case-id")
    assert isinstance(row.editor, GoldenLine)
    row.editor.setFocus()
    for text in (f"n{HALF}", LONG):
        row.editor.end(False)  # noqa: FBT003  (Qt takes it by position alone)
        composed(row.editor, text)
        rest(window)
        assert row.editor.text() == "c0", text[:9]
        assert row.problem.startswith("That text was not inserted"), text[:9]
        assert not window.desk.workspace.files.in_order[0].unsaved, text[:9]
        QTest.keyClicks(row.editor, "1")
        rest(window)
        assert (row.problem, window.desk.workspace.files.in_order[0].unsaved) == ("", 1), text[:9]
        undone(window)


# Spaces that do not break, line ends of Windows, a separator of lines, line ends of two kinds.
LOOK_ALIKE = {
    "5\u00a0km": "5\u00a0km\n/h",
    "a\r\nb\r\n": "a\r\nb\r\n\r\n/h",
    "a\u2028b\nc": "a\u2028b\nc\n/h",
    "a\r\nb\nc": "a\r\nb\nc\n/h",
}


def test_characters_that_look_like_others_stay_what_they_are(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "a.evalset.json"
    tab = opened_golden(window, path, suite(*LOOK_ALIKE), turn=0)
    (file,) = window.desk.workspace.files
    for modifier in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier):
        for number in range(len(LOOK_ALIKE)):
            window.desk.workspace.selection.select(
                Selection(file.number, file.table.turns(file.table.tops[number])[0])
            )
            QTest.qWait(1)
            field = answer_of(tab).field
            field.setFocus()
            QTest.keyClick(field, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
            QTest.keyClick(field, Qt.Key.Key_Return, modifier)
            QTest.keyClicks(field, "/h")
            settle(window)
        assert answers_in(saved(window, path)) == [*LOOK_ALIKE.values()], modifier
        undone(window, len(LOOK_ALIKE))
        assert [in_golden(window, number) for number in range(len(LOOK_ALIKE))] == [*LOOK_ALIKE], modifier


@pytest.mark.parametrize("text_of", [block_text, line_text], ids=["block", "line"])
def test_half_a_character_stands_in_json_as_an_escape(text_of: Callable[[Json], str]) -> None:
    value: Json = {f"a{HALF}": [f"{HALF}b", "é\U0001f600"]}
    assert HALF not in text_of(value)
    assert "é\U0001f600" in text_of(value)
    assert read_json(text_of(value)) == value

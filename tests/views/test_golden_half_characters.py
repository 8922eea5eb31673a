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

from tests.views.golden_doing import opened_golden, rest, retype, row_of, saved, undone, unfold
from tests.views.golden_tab import said
from tests.views.test_golden_long_words import in_golden
from trace_inspector.core.values.values import Json
from trace_inspector.models.golden.values import MOST_CHARS, block_text, line_text, read_json
from trace_inspector.views.golden.fields.line_field import GoldenLine
from trace_inspector.views.golden.fields.text_field import GoldenText
from trace_inspector.views.golden.tab import GoldenTab
from trace_inspector.views.golden.words import ReferenceAnswer
from trace_inspector.views.shell.main_window import MainWindow

HALF = "\ud83d"
TOLD = "Half of a character stands here"
LONG = "z" * (MOST_CHARS + 1)


def suite(answer: str = "yo") -> Json:
    turn: Json = {"invocation_id": "i", "user_content": said("hi", "user"), "final_response": said(answer, "model")}
    return {"eval_set_id": "x", "eval_cases": [{"eval_id": "c0", "conversation": [turn]}]}


def answer_of(tab: GoldenTab) -> ReferenceAnswer:
    body = tab.groups["answer"].body
    assert isinstance(body, ReferenceAnswer)
    return body


def answer_in(value: Json) -> str:
    assert isinstance(value, dict)
    text = json.loads(json.dumps(value))["eval_cases"][0]["conversation"][0]["final_response"]["parts"][0]["text"]
    assert isinstance(text, str)
    return text


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
by_every_way = pytest.mark.parametrize("way", WAYS, ids=["pasted", "composed", "inserted"])


@by_every_way
def test_half_a_character_is_told_and_nothing_is_written_until_it_is_gone(
    window: MainWindow, tmp_path: Path, way: Way
) -> None:
    path = tmp_path / "a.evalset.json"
    body = answer_of(opened_golden(window, path, suite(), turn=0))
    body.field.setFocus()
    body.field.selectAll()
    way(body.field, f"n{HALF}")
    rest(window)
    assert body.problem.startswith(TOLD)
    assert not window.desk.workspace.files.in_order[0].unsaved
    QTest.keyClick(body.field, Qt.Key.Key_Backspace)
    composed(body.field, "o \U0001f600")
    assert answer_in(saved(window, path)) == "no \U0001f600"
    assert body.problem == ""


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


@pytest.mark.parametrize("text", [f"n{HALF}", LONG], ids=["half", "long"])
def test_a_line_does_not_take_what_is_too_long_or_no_whole_character(
    window: MainWindow, tmp_path: Path, text: str
) -> None:
    path = tmp_path / "a.evalset.json"
    tab = opened_golden(window, path, suite())
    unfold(tab, "case")
    row = row_of(tab, "case-id")
    assert isinstance(row.editor, GoldenLine)
    row.editor.setFocus()
    row.editor.end(False)  # noqa: FBT003  (Qt takes it by position alone)
    composed(row.editor, text)
    rest(window)
    assert row.editor.text() == "c0"
    assert row.problem.startswith("That was not put in")
    assert not window.desk.workspace.files.in_order[0].unsaved
    QTest.keyClicks(row.editor, "1")
    rest(window)
    assert (row.problem, window.desk.workspace.files.in_order[0].unsaved) == ("", 1)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("5\u00a0km", "5\u00a0km\n/h"),
        ("a\r\nb\r\n", "a\r\nb\r\n\r\n/h"),
        ("a\u2028b\nc", "a\u2028b\nc\n/h"),
        ("a\r\nb\nc", "a\r\nb\nc\n/h"),
    ],
    ids=["spaces that do not break", "line ends of Windows", "a separator of lines", "line ends of two kinds"],
)
def test_characters_that_look_like_others_stay_what_they_are(
    window: MainWindow, tmp_path: Path, before: str, after: str
) -> None:
    path = tmp_path / "a.evalset.json"
    body = answer_of(opened_golden(window, path, suite(before), turn=0))
    for modifier in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier):
        body.field.setFocus()
        QTest.keyClick(body.field, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClick(body.field, Qt.Key.Key_Return, modifier)
        QTest.keyClicks(body.field, "/h")
        assert answer_in(saved(window, path)) == after, modifier
        undone(window)
        assert in_golden(window) == before, modifier


@pytest.mark.parametrize("text_of", [block_text, line_text], ids=["block", "line"])
def test_half_a_character_stands_in_json_as_an_escape(text_of: Callable[[Json], str]) -> None:
    value: Json = {f"a{HALF}": [f"{HALF}b", "é\U0001f600"]}
    assert HALF not in text_of(value)
    assert "é\U0001f600" in text_of(value)
    assert read_json(text_of(value)) == value

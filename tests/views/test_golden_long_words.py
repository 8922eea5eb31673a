"""The reference answer with texts that are too long for it, and with edits that are refused, in the real window."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication, QTextOption
from PySide6.QtTest import QTest

from tests.views.golden_doing import opened_golden, rest, retype, until
from tests.views.golden_tab import said
from trace_inspector.core.trace.trace import answer_text
from trace_inspector.core.values.values import Json
from trace_inspector.models.base.open_file import FileState
from trace_inspector.models.golden.values import MOST_CHARS
from trace_inspector.views.golden.tab import GoldenTab
from trace_inspector.views.golden.words import ReferenceAnswer
from trace_inspector.views.shell.main_window import MainWindow

pytestmark = pytest.mark.shared_window

LONG = 60_000


def suite(answer: str = "yo", cases: int = 1) -> Json:
    turn: Json = {"invocation_id": "i", "user_content": said("hi", "user"), "final_response": said(answer, "model")}
    return {"eval_set_id": "x", "eval_cases": [{"eval_id": f"c{at}", "conversation": [turn]} for at in range(cases)]}


def answer_of(tab: GoldenTab) -> ReferenceAnswer:
    body = tab.groups["answer"].body
    assert isinstance(body, ReferenceAnswer)
    return body


def in_golden(window: MainWindow, index: int = 0) -> str:
    workspace = window.desk.workspace
    number = workspace.files.in_order[0].number
    case = workspace.goldens.case(number, workspace.goldens.places(number)[index])
    assert case is not None
    return answer_text(case.turns[0])


def paste(body: ReferenceAnswer, text: str) -> None:
    QGuiApplication.clipboard().setText(text)
    body.field.setFocus()
    QTest.qWait(1)
    body.field.selectAll()
    body.field.paste()


def test_a_pasted_text_that_is_too_long_is_refused_before_it_stands_there(window: MainWindow, tmp_path: Path) -> None:
    body = answer_of(opened_golden(window, tmp_path / "a.evalset.json", suite(), turn=0))
    paste(body, "z" * (MOST_CHARS + 1))
    rest(window)
    assert body.field.toPlainText() == "yo" == in_golden(window)
    assert body.problem.startswith("That is too long to be edited here.")
    body.field.clearFocus()
    assert body.problem == ""  # nothing is wrong with what stands there
    retype(body.field, "next")
    rest(window)
    assert (in_golden(window), body.problem) == ("next", "")


@pytest.mark.parametrize("text", ["z" * LONG, "( " * (LONG // 2)], ids=["letters", "nowhere to break"])
def test_a_long_line_is_wrapped_anywhere_for_as_long_as_it_stands(
    window: MainWindow, tmp_path: Path, text: str
) -> None:
    body = answer_of(opened_golden(window, tmp_path / "a.evalset.json", suite(), turn=0))
    paste(body, text)
    rest(window)
    assert in_golden(window) == text
    assert body.field.wordWrapMode() is QTextOption.WrapMode.WrapAnywhere
    paste(body, "few words")
    rest(window)
    assert in_golden(window) == "few words"
    assert body.field.wordWrapMode() is QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere


def test_a_golden_with_a_long_line_shows_it_wrapped_anywhere(window: MainWindow, tmp_path: Path) -> None:
    body = answer_of(opened_golden(window, tmp_path / "a.evalset.json", suite("z" * LONG), turn=0))
    assert body.field.toPlainText() == "z" * LONG
    assert body.field.wordWrapMode() is QTextOption.WrapMode.WrapAnywhere


def test_words_that_are_refused_stay_with_the_sentence_below(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "a.evalset.json"
    body = answer_of(opened_golden(window, path, suite(), turn=0))
    told: list[str] = []
    window.desk.workspace.messages.posted.connect(told.append)
    path.write_text(json.dumps(suite(cases=3)))
    retype(body.field, "no")
    rest(window)
    assert in_golden(window) == "yo"
    assert body.field.toPlainText() == "no"
    assert told
    assert body.problem in told
    assert until(lambda: all(file.state is not FileState.LOADING for file in window.desk.workspace.files))

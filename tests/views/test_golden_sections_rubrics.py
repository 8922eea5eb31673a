"""Rubrics of a golden in a real window: written, added, moved, pasted, undone; what a judge said goes out of date."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.formats import ces_golden_files as ces
from tests.formats import eval_set_files as adk
from tests.formats import vertex_golden_files as vertex
from tests.views.golden_doing import opened_golden, rest, retype, saved, sentences, settle, undone, unfold
from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.core.values.pointer import resolve
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.verdict import MetricVerdict, RubricVerdict, Status, TurnVerdict
from trace_inspector.models.golden.rubrics import RubricVerdicts, pasted
from trace_inspector.views.golden.rubrics_section import RubricsSection
from trace_inspector.views.golden.tab import GoldenTab
from trace_inspector.views.shell.main_window import MainWindow

pytestmark = pytest.mark.shared_window


def rubric(name: str, text: str) -> JsonObject:
    return {"rubric_id": name, "rubric_content": {"text_property": text}}


TURN = adk.turn(rubrics=[rubric("next", "Ends with a next step.")])
ADK = adk.eval_set(adk.case(TURN, rubrics=[rubric("polite", "Is polite."), rubric("brief", "Is brief.")]))
OF_CASE, OF_TURN = "/eval_cases/0/rubrics", "/eval_cases/0/conversation/0/rubrics"
CES: JsonObject = {"displayName": "Seats", "scenario": {"task": "Book a seat.", "rubrics": ["Is polite."]}}
VERTEX: JsonObject = {"displayName": "x", "evaluationRequest": vertex.golden({"text": "Question 0"})}


def rubrics(tab: GoldenTab) -> RubricsSection:
    body = unfold(tab, "rubrics")
    assert isinstance(body, RubricsSection)
    return body


def ids(value: Json, pointer: str) -> list[str]:
    listed = resolve(value, pointer)
    assert isinstance(listed, list)
    return [str(one["rubric_id"]) for one in listed if isinstance(one, dict)]


def test_a_text_is_typed_saved_and_undone(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "golden.json"
    tab = opened_golden(window, path, ADK, turn=0)
    before = path.read_text()
    body = rubrics(tab)
    assert [row.text.toPlainText() for row in body.rows] == ["Is polite.", "Is brief.", "Ends with a next step."]
    retype(body.rows[2].text, "Ends.")
    assert resolve(saved(window, path), f"{OF_TURN}/0/rubric_content/text_property") == "Ends."
    assert QApplication.focusWidget() is body.rows[2].text
    undone(window)
    saved(window, path)
    assert path.read_text() == before


@pytest.mark.parametrize(
    ("value", "turn", "pointer"),
    [
        (ADK, 0, f"{OF_CASE}/0/rubric_content/text_property"),
        (CES, None, "/scenario/rubrics/0"),
        (VERTEX, 0, "/evaluationRequest/rubrics/tone/rubrics/0/content/property/description"),
    ],
    ids=["adk", "ces", "vertex"],
)
def test_every_system_keeps_the_text(
    window: MainWindow, tmp_path: Path, value: Json, turn: int | None, pointer: str
) -> None:
    path = tmp_path / "golden.json"
    body = rubrics(opened_golden(window, path, value, turn=turn))
    retype(body.rows[0].text, "Is <b>kind</b>.")
    assert resolve(saved(window, path), pointer) == "Is <b>kind</b>."


def test_one_is_added_written_and_removed(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "golden.json"
    tab = opened_golden(window, path, ADK, turn=0)
    body = rubrics(tab)
    body._picked("new turn")
    rest(window)
    assert (body.count, len(body.rows)) == (4, 4)
    assert QApplication.focusWidget() is body.rows[3].text
    QTest.keyClicks(body.rows[3].text, "Names a price.")
    assert ids(saved(window, path), OF_TURN) == ["next", "rubric_2"]
    body.rows[0]._drop.setFocus()
    QTest.keyClick(body.rows[0]._drop, Qt.Key.Key_Return)
    assert ids(saved(window, path), OF_CASE) == ["brief"]
    focus = QApplication.focusWidget()
    assert focus is not None
    assert body.rows[0].isAncestorOf(focus)


def test_alt_and_arrows_move_one_and_a_level_is_chosen(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "golden.json"
    body = rubrics(opened_golden(window, path, ADK, turn=0))
    body.rows[0].text.setFocus()
    QTest.keyClick(body.rows[0].text, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert ids(saved(window, path), OF_CASE) == ["brief", "polite"]
    assert QApplication.focusWidget() is body.rows[1].text
    QTest.keyClick(body.rows[1].text, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert ids(saved(window, path), OF_CASE) == ["brief", "polite"], "the next one is another level's"
    body.rows[1]._rescope("turn")
    told = saved(window, path)
    assert (ids(told, OF_CASE), ids(told, OF_TURN)) == (["brief"], ["next", "polite"])
    undone(window)
    assert ids(saved(window, path), OF_CASE) == ["brief", "polite"]


def test_lines_of_the_clipboard_become_rubrics(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "golden.json"
    body = rubrics(opened_golden(window, path, CES))
    QGuiApplication.clipboard().setText("Is kind.\n\nIs brief.\n")
    assert "2 from the clipboard, one a line" in [words for words, _value in body._offered()]
    body._picked("paste")
    assert resolve(saved(window, path), "/scenario/rubrics") == ["Is polite.", "Is kind.", "Is brief."]


def test_what_a_format_refuses_stands_beside_the_row(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "golden.json"
    body = rubrics(opened_golden(window, path, VERTEX, turn=0))
    told = sentences(window)
    body.rows[1].text.setFocus()
    QTest.keyClick(body.rows[1].text, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    settle(window)
    assert told == ["Groups of rubrics have no order among each other. Move the rubric within its group."]
    rest(window)


def test_a_golden_of_ces_says_why_it_has_none(window: MainWindow, tmp_path: Path) -> None:
    value = ces.golden(ces.turn(ces.says(text="Hello")))
    body = rubrics(opened_golden(window, tmp_path / "golden.json", value, turn=0))
    assert body.add.isHidden()
    assert body._why.text() == "Only scenarios of CES have rubrics. Expect a criterion by its name instead."


def test_what_a_judge_said_is_out_of_date_after_an_edit(window: MainWindow, tmp_path: Path) -> None:
    tab = opened_golden(window, tmp_path / "golden.json", ADK, turn=0)
    assert tab.context is not None
    votes = RubricVerdict("polite", 1.0, text="Is polite.", votes=(1.0, 1.0, 0.0))
    metric = MetricVerdict("rubrics", 1.0, Status.PASSED, rubrics=(votes,))
    judged = replace(tab.context, turn_verdict=TurnVerdict(0, 0, Status.PASSED, (metric,)))
    words = RubricVerdicts()
    words.note(judged)
    last = words.on(Rubric("polite", "Is polite."))
    assert last is not None
    assert (last.now.mark, last.now.words) == ("passed", "yes, 2 of 3")
    changed = words.on(Rubric("polite", "Is kind."))
    assert changed is not None
    assert changed.now.mark == "stale"
    pending = replace(metric, rubrics=(), status=Status.PENDING)
    words.note(replace(judged, turn_verdict=TurnVerdict(0, 0, Status.PENDING, (pending,))))
    last = words.on(Rubric("polite", "Is polite."))
    assert last is not None
    assert last.now.mark == "stale"
    assert words.on(Rubric("other", "Is other.")) is None


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a\tIs kind.\nIs brief.", [("a", "Is kind."), ("", "Is brief.")]),
        (
            '[{"rubric_id": "k", "rubric_content": {"text_property": "Is kind."}}, "Is brief.", 3]',
            [("k", "Is kind."), ("", "Is brief.")],
        ),
        ('{"rubrics": [{"id": "k", "text": "Is kind."}]}', [("k", "Is kind.")]),
        ("[" * 100_000, [("", "[" * 100_000)]),
        ("x" * 300_000, []),
        ("\n \n", []),
    ],
    ids=["lines", "adk", "object", "deep", "long", "nothing"],
)  # fmt: skip
def test_pasted_text(text: str, wanted: list[tuple[str, str]]) -> None:
    assert [(one.id, one.text) for one in pasted(text)] == wanted

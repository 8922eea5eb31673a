"""The lower sections of the Golden tab in a real window: typed by keys, saved, undone; what a format cannot hold."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.formats import ces_golden_files as ces
from tests.formats import eval_set_files as adk
from tests.formats import vertex_golden_files as vertex
from tests.views.golden_doing import (
    opened_golden,
    rest,
    row_of,
    saved,
    sentences,
    settle,
    type_into,
    undone,
    unfold,
)
from trace_inspector.core.values.pointer import resolve
from trace_inspector.core.values.values import ABSENT, Json, JsonObject
from trace_inspector.models.base.selection import Selection
from trace_inspector.views.blocks.blocks import Fold
from trace_inspector.views.golden.fields.line_field import GoldenLine
from trace_inspector.views.golden.tab import GoldenTab
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.widgets.fields import Choice

pytestmark = pytest.mark.shared_window

SESSION: JsonObject = {"app_name": "shop", "user_id": "u1", "state": {"radius_m": 800}}
SCENARIO: JsonObject = {"starting_prompt": "Hello", "conversation_plan": "Book a table."}
ADK_SCRIPT = adk.eval_set(adk.case(adk.turn(), session_input=SESSION))
ADK_SCENARIO = adk.eval_set({"eval_id": "c1", "conversation_scenario": SCENARIO})
CES_SCRIPT = ces.golden(ces.turn(ces.says(text="Hello"), ces.expects(agentResponse=ces.message("Hi."))))
CES_SKIPPED = dict(CES_SCRIPT)  # another file: its steps are not moved by a transfer
CES_SCENARIO: JsonObject = {"displayName": "Seats", "scenario": {"task": "Book a seat."}}
VERTEX_SCRIPT: JsonObject = {
    "displayName": "asked",
    "evaluationRequest": vertex.golden({"text": "Question 0"}, {"text": "Answer 0"}),
}
VERTEX_SCENARIO: JsonObject = {
    "displayName": "asked",
    "evaluationRequest": {"prompt": {"userScenario": {"startingPrompt": "Hi", "conversationPlan": "Ask."}}},
}
ADK_CASE = "/eval_cases/0"

CONVERSATION = f"{ADK_CASE}/conversation_scenario"
USER = "/evaluationRequest/prompt/userScenario"
STEPS = "/golden/turns/0/steps"
OVER = "/golden/turns/0/turnLevelMetricsThresholdsOverride"
TO = "expectation/agentTransfer/targetAgent"
SIMILAR = "ces_semantic_similarity"
Edited = tuple[Json, str, str, str, str, Json]

EDITS: dict[str, Edited] = {
    "adk app": (ADK_SCRIPT, "state", "session-app", "cafe", f"{ADK_CASE}/session_input/app_name", "cafe"),
    "adk user": (ADK_SCRIPT, "state", "session-user", "<b>u</b>", f"{ADK_CASE}/session_input/user_id", "<b>u</b>"),
    "adk state": (ADK_SCRIPT, "state", "session-state", '{"a": [1]}', f"{ADK_CASE}/session_input/state", {"a": [1]}),
    "adk end": (ADK_SCRIPT, "state", "final-state", '{"b": null}', f"{ADK_CASE}/final_session_state", {"b": None}),
    "adk plan": (ADK_SCENARIO, "scenario", "scenario-plan", "Ask.", f"{CONVERSATION}/conversation_plan", "Ask."),
    "adk persona": (
        ADK_SCENARIO,
        "scenario",
        "scenario-persona",
        '"EXPERT"',
        f"{CONVERSATION}/user_persona",
        "EXPERT",
    ),
    "adk id": (ADK_SCRIPT, "case", "case-id", "c 2", f"{ADK_CASE}/eval_id", "c 2"),
    "adk note": (ADK_SCRIPT, "notes", "note-case", "Old?", f"{ADK_CASE}/traceInspector/notes", {"": "Old?"}),
    "ces task": (CES_SCENARIO, "scenario", "scenario-plan", "Leave.", "/scenario/task", "Leave."),
    "ces turns": (CES_SCENARIO, "scenario", "scenario-turns", "12", "/scenario/maxTurns", 12),
    "ces facts": (CES_SCENARIO, "scenario", "scenario-facts", '{"a": "2"}', "/scenario/userFacts/0/value", "2"),
    "ces set": (CES_SCENARIO, "scenario", "scenario-variables", '{"v": 2}', "/scenario/variableOverrides", {"v": 2}),
    "ces tags": (CES_SCENARIO, "case", "case-tags", "a", "/tags", ["a"]),
    "ces transfer": (CES_SCRIPT, "state", "turn-transfers", "c", f"{STEPS}/1/{TO}", "c"),
    "ces variables": (
        CES_SKIPPED, "state", "turn-variables", '{"v": 2}', f"{STEPS}/2/expectation/updatedVariables", {"v": 2},
    ),
    "ces skip": (CES_SKIPPED, "state", "turn-skips", "answer", f"{STEPS}/1/expectation/skipEvaluation", True),
    "ces sentence": (CES_SCRIPT, "state", "case-sentences", "polite", "/golden/evaluationExpectations", ["polite"]),
    "ces criteria": (
        CES_SCRIPT, "criteria", "criteria-turn", f'{{"{SIMILAR}": 2}}',
        f"{OVER}/semanticSimilaritySuccessThreshold", 2,
    ),
    "ces about": (CES_SCENARIO, "case", "case-description", "About seats.", "/description", "About seats."),
    "vertex plan": (VERTEX_SCENARIO, "scenario", "scenario-plan", "Go.", f"{USER}/conversationPlan", "Go."),
    "vertex tags": (VERTEX_SCRIPT, "case", "case-tags", "team: red", "/labels/team", "red"),
    "vertex id": (VERTEX_SCRIPT, "case", "case-id", "other", "/displayName", "other"),
}  # fmt: skip


def of_value(value: Json) -> list[Edited]:
    return [edit for edit in EDITS.values() if edit[0] is value]


@pytest.mark.parametrize(
    "value",
    [ADK_SCRIPT, ADK_SCENARIO, CES_SCRIPT, CES_SKIPPED, CES_SCENARIO, VERTEX_SCRIPT, VERTEX_SCENARIO],
    ids=["adk", "adk scenario", "ces", "ces steps", "ces scenario", "vertex", "vertex scenario"],
)
def test_what_is_typed_is_saved_and_one_undo_for_each_field_takes_it_back(
    window: MainWindow, tmp_path: Path, value: Json
) -> None:
    path = tmp_path / "golden.json"
    tab = opened_golden(window, path, value)
    before = path.read_text()
    for _value, section, field, text, _pointer, _wanted in of_value(value):
        unfold(tab, section)
        rest(window)
        type_into(tab, field, text)
        settle(window)
        assert window.desk.undo.undoText() == row_of(tab, field).field.step
    told = saved(window, path)
    for _value, _section, field, _text, pointer, wanted in of_value(value):
        assert resolve(told, pointer) == wanted, field
    undone(window, len(of_value(value)))
    assert not window.desk.undo.canUndo()
    saved(window, path)
    assert path.read_text() == before


def test_json_is_written_only_when_it_is_right_and_says_where_it_breaks_off(
    window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "golden.json"
    tab = opened_golden(window, path, ADK_SCRIPT)
    unfold(tab, "state")
    type_into(tab, "session-state", '{"a": 1,\n"b" 2}')
    row = row_of(tab, "session-state")
    assert (
        row.problem == "Line 2, column 5: a colon is missing here. The golden does not change until it is corrected."
    )
    type_into(tab, "final-state", "[1]")
    assert row_of(tab, "final-state").problem.startswith("This must be an object")
    settle(window)
    assert row.problem, "an answer took the sentence away"
    told = saved(window, path)
    assert resolve(told, f"{ADK_CASE}/final_session_state") is ABSENT
    assert resolve(told, f"{ADK_CASE}/session_input/state") == SESSION["state"]
    type_into(tab, "session-state", '{"a": 1,\n"b": 2}')
    assert not row.problem
    assert resolve(saved(window, path), f"{ADK_CASE}/session_input/state") == {"a": 1, "b": 2}


def test_what_a_format_cannot_hold_is_disabled_and_says_why_once(window: MainWindow, tmp_path: Path) -> None:
    tab = opened_golden(window, tmp_path / "golden.json", CES_SCRIPT)
    unfold(tab, "state")
    rows = [row_of(tab, f"session-{name}") for name in ("app", "user", "id")]
    assert [row.editor.isEnabled() for row in rows] == [False] * 3
    assert [row.why for row in rows] == [
        "",
        "",
        "CES stores no app, user or session in an evaluation. Set only the state.",
    ]
    assert row_of(tab, "session-state").editor.isEnabled()
    assert not row_of(tab, "final-state").editor.isEnabled()


def test_a_refused_change_is_told_beside_the_field_and_below(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "golden.json"
    tab = opened_golden(window, path, VERTEX_SCRIPT)
    unfold(tab, "case")
    told = sentences(window)
    type_into(tab, "case-tags", "urgent")
    settle(window)
    row = row_of(tab, "case-tags")
    assert row.problem == "“urgent” is no label of Vertex AI. Write it as “name: value”."
    assert row.problem in told
    assert not window.desk.undo.canUndo()
    QTest.keyClicks(row.editor, ": yes")
    settle(window)
    assert not row.problem
    assert resolve(saved(window, path), "/labels/urgent") == "yes"


def test_an_edit_takes_neither_focus_nor_cursor(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "golden.json"
    tab = opened_golden(window, path, ADK_SCRIPT)
    unfold(tab, "case")
    field = row_of(tab, "case-id").editor
    assert isinstance(field, GoldenLine)
    field.setFocus()
    field.setCursorPosition(0)
    QTest.keyClicks(field, "ab")
    rest(window)
    assert QApplication.focusWidget() is field
    assert (field.text(), field.cursorPosition()) == ("abc1", 2)
    QTest.keyClick(field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    rest(window)
    assert field.text() == "c1"
    assert QApplication.focusWidget() is field


def test_a_goal_is_chosen_by_keys(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "golden.json"
    tab = opened_golden(window, path, CES_SCENARIO)
    unfold(tab, "scenario")
    choice = row_of(tab, "scenario-goal").editor
    assert isinstance(choice, Choice)
    choice.setFocus()
    QTest.keyClick(choice, Qt.Key.Key_Down)
    assert resolve(saved(window, path), "/scenario/userGoalBehavior") == "USER_GOAL_SATISFIED"


def test_hostile_words_are_kept_as_they_are(window: MainWindow, tmp_path: Path) -> None:
    texts = ["\u202e</b>\x00\x1b[31m", '"' * 400, "\\n{}", "💥" * 50]
    path = tmp_path / "golden.json"
    cases: list[Json] = [
        {**adk.case(adk.turn(), session_input={**SESSION, "user_id": text}), "eval_id": f"c{number}"}
        for number, text in enumerate(texts)
    ]
    tab = opened_golden(window, path, adk.eval_set(*cases))
    unfold(tab, "state")
    (file,) = window.desk.workspace.files
    for number in range(len(texts)):
        window.desk.workspace.selection.select(Selection(file.number, file.table.tops[number]))
        QTest.qWait(1)
        type_into(tab, "session-app", f"x{number}")
        settle(window)
    told = saved(window, path)
    for number, text in enumerate(texts):
        assert resolve(told, f"/eval_cases/{number}/session_input/user_id") == text
        assert resolve(told, f"/eval_cases/{number}/session_input/app_name") == f"x{number}", text


def test_what_is_too_large_is_not_put_into_a_field(window: MainWindow, tmp_path: Path) -> None:
    state: JsonObject = {str(number): number for number in range(30_000)}
    raw = adk.eval_set(adk.case(adk.turn(), session_input={**SESSION, "state": state}))
    tab = opened_golden(window, tmp_path / "golden.json", raw)
    unfold(tab, "state")
    row = row_of(tab, "session-state")
    assert not row.editor.isEnabled()
    assert "too large" in row.why


def test_a_section_stays_open_from_one_start_to_the_next(window: MainWindow, tmp_path: Path) -> None:
    tab = opened_golden(window, tmp_path / "golden.json", ADK_SCRIPT)
    group = tab.groups["state"]
    assert group.body is not None
    assert not group.body.isVisible()
    assert group.body.caption == "3 set: app = shop, user = u1, radius_m = 800"
    fold = group.findChild(Fold)
    assert isinstance(fold, Fold)
    fold.setFocus()
    QTest.keyClick(fold, Qt.Key.Key_Space)
    assert group.body.isVisible()
    again = GoldenTab(window.desk)
    again.show_selection(window.desk.workspace.selection.value)
    later = again.groups["state"].body
    assert later is not None
    inside, other = later.parentWidget(), again.groups["case"].body
    assert inside is not None
    assert not inside.isHidden()
    assert other is not None
    assert not other.isVisible()
    again.deleteLater()

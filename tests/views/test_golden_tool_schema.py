"""Arguments of an expected call beside what the tool declares: values to pick, what is needed, what is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.formats import vertex_files
from tests.views.golden_tab import GoldenWindow, choose, focus, golden_file, key, retype
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.views.shell.main_window import MainWindow

pytestmark = pytest.mark.shared_window
SCHEMA: JsonObject = {
    "type": "OBJECT",
    "properties": {
        "mode": {"type": "STRING", "enum": ["slow", "fast"]},
        "loud": {"type": "BOOLEAN"},
        "steps": {"type": "INTEGER"},
        "where": {"type": "STRING"},
    },
    "required": ["mode", "where", "steps"],
}
TOOLS: list[Json] = [{"name": "walk", "description": "Walks.", "parameters": SCHEMA}]


@pytest.fixture
def golden(window: MainWindow, tmp_path: Path) -> GoldenWindow:
    """A golden whose one call is declared."""
    path = golden_file(tmp_path, (("walk", {"mode": "fast", "loud": True, "speed": 3}),))
    stated = json.loads(path.read_text())
    agent = {"name": "guide", "instructions": "Guide.", "tool_declarations": TOOLS}
    stated["eval_cases"][0]["conversation"][0]["app_details"] = {"agent_details": {"guide": agent}}
    path.write_text(json.dumps(stated, indent=2))
    made = GoldenWindow(window)
    made.open(path, evaluate=False)
    made.select_turn("city.evalset.json")
    made.edit()
    return made


def args(golden: GoldenWindow) -> Json:
    golden.settle()
    return golden.expected()[0][1]


def test_a_named_value_is_picked_by_a_key(golden: GoldenWindow) -> None:
    focus(golden.field(0, "mode"))
    key(golden.window, Qt.Key.Key_Down)
    choose('"slow"')
    assert args(golden) == {"mode": "slow", "loud": True, "speed": 3}
    assert golden.field(0, "mode").text() == '"slow"'
    focus(golden.calls.cards[0].rows["loud"].offered)
    key(golden.window, Qt.Key.Key_Return)
    choose("false")
    assert args(golden) == {"mode": "slow", "loud": False, "speed": 3}
    golden.workspace.steps.undo()
    assert args(golden) == {"mode": "slow", "loud": True, "speed": 3}
    assert golden.calls.cards[0].rows["speed"].offered.isHidden()


def test_what_does_not_fit_is_written_and_said_below_its_field(golden: GoldenWindow) -> None:
    row = golden.calls.cards[0].rows["mode"]
    assert golden.calls.cards[0].rows["speed"].problem == "Is no argument that the tool declares."
    assert row.problem == ""
    retype(row.value, '"brisk"')
    assert args(golden) == {"mode": "brisk", "loud": True, "speed": 3}
    assert row.problem == 'Is "brisk"; the tool takes "slow", "fast".'
    retype(golden.field(0, "loud"), '"very"')
    golden.settle()
    assert golden.calls.cards[0].rows["loud"].problem == 'Should be boolean, not "very".'


def test_what_the_tool_needs_is_named_and_added_in_one_step(golden: GoldenWindow) -> None:
    card = golden.calls.cards[0]
    assert card.needed.text() == "Add what the tool needs: where, steps"
    focus(card.needed)
    QTest.keyClick(card.needed, Qt.Key.Key_Return)
    assert args(golden) == {"mode": "fast", "loud": True, "speed": 3, "where": "", "steps": 0}
    assert QApplication.focusWidget() is golden.field(0, "where")
    assert card.needed.isHidden()
    golden.workspace.steps.undo()
    assert args(golden) == {"mode": "fast", "loud": True, "speed": 3}
    assert not card.needed.isHidden()


def test_the_tools_that_the_model_had_at_hand_can_be_expected(window: MainWindow, tmp_path: Path) -> None:
    item = vertex_files.request()
    answers = item["candidateResponses"]
    assert isinstance(answers, list)
    answers.reverse()  # first the candidate whose events say which tools it had
    path = tmp_path / "seat.json"
    path.write_text(json.dumps(item))
    made = GoldenWindow(window)
    made.open(path)
    made.select_turn("seat.json")
    made.edit()
    assert made.calls.tools() == ["look_up", "googleSearch"]

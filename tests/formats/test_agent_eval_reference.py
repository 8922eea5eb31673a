"""What a question of agent-eval expects: the last answer that is stated, and none where none is."""

from __future__ import annotations

from msgspec.structs import replace

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.parts import Text, ToolCall
from trace_inspector.core.trace.trace import Event, Steps, Turn
from trace_inspector.formats.agent_eval.question_writer import reference_json

FIRST = Turn(0, user=(Text("Hi"),), final_response=(Text("Hello."),))
LAST = Turn(1, user=(Text("And?"),), final_response=(Text("It is free."),))


def test_the_last_answer_is_the_expected_one() -> None:
    assert reference_json(Case("one", turns=(FIRST, LAST))) == {"reference_response": "It is free."}
    assert reference_json(Case("one", turns=(FIRST, replace(LAST, final_response=None)))) == {
        "reference_response": "Hello."
    }


def test_where_no_answer_is_stated_none_is_expected() -> None:
    assert reference_json(Case("one", turns=(replace(FIRST, final_response=None),))) == {}


def test_calls_are_the_way_there_too() -> None:
    made = replace(FIRST, events=(Event("desk", (ToolCall("look", {"seat": 2}, "c1"),)),), steps=Steps.EVENTS)
    written = reference_json(Case("one", turns=(made,)))
    assert written["reference_response"] == "Hello."
    assert written["reference_trajectory"] == ["tool:look"]

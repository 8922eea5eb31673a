"""A run comes into a golden that is there: only what differs changes, matchers and words stay."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.formats.session_files import call, event, result, said, session
from tests.helpers.tables import each
from trace_inspector.core.errors import EditError
from trace_inspector.core.golden.golden import Case, Scenario
from trace_inspector.core.golden.golden_change import Calls, Tagged, Turns
from trace_inspector.core.golden.promoting import Origin, PromotionChoice
from trace_inspector.core.rows.contents import collect
from trace_inspector.core.trace.trace import Trace, answer_text, calls_of, user_text
from trace_inspector.core.values.values import JsonObject
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.engine.goldens.promotion import WAYS, PromotionChanges, into_case, one_call
from trace_inspector.formats import BY_NAME
from trace_inspector.formats.common.format import Source

MATCHED = "/conversation/0/intermediate_data/tool_uses/0/args/when"


def golden() -> JsonObject:
    """Two turns; how one argument is compared, and a note."""
    return {
        "eval_id": "c",
        "conversation": [
            {
                "invocation_id": "g1",
                "user_content": {"parts": [{"text": "Find a table"}], "role": "user"},
                "final_response": {"parts": [{"text": "Table 5."}], "role": "model"},
                "intermediate_data": {
                    "tool_uses": [
                        {"name": "find", "args": {"seats": 2, "when": "today"}},
                        {"name": "look", "args": {"at": "map"}},
                    ]
                },
                "rubrics": [{"rubric_id": "r", "rubric_content": {"text_property": "Polite."}}],
            },
            {"user_content": {"parts": [{"text": "Thanks"}], "role": "user"}},
        ],
        "traceInspector": {"version": 1, "matchers": {MATCHED: {"match": "ignore"}}},
    }


def case(raw: JsonObject) -> Case:
    return BY_NAME["adk-eval-set"].editing.read(raw, "/0", "") if BY_NAME["adk-eval-set"].editing else Case("")


def run(**args: Any) -> Trace:
    """The first question in other letters, and one that the golden does not ask."""
    told = session(
        event("user", said("find  a TABLE"), at=1.0),
        event("guide", call("find", "f", **args), at=2.0),
        event("guide", result("find", {}, "f"), at=3.0),
        event("guide", said("Table 7."), at=4.0),
        event("user", said("And a chair"), at=6.0, invocation="e-2"),
        event("guide", at=7.0, invocation="e-2", errorCode="E"),
        event("guide", said("Sure."), at=9.0, invocation="e-2"),
    )
    (trace,) = collect("adk-session", BY_NAME["adk-session"].read(Source(told, "s.json"))).traces
    return trace


def after(taken: PromotionChanges) -> JsonObject:
    """The golden with the changes made."""
    raw = golden()
    editing = BY_NAME["adk-eval-set"].editing
    assert editing is not None
    for change in taken.changes:
        raw = editing.changed(raw, editing.read(raw, "/0", ""), change)
    return raw


def test_turns_are_appended() -> None:
    taken = into_case(case(golden()), run(seats=2), PromotionChoice((1,)), "append")
    raw = after(taken)
    listed = raw["conversation"]
    assert isinstance(listed, list)
    assert listed[:2] == golden()["conversation"]
    again = case(raw)
    assert [user_text(turn) for turn in again.turns] == ["Find a table", "Thanks", "And a chair"]
    (change,) = taken.changes
    assert isinstance(change, Turns)
    assert [turn.index for turn in change.turns] == [0, 1, 2]
    told: Any = listed[2]
    assert told["intermediate_data"] == {"invocation_events": [{"author": "guide"}]}, "google-adk keeps no error"
    assert answer_text(again.turns[2]) == "Sure."
    assert taken.unmatched == ()


def test_turns_that_ask_the_same_become_those_of_the_run() -> None:
    taken = into_case(case(golden()), run(seats=9), PromotionChoice(), "replace")
    again = case(after(taken))
    assert [user_text(turn) for turn in again.turns] == ["find  a TABLE", "Thanks"]
    assert [call.args for call in calls_of(again.turns[0])] == [{"seats": 9}]
    assert answer_text(again.turns[0]) == "Table 7."
    assert taken.unmatched == (1,)


def test_calls_are_taken_and_all_else_stays() -> None:
    taken = into_case(case(golden()), run(seats=9, when="today"), PromotionChoice(), "calls")
    expected: Any = golden()
    expected["conversation"][0]["intermediate_data"]["tool_uses"] = [
        {"name": "find", "args": {"seats": 9, "when": "today"}}
    ]
    assert after(taken) == expected
    assert taken.unmatched == (1,)


def test_what_a_matcher_lets_vary_is_not_taken() -> None:
    taken = into_case(case(golden()), run(seats=2, when="tomorrow"), PromotionChoice(), "calls")
    expected: Any = golden()
    del expected["conversation"][0]["intermediate_data"]["tool_uses"][1]
    assert after(taken) == expected


def test_a_matcher_goes_with_its_argument() -> None:
    taken = into_case(case(golden()), run(seats=9), PromotionChoice(), "calls")
    raw = after(taken)
    assert "traceInspector" not in raw
    assert [call.args for call in calls_of(case(raw).turns[0])] == [{"seats": 9}]


def test_a_run_that_does_the_same_changes_nothing() -> None:
    first = case(after(into_case(case(golden()), run(seats=9), PromotionChoice(), "calls")))
    assert into_case(first, run(seats=9), PromotionChoice((0,)), "calls") == PromotionChanges()


def test_one_call_behind_the_others_or_instead_of_one() -> None:
    there, trace = case(golden()), run(seats=9)
    (made,) = calls_of(trace.turns[0])
    turn = there.turns[0]
    raw = after(PromotionChanges((one_call(there, turn.place, made),)))
    assert [call.args for call in calls_of(case(raw).turns[0])] == [
        {"seats": 2, "when": "today"}, {"at": "map"}, {"seats": 9},
    ]  # fmt: skip
    second = calls_of(turn)[1].place
    raw = after(PromotionChanges((one_call(there, turn.place, made, second),)))
    assert [(call.name, call.args) for call in calls_of(case(raw).turns[0])] == [
        ("find", {"seats": 2, "when": "today"}),
        ("find", {"seats": 9}),
    ]
    assert raw["traceInspector"] == golden()["traceInspector"]
    with pytest.raises(EditError, match="no longer exists"):
        one_call(there, turn.place, made, "/elsewhere")
    with pytest.raises(EditError, match="no longer exists"):
        one_call(there, "/elsewhere", made)


@each("way", WAYS, ids=lambda way: way.name)
def test_a_failing_run_is_marked_once(way: Any) -> None:
    origin = Origin("x.json", Status.FAILED)
    taken = into_case(case(golden()), run(seats=9), PromotionChoice(), way.name, origin)
    raw = after(taken)
    assert raw["tags"] == ["made from: failed run"]
    again = into_case(case(raw), run(seats=8), PromotionChoice(), way.name, origin)
    assert not any(isinstance(change, Tagged) for change in again.changes)
    assert json.loads(json.dumps(raw)) == raw


def test_what_cannot_be_is_said() -> None:
    with pytest.raises(EditError, match="is a scenario"):
        into_case(Case("s", scenario=Scenario("hi", "do")), run(), PromotionChoice(), "append")
    with pytest.raises(EditError, match="There is no way"):
        into_case(case(golden()), run(), PromotionChoice(), "nonsense")
    nothing = into_case(case(golden()), run(), PromotionChoice((1,)), "calls", Origin("x", Status.FAILED))
    assert nothing == PromotionChanges((), (1,))
    assert not any(isinstance(change, Calls) for change in nothing.changes)

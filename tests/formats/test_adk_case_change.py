"""Changes of goldens in ADK eval sets: what is read afterwards is what was asked for, and nothing else changed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.formats.adk_golden_cases import case_of, in_camel, in_events, in_lists
from tests.helpers.campaigns import examples
from trace_inspector.core.golden.golden import Case, Scenario, Session
from trace_inspector.core.golden.golden_change import (
    Answers,
    BeginsWith,
    Calls,
    EndsWith,
    ExpectedCall,
    GoldenChange,
    Named,
    Noted,
    Rubrics,
    Simulated,
    Tagged,
    Turns,
    UserSays,
)
from trace_inspector.core.golden.matcher import Match, Matcher
from trace_inspector.core.rows.contents import collect
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.core.trace.trace import Turn, answer_text, calls_of, paired_calls, user_text
from trace_inspector.core.values.pointer import resolve
from trace_inspector.core.values.values import JsonObject
from trace_inspector.formats.adk.eval_set.case_change import changed
from trace_inspector.formats.adk.eval_set.eval_set import read
from trace_inspector.formats.common.format import Source

FORMS = (in_lists, in_events, in_camel)


def typed(raw: JsonObject) -> Case:
    contents = collect("", read(Source({"eval_set_id": "s", "eval_cases": [raw]}, "s.json")))
    return contents.suites[0].cases[0]


def after(raw: JsonObject, change: GoldenChange) -> Case:
    return typed(changed(raw, typed(raw), change))


def expected(turn: Turn) -> tuple[ExpectedCall, ...]:
    return tuple(ExpectedCall(one) for one in calls_of(turn))


def told(turn: Turn) -> list[tuple[str, Any]]:
    return [(one.name, one.args) for one in calls_of(turn)]


@pytest.mark.parametrize("form", FORMS)
@examples(40, 1000)
@given(data=st.data())
def test_the_calls_are_those_asked_for_and_keep_their_answers(form: Any, data: st.DataObject) -> None:
    raw = case_of(form(data.draw(st.integers(0, 5))), form(2))
    before = typed(raw)
    turn = before.turns[0]
    had = {pair.call.place: pair.result for pair in paired_calls(turn)}
    picked = list(data.draw(st.permutations(calls_of(turn))))[: data.draw(st.integers(0, 5))]
    wanted = []
    for kept in picked:
        one = replace(kept, args={"query": "other"}) if data.draw(st.booleans()) else kept
        wanted.append(ExpectedCall(one, (Matcher("/query", Match.CONTAINS, "o"),)))
        if data.draw(st.booleans()):
            wanted.append(ExpectedCall(ToolCall("new", {"n": len(wanted)}), (Matcher("/n", Match.IGNORE),)))
    now = after(raw, Calls(turn.place, tuple(wanted)))
    assert told(now.turns[0]) == [(one.call.name, one.call.args) for one in wanted]
    assert told(now.turns[1]) == told(before.turns[1])
    assert answer_text(now.turns[0]) == "Answer 0"
    for asked, pair in zip(wanted, paired_calls(now.turns[0]), strict=True):
        result = had.get(asked.call.place)
        assert (pair.result.value if pair.result else None) == (result.value if result else None)
    by_call = {matcher.place.partition("/args/")[0]: matcher.match for matcher in now.matchers}
    assert [by_call.get(one.place) for one in calls_of(now.turns[0])] == [one.matchers[0].match for one in wanted]


def test_matchers_and_notes_follow_what_they_are_about() -> None:
    place = "/conversation/1/intermediate_data/tool_uses/1"
    ours: JsonObject = {
        "version": 1,
        "matchers": {f"{place}/args/query": {"match": "ignore"}},
        "notes": {place: "mind this", "/conversation/0": "first"},
    }
    raw = case_of(in_lists(1), in_lists(2), traceInspector=ours)
    before = typed(raw)
    now = after(raw, Turns((before.turns[1], Turn(5), before.turns[0])))
    assert [user_text(turn) for turn in now.turns] == ["Question 1", "", "Question 0"]
    moved = "/eval_cases/0/conversation/0/intermediate_data/tool_uses/1"
    assert [matcher.place for matcher in now.matchers] == [f"{moved}/args/query"]
    assert {note.place: note.text for note in now.notes} == {
        moved: "mind this",
        "/eval_cases/0/conversation/2": "first",
    }
    gone = after(raw, Turns((before.turns[0],)))
    assert (gone.matchers, [note.text for note in gone.notes]) == ((), ["first"])


def test_words_are_said_where_they_stand() -> None:
    raw = case_of(in_events(1))
    place = typed(raw).turns[0].place
    assert user_text(after(raw, UserSays(place, "Other words")).turns[0]) == "Other words"
    assert answer_text(after(raw, Answers(place, "Shorter")).turns[0]) == "Shorter"
    assert after(raw, Answers(place, None)).turns[0].final_response is None
    bare: JsonObject = {
        "eval_id": "one",
        "conversation": [{"user_content": {"parts": [{"text": "a"}, {"text": "b"}]}}],
    }
    assert user_text(after(bare, UserSays("/eval_cases/0/conversation/0", "c")).turns[0]) == "c"
    assert answer_text(after(bare, Answers("/eval_cases/0/conversation/0", "d")).turns[0]) == "d"


def test_rubrics_of_case_and_turn() -> None:
    raw = case_of(in_lists(1), rubrics=[{"rubricId": "old", "rubricContent": {"textProperty": "Polite"}, "more": 1}])
    old = typed(raw).rubrics[0]
    wanted = (Rubric("new", "Short", "FINAL_RESPONSE_QUALITY"), replace(old, text="Very polite"))
    new = changed(raw, typed(raw), Rubrics("/eval_cases/0", wanted))
    assert [(rubric.id, rubric.text, rubric.type) for rubric in typed(new).rubrics] == [
        ("new", "Short", "FINAL_RESPONSE_QUALITY"),
        ("old", "Very polite", None),
    ]
    kept: JsonObject = {"rubricId": "old", "rubricContent": {"textProperty": "Very polite"}, "more": 1}
    assert resolve(new, "/rubrics/1") == kept
    turn = after(raw, Rubrics(typed(raw).turns[0].place, (Rubric("r", "Kind"),))).turns[0]
    assert [rubric.id for rubric in turn.rubrics] == ["r"]
    assert after(raw, Rubrics("/eval_cases/0", ())).rubrics == ()


def test_what_a_case_is_called_and_starts_and_ends_with() -> None:
    raw = case_of(in_lists(1))
    assert after(raw, Named("two")).id == "two"
    assert after(raw, Tagged(("smoke", "slow"))).tags == ("smoke", "slow")
    began = after(raw, BeginsWith(Session("shop", "ann", None, {"n": 1}))).session
    assert began is not None
    assert (began.app, began.user, began.id, began.state) == ("shop", "ann", None, {"n": 1})
    assert after(raw, EndsWith({"done": True})).final_state == {"done": True}
    assert after(case_of(final_session_state={"a": 1}), EndsWith(None)).final_state is None
    noted = after(raw, Noted("/eval_cases/0/conversation/0", "why"))
    assert [(note.place, note.text) for note in noted.notes] == [("/eval_cases/0/conversation/0", "why")]
    scenario: JsonObject = {
        "eval_id": "x",
        "conversation_scenario": {"starting_prompt": "a", "conversation_plan": "b"},
    }
    simulated = after(scenario, Simulated(Scenario("c", "d"))).scenario
    assert simulated is not None
    assert (simulated.starting_prompt, simulated.plan) == ("c", "d")


def test_what_nobody_touched_is_the_same_object() -> None:
    raw = case_of(in_events(3), in_lists(2))
    turn = typed(raw).turns[1]
    new = changed(raw, typed(raw), Calls(turn.place, expected(turn)[:1]))
    assert new["unknown"] is raw["unknown"]
    assert resolve(new, "/conversation/0") is resolve(raw, "/conversation/0")
    same = changed(raw, typed(raw), Calls(turn.place, expected(turn)))
    first = "/conversation/1/intermediate_data/tool_uses/0"
    assert resolve(same, first) is resolve(raw, first)

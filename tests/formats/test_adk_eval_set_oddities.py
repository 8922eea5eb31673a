"""What google-adk 2.13 would not take of an eval set, and what other tools write instead."""

from __future__ import annotations

from tests.formats.eval_set_files import case, content, eval_set, found, turn
from tests.formats.span_files import opened
from tests.helpers.tables import each
from trace_inspector.core.finding import Severity
from trace_inspector.core.trace.trace import Steps, answer_text, calls_of, paired_calls, user_text
from trace_inspector.core.values.values import Json, JsonObject


@each(
    ("value", "expected"),
    [
        (eval_set(case(turn(mood="glad"))), [("warning", "unknown-key", "/eval_cases/0/conversation/0/mood")]),
        (eval_set(case(turn(), mood="glad")), []),
        ({**eval_set(case(turn())), "mood": "glad"}, [("info", "unknown-key", "/mood")]),
        (eval_set(case({"invocation_id": "i"})), [("error", "missing-field", "/eval_cases/0/conversation/0")]),
        (eval_set({"conversation": []}), [("error", "missing-field", "/eval_cases/0")]),
        (eval_set({"eval_id": "c"}), [("error", "script-or-scenario", "/eval_cases/0")]),
        (
            eval_set(case(turn(), conversation_scenario={"starting_prompt": "", "conversation_plan": ""})),
            [("error", "script-or-scenario", "/eval_cases/0")],
        ),
        (eval_set(case(turn()), case(turn())), [("warning", "duplicate-id", "/eval_cases/1")]),
        (eval_set(case(turn(duration="long"))), [("error", "wrong-type", "/eval_cases/0/conversation/0/duration")]),
        (eval_set(case(turn(duration="2.5"))), []),
        (
            eval_set(case(turn(invocation_id=None))),
            [("error", "wrong-type", "/eval_cases/0/conversation/0/invocation_id")],
        ),
        (
            eval_set(case(turn(), session_input={"app_name": "a"})),
            [("error", "missing-field", "/eval_cases/0/session_input")],
        ),
        (
            eval_set(case(turn(intermediate_data={"tool_uses": [], "invocation_events": []}))),
            [
                ("error", "two-forms", "/eval_cases/0/conversation/0/intermediate_data"),
                ("warning", "unknown-key", "/eval_cases/0/conversation/0/intermediate_data/tool_uses"),
            ],
        ),
        (
            eval_set(case(turn(intermediate_data={"tool_uses": [{"name": "a", "arguments": {}}]}))),
            [("warning", "unknown-key", "/eval_cases/0/conversation/0/intermediate_data/tool_uses/0/arguments")],
        ),
        (
            eval_set(case(turn(intermediate_data={"intermediate_responses": ["x"]}))),
            [("error", "wrong-type", "/eval_cases/0/conversation/0/intermediate_data/intermediate_responses/0")],
        ),
        ({"evalSetId": "s", "evalCases": []}, [("warning", "other-spelling", "/evalSetId")]),
    ],
)  # fmt: skip
def test_what_google_adk_would_not_take(value: Json, expected: list[tuple[str, str, str]]) -> None:
    assert found(opened(value)) == expected


def test_other_tools_names_are_read_with_a_finding() -> None:
    raw: JsonObject = {
        "case_id": "k",
        "conversation": [
            {
                "user_content": {"role": "user", "content": "plain"},
                "agent_content": {"role": "model", "parts": [{"text": "words"}, {"function_call": {"name": "look"}}]},
            },
            {
                "user_content": content("two"),
                "intermediate_data": {"role": "model", "parts": [{"function_call": {"name": "go"}}]},
            },
            {
                "user_content": content("three"),
                "tools": [{"id": "1", "name": "add", "arguments": {"a": 1}, "result": {"sum": 1}}],
            },
        ],
    }
    contents = opened(eval_set(raw))
    only = contents.suites[0].cases[0]
    first, second, third = only.turns
    assert (only.id, user_text(first), answer_text(first)) == ("k", "plain", "words")
    assert [[call.name for call in calls_of(each)] for each in only.turns] == [["look"], ["go"], ["add"]]
    assert (second.steps, third.steps) == (Steps.EVENTS, Steps.CALLS)
    (paired,) = paired_calls(third)
    assert (paired.call.args, paired.result and paired.result.value) == ({"a": 1}, {"sum": 1})
    assert {finding.severity for finding in contents.findings} == {Severity.WARNING}
    assert {finding.code for finding in contents.findings} == {"other-spelling", "unknown-key"}


def test_a_conversation_that_was_really_held_is_a_trace() -> None:
    held = turn(user_content=content("held"))
    contents = opened(eval_set(case(turn(), evalMode="trace", actualConversation=[held])))
    (trace,) = contents.traces
    assert (trace.id, trace.case_id, trace.suite_id, user_text(trace.turns[0])) == ("c1", "c1", "shop", "held")
    assert trace.place == "/eval_cases/0/actualConversation"

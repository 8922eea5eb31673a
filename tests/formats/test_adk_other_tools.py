"""What other tools write into ADK's eval sets and results: read, named, with what google-adk 2.13 wants instead."""

from __future__ import annotations

import pytest

from tests.formats.span_files import opened
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.parts import Text, ToolCall, ToolResult
from trace_inspector.core.trace.trace import paired_calls
from trace_inspector.core.values.values import Json, JsonObject


def told(**more: Json) -> JsonObject:
    return {"user_content": {"parts": [{"text": "q"}], "role": "user"}, **more}


def read(**more: Json) -> Contents:
    case: JsonObject = {"eval_id": "c", "conversation": [told()], **more}
    return opened({"eval_set_id": "s", "eval_cases": [case]})


def found(contents: Contents) -> list[tuple[str, str]]:
    return [(finding.severity.value, finding.pointer.removeprefix("/eval_cases/0")) for finding in contents.findings]


@pytest.mark.parametrize("key", ["toolCalls", "tool_calls"])
def test_calls_as_functions_and_their_results_under_other_keys(key: str) -> None:
    data: JsonObject = {
        key: [{"id": "1", "type": "function", "function": {"name": "look", "arguments": {"n": 1}}}],
        "toolResponses": [{"role": "tool", "toolId": "1", "toolName": "look", "content": {"r": 2}}],
    }
    contents = read(conversation=[told(intermediateData=data)])
    (paired,) = paired_calls(contents.suites[0].cases[0].turns[0])
    place = "/eval_cases/0/conversation/0/intermediateData"
    assert paired.call == ToolCall("look", {"n": 1}, "1", f"{place}/{key}/0")
    assert paired.result == ToolResult("look", {"r": 2}, "1", place=f"{place}/toolResponses/0")
    assert {severity for severity, _ in found(contents)} == {"warning"}
    assert "write “tool_uses”" in contents.findings[0].message


def test_the_messages_before_the_conversation() -> None:
    contents = read(contextMessages=[{"role": "system", "content": "Be brief."}])
    (event,) = contents.suites[0].cases[0].context
    assert (event.author, event.parts) == (
        "system",
        (Text("Be brief.", "/eval_cases/0/contextMessages/0/content"),),
    )
    assert found(contents) == [("info", "/contextMessages")]


def test_what_was_recorded_stands_beside_the_script() -> None:
    contents = read(eval_mode="trace", actual_conversation=[told(), told()])
    assert [len(trace.turns) for trace in contents.traces] == [2]
    assert found(contents) == [("info", "/actual_conversation")]


def test_a_case_under_another_id_needs_the_key_that_google_adk_wants() -> None:
    contents = opened({"eval_set_id": "s", "eval_cases": [{"case_id": "c", "conversation": [told()]}]})
    assert found(contents) == [("warning", "/case_id")]
    assert "expects “eval_id”" in contents.findings[0].message


def test_what_google_adk_rejects_in_a_metric_result() -> None:
    metric: JsonObject = {
        "metric_name": "m",
        "score": 1,
        "eval_status": 1,
        "criterion": {"match": {}},
        "details": {"score": 1, "rubric_scores": [{"rubric_id": "r", "extra": 1}]},
    }
    case: JsonObject = {
        "eval_id": "c",
        "final_eval_status": 1,
        "session_id": "s",
        "overall_eval_metric_results": [metric],
        "eval_metric_result_per_invocation": [],
    }
    contents = opened({"eval_set_result_id": "r", "eval_set_id": "s", "eval_case_results": [case]})
    place = "/eval_case_results/0/overall_eval_metric_results/0"
    assert [(finding.code, finding.pointer.removeprefix(place)) for finding in contents.findings] == [
        ("missing-field", "/criterion"),
        ("unknown-key", "/details/score"),
        ("unknown-key", "/details/rubric_scores/0/extra"),
    ]

"""Answers in results of CES that hold more than words: calls, payloads, variables."""

from __future__ import annotations

from tests.formats import ces_result_files as made
from tests.formats.ces_result_verdicts import entry, metric, turn_of
from tests.formats.span_files import opened
from tests.helpers.tables import each
from trace_inspector.core.trace.parts import ToolCall, ToolResult
from trace_inspector.core.trace.trace import answer_text, calls_of, paired_calls
from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.verdict import Status


def test_calls_inside_the_answer_are_calls_of_the_turn() -> None:
    chunks: list[Json] = [
        {"text": "Let me look."},
        {"toolCall": made.call("search", title="Emma")},
        {"toolResponse": made.response("search", output=[1])},
        {"text": "One copy."},
    ]
    said: Json = {"role": "clerk", "chunks": chunks}
    (trace,) = opened(made.result(made.replay(**entry(observedAgentResponse=said)))).traces
    (turn,) = trace.turns
    assert [call.name for call in calls_of(turn)] == ["search"]
    assert isinstance(paired_calls(turn)[0].result, ToolResult)
    assert answer_text(turn) == "Let me look.\nOne copy."
    assert (turn.final_event, turn.final_author) == (0, "clerk")


@each("chunk", [{"payload": {"a": 1}}, {"updatedVariables": {"a": 1}}, {"defaultVariables": {}}, {"somethingNew": 1}])
def test_an_answer_that_nobody_expected_is_extra_whatever_else_is_in_it(chunk: dict[str, Json]) -> None:
    said = made.message("clerk", "Anything else?", **chunk)
    (told,) = metric("ces_expectations", **entry(observedAgentResponse=said)).expectations
    assert (told.what, told.extra) == ("answer", True)


def test_a_call_of_a_scenario_of_which_only_the_answer_is_told() -> None:
    outcome: Json = {"observedToolCall": {"toolResponse": made.response("search", output=[1])}, "outcome": "PASS"}
    (trace,) = opened({"name": made.RESULT, "scenarioResult": made.simulated(expectationOutcomes=[outcome])}).traces
    (turn,) = trace.turns
    assert [part for event in turn.events for part in event.parts if isinstance(part, ToolCall)] == []
    (result,) = [part for event in turn.events for part in event.parts if isinstance(part, ToolResult)]
    assert (result.name, result.value) == ("search", {"output": [1]})


def test_an_error_whose_code_is_written_as_a_decimal_is_an_error() -> None:
    (verdict,) = opened({**made.result(), "evaluationStatus": None, "error": {"code": 13.0}}).reported
    assert (verdict.status, verdict.reason) == (Status.ERROR, "13")


@each(
    ("stated", "status"),
    [
        ({"errorType": "ERROR_TYPE_UNSPECIFIED", "errorMessage": ""}, Status.PASSED),
        ({"error_type": 0, "session_id": ""}, Status.PASSED),
        ({"errorMessage": None}, Status.PASSED),
        ({"sessionId": "s1"}, Status.ERROR),
        ({"somethingNew": "broke"}, Status.ERROR),
        ({"errorType": "RUNTIME_FAILURE"}, Status.ERROR),
    ],
)
def test_an_error_that_is_written_out_and_says_nothing_is_none(stated: dict[str, Json], status: Status) -> None:
    assert turn_of(errorInfo=stated).status is status

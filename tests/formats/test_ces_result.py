"""Results of CES: every outcome as it is reported, what follows from it, and where the two contradict each other."""

from __future__ import annotations

import pytest

from tests.formats import ces_result_files as made
from tests.formats.ces_result_verdicts import FIRST, entry, metric, scenario, turn_of, verdict_of
from tests.formats.span_files import codes, opened
from tests.helpers.tables import each
from trace_inspector.core.finding import Severity
from trace_inspector.core.trace.parts import Text, ToolCall, ToolResult, Transfer, Unknown
from trace_inspector.core.trace.trace import SpanKind, answer_text, calls_of
from trace_inspector.core.values.values import ABSENT, Json, JsonObject
from trace_inspector.core.verdict.verdict import Provenance, Status

P, F, S, N, INFO, E = (
    Status.PASSED,
    Status.FAILED,
    Status.SKIPPED,
    Status.NOT_EVALUATED,
    Status.INFORMATIONAL,
    Status.ERROR,
)


def test_a_replayed_turn_is_what_was_observed() -> None:
    contents = opened(made.result(), "night.json")
    (trace,) = contents.traces
    (turn,) = trace.turns
    assert contents.format == "ces-result"
    assert codes(contents) == []
    assert (trace.id, trace.case_id, trace.app) == ("r1", "order-a-book", "books")
    assert [(call.name, call.args) for call in calls_of(turn)] == [("search", {"title": "Emma"})]
    assert isinstance(turn.events[1].parts[0], ToolResult)
    assert (answer_text(turn), turn.final_author, turn.final_event) == ("There is one copy.", "clerk", 2)
    assert (turn.user, turn.duration_s) == ((), 2.5)
    assert [(extra.name, extra.value) for extra in turn.extras] == [("conversation", made.TALK)]


def test_every_metric_of_a_turn_is_reported_with_its_threshold() -> None:
    told = [(one.metric, one.score, one.status, one.threshold, one.provenance) for one in turn_of().metrics]
    reported, derived = Provenance.REPORTED, Provenance.DERIVED
    assert told == [
        ("ces_tool_invocation", 1.0, P, 0.75, reported),
        ("ces_tool_order", 0.5, INFO, None, reported),
        ("ces_parameter_correctness", 1.0, P, 0.5, derived),
        ("ces_semantic_similarity", 4.0, P, 3.0, reported),
        ("ces_hallucination", 1.0, P, None, reported),
        ("ces_expectations", None, P, None, derived),
    ]
    assert metric("ces_semantic_similarity").reason == "Fully: The same."
    assert metric("ces_semantic_similarity").native == "PASS"


def test_of_several_calls_no_score_of_all_is_made_up() -> None:
    one: JsonObject = {"parameterCorrectnessScore": 0.5, "outcome": "PASS"}
    twice: list[Json] = [made.met(expectation={"toolCall": made.call("buy")}, toolInvocationResult=one)] * 2
    found = metric("ces_parameter_correctness", expectationOutcome=twice)
    assert (found.score, [each.score for each in found.expectations]) == (None, [0.5, 0.5])


def test_the_deprecated_score_is_never_read() -> None:
    turn = turn_of(overallToolInvocationResult=None)
    assert "ces_tool_invocation" not in {one.metric for one in turn.metrics}
    assert "toolInvocationScore" not in {extra.name for extra in turn.extras}


def test_expectation_by_expectation() -> None:
    told = metric("ces_expectations").expectations
    assert [(one.what, one.status, one.native, one.place) for one in told] == [
        ("call search", P, "PASS", f"{FIRST}/expectationOutcome/0"),
        ("result of search", P, "PASS", f"{FIRST}/expectationOutcome/1"),
        ("answer", P, "PASS", f"{FIRST}/expectationOutcome/2"),
    ]
    assert told[0].golden_place == f"{FIRST}/expectationOutcome/0/expectation"
    assert told[0].reason == "All equal.; note: by title"
    assert told[0].figures == (("parameter correctness", 1.0),)


@each(
    ("expectation", "what"),
    [
        ({"toolCall": made.call("buy")}, "call buy"),
        ({"toolResponse": made.response("buy")}, "result of buy"),
        ({"agentResponse": made.message("clerk", "Yes.")}, "answer"),
        ({"agentTransfer": {"targetAgent": f"{made.APP}/agents/cashier"}}, "transfer to cashier"),
        ({"updatedVariables": {"paid": True}}, "variables"),
        ({"mockToolResponse": made.response("buy")}, "mock of buy"),
        ({"noToolCalls": True}, "no calls"),
        ({"somethingNew": {}}, "expectation"),
    ],
)
def test_what_was_expected_is_told_in_words(expectation: JsonObject, what: str) -> None:
    (told,) = metric("ces_expectations", **entry(expectation=expectation, outcome="FAIL")).expectations
    assert (told.what, told.status, told.extra) == (what, F, False)


@each(
    ("observed", "kind"),
    [
        ({"observedToolCall": made.call("buy")}, ToolCall),
        ({"observedToolResponse": made.response("buy")}, ToolResult),
        ({"observedAgentTransfer": {"targetAgent": "cashier"}}, Transfer),
        ({"observedPayload": {"fields": {"a": {"numberValue": 1}}}}, Unknown),
        ({"observed_tool_call": {"tool": "buy"}}, ToolCall),
    ],
)
def test_what_was_observed_is_an_event(observed: JsonObject, kind: type) -> None:
    (trace,) = opened(made.result(made.replay(**entry(**observed)))).traces
    ((part,),) = [event.parts for event in trace.turns[0].events]
    assert isinstance(part, kind)
    assert trace.turns[0].final_response is None


def test_a_payload_is_shown_and_judges_nothing() -> None:
    (told,) = metric("ces_expectations", **entry(observedPayload={"a": 1}, outcome="SKIPPED")).expectations
    assert (told.what, told.status, told.extra) == ("payload", S, False)
    (trace,) = opened(made.result(made.replay(**entry(observedPayload={"fields": {"a": {"numberValue": 1}}})))).traces
    assert [part.raw for event in trace.turns[0].events for part in event.parts if isinstance(part, Unknown)] == [
        {"a": 1}
    ]


@each(
    ("outcome", "behavior", "status"),
    [
        ("FAIL", "ALLOW", F),
        ("PASS", "FAIL", P),
        (None, "FAIL", F),
        (None, "ALLOW", P),
        (None, None, F),
        (None, "EXTRA_TOOL_CALL_BEHAVIOR_UNSPECIFIED", F),
        (None, 2, P),
    ],
)
def test_an_entry_without_expectation_is_an_extra_call(outcome: Json, behavior: Json, status: Status) -> None:
    settings: JsonObject = {
        "goldenEvaluationMetricsThresholds": {"toolMatchingSettings": {"extraToolCallBehavior": behavior}}
    }
    turn = made.replay(**entry(observedToolCall=made.call("browse"), outcome=outcome))
    (judged,) = verdict_of(made.result(turn, evaluationMetricsThresholds=settings)).turns
    (extra,) = [one for one in judged.metrics if one.metric == "ces_extra_calls"]
    assert (extra.status, extra.reason, extra.provenance) == (status, "call browse", Provenance.DERIVED)
    assert [(one.what, one.extra) for one in extra.expectations] == [("call browse", True)]
    assert judged.status is status


@each(
    ("score", "switch", "status"),
    [
        (1, "ENABLED", P), (0, "ENABLED", F), (-1, "ENABLED", N), (None, "ENABLED", N),
        (1, "DISABLED", INFO), (0, "DISABLED", INFO), (0, None, INFO), (-1, "DISABLED", N), (0, 2, F),
        (0.0, "ENABLED", F),
    ],
)  # fmt: skip
def test_hallucination_counts_only_where_its_switch_is_on(score: Json, switch: Json, status: Status) -> None:
    said: JsonObject = {"score": score, "label": "Unknown"}
    value = made.result(
        made.replay(hallucinationResult=said),
        evaluationMetricsThresholds=made.thresholds(goldenHallucinationMetricBehavior=switch),
    )
    (turn,) = verdict_of(value).turns
    (found,) = [one for one in turn.metrics if one.metric == "ces_hallucination"]
    assert (found.status, found.reason) == (status, "Unknown")
    assert turn.status is (F if status is F else P)


@each(
    ("changed", "status", "reason"),
    [
        ({}, P, ""),
        ({"semanticSimilarityResult": {"score": 1, "outcome": "FAIL"}}, F, "ces_semantic_similarity"),
        ({"overallToolInvocationResult": {"toolInvocationScore": 0.5, "outcome": "FAIL"}}, F, "ces_tool_invocation"),
        ({"expectationOutcome": [{"expectation": {"noToolCalls": True}, "outcome": "FAIL"}]}, F, "ces_expectations"),
        ({"toolOrderedInvocationScore": 0}, P, ""),
        ({"errorInfo": {"errorType": 5, "errorMessage": "Too often."}}, E, "QUOTA_EXHAUSTED: Too often."),
        ({"errorInfo": {"errorType": "RUNTIME_FAILURE"}}, E, "RUNTIME_FAILURE"),
    ],
)
def test_the_verdict_of_a_turn_is_derived(changed: JsonObject, status: Status, reason: str) -> None:
    turn = turn_of(**changed)
    assert (turn.index, turn.status, turn.reason, turn.provenance) == (0, status, reason, Provenance.DERIVED)


def test_a_turn_of_which_nothing_was_judged_has_no_verdict() -> None:
    turn = made.result({"expectationOutcome": [{"observedPayload": {}, "outcome": "SKIPPED"}]})
    assert verdict_of(turn).turns[0].status is N


@pytest.mark.parametrize("name", ["turnLatency", "overallToolInvocationResult", "semanticSimilarityResult"])
def test_absent_is_not_zero(name: str) -> None:
    turn = made.replay()
    del turn[name]
    contents = opened(made.result(turn))
    assert contents.traces[0].turns[0].duration_s != 0
    assert all(one.score != 0 for one in contents.reported[0].turns[0].metrics)
    empty = made.replay(semanticSimilarityResult={}, overallToolInvocationResult={})
    assert [one.score for one in verdict_of(made.result(empty)).turns[0].metrics][:1] == [None]


@each(
    ("state", "outcome", "status", "native", "code"),
    [
        ("COMPLETED", "PASS", P, "PASS", None),
        (2, 1, P, 1, None),
        ("COMPLETED", "FAIL", F, "FAIL", "verdicts-differ"),
        ("COMPLETED", "SKIPPED", S, "SKIPPED", None),
        ("ERROR", None, E, "ERROR", None),
        ("CANCELLED", None, N, "CANCELLED", None),
        ("QUEUED", None, Status.PENDING, "QUEUED", None),
        ("RUNNING", None, Status.PENDING, "RUNNING", None),
        ("ERROR", "PASS", E, "ERROR", "outcome-without-completion"),
        ("COMPLETED", "GREAT", N, "GREAT", "unknown-enum"),
        ("DREAMING", "PASS", P, "PASS", "unknown-enum"),
    ],
)
def test_the_status_is_the_files_own(
    state: Json, outcome: Json, status: Status, native: Json, code: str | None
) -> None:
    contents = opened(made.result(executionState=state, evaluationStatus=outcome))
    (verdict,) = contents.reported
    assert (verdict.status, verdict.native, verdict.provenance) == (status, native, Provenance.REPORTED)
    assert codes(contents) == ([code] if code else [])


@pytest.mark.parametrize("outcome", [None, "OUTCOME_UNSPECIFIED", 0])
def test_without_an_outcome_the_status_is_derived_and_says_so(outcome: Json) -> None:
    failing = made.replay(semanticSimilarityResult={"score": 1, "outcome": "FAIL"})
    verdict = verdict_of(made.result(made.replay(), failing, evaluationStatus=outcome))
    assert (verdict.status, verdict.native, verdict.provenance) == (F, ABSENT, Provenance.DERIVED)
    assert verdict.reason == "turns and criteria amount to failed (turn 2 failed)"


def test_a_contradiction_is_named_with_its_place() -> None:
    failed: JsonObject = {"prompt": "Was it polite?", "outcome": "FAIL", "explanation": "No."}
    golden: JsonObject = {"turnReplayResults": [made.replay()], "evaluationExpectationResults": [failed]}
    contents = opened(made.result(goldenResult=golden))
    (verdict,), (finding,) = contents.reported, contents.findings
    assert (verdict.status, verdict.native) == (P, "PASS")
    assert (finding.code, finding.pointer) == ("verdicts-differ", "/evaluationStatus")
    assert "says passed, but its turns and criteria amount to failed (ces_llm_criteria failed)" in finding.message
    (criteria,) = verdict.metrics
    assert [(one.what, one.status, one.reason) for one in criteria.expectations] == [("Was it polite?", F, "No.")]


@each(
    ("score", "completed", "status", "open_words"),
    [
        (0, False, N, True),
        (0, None, N, True),
        (1, None, N, True),
        (0, True, P, False),
        (1, True, P, False),
        (-1, True, N, False),
        (None, None, N, False),
    ],
)
def test_whether_a_goal_was_to_be_met_is_not_in_a_result(
    score: Json, completed: Json, status: Status, open_words: bool
) -> None:
    told = made.simulated(
        expectationOutcomes=[],
        allExpectationsSatisfied=True,
        hallucinationResult=[],
        taskCompleted=completed,
        userGoalSatisfactionResult={"score": score},
    )
    contents = opened({"name": made.RESULT, "evaluationStatus": "PASS", "scenarioResult": told})
    (goal,) = [one for one in contents.reported[0].metrics if one.metric == "ces_user_goal"]
    assert (goal.status, "userGoalBehavior" in goal.reason) == (status, open_words)
    assert codes(contents) == []
    (case,) = contents.suites[0].cases
    assert case.scenario is not None
    assert case.scenario.goal is None
    derived = verdict_of({"name": made.RESULT, "scenarioResult": told})
    assert (derived.status, derived.provenance) == (N if open_words else P, Provenance.DERIVED)


def test_a_contradiction_with_an_open_goal_is_told() -> None:
    told = made.simulated(expectationOutcomes=[], allExpectationsSatisfied=False)
    contents = opened({"name": made.RESULT, "evaluationStatus": "PASS", "scenarioResult": told})
    (finding,) = contents.findings
    assert (finding.code, finding.severity) == ("verdicts-differ", Severity.WARNING)


def test_an_error_of_the_whole_is_told() -> None:
    info: JsonObject = {"errorType": "USER_SIMULATION_FAILURE", "errorMessage": "No user.", "sessionId": "s"}
    verdict = verdict_of(made.result(errorInfo=info, evaluationStatus=None, executionState="ERROR"))
    assert (verdict.status, verdict.reason) == (E, "USER_SIMULATION_FAILURE: No user.")
    assert {extra.name: extra.value for extra in verdict.extras}["errorInfo"] == info
    old = verdict_of(
        made.result(error={"code": 13, "message": "Broken."}, evaluationStatus=None, executionState=None)
    )
    assert (old.status, old.reason) == (E, "13: Broken.")


def test_latencies_are_spans_and_one_call_is_one_span() -> None:
    end = "2026-03-01T10:00:02.250000001Z"
    listed: JsonObject = {
        "tool": f"{made.APP}/tools/search", "startTime": "2026-03-01T10:00:01.5Z", "endTime": end
    }  # fmt: skip
    turn = made.replay(
        spanLatencies=[
            made.latency("TOOL", "01.5", "02.250000001", resource=f"{made.APP}/tools/search"),
            made.latency("LLM", "02.5", "03.5", model="gem", executionLatency="0.75s"),
            made.latency("USER_CALLBACK", "03.5", "04", callback="after_model", displayName=""),
            made.latency("GUARDRAIL", "04", "05", resource=f"{made.APP}/guardrails/manners", displayName="Manners"),
            made.latency("NEW", "05", "04"),
            made.latency("4", "05", "06", toolset={"toolset": "till", "toolId": "pay"}, displayName=""),
        ],
        toolCallLatencies=[listed, {**listed, "tool": "buy", "endTime": "2026-03-01T10:00:09Z"}],
    )
    contents = opened(made.result(turn))
    (trace,) = contents.traces
    told = [(span.name, span.kind, span.duration_s) for span in trace.turns[0].spans]
    assert told == [
        ("tool (search)", SpanKind.TOOL, 0.750000001),
        ("llm (gem)", SpanKind.MODEL, 0.75),
        ("callback after_model", SpanKind.OTHER, 0.5),
        ("guardrail Manners (manners)", SpanKind.OTHER, 1.0),
        ("NEW new", SpanKind.OTHER, None),
        ("till/pay", SpanKind.MODEL, 1.0),
        ("buy", SpanKind.TOOL, 7.5),
    ]
    assert trace.span_count == 7
    assert trace.turns[0].tool_duration_s == pytest.approx(8.250000001)
    assert trace.turns[0].model_duration_s == pytest.approx(1.75)
    assert codes(contents) == ["unknown-enum", "negative-duration"]


def test_a_scenario_is_told_metric_by_metric() -> None:
    verdict = scenario()
    told = [(one.metric, one.score, one.status, one.native) for one in verdict.metrics]
    assert told == [
        ("ces_expectations", None, F, False),
        ("ces_user_goal", 0.0, N, ABSENT),
        ("ces_hallucination", None, F, ABSENT),
        ("ces_task_completed", None, F, False),
        ("ces_rubrics", None, INFO, ABSENT),
        ("ces_llm_criteria", None, P, ABSENT),
    ]
    expectations, goal, hallucination, _task, rubrics, criteria = verdict.metrics
    assert [(one.what, one.status) for one in expectations.expectations] == [("call search", P), ("answer", F)]
    assert goal.reason.startswith("Not satisfied: No book.; whether the goal was to be met is not in a result")
    assert [(one.what, one.score, one.status) for one in hallucination.expectations] == [
        ("turn 1", -1.0, N),
        ("turn 2", 0.0, F),
    ]
    assert [(one.text, one.score, one.rationale) for one in rubrics.rubrics] == [("Is polite", 0.8, "Mostly.")]
    assert [one.rubric_id for one in rubrics.rubrics] == ["rubric 1"]
    assert criteria.expectations[0].what == "polite: Was the clerk polite?"
    assert (verdict.status, verdict.provenance) == (F, Provenance.DERIVED)
    assert "ces_task_completed" not in verdict.reason


def test_a_scenario_is_told_as_far_as_it_was_observed() -> None:
    (trace,) = opened({"scenarioResult": made.simulated()}, "sim.json").traces
    (turn,) = trace.turns
    assert (trace.session_id, turn.guessed) == (made.TALK, frozenset({"borders"}))
    assert [type(part) for event in turn.events for part in event.parts] == [ToolCall, ToolResult]
    assert [part.text for part in turn.final_response or () if isinstance(part, Text)] == ["It is here."]
    extras = {extra.name: extra.value for extra in trace.extras}
    assert extras["task"] == "Order a book that is sold out."
    assert extras["userFacts"] == [{"name": "title", "value": "Emma"}]


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"taskCompletionResult": {"score": 1, "label": "Done"}, "taskCompleted": None}, P),
        ({"taskCompletionResult": {"score": 1}, "taskCompleted": False}, F),
        ({"taskCompleted": True}, P),
    ],
)
def test_a_completed_task(changed: JsonObject, status: Status) -> None:
    (task,) = [one for one in scenario(**changed).metrics if one.metric == "ces_task_completed"]
    assert task.status is status


def test_a_scenario_whose_switch_is_off_does_not_fail_by_hallucination() -> None:
    value: JsonObject = {"scenarioResult": made.simulated(), "evaluationMetricsThresholds": made.thresholds()}
    (found,) = [one for one in verdict_of(value).metrics if one.metric == "ces_hallucination"]
    assert found.status is INFO

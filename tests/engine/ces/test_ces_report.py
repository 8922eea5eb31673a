"""`--report ces`: our verdicts as CES's results (reference A3), which our own reader and Google's types take."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.engine.ces.ces_stories import (
    APP,
    ONE,
    answer,
    call,
    calls,
    case_of,
    expects,
    golden,
    judged_by,
    observed,
    says,
    scenario_of,
    trace_of,
)
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.matcher import Match, Matcher
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.parts import ToolCall, Transfer
from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.core.trace.trace import Span, SpanKind, Trace
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.verdict import CaseVerdict, RunVerdict, Status
from trace_inspector.engine.reports import ces
from trace_inspector.engine.reports.ces import thresholds
from trace_inspector.engine.reports.ces_parts import tool_call
from trace_inspector.engine.reports.sources import Sources
from trace_inspector.flows.opening.open_file import open_file

ALL = (
    Criterion("ces_tool_invocation", 1.0),
    Criterion("ces_tool_order"),
    Criterion("ces_parameter_correctness", 1.0),
    Criterion("ces_extra_calls", 1.0),
    Criterion("ces_semantic_similarity", 3.0, {**ONE}),
    Criterion("ces_hallucination", None, {**ONE, "goldenHallucinationMetricBehavior": "ENABLED"}),
    Criterion("ces_expectations", 1.0, {**ONE}),
)
OF_SCENARIO = tuple(
    Criterion(name, 1.0, {**ONE})
    for name in ("ces_expectations", "ces_hallucination", "ces_llm_criteria", "ces_rubrics", "ces_user_goal")
)


def golden_case() -> Case:
    return case_of(
        golden(
            *calls(call("find", {"city": "Basel", "day": "monday"})),
            answer("Here you are."),
            expects(Expects.TRANSFER, Transfer("billing"), place="/transfer"),
        ),
        matchers=[Matcher("/call0/args/city", Match.CONTAINS, "Bas")],
    )


def recorded() -> Trace:
    turn = observed(
        call("find", {"city": "Basel", "day": "friday"}, place="/made0"),
        call("pay", place="/made1"),
        Transfer("billing", "/made2"),
        says="Here it is.",
    )
    spans = (
        Span("1", "find", SpanKind.TOOL, start_s=1_700_000_000.5, duration_s=0.25),
        Span("2", "guardrail no-leaks", SpanKind.OTHER, start_s=1_700_000_001.0, duration_s=0.001),
        Span("3", "agent", SpanKind.AGENT, duration_s=1.0),
    )
    return trace_of(replace(turn, duration_s=3.5, spans=spans))


def written(verdict: CaseVerdict, case: Case, trace: Trace) -> JsonObject:
    """The one result of a run on one case."""
    run = RunVerdict(
        "r", verdict.status, 1_700_000_000.0, "ces", "c", (verdict,), (("ces_tool_invocation", 1.0, {}),)
    )
    sources = Sources({("", "", case.id): case}, {("", "", trace.id): trace})
    held = json.loads(ces.write(run, sources))
    (result,) = held["evaluationResults"]
    assert isinstance(result, dict)
    return result


def member(value: Json, *path: str | int) -> Json:
    """What stands there."""
    for step in path:
        if isinstance(step, int):
            assert isinstance(value, list)
            value = value[step]
        else:
            assert isinstance(value, dict)
            value = value[step]
    return value


def golden_result() -> JsonObject:
    case, trace = golden_case(), recorded()
    verdict = judged_by(case, trace, *ALL, judge=says(3, 1))
    return written(replace(verdict, extras=(Extra("goldenRunMethod", "NAIVE"),)), case, trace)


def scenario_result() -> JsonObject:
    case = scenario_of(
        *calls(call("find", {"q": 1})),
        Expectation(Expects.CRITERION, text="Be polite.", reference="polite", place="/polite"),
        goal="USER_GOAL_REJECTED",
    )
    case = replace(case, rubrics=(Rubric("1", "Be brief."),))
    trace = trace_of(observed(call("find", {"q": 1}, place="/made0"), says="No."))
    verdict = judged_by(case, trace, *OF_SCENARIO, Criterion("ces_task_completed", 1.0), judge=says(1, "yes", 0.5, 0))
    return written(verdict, case, trace)


def test_a_golden_result_in_the_names_of_ces() -> None:
    result = golden_result()
    assert result["evaluationStatus"] == "FAIL"
    assert result["executionState"] == "COMPLETED"
    assert result["goldenRunMethod"] == "NAIVE"
    turn = member(result, "goldenResult", "turnReplayResults", 0)
    first = member(turn, "expectationOutcome", 0)
    assert member(first, "expectation", "toolCall") == {
        "tool": "find",
        "args": {"city": {"$matchType": "contains", "value": "Bas"}, "day": "monday"},
    }
    assert member(first, "observedToolCall", "args") == {"city": "Basel", "day": "friday"}
    assert member(first, "outcome") == "FAIL"
    assert member(first, "toolInvocationResult", "parameterCorrectnessScore") == 0.5
    outcomes = member(turn, "expectationOutcome")
    assert isinstance(outcomes, list)
    assert [member(one, "outcome") for one in outcomes] == ["FAIL", "PASS", "PASS", "FAIL"]
    assert "expectation" not in json.dumps(outcomes[3])
    assert member(outcomes[3], "observedToolCall") == {"tool": "pay", "args": {}}
    assert member(turn, "overallToolInvocationResult") == {"toolInvocationScore": 1.0, "outcome": "PASS"}
    assert member(turn, "toolOrderedInvocationScore") == 1.0
    assert member(turn, "semanticSimilarityResult", "score") == 3
    assert member(turn, "hallucinationResult", "score") == 1
    assert member(turn, "turnLatency") == "3.5s"
    assert member(turn, "spanLatencies", 0) == {
        "type": "TOOL",
        "displayName": "find",
        "executionLatency": "0.25s",
        "startTime": "2023-11-14T22:13:20.500000Z",
        "endTime": "2023-11-14T22:13:20.750000Z",
    }
    assert member(turn, "spanLatencies", 1, "type") == "GUARDRAIL"


def test_a_scenario_result_in_the_names_of_ces() -> None:
    told = member(scenario_result(), "scenarioResult")
    assert member(told, "task") == "Book a table."
    assert member(told, "userFacts") == [{"name": "guests", "value": "4"}]
    assert member(told, "expectationOutcomes", 0, "outcome") == "PASS"
    assert member(told, "expectationOutcomes", 0, "observedToolCall", "toolCall", "tool") == "find"
    assert member(told, "rubricOutcomes", 0, "score") == 0.5
    assert member(told, "hallucinationResult", 0, "score") == 1
    assert member(told, "userGoalSatisfactionResult", "score") == 0
    assert member(told, "allExpectationsSatisfied") is True
    assert member(told, "taskCompleted") is True
    assert member(told, "evaluationExpectationResults", 0, "outcome") == "PASS"


def test_what_was_not_decided_has_no_outcome_and_no_score() -> None:
    case, trace = golden_case(), recorded()
    result = written(judged_by(case, trace, Criterion("ces_semantic_similarity", 3.0)), case, trace)
    assert "evaluationStatus" not in result
    similarity = member(result, "goldenResult", "turnReplayResults", 0, "semanticSimilarityResult")
    assert isinstance(similarity, dict)
    assert set(similarity) == {"explanation"}


@pytest.mark.parametrize("kind", ["golden", "scenario"])
def test_our_own_reader_gets_the_same_verdicts_back(kind: str, tmp_path: Path) -> None:
    result = golden_result() if kind == "golden" else scenario_result()
    path = tmp_path / "report.json"
    path.write_text(json.dumps({"evaluationResults": [result]}), encoding="utf-8")
    contents = open_file(path).contents
    assert contents.format == "ces-result"
    (verdict,) = contents.reported
    assert verdict.status is (Status.FAILED if kind == "golden" else Status.PASSED)
    metrics = [*verdict.metrics, *(one for turn in verdict.turns for one in turn.metrics)]
    found = {one.metric: one.score for one in metrics}
    if kind == "golden":
        assert found["ces_semantic_similarity"] == 3
        assert found["ces_parameter_correctness"] == 0.5
        assert found["ces_tool_invocation"] == 1.0
    else:
        assert found["ces_user_goal"] == 0
        assert "ces_task_completed" in found


@pytest.mark.parametrize("kind", ["golden", "scenario"])
def test_googles_own_types_take_what_is_written(kind: str) -> None:
    types = pytest.importorskip("google.cloud.ces_v1beta.types", reason="google-cloud-ces is not installed")
    result = golden_result() if kind == "golden" else scenario_result()
    parsed = types.EvaluationResult.from_json(json.dumps(result))
    assert parsed.display_name == result["displayName"]


@pytest.mark.parametrize(
    ("resource", "written"),
    [
        ("find", {"tool": "find"}),
        ("desk/find", {"toolsetTool": {"toolset": "desk", "toolId": "find"}}),
        (f"{APP}/tools/find", {"tool": f"{APP}/tools/find", "displayName": "find"}),
        (f"{APP}/toolsets/desk/find", {"toolsetTool": {"toolset": f"{APP}/toolsets/desk", "toolId": "find"}}),
    ],
)
def test_a_tool_is_named_as_it_was(resource: str, written: JsonObject) -> None:
    """A3: a tool, or a toolset with an id in it."""
    assert tool_call(ToolCall("find", resource=resource)) == written


def test_the_thresholds_have_their_places() -> None:
    """A5."""
    told = thresholds(
        [
            ("ces_semantic_similarity", 3.0, {"semanticSimilarityChannel": "AUDIO"}),
            ("ces_tool_invocation", 0.5, {}),
            ("ces_parameter_correctness", 1.0, {}),
            ("ces_extra_calls", 1.0, {"extra_tool_call_behavior": "ALLOW"}),
            ("ces_hallucination", None, {"goldenHallucinationMetricBehavior": "DISABLED"}),
            ("tool_trajectory_avg_score", 1.0, {}),
        ]
    )
    assert told == {
        "goldenEvaluationMetricsThresholds": {
            "turnLevelMetricsThresholds": {
                "semanticSimilaritySuccessThreshold": 3,
                "semanticSimilarityChannel": "AUDIO",
                "overallToolInvocationCorrectnessThreshold": 0.5,
            },
            "expectationLevelMetricsThresholds": {"toolInvocationParameterCorrectnessThreshold": 1.0},
            "toolMatchingSettings": {"extraToolCallBehavior": "ALLOW"},
        },
        "goldenHallucinationMetricBehavior": "DISABLED",
    }

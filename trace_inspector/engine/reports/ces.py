"""The run as CES's evaluation results: `evaluationResults`, in CES's own names, of our verdicts.

What a person overruled stands among the criteria in words, without an outcome: CES has no other place for a sentence.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.trace import Trace
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.overrule import overruled_lines
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, RunVerdict, Status, TurnVerdict
from trace_inspector.engine.ces.run_method import run_method
from trace_inspector.engine.ces.settings import PARAMETERS, SEMANTIC_SIMILARITY, TOOL_INVOCATION
from trace_inspector.engine.reports import ces_parts as parts
from trace_inspector.engine.reports.ces_outcomes import (
    Known,
    criteria_results,
    explained,
    golden_outcomes,
    known_of,
    outcome,
    scenario_outcomes,
    score,
    whole_score,
)
from trace_inspector.engine.reports.sources import Sources

_GOLDEN = "goldenEvaluationMetricsThresholds"
_TURN = (_GOLDEN, "turnLevelMetricsThresholds")
_THRESHOLDS = {
    SEMANTIC_SIMILARITY: (*_TURN, "semanticSimilaritySuccessThreshold"),
    TOOL_INVOCATION: (*_TURN, "overallToolInvocationCorrectnessThreshold"),
    PARAMETERS: (_GOLDEN, "expectationLevelMetricsThresholds", "toolInvocationParameterCorrectnessThreshold"),
}
_OPTIONS = {
    "semanticSimilarityChannel": (*_TURN, "semanticSimilarityChannel"),
    "extraToolCallBehavior": (_GOLDEN, "toolMatchingSettings", "extraToolCallBehavior"),
    "goldenHallucinationMetricBehavior": ("goldenHallucinationMetricBehavior",),
    "scenarioHallucinationMetricBehavior": ("scenarioHallucinationMetricBehavior",),
    "hallucinationMetricBehavior": ("hallucinationMetricBehavior",),
}


def thresholds(criteria: Sequence[tuple[str, float | None, JsonObject]]) -> JsonObject:
    """Every threshold and switch that CES has a place for, as far as the run states it."""
    written: JsonObject = {}
    for metric, threshold, options in criteria:
        if metric in _THRESHOLDS and threshold is not None:
            whole = metric == SEMANTIC_SIMILARITY and threshold.is_integer()
            _put(written, _THRESHOLDS[metric], int(threshold) if whole else threshold)
        for name, value in options.items():
            path = _OPTIONS.get(_camel(name))
            if path is not None and isinstance(value, str | int):
                _put(written, path, value)
    return written


def _put(written: JsonObject, path: tuple[str, ...], value: str | int | float) -> None:
    *above, last = path
    for name in above:
        inner = written.setdefault(name, {})
        if isinstance(inner, dict):
            written = inner
    written[last] = value


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


_STATUSES = {Status.PASSED: "PASS", Status.FAILED: "FAIL", Status.SKIPPED: "SKIPPED"}
_OVERRULED = "what a person decided"
_STATES = {Status.ERROR: "ERROR", Status.PENDING: "QUEUED"}


def write(run: RunVerdict, sources: Sources) -> str:
    """Every case as a result; metrics that CES does not have are left out, it has no place for them."""
    results: list[Json] = [
        _result(run, nth, case, sources.case_of(case), sources.trace_of(case))
        for nth, case in enumerate(run.cases)
        if case.trace_id is not None
    ]
    return json.dumps({"evaluationResults": results}, indent=2) + "\n"


def _result(run: RunVerdict, nth: int, verdict: CaseVerdict, case: Case | None, trace: Trace | None) -> JsonObject:
    written: JsonObject = {
        "name": f"evaluations/{verdict.case_id}/results/{verdict.trace_id or nth}",
        "displayName": verdict.case_id,
        **explained("createTime", parts.timestamp(run.started_s) or ""),
        "executionState": _STATES.get(verdict.status, "COMPLETED"),
    }
    if verdict.status in _STATUSES:
        written["evaluationStatus"] = _STATUSES[verdict.status]
    if verdict.status is Status.ERROR:
        message = verdict.reason or "; ".join(verdict.hides) or "a metric broke"
        written["errorInfo"] = {"errorType": "METRIC_CALCULATION_FAILURE", "errorMessage": message}
    written |= explained("appVersionDisplayName", verdict.candidate)
    written |= explained("goldenRunMethod", run_method(verdict))
    if verdict.persona:
        written["persona"] = {"displayName": verdict.persona}
    stated = thresholds(verdict.criteria or run.criteria)
    if stated:
        written["evaluationMetricsThresholds"] = stated
    facts = known_of(case, trace)
    if case is not None and case.scenario is not None:
        return written | {"scenarioResult": _scenario(verdict, case, trace, facts)}
    return written | {"goldenResult": _golden(verdict, trace, facts)}


def _golden(verdict: CaseVerdict, trace: Trace | None, facts: Known) -> JsonObject:
    turns = [_turn(turn, verdict, trace, facts) for turn in verdict.turns]
    criteria = _sentences(verdict, facts)
    written: JsonObject = {"turnReplayResults": list[Json](turns)}
    return written | ({"evaluationExpectationResults": criteria} if criteria else {})


def _turn(turn: TurnVerdict, verdict: CaseVerdict, trace: Trace | None, facts: Known) -> JsonObject:
    metrics = turn.metrics
    expectations, arguments = _named("ces_expectations", metrics), _named("ces_parameter_correctness", metrics)
    invocation, order = _named("ces_tool_invocation", metrics), _named("ces_tool_order", metrics)
    similarity, claims = _named("ces_semantic_similarity", metrics), _named("ces_hallucination", metrics)
    written = explained("conversation", verdict.session_id or "")
    outcomes = list[Json](golden_outcomes(expectations, arguments, facts))
    if outcomes:
        written["expectationOutcome"] = outcomes
    if claims:
        written["hallucinationResult"] = whole_score(claims)
    written |= score("toolOrderedInvocationScore", order.score if order else None)
    if similarity:
        written["semanticSimilarityResult"] = whole_score(similarity) | outcome(similarity.status)
    if invocation:
        written["overallToolInvocationResult"] = score("toolInvocationScore", invocation.score) | outcome(
            invocation.status
        )
    if turn.status is Status.ERROR:
        message = turn.reason or "a metric broke"
        written["errorInfo"] = {"errorType": "METRIC_CALCULATION_FAILURE", "errorMessage": message}
    observed = next(
        (trace_turn for trace_turn in (trace.turns if trace else ()) if trace_turn.index == turn.index), None
    )
    if observed is not None and observed.duration_s is not None:
        written["turnLatency"] = parts.duration(observed.duration_s)
    spans = parts.latencies(observed.spans) if observed else []
    return written | ({"spanLatencies": spans} if spans else {})


def _scenario(verdict: CaseVerdict, case: Case, trace: Trace | None, known: Known) -> JsonObject:
    scenario, metrics = case.scenario, verdict.metrics
    facts: list[Json] = [{"name": name, "value": value} for name, value in scenario.facts] if scenario else []
    expectations, goal = _named("ces_expectations", metrics), _named("ces_user_goal", metrics)
    task, rubrics = _named("ces_task_completed", metrics), _named("ces_rubrics", metrics)
    claims = [_named("ces_hallucination", turn.metrics) for turn in verdict.turns]
    lists: dict[str, list[Json]] = {
        "userFacts": facts,
        "expectationOutcomes": list(scenario_outcomes(expectations, known)),
        "rubricOutcomes": [
            {"rubric": rubric.text, **score("score", rubric.score), **explained("scoreExplanation", rubric.rationale)}
            for rubric in (rubrics.rubrics if rubrics else ())
        ],
        "hallucinationResult": [whole_score(claim) for claim in claims if claim],
        "spanLatencies": parts.latencies([span for turn in (trace.turns if trace else ()) for span in turn.spans]),
        "evaluationExpectationResults": _sentences(verdict, known),
    }
    written = explained("conversation", verdict.session_id or "")
    written |= explained("task", scenario.plan if scenario else "")
    written |= {name: listed for name, listed in lists.items() if listed}
    if goal:
        written["userGoalSatisfactionResult"] = whole_score(goal)
    written |= _decided("allExpectationsSatisfied", expectations)
    return written | _decided("taskCompleted", task)


def _sentences(verdict: CaseVerdict, facts: Known) -> list[Json]:
    criteria = criteria_results(_named("ces_llm_criteria", verdict.metrics), facts)
    overruled: list[Json] = [{"prompt": _OVERRULED, "explanation": line} for line in overruled_lines(verdict)]
    return [*criteria, *overruled]


def _decided(name: str, verdict: MetricVerdict | None) -> JsonObject:
    if verdict is None or verdict.status not in (Status.PASSED, Status.FAILED):
        return {}
    return {name: verdict.status is Status.PASSED}


def _named(metric: str, verdicts: Iterable[MetricVerdict]) -> MetricVerdict | None:
    return next((verdict for verdict in verdicts if verdict.metric == metric), None)

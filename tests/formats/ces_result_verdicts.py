"""What the window is told of a result of CES, for tests that look at one part of it."""

from __future__ import annotations

from tests.formats import ces_result_files as made
from tests.formats.span_files import opened
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, TurnVerdict

FIRST = "/goldenResult/turnReplayResults/0"


def verdict_of(value: Json) -> CaseVerdict:
    """The verdict of a file with one result."""
    (verdict,) = opened(value).reported
    return verdict


def turn_of(**changed: Json) -> TurnVerdict:
    """The verdict of one replayed turn."""
    return verdict_of(made.result(made.replay(**changed), evaluationStatus=None)).turns[0]


def metric(name: str, **changed: Json) -> MetricVerdict:
    """One metric of one replayed turn."""
    (found,) = [one for one in turn_of(**changed).metrics if one.metric == name]
    return found


def scenario(**changed: Json) -> CaseVerdict:
    """The verdict of a simulated conversation."""
    switched = made.thresholds(scenarioHallucinationMetricBehavior="ENABLED")
    value: JsonObject = {"scenarioResult": made.simulated(**changed), "evaluationMetricsThresholds": switched}
    return verdict_of({"name": made.RESULT, **value})


def entry(**changed: Json) -> JsonObject:
    """One entry of a turn."""
    return {"expectationOutcome": [changed]}

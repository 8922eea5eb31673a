"""Runs, sets and analyses of losses as Vertex's service writes them."""

from __future__ import annotations

from trace_inspector.core.values.values import Json, JsonObject

_PLACE = "projects/p/locations/l"


def losses(item_count: Json = 3) -> JsonObject:
    """One analysis with one cluster."""
    example: JsonObject = {
        "evaluationItem": f"{_PLACE}/evaluationItems/i1",
        "failedRubrics": [{"rubricId": "a", "classificationRationale": "It guesses."}],
    }
    cluster: JsonObject = {
        "clusterId": "c1",
        "taxonomyEntry": {"l1Category": "Tools", "l2Category": "Wrong arguments", "description": "Made up values."},
        "itemCount": item_count,
        "examples": [example],
    }
    return {"config": {"metric": "tool_use_quality_v1", "candidate": "small"}, "clusters": [cluster]}


def run(**others: Json) -> JsonObject:
    """A run that ended, with the figures of two candidates."""
    metrics: JsonObject = {
        "small/safety_v1/AVERAGE": 0.5,
        "small/safety_v1/STANDARD_DEVIATION": 0.25,
        "large/safety_v1/AVERAGE": 1,
    }
    results: JsonObject = {
        "evaluationSet": f"{_PLACE}/evaluationSets/s2",
        "summaryMetrics": {"metrics": metrics, "totalItems": 4, "failedItems": 1},
        "lossAnalysisResults": [losses()],
    }
    return {
        "name": f"{_PLACE}/evaluationRuns/r1",
        "displayName": "Nightly",
        "dataSource": {"evaluationSet": f"{_PLACE}/evaluationSets/s1"},
        "evaluationConfig": {"metrics": [{"predefinedMetricSpec": {"metricSpecName": "safety_v1"}}]},
        "state": "SUCCEEDED",
        "evaluationResults": results,
        **others,
    }


def evaluation_set() -> JsonObject:
    """A set that names its items."""
    return {
        "name": f"{_PLACE}/evaluationSets/s1",
        "displayName": "Seats",
        "evaluationItems": [f"{_PLACE}/evaluationItems/i1"],
    }

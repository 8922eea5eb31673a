"""The criteria of a run as CES's thresholds."""

from __future__ import annotations

from collections.abc import Sequence

from trace_inspector.core.values.values import JsonObject
from trace_inspector.engine.ces.settings import PARAMETERS, SEMANTIC_SIMILARITY, TOOL_INVOCATION

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

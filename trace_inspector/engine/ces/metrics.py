"""The metrics of CES, in the order in which they are listed."""

from __future__ import annotations

from trace_inspector.engine.ces import (
    conversation_metrics,
    expectations,
    hallucination,
    parameters,
    similarity,
    task_completed,
    tool_metrics,
    variables,
)
from trace_inspector.engine.scoring.metric import Metric

CES_METRICS: tuple[Metric, ...] = (
    tool_metrics.INVOCATION,
    tool_metrics.ORDER,
    parameters.METRIC,
    tool_metrics.EXTRA,
    tool_metrics.NO_CALLS,
    tool_metrics.TRANSFERS,
    variables.METRIC,
    similarity.METRIC,
    hallucination.METRIC,
    expectations.METRIC,
    conversation_metrics.CRITERIA,
    conversation_metrics.RUBRICS,
    conversation_metrics.GOAL,
    task_completed.METRIC,
)

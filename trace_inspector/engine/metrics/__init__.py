"""One file per metric. METRICS is the one list."""

from __future__ import annotations

from trace_inspector.engine.metric import Metric
from trace_inspector.engine.metrics import (
    final_response_match,
    final_state,
    hallucinations,
    inference_call_count,
    invocation_duration,
    judge_prompt,
    latency_budget,
    local_grounding,
    partial_credit,
    response_match,
    rubric_final_response,
    rubric_multi_turn,
    rubric_tool_use,
    token_budget,
    token_usage,
    tool_call_count,
    tool_trajectory,
    trajectory_match,
    user_simulator,
    vertex_metrics,
)

METRICS: tuple[Metric, ...] = (
    tool_trajectory.METRIC,
    response_match.METRIC,
    final_response_match.METRIC,
    rubric_final_response.METRIC,
    hallucinations.METRIC,
    rubric_tool_use.METRIC,
    rubric_multi_turn.METRIC,
    user_simulator.METRIC,
    *vertex_metrics.VERTEX_METRICS,
    tool_call_count.METRIC,
    inference_call_count.METRIC,
    token_usage.METRIC,
    invocation_duration.METRIC,
    local_grounding.METRIC,
    trajectory_match.METRIC,
    partial_credit.PRECISION,
    partial_credit.RECALL,
    partial_credit.F1,
    partial_credit.ARGUMENT_SHARE,
    final_state.METRIC,
    latency_budget.METRIC,
    token_budget.METRIC,
    judge_prompt.METRIC,
)


def metric_named(name: str) -> Metric | None:
    """The metric of that name."""
    return next((metric for metric in METRICS if metric.name == name), None)

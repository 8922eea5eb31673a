"""One file per metric. METRICS is the one list."""

from __future__ import annotations

from trace_inspector.engine.ces.metrics import CES_METRICS
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
from trace_inspector.engine.metrics.agent_eval import AGENT_EVAL_METRICS
from trace_inspector.engine.scoring.metric import Metric, metric_for
from trace_inspector.engine.vertex import answers, rubrics, tool_calls, trajectory

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
    trajectory.EXACT,
    trajectory.IN_ORDER,
    trajectory.ANY_ORDER,
    trajectory.SINGLE_TOOL,
    answers.EXACT_MATCH,
    answers.ROUGE_1,
    answers.ROUGE_L_SUM,
    tool_calls.CALL_VALID,
    tool_calls.NAME_MATCH,
    tool_calls.KEY_MATCH,
    tool_calls.KV_MATCH,
    rubrics.METRIC,
    *CES_METRICS,
    *AGENT_EVAL_METRICS,
)


def metric_named(name: str) -> Metric | None:
    """The metric that a criterion of that name means."""
    return metric_for(name, METRICS)

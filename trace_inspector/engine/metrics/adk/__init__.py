"""The metrics of ADK, and what it reports beside them."""

from __future__ import annotations

from functools import partial

from trace_inspector.engine.scoring.metric import SERVICE, Method, Metric
from trace_inspector.engine.scoring.metric_names import DURATION, TOKENS, TOOL_TRAJECTORY


def _tool_trajectory() -> Method:
    from trace_inspector.engine.metrics.adk.tool_trajectory import METHOD

    return METHOD


def _response_match() -> Method:
    from trace_inspector.engine.metrics.adk.response_match import METHOD

    return METHOD


def _final_response_match() -> Method:
    from trace_inspector.engine.metrics.adk.final_response_match import METHOD

    return METHOD


def _rubric_final_response() -> Method:
    from trace_inspector.engine.metrics.adk.rubric_final_response import METHOD

    return METHOD


def _hallucinations() -> Method:
    from trace_inspector.engine.metrics.adk.hallucinations import METHOD

    return METHOD


def _rubric_tool_use() -> Method:
    from trace_inspector.engine.metrics.adk.rubric_tool_use import METHOD

    return METHOD


def _rubric_multi_turn() -> Method:
    from trace_inspector.engine.metrics.adk.rubric_multi_turn import METHOD

    return METHOD


def _user_simulator() -> Method:
    from trace_inspector.engine.metrics.adk.user_simulator import METHOD

    return METHOD


def _vertex_metrics(name: str) -> Method:
    from trace_inspector.engine.metrics.adk.vertex_metrics import METHODS

    return METHODS[name]


def _tool_call_count() -> Method:
    from trace_inspector.engine.metrics.adk.tool_call_count import METHOD

    return METHOD


def _inference_call_count() -> Method:
    from trace_inspector.engine.metrics.adk.inference_call_count import METHOD

    return METHOD


def _token_usage() -> Method:
    from trace_inspector.engine.metrics.adk.token_usage import METHOD

    return METHOD


def _invocation_duration() -> Method:
    from trace_inspector.engine.metrics.adk.invocation_duration import METHOD

    return METHOD


_WHOLE = ("user message", "tool calls and results", "final answer", "instructions")

ADK_METRICS: tuple[Metric, ...] = (
    Metric(
        name=TOOL_TRAJECTORY,
        title="Calls",
        family="adk",
        meaning="The share of turns whose tool calls match the golden's, by name and arguments.",
        needs=frozenset({"golden"}),
        reads=("tool calls",),
        default_threshold=1.0,
        load=_tool_trajectory,
    ),
    Metric(
        name="response_match_score",
        title="Answer",
        family="adk",
        meaning="How many words the answer shares with the golden answer (ROUGE-1, F measure).",
        needs=frozenset({"golden"}),
        reads=("final answer",),
        default_threshold=0.8,
        load=_response_match,
    ),
    Metric(
        name="final_response_match_v2",
        title="Answer",
        family="adk",
        meaning="The share of answers that a judge finds valid, compared with the golden's answer.",
        needs=frozenset({"golden", "judge"}),
        reads=("user message", "final answer"),
        default_threshold=0.8,
        load=_final_response_match,
    ),
    Metric(
        name="rubric_based_final_response_quality_v1",
        title="Rubrics",
        family="adk",
        meaning="The share of rubrics that the final answers meet, decided by a judge.",
        needs=frozenset({"judge"}),
        reads=("user message", "tool calls and results", "final answer", "instructions", "rubrics"),
        default_threshold=0.8,
        load=_rubric_final_response,
    ),
    Metric(
        name="hallucinations_v1",
        title="Hallucinations",
        family="adk",
        meaning=(
            "The share of sentences that a judge finds supported by what the agent was told and what its tools "
            "returned."
        ),
        needs=frozenset({"judge"}),
        reads=("user message", "tool calls and results", "final answer", "instructions"),
        default_threshold=0.8,
        load=_hallucinations,
    ),
    Metric(
        name="rubric_based_tool_use_quality_v1",
        title="Tool use",
        family="adk",
        meaning="The share of rubrics that the tool calls meet, decided by a judge.",
        needs=frozenset({"judge"}),
        reads=("user message", "tool calls and results", "rubrics"),
        default_threshold=1.0,
        load=_rubric_tool_use,
    ),
    Metric(
        name="rubric_based_multi_turn_trajectory_quality_v1",
        title="Trajectory",
        family="adk",
        meaning="The share of rubrics that the whole conversation meets, decided by a judge.",
        needs=frozenset({"judge"}),
        reads=("user message", "tool calls and results", "final answer", "instructions", "rubrics"),
        default_threshold=0.8,
        load=_rubric_multi_turn,
    ),
    Metric(
        name="per_turn_user_simulator_quality_v1",
        title="Simulator",
        family="adk",
        meaning="The share of turns in which the simulated user kept to its scenario, decided by a judge.",
        needs=frozenset({"judge", "scenario"}),
        reads=("user message",),
        default_threshold=1.0,
        same_count=False,
        load=_user_simulator,
    ),
    Metric(
        name="response_evaluation_score",
        title="Coherence",
        family="adk",
        meaning="How well the answers hold together, from 1 to 5, by Vertex AI’s evaluation service.",
        range=(1.0, 5.0),
        needs=frozenset({"golden", SERVICE}),
        reads=("user message", "final answer"),
        default_threshold=4.0,
        load=partial(_vertex_metrics, "response_evaluation_score"),
    ),
    Metric(
        name="safety_v1",
        title="Safety",
        family="adk",
        meaning="The share of answers that Vertex AI’s evaluation service finds harmless.",
        needs=frozenset({SERVICE}),
        reads=("user message", "final answer"),
        default_threshold=0.8,
        load=partial(_vertex_metrics, "safety_v1"),
    ),
    Metric(
        name="multi_turn_task_success_v1",
        title="Task success",
        family="adk",
        meaning="How far the conversation achieved what the user wanted, by Vertex AI’s evaluation service.",
        needs=frozenset({SERVICE}),
        reads=_WHOLE,
        default_threshold=0.8,
        load=partial(_vertex_metrics, "multi_turn_task_success_v1"),
    ),
    Metric(
        name="multi_turn_trajectory_quality_v1",
        title="Trajectory quality",
        family="adk",
        meaning="How good the agent’s steps through the conversation were, by Vertex AI’s evaluation service.",
        needs=frozenset({SERVICE}),
        reads=_WHOLE,
        default_threshold=0.8,
        load=partial(_vertex_metrics, "multi_turn_trajectory_quality_v1"),
    ),
    Metric(
        name="multi_turn_tool_use_quality_v1",
        title="Tool use quality",
        family="adk",
        meaning="How well the agent used its tools over the conversation, by Vertex AI’s evaluation service.",
        needs=frozenset({SERVICE}),
        reads=_WHOLE,
        default_threshold=0.8,
        load=partial(_vertex_metrics, "multi_turn_tool_use_quality_v1"),
    ),
    Metric(
        name="tool_call_count_v1",
        title="Tool calls",
        family="adk",
        meaning="Tool calls per turn, on average.",
        range=None,
        better="lower",
        reads=("tool calls",),
        informational=True,
        same_count=False,
        load=_tool_call_count,
    ),
    Metric(
        name="inference_call_count_v1",
        title="Model calls",
        family="adk",
        meaning="Model calls per turn, averaged over the turns that record them.",
        range=None,
        better="lower",
        reads=("events",),
        informational=True,
        same_count=False,
        load=_inference_call_count,
    ),
    Metric(
        name=TOKENS,
        title="Tokens",
        family="adk",
        meaning="Tokens per turn, averaged over all turns; a turn that reports none counts as 0.",
        range=None,
        better="lower",
        reads=("token usage",),
        informational=True,
        same_count=False,
        load=_token_usage,
    ),
    Metric(
        name=DURATION,
        title="Duration",
        family="adk",
        meaning="Seconds per turn, averaged over the turns whose duration is known.",
        range=None,
        better="lower",
        reads=("times",),
        informational=True,
        same_count=False,
        load=_invocation_duration,
    ),
)

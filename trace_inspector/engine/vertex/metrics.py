"""The metrics of Vertex AI that are decided here."""

from __future__ import annotations

from functools import partial

from trace_inspector.engine.scoring.metric import Method, Metric


def _trajectory(name: str) -> Method:
    from trace_inspector.engine.vertex.trajectory import METHODS

    return METHODS[name]


def _answers(name: str) -> Method:
    from trace_inspector.engine.vertex.answers import METHODS

    return METHODS[name]


def _tool_calls(name: str) -> Method:
    from trace_inspector.engine.vertex.tool_calls import METHODS

    return METHODS[name]


def _rubrics() -> Method:
    from trace_inspector.engine.vertex.rubrics import METHOD

    return METHOD


VERTEX_METRICS: tuple[Metric, ...] = (
    Metric(
        name="trajectory_exact_match",
        title="Exact path",
        family="vertex",
        meaning="Whether the conversation makes exactly the golden's calls, in the golden's order.",
        needs=frozenset({"golden"}),
        reads=("tool calls",),
        default_threshold=1.0,
        same_count=False,
        load=partial(_trajectory, "trajectory_exact_match"),
    ),
    Metric(
        name="trajectory_in_order_match",
        title="Path in order",
        family="vertex",
        meaning="Whether the conversation makes the golden's calls in the golden's order; other calls are allowed.",
        needs=frozenset({"golden"}),
        reads=("tool calls",),
        default_threshold=1.0,
        same_count=False,
        load=partial(_trajectory, "trajectory_in_order_match"),
    ),
    Metric(
        name="trajectory_any_order_match",
        title="Path in any order",
        family="vertex",
        meaning="Whether the conversation makes each of the golden's calls, in any order; other calls are allowed.",
        needs=frozenset({"golden"}),
        reads=("tool calls",),
        default_threshold=1.0,
        same_count=False,
        load=partial(_trajectory, "trajectory_any_order_match"),
    ),
    Metric(
        name="trajectory_single_tool_use",
        title="Tool used",
        family="vertex",
        meaning="Whether the tool that the criterion names is called at least once.",
        reads=("tool calls",),
        default_threshold=1.0,
        same_count=False,
        load=partial(_trajectory, "trajectory_single_tool_use"),
    ),
    Metric(
        name="exact_match",
        title="Same answer",
        family="vertex",
        meaning="Whether the last answer equals the golden's, character by character.",
        needs=frozenset({"golden"}),
        reads=("final answer",),
        default_threshold=1.0,
        same_count=False,
        load=partial(_answers, "exact_match"),
    ),
    Metric(
        name="rouge_1",
        title="ROUGE-1",
        family="vertex",
        meaning="How many words the last answer shares with the golden's.",
        needs=frozenset({"golden"}),
        reads=("final answer",),
        default_threshold=0.8,
        same_count=False,
        load=partial(_answers, "rouge_1"),
    ),
    Metric(
        name="rouge_l_sum",
        title="ROUGE-Lsum",
        family="vertex",
        meaning="How many words the last answer shares with the golden's, in the same order.",
        needs=frozenset({"golden"}),
        reads=("final answer",),
        default_threshold=0.8,
        same_count=False,
        load=partial(_answers, "rouge_l_sum"),
    ),
    Metric(
        name="tool_call_valid",
        title="Valid call",
        family="vertex",
        meaning="Whether the conversation calls a tool, and its first call has a name and proper arguments.",
        reads=("tool calls",),
        default_threshold=1.0,
        same_count=False,
        load=partial(_tool_calls, "tool_call_valid"),
    ),
    Metric(
        name="tool_name_match",
        title="Tool",
        family="vertex",
        meaning="Whether the first call is to the tool that the golden expects first.",
        needs=frozenset({"golden"}),
        reads=("tool calls",),
        default_threshold=1.0,
        same_count=False,
        load=partial(_tool_calls, "tool_name_match"),
    ),
    Metric(
        name="tool_parameter_key_match",
        title="Argument names",
        family="vertex",
        meaning="Of the arguments of the first expected call, the share that the first call has.",
        needs=frozenset({"golden"}),
        reads=("tool calls",),
        default_threshold=1.0,
        same_count=False,
        load=partial(_tool_calls, "tool_parameter_key_match"),
    ),
    Metric(
        name="tool_parameter_kv_match",
        title="Argument values",
        family="vertex",
        meaning="Of the arguments of the first expected call, the share that the first call has with the same value.",
        needs=frozenset({"golden"}),
        reads=("tool calls",),
        default_threshold=1.0,
        same_count=False,
        load=partial(_tool_calls, "tool_parameter_kv_match"),
    ),
    Metric(
        name="vertex_rubrics",
        title="Rubric groups",
        family="vertex",
        meaning="The share of rubrics that the conversation meets: the golden's of one group, or of all, and "
        "its own.",
        needs=frozenset({"judge"}),
        reads=("user message", "tool calls and results", "final answer", "instructions", "rubrics"),
        default_threshold=1.0,
        same_count=False,
        has_parts=True,
        load=_rubrics,
    ),
)

"""The metrics of CES, in the order in which they are listed."""

from __future__ import annotations

from functools import partial

from trace_inspector.engine.ces.settings import (
    DEFAULT_THRESHOLDS,
    EVERYTHING,
    HALLUCINATION,
    PARAMETERS,
    SEMANTIC_SIMILARITY,
    TOOL_INVOCATION,
)
from trace_inspector.engine.scoring.metric import MODEL, Method, Metric


def _tool_metrics(name: str) -> Method:
    from trace_inspector.engine.ces.tool_metrics import METHODS

    return METHODS[name]


def _parameters() -> Method:
    from trace_inspector.engine.ces.parameters import METHOD

    return METHOD


def _variables() -> Method:
    from trace_inspector.engine.ces.variables import METHOD

    return METHOD


def _similarity() -> Method:
    from trace_inspector.engine.ces.similarity import METHOD

    return METHOD


def _hallucination() -> Method:
    from trace_inspector.engine.ces.hallucination import METHOD

    return METHOD


def _expectations() -> Method:
    from trace_inspector.engine.ces.expectations import METHOD

    return METHOD


def _conversation_metrics(name: str) -> Method:
    from trace_inspector.engine.ces.conversation_metrics import METHODS

    return METHODS[name]


def _task_completed() -> Method:
    from trace_inspector.engine.ces.task_completed import METHOD

    return METHOD


CES_METRICS: tuple[Metric, ...] = (
    Metric(
        name=TOOL_INVOCATION,
        title="Tools called",
        family="ces",
        meaning="Of the calls that a golden turn expects, the share whose tool was called.",
        needs=frozenset({"golden"}),
        reads=("tool calls",),
        default_threshold=DEFAULT_THRESHOLDS[TOOL_INVOCATION],
        same_count=False,
        load=partial(_tool_metrics, "ces_tool_invocation"),
    ),
    Metric(
        name="ces_tool_order",
        title="Tools in order",
        family="ces",
        meaning="Of the calls that a golden turn expects, the share whose tools were called in the expected order.",
        needs=frozenset({"golden"}),
        reads=("tool calls",),
        informational=True,
        same_count=False,
        load=partial(_tool_metrics, "ces_tool_order"),
    ),
    Metric(
        name=PARAMETERS,
        title="Parameters",
        family="ces",
        meaning="Of the arguments of each expected call, the share that the actual call has as well.",
        needs=frozenset({"golden"}),
        uses=frozenset({MODEL}),
        reads=("tool calls",),
        default_threshold=DEFAULT_THRESHOLDS[PARAMETERS],
        same_count=False,
        load=_parameters,
    ),
    Metric(
        name="ces_extra_calls",
        title="Extra calls",
        family="ces",
        meaning="Of the calls that were made, the share that a golden turn expects.",
        needs=frozenset({"golden"}),
        reads=("tool calls",),
        default_threshold=EVERYTHING,
        same_count=False,
        load=partial(_tool_metrics, "ces_extra_calls"),
    ),
    Metric(
        name="ces_no_tool_calls",
        title="No calls",
        family="ces",
        meaning="Of the turns that should make no calls, the share that made none.",
        needs=frozenset({"golden"}),
        reads=("tool calls",),
        default_threshold=EVERYTHING,
        same_count=False,
        load=partial(_tool_metrics, "ces_no_tool_calls"),
    ),
    Metric(
        name="ces_transfers",
        title="Transfers",
        family="ces",
        meaning="Of the transfers that a golden turn expects, the share that was made.",
        needs=frozenset({"golden"}),
        reads=("transfers",),
        default_threshold=EVERYTHING,
        same_count=False,
        load=partial(_tool_metrics, "ces_transfers"),
    ),
    Metric(
        name="ces_variables",
        title="Variables",
        family="ces",
        meaning="Of the variable updates that a golden turn expects, the share that was made.",
        needs=frozenset({"golden"}),
        reads=("state",),
        default_threshold=EVERYTHING,
        same_count=False,
        load=_variables,
    ),
    Metric(
        name=SEMANTIC_SIMILARITY,
        title="Similarity",
        family="ces",
        meaning=(
            "How closely the agent's answer means what the golden expects, from 0 (contradicts it) to 4 (the same)."
        ),
        range=(0.0, 4.0),
        needs=frozenset({"golden", MODEL}),
        reads=("user message", "final answer"),
        default_threshold=DEFAULT_THRESHOLDS[SEMANTIC_SIMILARITY],
        same_count=False,
        load=_similarity,
    ),
    Metric(
        name=HALLUCINATION,
        title="Justified",
        family="ces",
        meaning="Of the turns that claim something, the share in which what the agent knew supports every claim.",
        range=(0.0, 1.0),
        needs=frozenset({MODEL}),
        reads=("final answer", "tool results", "history", "state"),
        default_threshold=DEFAULT_THRESHOLDS[HALLUCINATION],
        same_count=False,
        load=_hallucination,
    ),
    Metric(
        name="ces_expectations",
        title="Expectations",
        family="ces",
        meaning="Of the expectations of golden turns or of a scenario that were decided, the share that is met.",
        needs=frozenset({"golden"}),
        uses=frozenset({MODEL}),
        after_others=True,
        reads=("tool calls", "final answer", "transfers", "state"),
        default_threshold=EVERYTHING,
        same_count=False,
        load=_expectations,
    ),
    Metric(
        name="ces_llm_criteria",
        title="Criteria",
        family="ces",
        meaning="Of the golden's criteria (sentences for a judge), the share that a judge finds met.",
        needs=frozenset({MODEL}),
        reads=("the conversation",),
        default_threshold=EVERYTHING,
        same_count=False,
        load=partial(_conversation_metrics, "ces_llm_criteria"),
    ),
    Metric(
        name="ces_rubrics",
        title="Scenario rubrics",
        family="ces",
        meaning="How well the conversation follows the scenario's rubrics, from 0 to 1, as a judge rates it.",
        needs=frozenset({"scenario", MODEL}),
        reads=("the conversation",),
        informational=True,
        same_count=False,
        load=partial(_conversation_metrics, "ces_rubrics"),
    ),
    Metric(
        name="ces_user_goal",
        title="User's goal",
        family="ces",
        meaning="Whether the simulated user has reason to believe that its goal was met.",
        needs=frozenset({"scenario", MODEL}),
        reads=("the conversation", "scenario"),
        default_threshold=EVERYTHING,
        same_count=False,
        load=partial(_conversation_metrics, "ces_user_goal"),
    ),
    Metric(
        name="ces_task_completed",
        title="Completed",
        family="ces",
        meaning="Whether all expectations are met, nothing is hallucinated, and the user's goal is as expected.",
        needs=frozenset({"scenario"}),
        after_others=True,
        reads=("the other criteria",),
        default_threshold=EVERYTHING,
        same_count=False,
        load=_task_completed,
    ),
)

"""Our own metrics."""

from __future__ import annotations

from functools import partial

from trace_inspector.engine.scoring.metric import CLASSIFIER, MODEL, Method, Metric
from trace_inspector.engine.scoring.metric_names import (
    GROUNDING_MODEL,
    LOCAL_GROUNDING,
    MINICHECK,
    TRAJECTORY_MATCH,
)


def _local_grounding() -> Method:
    from trace_inspector.engine.metrics.local.local_grounding import METHOD

    return METHOD


def _by_model(name: str) -> Method:
    from trace_inspector.engine.metrics.local.grounding_by_model import METHODS

    return METHODS[name]


def _trajectory_match() -> Method:
    from trace_inspector.engine.metrics.local.trajectory_match import METHOD

    return METHOD


def _final_state() -> Method:
    from trace_inspector.engine.metrics.local.final_state import METHOD

    return METHOD


def _latency_budget() -> Method:
    from trace_inspector.engine.metrics.local.latency_budget import METHOD

    return METHOD


def _token_budget() -> Method:
    from trace_inspector.engine.metrics.local.token_budget import METHOD

    return METHOD


def _bleu() -> Method:
    from trace_inspector.engine.metrics.local.bleu import METHOD

    return METHOD


def _answer_check() -> Method:
    from trace_inspector.engine.metrics.local.answer_check import METHOD

    return METHOD


def _judge_prompt() -> Method:
    from trace_inspector.engine.metrics.local.judge_prompt import METHOD

    return METHOD


def _partial_credit(name: str) -> Method:
    from trace_inspector.engine.metrics.local.partial_credit import METHODS

    return METHODS[name]


_READ_FOR_SUPPORT = ("final answer", "user's words", "instructions", "tool calls", "tool results")

LOCAL_METRICS: tuple[Metric, ...] = (
    Metric(
        name=LOCAL_GROUNDING,
        title="Support",
        family="local",
        meaning=(
            "The share of the answer's sentences that are supported by the user's words, the instructions and tool "
            "results, or claim nothing. An offline heuristic over numbers, dates, names, identifiers, quotations "
            "and words."
        ),
        reads=_READ_FOR_SUPPORT,
        informational=True,
        version=6,
        same_count=False,
        load=_local_grounding,
    ),
    Metric(
        name=GROUNDING_MODEL,
        title="Model support",
        family="local",
        meaning=(
            "The share of the answer's sentences that a classifier in a folder of yours calls supported by the "
            "evidence, or that claim nothing."
        ),
        needs=frozenset({CLASSIFIER}),
        reads=_READ_FOR_SUPPORT,
        informational=True,
        same_count=False,
        load=partial(_by_model, GROUNDING_MODEL),
    ),
    Metric(
        name=MINICHECK,
        title="MiniCheck",
        family="local",
        meaning=(
            "The share of the answer's sentences of which a judge says yes when it is shown the evidence and the "
            "sentence as document and claim, or that claim nothing."
        ),
        needs=frozenset({MODEL}),
        reads=_READ_FOR_SUPPORT,
        informational=True,
        same_count=False,
        load=partial(_by_model, MINICHECK),
    ),
    Metric(
        name=TRAJECTORY_MATCH,
        title="Matched calls",
        family="local",
        meaning="The share of turns whose tool calls match the golden's, each argument compared as the golden says.",
        needs=frozenset({"golden"}),
        reads=("tool calls",),
        default_threshold=1.0,
        load=_trajectory_match,
    ),
    Metric(
        name="trajectory_precision",
        title="Precision",
        family="local",
        meaning="Of the calls that were made, the share that the golden expects.",
        needs=frozenset({"golden"}),
        reads=("tool calls",),
        default_threshold=1.0,
        load=partial(_partial_credit, "trajectory_precision"),
    ),
    Metric(
        name="trajectory_recall",
        title="Recall",
        family="local",
        meaning="Of the calls that the golden expects, the share that was made.",
        needs=frozenset({"golden"}),
        reads=("tool calls",),
        default_threshold=1.0,
        load=partial(_partial_credit, "trajectory_recall"),
    ),
    Metric(
        name="trajectory_f1",
        title="F1",
        family="local",
        meaning="Precision and recall of the calls in one number (F1, their harmonic mean).",
        needs=frozenset({"golden"}),
        reads=("tool calls",),
        default_threshold=1.0,
        load=partial(_partial_credit, "trajectory_f1"),
    ),
    Metric(
        name="argument_share",
        title="Arguments",
        family="local",
        meaning="Of the arguments that the golden expects, the share with a matching value.",
        needs=frozenset({"golden"}),
        reads=("tool calls",),
        default_threshold=1.0,
        load=partial(_partial_credit, "argument_share"),
    ),
    Metric(
        name="final_state",
        title="Final state",
        family="local",
        meaning="The share of the keys of the expected final session state that the trace ends with.",
        needs=frozenset({"golden"}),
        reads=("final state",),
        default_threshold=1.0,
        same_count=False,
        load=_final_state,
    ),
    Metric(
        name="latency_budget",
        title="Latency",
        family="local",
        meaning="The share of turns within the limits for their time; 0 when all turns together take too long.",
        reads=("times",),
        default_threshold=1.0,
        same_count=False,
        load=_latency_budget,
    ),
    Metric(
        name="token_budget",
        title="Token budget",
        family="local",
        meaning="The share of turns within the limits for their tokens; 0 when all turns together use too many.",
        reads=("token usage",),
        default_threshold=1.0,
        same_count=False,
        load=_token_budget,
    ),
    Metric(
        name="bleu",
        title="BLEU",
        family="local",
        meaning="How many runs of one to four words the last answer shares with the golden's (BLEU of a sentence).",
        needs=frozenset({"golden"}),
        reads=("final answer",),
        default_threshold=0.5,
        same_count=False,
        load=_bleu,
    ),
    Metric(
        name="answer_check",
        title="Check",
        family="local",
        meaning="Whether the last answer holds what one check asks for: words, a pattern, JSON, a length.",
        reads=("final answer",),
        default_threshold=1.0,
        has_parts=True,
        same_count=False,
        load=_answer_check,
    ),
    Metric(
        name="judge_prompt",
        title="Own prompt",
        family="local",
        meaning="The score that a judge gives each turn by your own prompt, averaged over the turns.",
        range=None,
        needs=frozenset({"judge"}),
        reads=("what the prompt names",),
        has_parts=True,
        same_count=False,
        load=_judge_prompt,
    ),
)

"""The eleven deterministic metrics of agent-eval: each by its own formula, and by it without its mistakes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from msgspec import Struct

from trace_inspector.engine.scoring.metric import SPANS, Method, Metric

_FAMILY = "agent-eval"
_SHARE = (0.0, 1.0)
_TOKENS, _CALLS = "token usage", "tool calls"


class _MetricLine(Struct, frozen=True):
    """One of the eleven: what it measures."""

    name: str
    title: str
    meaning: str
    better: str
    reads: tuple[str, str]  # by the original, and by the corrected
    range: tuple[float, float] | None = None


_LINES = (
    _MetricLine(
        "token_usage",
        "Cost",
        "What the tokens cost, by your own prices",
        "lower",
        (_TOKENS, _TOKENS),
    ),
    _MetricLine(
        "latency_metrics",
        "Seconds",
        "Seconds that all turns took together",
        "lower",
        (SPANS, "durations"),
    ),
    _MetricLine(
        "cache_efficiency",
        "Cached",
        "The share of prompt tokens that came from the cache",
        "higher",
        (_TOKENS, _TOKENS),
        _SHARE,
    ),
    _MetricLine(
        "thinking_metrics",
        "Thoughts",
        "The share of what the models wrote that was thoughts",
        "",
        (_TOKENS, _TOKENS),
        _SHARE,
    ),
    _MetricLine(
        "tool_utilization",
        "Tools",
        "How often tools were called",
        "",
        (SPANS, _CALLS),
    ),
    _MetricLine(
        "tool_success_rate",
        "Success",
        "The share of calls that did not fail",
        "higher",
        ("tool results", _CALLS),
        _SHARE,
    ),
    _MetricLine(
        "grounding_utilization",
        "Grounding",
        "How many sources the models' answers were grounded in",
        "",
        (SPANS, "grounding metadata"),
    ),
    _MetricLine(
        "context_saturation",
        "Context",
        "The most tokens used in one model call",
        "lower",
        (_TOKENS, _TOKENS),
    ),
    _MetricLine(
        "agent_handoffs",
        "Hand-offs",
        "How often one agent handed over to another",
        "",
        (SPANS, "authors and transfers"),
    ),
    _MetricLine(
        "output_density",
        "Density",
        "Tokens that a call of a model writes",
        "",
        (_TOKENS, _TOKENS),
    ),
    _MetricLine(
        "sandbox_usage",
        "Sandbox",
        "How often tools that read and write files or run code were called",
        "",
        (SPANS, _CALLS),
    ),
)


def _method(name: str) -> Method:
    from trace_inspector.engine.metrics.agent_eval.formula import METHODS

    return METHODS[name]


def _metrics(line: _MetricLine) -> Iterator[Metric]:
    """Both ways of a line, side by side."""
    yield _metric(line, "", f"{line.meaning}, by agent-eval's own formula.", line.reads[0])
    yield _metric(line, "_corrected", f"{line.meaning}, by agent-eval's formula without its mistakes.", line.reads[1])


def _metric(line: _MetricLine, ending: str, meaning: str, reads: str) -> Metric:
    return Metric(
        name=f"agent_eval_{line.name}{ending}",
        title=f"{line.title}{' (corrected)' if ending else ''}",
        family=_FAMILY,
        meaning=meaning,
        load=partial(_method, f"{line.name}{ending}"),
        range=line.range,
        better=line.better,
        reads=(reads,),
        informational=True,
        named_only=True,
        same_count=False,
    )


AGENT_EVAL_METRICS: tuple[Metric, ...] = tuple(metric for line in _LINES for metric in _metrics(line))

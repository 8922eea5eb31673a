"""The eleven deterministic metrics of agent-eval: each by its own formula, and by it without its mistakes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from pydantic import BaseModel

from trace_inspector.engine.judges.questions.options import options_of
from trace_inspector.engine.metrics.agent_eval import corrected, originals
from trace_inspector.engine.metrics.agent_eval.context import Window, saturation, saturation_of_limit
from trace_inspector.engine.metrics.agent_eval.formula import Formula, Measure, plain, with_options
from trace_inspector.engine.metrics.agent_eval.prices import Prices, corrected_cost, original_cost
from trace_inspector.engine.scoring.metric import SPANS, Metric

_FAMILY = "agent-eval"
_SHARE = (0.0, 1.0)
_TOKENS, _CALLS = "token usage", "tool calls"


@dataclass(frozen=True, slots=True)
class _Line:
    """One of the eleven: what it measures, and both ways to do so."""

    name: str
    title: str
    meaning: str
    original: Measure
    corrected: Measure
    better: str
    reads: tuple[str, str]  # by the original, and by the corrected
    range: tuple[float, float] | None = None
    options: tuple[type[BaseModel] | None, type[BaseModel] | None] = (None, None)


_LINES = (
    _Line(
        "token_usage",
        "Cost",
        "What the tokens cost, by your own prices",
        with_options(original_cost, Prices),
        with_options(corrected_cost, Prices),
        "lower",
        (_TOKENS, _TOKENS),
        options=(Prices, Prices),
    ),
    _Line(
        "latency_metrics",
        "Seconds",
        "Seconds that all turns took together",
        plain(originals.latency),
        plain(corrected.latency),
        "lower",
        (SPANS, "durations"),
    ),
    _Line(
        "cache_efficiency",
        "Cached",
        "The share of the prompts that came from the cache",
        plain(originals.cache),
        plain(corrected.cache),
        "higher",
        (_TOKENS, _TOKENS),
        _SHARE,
    ),
    _Line(
        "thinking_metrics",
        "Thoughts",
        "The share of what the models wrote that was thoughts",
        plain(originals.thinking),
        plain(originals.thinking),
        "",
        (_TOKENS, _TOKENS),
        _SHARE,
    ),
    _Line(
        "tool_utilization",
        "Tools",
        "How often tools were called",
        plain(originals.tools),
        plain(corrected.tools),
        "",
        (SPANS, _CALLS),
    ),
    _Line(
        "tool_success_rate",
        "Success",
        "The share of calls that did not fail",
        plain(originals.success),
        plain(corrected.success),
        "higher",
        ("tool results", _CALLS),
        _SHARE,
    ),
    _Line(
        "grounding_utilization",
        "Grounding",
        "How many sources the models' answers were grounded in",
        plain(originals.grounding),
        plain(corrected.grounding),
        "",
        (SPANS, "grounding metadata"),
    ),
    _Line(
        "context_saturation",
        "Context",
        "The most tokens of one call of a model",
        plain(saturation),
        with_options(saturation_of_limit, Window),
        "lower",
        (_TOKENS, _TOKENS),
        options=(None, Window),
    ),
    _Line(
        "agent_handoffs",
        "Hand-offs",
        "How often one agent handed over to another",
        plain(originals.handoffs),
        plain(corrected.handoffs),
        "",
        (SPANS, "authors and transfers"),
    ),
    _Line(
        "output_density",
        "Density",
        "Tokens that a call of a model writes",
        plain(originals.density),
        plain(originals.density),
        "",
        (_TOKENS, _TOKENS),
    ),
    _Line(
        "sandbox_usage",
        "Sandbox",
        "How often tools that read and write files or run code were called",
        plain(originals.sandbox),
        plain(corrected.sandbox),
        "",
        (SPANS, _CALLS),
    ),
)


def _metrics(line: _Line) -> Iterator[Metric]:
    """Both ways of a line, side by side."""
    own, ours = line.options
    yield _metric(line, "", f"{line.meaning}, by agent-eval's own formula.", line.original, line.reads[0], own)
    meaning = f"{line.meaning}, by agent-eval's formula without its mistakes."
    yield _metric(line, "_corrected", meaning, line.corrected, line.reads[1], ours)


def _metric(
    line: _Line, ending: str, meaning: str, measure: Measure, reads: str, options: type[BaseModel] | None
) -> Metric:
    return Metric(
        name=f"agent_eval_{line.name}{ending}",
        title=f"{line.title}{' (corrected)' if ending else ''}",
        family=_FAMILY,
        meaning=meaning,
        judge=Formula(measure, line.better).judge,
        range=line.range,
        better=line.better,
        reads=(reads,),
        informational=True,
        named_only=True,
        parameters=options,
        check=partial(options_of, options) if options else None,
        same_count=False,
    )


AGENT_EVAL_METRICS: tuple[Metric, ...] = tuple(metric for line in _LINES for metric in _metrics(line))

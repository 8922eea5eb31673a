"""How long tools, models and what else turns consist of took: percentiles by kind and name."""

from __future__ import annotations

import statistics
from collections.abc import Iterable
from dataclasses import dataclass

from trace_inspector.core.trace.trace import Span, SpanKind, Trace
from trace_inspector.core.verdict.figure import is_figure
from trace_inspector.engine.repeats.percentiles import percentiles

_KINDS = {SpanKind.TOOL: "tool", SpanKind.MODEL: "model", SpanKind.AGENT: "agent"}
_WORDS = ("guardrail", "callback")  # by which other spans begin that are work of an agent


@dataclass(frozen=True, slots=True)
class WorkTimes:
    """All timed work of one kind and name."""

    kind: str
    name: str
    count: int
    mean_s: float
    percentiles: tuple[tuple[int, float], ...]


def work_times(traces: Iterable[Trace]) -> tuple[WorkTimes, ...]:
    """One line for each kind and name, what took longest at the ninetieth percentile first."""
    found: dict[tuple[str, str], list[float]] = {}
    for trace in traces:
        for span in (*trace.spans, *(span for turn in trace.turns for span in turn.spans)):
            kind = _kind(span)
            if kind and is_figure(span.duration_s):
                found.setdefault((kind, span.name), []).append(span.duration_s)
    lines = [
        WorkTimes(kind, name, len(seconds), statistics.fmean(seconds), tuple(percentiles(sorted(seconds))))
        for (kind, name), seconds in found.items()
    ]
    return tuple(sorted(lines, key=lambda line: (-dict(line.percentiles)[90], line.kind, line.name)))


def _kind(span: Span) -> str:
    named = span.name.lower()
    return _KINDS.get(span.kind, "") or next((word for word in _WORDS if named.startswith(word)), "")

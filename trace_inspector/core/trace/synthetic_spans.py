"""Spans that were made of events afterwards, and measure nothing."""

from __future__ import annotations

from collections.abc import Iterable

from trace_inspector.core.trace.trace import Span, SpanKind

_SECONDS = 1.0  # what agent-eval's converter gives every span that it makes of an event
_WORK = (SpanKind.MODEL, SpanKind.TOOL)


def are_synthetic(spans: Iterable[Span]) -> bool:
    """Whether all work took exactly one second, which no clock measures."""
    durations = [span.duration_s for span in spans if span.kind in _WORK]
    return bool(durations) and all(duration == _SECONDS for duration in durations)

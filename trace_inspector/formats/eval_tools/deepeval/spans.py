"""The trace that DeepEval keeps with a case: five lists of spans, which are one tree."""

from __future__ import annotations

import math

from msgspec import Struct, field

from trace_inspector.core.trace.parts import ToolCall, ToolResult
from trace_inspector.core.trace.trace import Event, Span, SpanKind, Usage
from trace_inspector.formats.common.fields import Fields, count_of, or_null
from trace_inspector.formats.common.record_counts import RecordCounts
from trace_inspector.formats.common.times import interval

_LISTS = {
    "baseSpans": SpanKind.OTHER,
    "agentSpans": SpanKind.AGENT,
    "llmSpans": SpanKind.MODEL,
    "retrieverSpans": SpanKind.OTHER,
    "toolSpans": SpanKind.TOOL,
}
_FAILED = "ERRORED"


class TracedCase(Struct):
    """The spans of a case, and what models and tools did in the order in which they began."""

    spans: tuple[Span, ...] = ()
    events: list[Event] = field(default_factory=list)
    start_s: float | None = None
    duration_s: float | None = None

    @property
    def has_calls(self) -> bool:
        """Whether a tool is among what was done."""
        return any(span.kind is SpanKind.TOOL for span in self.spans)


def spans_of(trace: Fields | None, counts: RecordCounts) -> TracedCase:
    """The spans of a trace, if there is one."""
    if trace is None:
        return TracedCase()
    found = [(fields, kind) for name, kind in _LISTS.items() for fields in trace.objects(name)]
    counts.understood(len(found) + 1)
    spans = [_span(fields, kind) for fields, kind in found]
    ids = {span.id for span in spans}
    for span in spans:
        span.parent_id = span.parent_id if span.parent_id in ids else None
    order = sorted(range(len(found)), key=lambda index: _start(spans[index]))
    agents = {span.id: span.name for span in spans if span.kind is SpanKind.AGENT}
    events = [event for index in order for event in _events(*found[index], spans[index], agents)]
    start_s, took = interval(or_null(trace.get("startTime")), or_null(trace.get("endTime")), None)
    return TracedCase(tuple(spans[index] for index in order), events, start_s, took)


def _span(fields: Fields, kind: SpanKind) -> Span:
    start_s, took = interval(or_null(fields.get("startTime")), or_null(fields.get("endTime")), None)
    failed = fields.text("status") == _FAILED
    return Span(
        fields.text("uuid") or fields.place,
        fields.text("name") or fields.text("type") or kind.value,
        kind,
        fields.text("parentUuid"),
        start_s,
        took,
        fields.text("error") or ("error" if failed else None),
        fields.place,
    )


def _events(fields: Fields, kind: SpanKind, span: Span, agents: dict[str, str]) -> list[Event]:
    author = agents.get(span.parent_id or "", "assistant")
    if kind is SpanKind.MODEL:
        usage = Usage(
            prompt=count_of(or_null(fields.get("inputTokenCount"))),
            candidates=count_of(or_null(fields.get("outputTokenCount"))),
        )
        reply = Event(
            author, (), "model", span.start_s, span.duration_s, None if usage == Usage() else usage,
            fields.text("model"), error=span.error, span_id=span.id, place=span.place,
        )  # fmt: skip
        return [reply]
    if kind is not SpanKind.TOOL:
        return []
    call = ToolCall(span.name, or_null(fields.get("input")), span.id, span.place)
    output = or_null(fields.get("output"))
    value = span.error if output is None and span.error else output
    result = ToolResult(span.name, value, span.id, span.error is not None, fields.place)
    end_s = span.start_s + span.duration_s if span.start_s is not None and span.duration_s is not None else None
    return [
        Event(author, (call,), "model", span.start_s, span_id=span.id, place=span.place),
        Event(author, (result,), "tool", end_s, span.duration_s, span_id=span.id, place=span.place),
    ]


def _start(span: Span) -> float:
    return math.inf if span.start_s is None else span.start_s

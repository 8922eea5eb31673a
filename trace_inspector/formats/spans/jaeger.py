"""Reader of Jaeger JSON (`jaeger`): traces in `data`, one trace, or a list of traces."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import cast

from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.trace import Span
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.documents.large.pieces import Piece, Shape
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.common.span_attributes import Attributes, Form
from trace_inspector.formats.spans.conversation_builder import ConversationBuilder
from trace_inspector.formats.spans.jaeger_values import FAILED, NOTED, seconds
from trace_inspector.formats.spans.layouts import answered, traces
from trace_inspector.formats.spans.span_rows import SpanRow, take_rows
from trace_inspector.formats.spans.spans import IDENTIFYING, Recorded, Recording, error_words, kind_of

_TICK_EVERY = 2048
_FORM = Form("tags", ("logs",), within=Form("fields"))
_SPAN, _TRACE = "span", "trace"


def _spans_in(text: bytes, unique: bool) -> list[SpanRow] | None:
    from trace_inspector.formats.spans.jaeger_records import span_rows

    return span_rows(text, unique)


def _traces_in(text: bytes, unique: bool) -> list[tuple[str, list[SpanRow]]] | None:
    from trace_inspector.formats.spans.jaeger_records import trace_rows

    return trace_rows(text, unique)


_SPANS = {"spans": Shape(items=Shape(_SPAN, decode=_spans_in))}
_DATA = {"data": Shape(items=Shape(_TRACE, _SPANS, decode=_traces_in), keys=_SPANS)}
_SHAPE = Shape(keys={**_DATA, **_SPANS}, items=Shape(keys={**_DATA, **_SPANS}))


def read(source: Source) -> Iterator[Item]:
    """One trace for each conversation, with its turns."""
    builder = ConversationBuilder(source)
    for piece in source.in_pieces(_SHAPE):
        _take_rows(piece, builder.recording, source.tick)
        for value, place in piece.placed():
            if piece.level == _SPAN:
                _take(value, _text(piece.around.get("traceID")), place, builder.recording)
            elif piece.level == _TRACE:
                _read_trace(value, place, builder.recording, source.tick)
            else:
                for trace, inner in traces(value) if piece.first is None else answered(value):
                    _read_trace(trace, place + inner, builder.recording, source.tick)
        yield from builder.so_far(piece.end)
    yield from builder.rest()


def _take_rows(piece: Piece, recording: Recording, tick: Callable[[], None]) -> None:
    """What was decoded as types, where anything was."""
    first = piece.first or 0
    if piece.records and piece.level == _SPAN:
        trace_id = _text(piece.around.get("traceID"))
        take_rows(piece.records, trace_id, piece.place, first, recording, _take)
        return
    for index, (trace_id, rows) in enumerate(piece.records, first):
        tick()
        take_rows(rows, trace_id, f"{piece.place}/{index}/spans", 0, recording, _take)


def _read_trace(trace: Json, place: str, recording: Recording, tick: Callable[[], None]) -> None:
    spans = trace.get("spans") if isinstance(trace, dict) else None
    if not isinstance(trace, dict) or not isinstance(spans, list):
        recording.skip(place)
        return
    trace_id = _text(trace.get("traceID"))
    for index, raw in enumerate(spans):
        if index % _TICK_EVERY == 0:
            tick()
        _take(raw, trace_id, f"{place}/spans/{index}", recording)


def _take(raw: Json, trace_id: str, place: str, recording: Recording) -> None:
    recorded = _span(raw, trace_id, place) if isinstance(raw, dict) else None
    if recorded is None:
        recording.skip(place)
    else:
        recording.take(recorded)


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""


def _span(raw: JsonObject, trace_id: str, place: str) -> Recorded | None:
    span_id = raw.get("spanID")
    if not isinstance(span_id, str):
        return None
    name = raw.get("operationName")
    name = name if isinstance(name, str) else ""
    identifying: dict[str, Json] = {}
    error: str | None = None
    for key, value in _noted(raw.get("tags")):
        if key in IDENTIFYING:
            identifying[key] = value
        else:
            error = error or _error(value, raw)
    span = Span(
        span_id,
        name,
        kind_of(name, identifying),
        _parent(raw),
        seconds(raw.get("startTime")),
        seconds(raw.get("duration")),
        error,
        place,
    )
    own = raw.get("traceID")
    return Recorded(own if isinstance(own, str) else trace_id, span, Attributes(raw, place, _FORM), identifying)


def _noted(tags: Json) -> list[tuple[str, Json]]:
    """The tags that give the kind of a span or its error."""
    if not isinstance(tags, list):
        return []
    proper = cast("list[dict[str, str]]", tags)
    try:
        return [(tag["key"], tag.get("value")) for tag in proper if tag["key"] in NOTED]
    except (TypeError, KeyError):  # one of them is not a tag; checking each first takes twice as long
        pairs = ((tag.get("key"), tag.get("value")) for tag in tags if isinstance(tag, dict))
        return [(key, value) for key, value in pairs if isinstance(key, str) and key in NOTED]


def _parent(raw: JsonObject) -> str | None:
    references = raw.get("references")
    if references and isinstance(references, list):
        for reference in references:
            if isinstance(reference, dict) and reference.get("refType", "CHILD_OF") == "CHILD_OF":
                parent = reference.get("spanID")
                return parent if isinstance(parent, str) and parent else None
        for reference in references:  # FOLLOWS_FROM: the parent does not wait for the span
            if isinstance(reference, dict) and isinstance(parent := reference.get("spanID"), str):
                return parent or None
    parent = raw.get("parentSpanID")
    return parent if isinstance(parent, str) and parent else None


def _error(value: Json, raw: JsonObject) -> str | None:
    if value not in FAILED:
        return None
    return error_words(Attributes(raw, "", _FORM))


IMPLEMENTATION = Implementation(read=read, shape=_SHAPE)

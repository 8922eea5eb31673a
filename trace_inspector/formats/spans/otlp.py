"""Reader of OpenTelemetry JSON (`otlp`), as exporters, collectors and Tempo write it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from msgspec import Struct

from trace_inspector.core.finding import Finding
from trace_inspector.core.rows.contents import Holds, Item, collect
from trace_inspector.core.trace.trace import Span, SpanKind
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.documents.large.pieces import Piece, Shape
from trace_inspector.formats.common.format import Implementation, Linked, Source
from trace_inspector.formats.common.span_attributes import Attributes, Form
from trace_inspector.formats.spans.conversation_builder import ConversationBuilder
from trace_inspector.formats.spans.layouts import OF_LOGS, OF_METRICS, OF_SPANS, envelopes, lists_in, unwrapped
from trace_inspector.formats.spans.log_records import LogRecords
from trace_inspector.formats.spans.otlp_values import ERROR_CODES, decode, hexadecimal, nanos, start_and_duration
from trace_inspector.formats.spans.span_rows import take_rows
from trace_inspector.formats.spans.spans import (
    IDENTIFYING,
    Recorded,
    Recording,
    error_words,
    identifying_attributes,
    kind_of,
    without_id,
)


def _id(raw: JsonObject, name: str, other: str) -> str:
    value = raw.get(name) or raw.get(other)
    if not isinstance(value, str):
        return ""
    return hexadecimal(value) if value[-1:] == "=" else value


_TICK_EVERY = 2048
_LOG_TIMES = ("timeUnixNano", "time_unix_nano", "observedTimeUnixNano", "observed_time_unix_nano")


class _Signal(Struct, frozen=True):
    """One kind of record, and its keys in OTLP, in Tempo, and in OTLP before 0.15."""

    name: str
    resources: tuple[str, ...]
    scopes: tuple[str, ...]
    records: tuple[str, ...]
    is_typed: bool = False  # its records are decoded as types, where they can be

    def level(self, depth: int) -> str:
        """The name of a resource, of a scope or of a record."""
        return f"{self.name} {depth}"

    def keys(self) -> dict[str, Shape]:
        """Where an envelope may be cut."""
        decoders = [partial(_rows, depth) if self.is_typed else None for depth in range(3)]
        record = Shape(items=Shape(self.level(2), decode=decoders[2]))
        scope = Shape(items=Shape(self.level(1), dict.fromkeys(self.records, record), decode=decoders[1]))
        resource = Shape(items=Shape(self.level(0), dict.fromkeys(self.scopes, scope), decode=decoders[0]))
        return dict.fromkeys(self.resources, resource)


def _rows(depth: int, text: bytes, unique: bool) -> Sequence[Any] | None:
    from trace_inspector.formats.spans import otlp_records

    decode = (otlp_records.service_rows, otlp_records.library_rows, otlp_records.span_rows)[depth]
    return decode(text, unique)


_SPANS = _Signal(
    "spans",
    OF_SPANS,
    ("scopeSpans", "scope_spans", "instrumentationLibrarySpans", "instrumentation_library_spans"),
    ("spans",),
    is_typed=True,
)
_LOGS = _Signal(
    "logs",
    OF_LOGS,
    ("scopeLogs", "scope_logs", "instrumentationLibraryLogs", "instrumentation_library_logs"),
    ("logRecords", "log_records", "logs"),
)
_METRICS = _Signal(
    "metrics",
    OF_METRICS,
    ("scopeMetrics", "scope_metrics", "instrumentationLibraryMetrics", "instrumentation_library_metrics"),
    ("metrics",),
)
_SIGNALS = (_SPANS, _LOGS, _METRICS)
_BY_NAME = {signal.name: signal for signal in _SIGNALS}
_CUTS = {key: shape for signal in _SIGNALS for key, shape in signal.keys().items()}
_ENVELOPE = {**_CUTS, "trace": Shape(keys=_CUTS)}
_SHAPE = Shape(keys=_ENVELOPE, items=Shape(keys=_ENVELOPE))
_FORM = Form(decode=decode)


def read(source: Source) -> Iterator[Item]:
    """One trace for each conversation, with its turns."""
    reading = Reading(source)
    for piece in source.in_pieces(_SHAPE):
        source.tick()
        reading.take_piece(piece)
        yield from reading.so_far(piece.end)
    yield from reading.rest()


def linked(source: Source) -> Iterator[Linked | Item]:
    """The conversations of some lines of a file: one that shares an id with others is whole only with their lines."""
    reading = Reading(source)
    for piece in source.in_pieces(_SHAPE):
        reading.take_piece(piece)
    if reading.log_records:  # each belongs to a span that may stand in any line
        yield Holds("log records", reading.log_records)
        return
    trace_ids = {recorded.span.place: recorded.trace_id for recorded in reading.spans()}
    items = list(reading.rest())
    for trace in collect("otlp", items).traces:
        places = [span.place for spans in (trace.spans, *(turn.spans for turn in trace.turns)) for span in spans]
        ids = frozenset(trace_ids[place] for place in places if place in trace_ids)
        documents = sorted({int(place.split("/", 2)[1]) for place in places})
        yield Linked(trace, ids, tuple(documents))
    yield from (item for item in items if isinstance(item, Finding))


class SentRecord(Struct, frozen=True):
    """A span or a log record of a request, as a piece for the reader, and what tells which others it belongs to."""

    piece: Piece
    trace_id: str
    conversation: str | None
    recorded: Recorded | None = None  # a span

    @property
    def read(self) -> Recorded | Piece:
        """What the reader goes on from: a span need not be read a second time."""
        return self.recorded or self.piece


def records_in(envelope: Json, place: str) -> Iterator[SentRecord]:
    """The spans and log records of one request."""
    for signal in (_SPANS, _LOGS):
        for resource, resource_place in _below(envelope, place, signal.resources):
            for scope, scope_place in _below(resource, resource_place, signal.scopes):
                for raw, record_place in _below(scope, scope_place, signal.records):
                    piece = Piece(signal.level(2), (raw,), record_place)
                    yield _sent_span(piece, raw) if signal is _SPANS else _sent_log(piece, raw)


def traces_of(records: Iterable[Recorded | Piece]) -> Iterator[Item]:
    """What `read` makes of records that came one by one. They may be read so again."""
    reading = Reading(Source(None))
    for record in records:
        reading.take_record(record.as_read() if isinstance(record, Recorded) else record)
    yield from reading.rest()


def _below(value: JsonObject | Json, place: str, names: tuple[str, ...]) -> Iterator[tuple[JsonObject, str]]:
    for listed, list_place in lists_in(value, place, names):
        yield from _members(listed, list_place)


def _sent_span(piece: Piece, raw: JsonObject) -> SentRecord:
    recorded = _span(raw, piece.place)
    if recorded is None:
        return SentRecord(piece, "", None)
    return SentRecord(piece, recorded.trace_id, recorded.conversation(), recorded)


def _sent_log(piece: Piece, raw: JsonObject) -> SentRecord:
    trace_id, _span_id = _ids(raw)
    attributes = Attributes(raw, piece.place, _FORM)
    span = Span("", "", SpanKind.MODEL)
    stated = Recorded(trace_id, span, attributes, identifying_attributes(attributes)).conversation()
    return SentRecord(piece, trace_id, stated)


class Reading:
    """The state of reading one file."""

    def __init__(self, source: Source) -> None:
        self._tick = source.tick
        self._builder = ConversationBuilder(source)
        self.logs = LogRecords(_FORM)
        self.metrics = 0
        self._takes = {_SPANS.name: self._take_span, _LOGS.name: self._take_log, _METRICS.name: self._count}

    @property
    def log_records(self) -> int:
        """How many log records were read."""
        return self.logs.count

    def spans(self) -> Sequence[Recorded]:
        """The spans that were read and are in no turn yet."""
        return self._builder.recording.spans

    def take_piece(self, piece: Piece) -> None:
        """Take what a piece holds."""
        if piece.records:
            self.take_rows(piece.records, int(piece.level[-1]), piece.place, piece.first or 0)
        for value, place in piece.placed():
            if piece.level:
                self.take(value, place, piece.level)
            else:
                for envelope, pointer in envelopes(value) if piece.first is None else [unwrapped(value, "")]:
                    self.take_envelope(envelope, place + pointer)

    def take_record(self, record: Recorded | Piece) -> None:
        """Take a record that came alone."""
        if isinstance(record, Recorded):
            self._builder.recording.take(record)
        else:
            self.take_piece(record)

    def take_envelope(self, envelope: Json, place: str) -> None:
        """Take everything in an envelope."""
        has_records = False
        for signal in _SIGNALS:
            for listed, list_place in lists_in(envelope, place, signal.resources):
                has_records = True
                for resource, inner in _members(listed, list_place):
                    self.take(resource, inner, signal.level(0))
        if not has_records:
            self._builder.recording.skip(place)

    @property
    def recording(self) -> Recording:
        """The spans that no turn was built of yet."""
        return self._builder.recording

    def take(self, value: Json, place: str, level: str) -> None:
        """Take a resource, a scope or a record."""
        name, _, depth = level.partition(" ")
        self._take(value, place, _BY_NAME[name], int(depth))

    def _take(self, value: Json, place: str, signal: _Signal, depth: int) -> None:
        self._tick()
        names = (signal.scopes, signal.records, ())[depth]
        for listed, list_place in lists_in(value, place, names):
            if depth == 0:
                for scope, inner in _members(listed, list_place):
                    self._take(scope, inner, signal, 1)
            else:
                take = self._takes[signal.name]
                for index, record in enumerate(listed):
                    if index % _TICK_EVERY == 0:
                        self._tick()
                    take(record, f"{list_place}/{index}")
        if depth == 2:
            self._takes[signal.name](value, place)

    def take_rows(self, members: Sequence[Any], depth: int, place: str, first: int) -> None:
        """Take what was decoded as types: spans, or those of libraries, or those of the libraries of services."""
        self._tick()
        if depth == 2:
            take_rows(members, "", place, first, self._builder.recording, self._take_plain)
            return
        name = ("scopeSpans", "spans")[depth]
        for index, inner in enumerate(members, first):
            self.take_rows(inner, depth + 1, f"{place}/{index}/{name}", 0)

    def so_far(self, read_bytes: int) -> Iterator[Item]:
        """Turns of a very large file that seem complete so far."""
        if self._builder.is_on_the_way:
            self.logs.join(self._builder.recording.spans)
        yield from self._builder.so_far(read_bytes)

    def rest(self) -> Iterator[Item]:
        """All remaining items."""
        self.logs.join(self._builder.recording.spans)
        yield from self.logs.remaining(self._builder.recording)
        if self.metrics:
            yield Holds("metrics", self.metrics)
        yield from self._builder.rest()

    def _take_span(self, raw: Json, place: str) -> None:
        recorded = _span(raw, place) if isinstance(raw, dict) else None
        if recorded is None:
            self._builder.recording.skip(place)
        else:
            self._builder.recording.take(recorded)

    def _take_plain(self, raw: Json, _trace_id: str, place: str, _recording: Recording) -> None:
        self._take_span(raw, place)

    def _take_log(self, raw: Json, place: str) -> None:
        if isinstance(raw, dict):
            stated = (raw.get(name) for name in _LOG_TIMES)
            time = next((count for value in stated if (count := nanos(value)) is not None), None)
            self.logs.add(raw, place, _ids(raw), time / 1e9 if time is not None else None)

    def _count(self, raw: Json, _place: str) -> None:
        self.metrics += isinstance(raw, dict)


def _members(listed: list[Json], place: str) -> Iterator[tuple[JsonObject, str]]:
    for index, item in enumerate(listed):
        if isinstance(item, dict):
            yield item, f"{place}/{index}"


def _ids(raw: JsonObject) -> tuple[str, str]:
    return _id(raw, "traceId", "trace_id"), _id(raw, "spanId", "span_id")


def _span(raw: JsonObject, place: str) -> Recorded | None:
    trace_id, span_id = _ids(raw)
    if not span_id:
        if not raw.get("name"):
            return None
        span_id = without_id(place)
    name = raw.get("name")
    name = name if isinstance(name, str) else ""
    attributes = raw.get("attributes")
    identifying: dict[str, Json] = {}
    if isinstance(attributes, list):
        for item in attributes:
            if isinstance(item, dict) and isinstance(key := item.get("key"), str) and key in IDENTIFYING:
                identifying[key] = decode(item, "")[0]
    elif isinstance(attributes, dict):
        identifying = identifying_attributes(Attributes(raw, place, _FORM))
    start = nanos(raw.get("startTimeUnixNano") or raw.get("start_time_unix_nano"))
    end = nanos(raw.get("endTimeUnixNano") or raw.get("end_time_unix_nano"))
    span = Span(
        span_id,
        name,
        kind_of(name, identifying),
        _id(raw, "parentSpanId", "parent_span_id") or None,
        *start_and_duration(start, end),
        _error(raw, place),
        place,
    )
    return Recorded(trace_id, span, Attributes(raw, place, _FORM), identifying)


def _error(raw: JsonObject, place: str) -> str | None:
    status = raw.get("status")
    if not status:
        return None
    code = status.get("code") if isinstance(status, dict) else None
    if not isinstance(code, int | str) or code not in ERROR_CODES:
        return None
    message = status.get("message") if isinstance(status, dict) else None
    return message if isinstance(message, str) and message else error_words(Attributes(raw, place, _FORM))


IMPLEMENTATION = Implementation(read=read, shape=_SHAPE, linked=linked)

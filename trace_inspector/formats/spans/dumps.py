"""Spans as tracers' own libraries dump them: `spans`, a list of objects in the words of an SDK."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.trace import Span
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.documents.large.pieces import Shape
from trace_inspector.formats.common.format import Format, Source
from trace_inspector.formats.common.span_attributes import Attributes, Form
from trace_inspector.formats.spans.otlp_values import decode
from trace_inspector.formats.spans.spans import Recorded, Recording, error_words, kind_of, telling_of, text_of_id
from trace_inspector.formats.spans.telling import Telling
from trace_inspector.formats.spans.times import guessed_unit, interval

_TICK_EVERY = 2048
_LOOKED_AT = 20  # so many members of a list are looked at to recognise it
_FORM = Form(decode=decode)
# Where each library puts the same thing; a dot leads into an object.
_SPAN_IDS = ("span_id", "spanId", "spanID", "context.span_id", "spanContext.spanId", "_spanContext.spanId")
_TRACE_IDS = ("trace_id", "traceId", "traceID", "context.trace_id", "spanContext.traceId", "_spanContext.traceId")
_PARENTS = (
    "parent_id", "parent_span_id", "parentSpanId", "parentId", "parentSpanContext.spanId", "parent.span_id",
    "parent_context.span_id",
)  # fmt: skip
_NAMES = ("name", "operationName", "span_name")
_STARTS = ("start_time", "startTime", "startTimeUnixNano", "start_time_unix_nano", "startTimeUnix", "timestamp")
_ENDS = ("end_time", "endTime", "endTimeUnixNano", "end_time_unix_nano", "endTimeUnix")
_DURATIONS_NS = ("durationNano", "duration_ns", "duration_nano")
_LISTS = ("spans", "data")
# Cut into the members of a list at the top, or of one in an object; each level is the depth it has.
SHAPE = Shape("0", dict.fromkeys(_LISTS, Shape(items=Shape("2"))), Shape("1"))
_ERROR_CODES = frozenset({2, "2", "ERROR", "STATUS_CODE_ERROR", "StatusCode.ERROR", "Error"})


def recognise(value: Json) -> int:
    """A list whose first objects have a span's id and a name or a time; also wrapped, or one such object alone."""
    looked_at = [raw for _index, (raw, _place) in zip(range(_LOOKED_AT), _dumped(value), strict=False)]
    return 75 if any(isinstance(raw, dict) and is_span(raw) for raw in looked_at) else 0


def is_span(raw: JsonObject) -> bool:
    """Whether an object is a span in some library's words."""
    return (
        text_of_id(_first(raw, _SPAN_IDS)) is not None
        and _first(raw, (*_NAMES, *_STARTS)) is not None
        and (text_of_id(_first(raw, _TRACE_IDS)) is not None or _first(raw, _STARTS) is not None)
    )


def read(source: Source) -> Iterator[Item]:
    """One trace for each conversation, with its turns."""
    telling = Telling(source)
    taken = 0
    for piece in source.in_pieces(SHAPE):
        for value, place in piece.placed():
            for raw, at in _dumped(value, "", int(piece.level)):
                taken += 1
                if taken % _TICK_EVERY == 1:
                    source.tick()
                _take(raw, place + at, telling.recording)
        yield from telling.so_far(piece.end)
    yield from telling.rest()


def _take(raw: Json, place: str, recording: Recording) -> None:
    recorded = span_of(raw, place) if isinstance(raw, dict) else None
    if recorded is None:
        recording.skip(place)
        return
    recording.take(recorded)
    if isinstance(raw, dict) and (unit := guessed_unit(_first(raw, _STARTS))):
        recording.units[unit] += 1


def _dumped(value: Json, place: str = "", depth: int = 0) -> Iterator[tuple[Json, str]]:
    """The members of a list, of lists in it (an export a line), and of the list that an object wraps."""
    if isinstance(value, list) and depth < 3:
        for index, item in enumerate(value):
            yield from _dumped(item, f"{place}/{index}", depth + 1)
        return
    if isinstance(value, dict) and depth < 3 and _first(value, _SPAN_IDS) is None:
        for key in _LISTS:
            if isinstance(value.get(key), list):
                yield from _dumped(value[key], f"{place}/{key}", depth + 1)
                return
    yield value, place


def _first(raw: JsonObject, names: tuple[str, ...]) -> Json:
    """The first of some values that is there; a name with a dot is looked for as a whole too."""
    for name in names:
        value = raw.get(name)
        if value is None and "." in name:
            outer, _, inner = name.partition(".")
            held = raw.get(outer)
            value = held.get(inner) if isinstance(held, dict) else None
        if value is not None:
            return value
    return None


def span_of(raw: JsonObject, place: str) -> Recorded | None:
    """One span that stands at a place, or None where it has no id."""
    span_id = text_of_id(_first(raw, _SPAN_IDS))
    if span_id is None:
        return None
    name = _first(raw, _NAMES)
    name = name if isinstance(name, str) else ""
    attributes = Attributes(raw, place, _FORM)
    telling = telling_of(attributes, raw.get("span_kind"))
    start_s, duration_s = interval(_first(raw, _STARTS), _first(raw, _ENDS), _first(raw, _DURATIONS_NS))
    span = Span(
        span_id,
        name,
        kind_of(name, telling),
        text_of_id(_first(raw, _PARENTS)),
        start_s,
        duration_s,
        _error(raw, attributes),
        place,
    )
    return Recorded(text_of_id(_first(raw, _TRACE_IDS)) or "", span, attributes, telling)


def _error(raw: JsonObject, attributes: Attributes) -> str | None:
    status = raw.get("status")
    told = status if isinstance(status, dict) else {}
    code = _first(told, ("status_code", "code", "statusCode")) or _first(raw, ("status_code", "statusCode"))
    code = code or status
    if not isinstance(code, int | str) or code not in _ERROR_CODES:
        return None
    message = _first(told, ("description", "message")) or _first(raw, ("status_message", "statusMessage"))
    return message if isinstance(message, str) and message else error_words(attributes)


FORMAT = Format(
    name="spans",
    title="Spans of a tracing library",
    system="OpenTelemetry",
    short="span dumps of tracing libraries",
    holds="traces: spans of agents, models and tools, with whatever carried them",
    recognise=recognise,
    read=read,
    shape=SHAPE,
)

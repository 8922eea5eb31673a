"""OpenTelemetry's JSON: `otlp`, as exporters, collectors and Tempo write it."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.contents import Item
from trace_inspector.core.trace import Span
from trace_inspector.core.values import Json, JsonObject
from trace_inspector.formats.format import Format, Source
from trace_inspector.formats.otlp_logs import LogRecords
from trace_inspector.formats.otlp_values import decode
from trace_inspector.formats.span_attributes import Attributes, Form
from trace_inspector.formats.span_forest import read_recording
from trace_inspector.formats.spans import TELLING, Recorded, Recording, error_words, kind_of, telling_of

_TICK_EVERY = 2048
# The same lists under the names of OTLP, of Tempo, and of OTLP before 0.15; both cases of the first.
_RESOURCES = ("resourceSpans", "resource_spans", "batches")
_SCOPES = ("scopeSpans", "scope_spans", "instrumentationLibrarySpans", "instrumentation_library_spans")
_LOG_RESOURCES = ("resourceLogs", "resource_logs")
_LOG_SCOPES = ("scopeLogs", "scope_logs", "instrumentationLibraryLogs", "instrumentation_library_logs")
_ERROR_CODES = frozenset({2, "2", "STATUS_CODE_ERROR", "ERROR"})
_MOST_NANOS = 1 << 64
_FORM = Form(decode=decode)


def recognise(value: Json) -> int:
    """An envelope, or a list of envelopes (JSON Lines)."""
    for envelope, _place in _envelopes(value):
        return 95 if _lists(envelope, "", (*_RESOURCES, *_LOG_RESOURCES)) else 0
    return 0


def read(source: Source) -> Iterator[Item]:
    """One trace for each conversation, with its turns."""
    recording = Recording()
    logs = LogRecords()
    for envelope, place in _envelopes(source.value):
        spans = _lists(envelope, place, _RESOURCES)
        records = _lists(envelope, place, _LOG_RESOURCES)
        if not spans and not records:
            recording.skip(place)
        for listed, at in _inner(spans, _SCOPES, ("spans",)):
            _read_spans(listed, at, recording, source)
        for listed, at in _inner(records, _LOG_SCOPES, ("logRecords", "log_records", "logs")):
            source.tick()
            logs.add(listed, at)
    yield from logs.join(recording)
    yield from read_recording(recording, source.tick)


def _envelopes(value: Json) -> Iterator[tuple[Json, str]]:
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield _unwrapped(item, f"/{index}")
    else:
        yield _unwrapped(value, "")


def _unwrapped(value: Json, place: str) -> tuple[Json, str]:
    trace = value.get("trace") if isinstance(value, dict) else None  # Tempo's second version
    return (trace, f"{place}/trace") if isinstance(trace, dict) else (value, place)


def _inner(
    resources: list[tuple[list[Json], str]], scopes: tuple[str, ...], names: tuple[str, ...]
) -> Iterator[tuple[list[Json], str]]:
    """The lists that stand in every scope of every resource."""
    for listed, place in resources:
        for resource, resource_place in _members(listed, place):
            for inner, inner_place in _lists(resource, resource_place, scopes):
                for scope, scope_place in _members(inner, inner_place):
                    yield from _lists(scope, scope_place, names)


def _lists(owner: Json, place: str, names: tuple[str, ...]) -> list[tuple[list[Json], str]]:
    """Those of some keys that hold a list."""
    if not isinstance(owner, dict):
        return []
    return [(listed, f"{place}/{name}") for name in names if isinstance(listed := owner.get(name), list)]


def _members(listed: list[Json], place: str) -> Iterator[tuple[JsonObject, str]]:
    for index, item in enumerate(listed):
        if isinstance(item, dict):
            yield item, f"{place}/{index}"


def _read_spans(spans: list[Json], place: str, recording: Recording, source: Source) -> None:
    append = recording.spans.append
    for index, raw in enumerate(spans):
        if index % _TICK_EVERY == 0:
            source.tick()
        span_place = f"{place}/{index}"
        recorded = _span(raw, span_place) if isinstance(raw, dict) else None
        if recorded is None:
            recording.skip(span_place)
        else:
            append(recorded)


def _span(raw: JsonObject, place: str) -> Recorded | None:
    span_id = raw.get("spanId") or raw.get("span_id")
    if not isinstance(span_id, str):
        return None
    name = raw.get("name")
    name = name if isinstance(name, str) else ""
    attributes = raw.get("attributes")
    telling: dict[str, Json] = {}
    if isinstance(attributes, list):
        for item in attributes:
            if isinstance(item, dict) and isinstance(key := item.get("key"), str) and key in TELLING:
                telling[key] = decode(item, "")[0]
    elif isinstance(attributes, dict):
        telling = telling_of(Attributes(raw, place, _FORM))
    start = _nanos(raw.get("startTimeUnixNano") or raw.get("start_time_unix_nano"))
    end = _nanos(raw.get("endTimeUnixNano") or raw.get("end_time_unix_nano"))
    parent = raw.get("parentSpanId") or raw.get("parent_span_id")
    trace_id = raw.get("traceId") or raw.get("trace_id")
    span = Span(
        span_id,
        name,
        kind_of(name, telling),
        parent if isinstance(parent, str) and parent else None,
        start / 1e9 if start is not None else None,
        (end - start) / 1e9 if start is not None and end is not None and end >= start else None,
        _error(raw, place),
        place,
    )
    return Recorded(trace_id if isinstance(trace_id, str) else "", span, Attributes(raw, place, _FORM), telling)


def _nanos(value: Json) -> int | None:
    """Nanoseconds since 1970, written as text or as a number; 0 is "not recorded"."""
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        return None
    try:
        nanos = int(value)
    except (ValueError, OverflowError):
        return None
    return nanos if 0 < nanos < _MOST_NANOS else None


def _error(raw: JsonObject, place: str) -> str | None:
    status = raw.get("status")
    if not status:
        return None
    code = status.get("code") if isinstance(status, dict) else None
    if not isinstance(code, int | str) or code not in _ERROR_CODES:
        return None
    message = status.get("message") if isinstance(status, dict) else None
    return message if isinstance(message, str) and message else error_words(Attributes(raw, place, _FORM))


FORMAT = Format(
    name="otlp",
    title="OpenTelemetry JSON (OTLP)",
    holds="traces: spans of agents, models and tools, with whatever carried them",
    recognise=recognise,
    read=read,
)

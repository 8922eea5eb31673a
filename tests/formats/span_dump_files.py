"""Small recordings as tracing libraries dump them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from tests.formats.span_files import START_US, Made
from trace_inspector.core.values.values import Json, JsonObject

NUMBERS = {"t1": (1 << 127) + 12_345_678_901_234_567_891, "a": (1 << 63) + 9_007_199_254_740_993}


def readable(*spans: Made) -> Json:
    """Python's ReadableSpan.to_json."""
    return [
        {
            "name": made.name,
            "context": {"trace_id": f"0x{made.trace}", "span_id": f"0x{made.id}", "trace_state": "[]"},
            "kind": "SpanKind.INTERNAL",
            "parent_id": f"0x{made.parent}" if made.parent else None,
            "start_time": _iso(made.at),
            "end_time": _iso(made.at, made.lasts),
            "status": {"status_code": "ERROR", "description": made.failed} if made.failed else {"status_code": "OK"},
            "attributes": {**made.tags},
            "events": [_note(name, told) for name, told in made.notes],
        }
        for made in spans
    ]


def javascript(*spans: Made) -> Json:
    """JavaScript's ReadableSpan."""
    return [
        {
            "name": made.name,
            "spanContext": {"traceId": made.trace, "spanId": made.id},
            "parentSpanContext": {"traceId": made.trace, "spanId": made.parent} if made.parent else None,
            "startTime": _pair(made.at),
            "endTime": _pair(made.at, made.lasts),
            "status": {"code": 2, "message": made.failed} if made.failed else {"code": 0},
            "attributes": {**made.tags},
            "events": [_note(name, told) for name, told in made.notes],
        }
        for made in spans
    ]


def adot(*spans: Made) -> Json:
    """AWS's distribution, which tells how long a span took."""
    return [
        {
            "traceId": made.trace,
            "spanId": made.id,
            "parentSpanId": made.parent,
            "name": made.name,
            "startTimeUnixNano": _nanos(made.at),
            "durationNano": made.lasts * 1_000_000,
            "status": {"code": "ERROR", "message": made.failed} if made.failed else {"code": "UNSET"},
            "attributes": {**made.tags},
            "span_events": [{**_note(name, told), "event_name": name, "name": None} for name, told in made.notes],
        }
        for made in spans
    ]


def phoenix(*spans: Made) -> Json:
    """Phoenix: the kind beside the attributes, attributes as objects in objects, the list wrapped."""
    listed: list[Json] = []
    for made in spans:
        tags = dict(made.tags)
        kind = tags.pop("openinference.span.kind", "UNKNOWN")
        listed.append(
            {
                "id": f"U3Bhbjox{made.id}",
                "name": made.name,
                "context": {"trace_id": made.trace, "span_id": made.id},
                "span_kind": kind,
                "parent_id": made.parent,
                "start_time": _iso(made.at),
                "end_time": _iso(made.at, made.lasts),
                "status_code": "ERROR" if made.failed else "OK",
                "status_message": made.failed,
                "attributes": _nested(tags),
                "events": [_note(name, told) for name, told in made.notes],
            }
        )
    return {"data": listed, "next_cursor": None}


def debug_trace(*spans: Made) -> Json:
    """ADK's development server: ids are decimal numbers."""
    return [
        {
            "name": made.name,
            "span_id": number(made.id),
            "trace_id": number(made.trace),
            "start_time": _nanos(made.at),
            "end_time": _nanos(made.at, made.lasts),
            "attributes": {**made.tags},
            "parent_span_id": number(made.parent) if made.parent else None,
        }
        for made in spans
    ]


def number(name: str) -> int:
    """The id that a name stands for, beyond what a float can hold."""
    return NUMBERS.get(name) or (1 << 63) + int.from_bytes(name.encode(), "big") * 2 + 1


DUMPS: tuple[Callable[..., Json], ...] = (readable, javascript, adot, phoenix)


def _nanos(at: int | None, lasts: int = 0) -> int | None:
    return None if at is None else (START_US + (at + lasts) * 1000) * 1000


def _pair(at: int | None, lasts: int = 0) -> Json:
    nanos = _nanos(at, lasts)
    return None if nanos is None else list(divmod(nanos, 1_000_000_000))


def _iso(at: int | None, lasts: int = 0) -> str | None:
    nanos = _nanos(at, lasts)
    return None if nanos is None else datetime.fromtimestamp(nanos / 1e9, UTC).isoformat().replace("+00:00", "Z")


def _note(name: str, told: JsonObject) -> JsonObject:
    return {"name": name, "timestamp": START_US, "attributes": {**told}}


def _nested(tags: JsonObject) -> JsonObject:
    """Dotted names as objects in objects; numbers as places in lists."""
    whole: JsonObject = {}
    for name, value in tags.items():
        at = whole
        *outer, last = name.split(".")
        for token in outer:
            inner = at.setdefault(token, {})
            assert isinstance(inner, dict)
            at = inner
        at[last] = value
    return whole

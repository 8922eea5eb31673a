"""What a program sends while it runs: turns of an agent as requests of OTLP, in JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable

from trace_inspector.core.values.values import Json, JsonObject

START_NS = 1_770_000_000_000_000_000


def attribute(key: str, value: str | int) -> JsonObject:
    """An attribute of a span."""
    return {"key": key, "value": {"stringValue": value} if isinstance(value, str) else {"intValue": str(value)}}


def span(
    trace: int,
    number: int,
    name: str,
    parent: int | None = None,
    *,
    at_ms: int = 0,
    lasts_ms: int = 10,
    **stated: str,
) -> JsonObject:
    """A span; names of attributes have two underlines for a dot."""
    start = START_NS + at_ms * 1_000_000
    ids: JsonObject = {"traceId": f"{trace:032x}", "spanId": f"{trace << 16 | number:016x}"}
    if parent is not None:
        ids["parentSpanId"] = f"{trace << 16 | parent:016x}"
    times: JsonObject = {"startTimeUnixNano": str(start), "endTimeUnixNano": str(start + lasts_ms * 1_000_000)}
    attributes: list[Json] = [attribute(key.replace("__", "."), value) for key, value in stated.items()]
    return {**ids, "name": name, **times, "attributes": attributes}


def turn_spans(
    trace: int, conversation: str, asked: str, said: str, *, at_ms: int = 0, texts: bool = True
) -> list[JsonObject]:
    """The spans of a turn, the root last, as they end."""
    contents = {
        "gen_ai__input__messages": json.dumps([{"role": "user", "parts": [{"type": "text", "content": asked}]}]),
        "gen_ai__output__messages": json.dumps([{"role": "assistant", "parts": [{"type": "text", "content": said}]}]),
    }
    of_model = {"gen_ai__operation__name": "chat", "gen_ai__request__model": "m"}
    of_agent = {
        "gen_ai__operation__name": "invoke_agent",
        "gen_ai__agent__name": "shop",
        "gen_ai__conversation__id": conversation,
    }
    return [
        span(trace, 2, "chat m", 1, at_ms=at_ms + 1, **of_model, **(contents if texts else {})),
        span(trace, 3, "GET /stock", 2, at_ms=at_ms + 2),
        span(trace, 1, "invoke_agent shop", at_ms=at_ms, lasts_ms=50, **of_agent),
    ]


def request(spans: Iterable[JsonObject]) -> bytes:
    """A request with spans."""
    value: Json = {"resourceSpans": [{"scopeSpans": [{"scope": {"name": "t"}, "spans": [*spans]}]}]}
    return json.dumps(value).encode()


def log_request(trace: int, number: int, name: str, body: Json, **stated: str) -> bytes:
    """A request with one log record of a span."""
    record: JsonObject = {
        "timeUnixNano": str(START_NS),
        "eventName": name,
        "traceId": f"{trace:032x}",
        "spanId": f"{trace << 16 | number:016x}",
        "attributes": [attribute(key.replace("__", "."), value) for key, value in stated.items()],
        "body": body,
    }
    return json.dumps({"resourceLogs": [{"scopeLogs": [{"logRecords": [record]}]}]}).encode()

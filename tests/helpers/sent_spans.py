"""What a program sends while it runs: turns of an agent as requests of OTLP, in JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from trace_inspector.core.values.values import Json, JsonObject

NOTHING: Mapping[str, str] = {}
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
    stated: Mapping[str, str] = NOTHING,
) -> JsonObject:
    """A span with its attributes."""
    start = START_NS + at_ms * 1_000_000
    ids: JsonObject = {"traceId": f"{trace:032x}", "spanId": f"{trace << 16 | number:016x}"}
    if parent is not None:
        ids["parentSpanId"] = f"{trace << 16 | parent:016x}"
    times: JsonObject = {"startTimeUnixNano": str(start), "endTimeUnixNano": str(start + lasts_ms * 1_000_000)}
    attributes: list[Json] = [attribute(key, value) for key, value in stated.items()]
    return {**ids, "name": name, **times, "attributes": attributes}


def turn_spans(
    trace: int, conversation: str, asked: str, said: str, *, at_ms: int = 0, texts: bool = True
) -> list[JsonObject]:
    """The spans of a turn, the root last, as they end."""
    contents = {
        "gen_ai.input.messages": json.dumps([{"role": "user", "parts": [{"type": "text", "content": asked}]}]),
        "gen_ai.output.messages": json.dumps([{"role": "assistant", "parts": [{"type": "text", "content": said}]}]),
    }
    of_model = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m"}
    of_agent = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": "shop",
        "gen_ai.conversation.id": conversation,
    }
    return [
        span(trace, 2, "chat m", 1, at_ms=at_ms + 1, stated={**of_model, **(contents if texts else {})}),
        span(trace, 3, "GET /stock", 2, at_ms=at_ms + 2),
        span(trace, 1, "invoke_agent shop", at_ms=at_ms, lasts_ms=50, stated=of_agent),
    ]


def request(spans: Iterable[JsonObject]) -> bytes:
    """A request with spans."""
    value: Json = {"resourceSpans": [{"scopeSpans": [{"scope": {"name": "t"}, "spans": [*spans]}]}]}
    return json.dumps(value).encode()


def log_request(trace: int, number: int, name: str, body: Json) -> bytes:
    """A request with one log record of a span."""
    record: JsonObject = {
        "timeUnixNano": str(START_NS),
        "eventName": name,
        "traceId": f"{trace:032x}",
        "spanId": f"{trace << 16 | number:016x}",
        "attributes": [attribute("gen_ai.system", "x")],
        "body": body,
    }
    return json.dumps({"resourceLogs": [{"scopeLogs": [{"logRecords": [record]}]}]}).encode()

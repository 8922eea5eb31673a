"""What a program sends while it runs: turns of an agent as requests of OTLP, in JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

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


def tool_turn() -> list[JsonObject]:
    """A turn with one call of a tool, which has a span: the second one."""
    spans = turn_spans(1, "a", "one?", "1")
    stated = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "look",
        "gen_ai.tool.call.arguments": '{"of": "shoes"}',
        "z": "last",
    }
    spans[1] = span(1, 3, "execute_tool look", 1, at_ms=20, stated=stated)
    return spans


def as_it_began(whole: JsonObject) -> JsonObject:
    """A span as some programs send it when it begins: without its end, and without what it comes to say."""
    begun = {**whole, "name": f"{whole['name']}", "attributes": []}
    return {key: value for key, value in begun.items() if key != "endTimeUnixNano"}


def calling_spans(
    trace: int, conversation: str, asked: str, *rounds: Sequence[tuple[str, JsonObject]], said: str = "Done.",
    is_named: bool = True,
) -> list[JsonObject]:  # fmt: skip
    """The spans of a turn whose model asks for tools, round by round, in the order in which they end.

    The tools of a round run at the same time, the last first. `is_named`: each span names the conversation.
    """
    named = {"gen_ai.conversation.id": conversation} if is_named else {}
    told: list[Json] = [{"role": "user", "parts": [{"type": "text", "content": asked}]}]
    spans: list[JsonObject] = []
    number, at_ms = 2, 1
    for calls in (*rounds, ()):
        parts: list[Json] = [
            {"type": "tool_call", "id": f"{number}-{nth}", "name": name, "arguments": given}
            for nth, (name, given) in enumerate(calls)
        ] or [{"type": "text", "content": said}]
        answer: Json = {"role": "assistant", "parts": parts}
        of_model = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m"}
        texts = {"gen_ai.input.messages": json.dumps(told), "gen_ai.output.messages": json.dumps([answer])}
        spans.append(span(trace, number, "chat m", 1, at_ms=at_ms, stated={**of_model, **texts, **named}))
        told.append(answer)
        for nth, (name, given) in reversed(list(enumerate(calls))):
            of_tool = {
                "gen_ai.operation.name": "execute_tool",
                "gen_ai.tool.name": name,
                "gen_ai.tool.call.id": f"{number}-{nth}",
                "gen_ai.tool.call.arguments": json.dumps(given),
            }
            lasts_ms = 10 + 5 * nth
            spans.append(
                span(trace, number + 1 + nth, f"execute_tool {name}", 1, at_ms=at_ms + 20 - nth, lasts_ms=lasts_ms,
                     stated={**of_tool, **named})
            )  # fmt: skip
            result: Json = {"type": "tool_call_response", "id": f"{number}-{nth}", "result": "ok"}
            told.append({"role": "tool", "parts": [result]})
        number, at_ms = number + 1 + len(calls), at_ms + 100
    of_agent = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "shop"}
    stated = {**of_agent, "gen_ai.conversation.id": conversation}
    return [*spans, span(trace, 1, "invoke_agent shop", lasts_ms=at_ms, stated=stated)]


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

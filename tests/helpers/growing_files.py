"""Files as agents write them line by line: spans of OTLP in any order, and sessions of Claude Code."""

from __future__ import annotations

import json
from collections.abc import Sequence

from tests.formats import claude_code_files
from trace_inspector.core.values.values import Json, JsonObject


def _attribute(key: str, value: str) -> JsonObject:
    return {"key": key, "value": {"stringValue": value}}


def span(
    trace: int,
    number: int,
    kind: str,
    *,
    parent: int | None = None,
    start: int = 0,
    session: str = "",
    words: str = "",
) -> JsonObject:
    """A span of OTLP; `kind` is an operation of the GenAI conventions, or the name of another span."""
    attributes = (
        [_attribute("gen_ai.operation.name", kind)] if kind in ("invoke_agent", "chat", "execute_tool") else []
    )
    if session:
        attributes.append(_attribute("gen_ai.conversation.id", session))
    if kind == "execute_tool":
        attributes += [_attribute("gen_ai.tool.name", "look_up"), _attribute("gen_ai.tool.call.arguments", "{}")]
    if words:
        said = [{"role": "assistant", "parts": [{"type": "text", "content": words}], "finish_reason": "stop"}]
        attributes.append(_attribute("gen_ai.output.messages", json.dumps(said)))
    made: JsonObject = {
        "traceId": f"{trace:032x}",
        "spanId": f"{trace:08x}{number:08x}",
        "name": f"{kind} agent",
        "startTimeUnixNano": str(1_790_000_000_000_000_000 + start * 1_000_000_000),
        "endTimeUnixNano": str(1_790_000_001_000_000_000 + start * 1_000_000_000),
        "attributes": [*attributes],
    }
    if parent is not None:
        made["parentSpanId"] = f"{trace:08x}{parent:08x}"
    return made


def envelope(*spans: JsonObject) -> JsonObject:
    """A line as exporters write it."""
    return {"resourceSpans": [{"resource": {}, "scopeSpans": [{"scope": {"name": "x"}, "spans": [*spans]}]}]}


def log_record(trace: int, number: int, words: str) -> JsonObject:
    """A line with what a call of a model answered, as a log record that belongs to a span."""
    said = [{"role": "assistant", "parts": [{"type": "text", "content": words}]}]
    record: JsonObject = {
        "traceId": f"{trace:032x}",
        "spanId": f"{trace:08x}{number:08x}",
        "timeUnixNano": "1790000000000000000",
        "eventName": "gen_ai.client.inference.operation.details",
        "attributes": [_attribute("gen_ai.output.messages", json.dumps(said))],
    }
    return {"resourceLogs": [{"scopeLogs": [{"logRecords": [record]}]}]}


def turn_spans(trace: int, start: int, session: str = "") -> list[JsonObject]:
    """A turn: an agent, which asks a model, calls a tool and answers."""
    return [
        span(trace, 1, "invoke_agent", start=start, session=session),
        span(trace, 2, "chat", parent=1, start=start + 1, words=f"I look it up, {trace}."),
        span(trace, 3, "execute_tool", parent=1, start=start + 2),
        span(trace, 4, "GET", parent=3, start=start + 2),
        span(trace, 5, "chat", parent=1, start=start + 3, words=f"It is {trace}."),
    ]


def line(value: Json) -> bytes:
    """A value as a line."""
    return json.dumps(value).encode() + b"\n"


def claude_lines() -> list[bytes]:
    """The lines of a session of Claude Code."""
    return [line(value) for value in claude_code_files.session()]


def otlp_lines(turns: Sequence[tuple[int, int, str]]) -> list[bytes]:
    """A span a line, turn by turn."""
    return [line(envelope(each)) for trace, start, session in turns for each in turn_spans(trace, start, session)]

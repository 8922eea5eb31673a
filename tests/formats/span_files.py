"""Small recordings for tests: spans told once, written as Jaeger or as OTLP."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from msgspec import Struct, field

from trace_inspector.core.rows.contents import Contents, collect
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats import recognise
from trace_inspector.formats.common.format import Source

START_US = 1_770_000_000_000_000


class Made(Struct):
    """One span. Times are milliseconds after the start of the recording."""

    id: str
    name: str
    parent: str | None = None
    at: int | None = 0
    lasts: int = 10
    tags: JsonObject = field(default_factory=dict)
    trace: str = "t1"
    failed: str = ""
    notes: list[tuple[str, JsonObject]] = field(default_factory=list)


def model(
    span_id: str,
    parent: str | None,
    at: int,
    *,
    asked: list[Json] | None = None,
    said: list[Json] | None = None,
    invocation: str = "e-1",
    system: str = "",
    usage: JsonObject | None = None,
    trace: str = "t1",
) -> Made:
    """A model call in ADK's first span form."""
    request: JsonObject = {"model": "m", "contents": asked} if asked is not None else {}
    if system:
        request["config"] = {"system_instruction": system, "tools": [{"function_declarations": [{"name": "look"}]}]}
    response: JsonObject = {"content": {"role": "model", "parts": said}} if said is not None else {}
    if usage is not None:
        response["usage_metadata"] = usage
    tags: JsonObject = {
        "gcp.vertex.agent.invocation_id": invocation,
        "gcp.vertex.agent.llm_request": json.dumps(request),
        "gcp.vertex.agent.llm_response": json.dumps(response),
        "gen_ai.request.model": "m",
    }
    return Made(span_id, "call_llm", parent, at, tags=tags, trace=trace)


def tool(
    span_id: str,
    parent: str | None,
    at: int,
    name: str,
    args: JsonObject | None = None,
    result: Json = None,
    *,
    call_id: str = "",
    trace: str = "t1",
) -> Made:
    """A tool call in ADK's first span form."""
    tags: JsonObject = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": name,
        "gcp.vertex.agent.tool_call_args": json.dumps(args or {}),
        "gcp.vertex.agent.tool_response": json.dumps(result if result is not None else {}),
    }
    if call_id:
        tags["gen_ai.tool.call.id"] = call_id
    return Made(span_id, f"execute_tool {name}", parent, at, tags=tags, trace=trace)


def agent(span_id: str, parent: str | None, name: str, at: int = 0, *, trace: str = "t1", lasts: int = 900) -> Made:
    """An agent at work."""
    tags: JsonObject = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": name}
    return Made(span_id, f"invoke_agent {name}", parent, at, lasts, tags, trace)


def says(*words: str) -> list[Json]:
    """A model's words."""
    return [{"text": word} for word in words]


def user(text: str) -> Json:
    """A user message."""
    return {"role": "user", "parts": [{"text": text}]}


def wants(name: str, **args: Json) -> Json:
    """A part that asks for a tool."""
    return {"function_call": {"name": name, "args": args}}


def jaeger(*spans: Made) -> Json:
    """The spans as Jaeger's query service writes them."""
    traces: dict[str, list[Json]] = {}
    for made in spans:
        traces.setdefault(made.trace, []).append(_jaeger_span(made))
    return {
        "data": [
            {"traceID": trace, "spans": listed, "processes": {"p1": {"serviceName": "shop", "tags": []}}}
            for trace, listed in traces.items()
        ]
    }


def otlp(*spans: Made) -> Json:
    """The spans as an OpenTelemetry exporter writes them."""
    listed: list[Json] = [_otlp_span(made) for made in spans]
    return {"resourceSpans": [{"resource": {}, "scopeSpans": [{"scope": {"name": "made"}, "spans": listed}]}]}


def opened(value: Json, name: str = "made.json") -> Contents:
    """What a document holds, as its own format reads it."""
    known = recognise(value)
    assert known is not None
    return collect(known.name, known.read(Source(value, name)))


def codes(contents: Contents) -> list[str]:
    """The codes of all findings."""
    return [finding.code for finding in contents.findings]


def _jaeger_span(made: Made) -> JsonObject:
    tags: list[Json] = [
        {"key": key, "type": "string" if isinstance(value, str) else "int64", "value": value}
        for key, value in made.tags.items()
    ]
    if made.failed:
        tags.extend(
            [
                {"key": "error", "type": "bool", "value": True},
                {"key": "otel.status_description", "type": "string", "value": made.failed},
            ]
        )
    references: list[Json] = [{"refType": "CHILD_OF", "traceID": made.trace, "spanID": made.parent}]
    span: JsonObject = {
        "traceID": made.trace,
        "spanID": made.id,
        "operationName": made.name,
        "references": references if made.parent else [],
        "duration": made.lasts * 1000,
        "tags": tags,
        "logs": [_jaeger_log(name, told) for name, told in made.notes],
    }
    if made.at is not None:
        span["startTime"] = START_US + made.at * 1000
    return span


def _otlp_span(made: Made) -> JsonObject:
    span: JsonObject = {
        "traceId": made.trace,
        "spanId": made.id,
        "parentSpanId": made.parent or "",
        "name": made.name,
        "kind": 1,
        "attributes": key_values(made.tags),
        "events": [{"name": name, "attributes": key_values(told)} for name, told in made.notes],
        "status": {"code": 2, "message": made.failed} if made.failed else {},
    }
    if made.at is not None:
        start = (START_US + made.at * 1000) * 1000
        span["startTimeUnixNano"] = str(start)
        span["endTimeUnixNano"] = start + made.lasts * 1_000_000
    return span


def _jaeger_log(name: str, told: JsonObject) -> Json:
    fields: list[Json] = [{"key": "event", "type": "string", "value": name}]
    fields.extend(
        {"key": key, "type": "string", "value": value if isinstance(value, str) else json.dumps(value)}
        for key, value in told.items()
    )
    return {"timestamp": START_US, "fields": fields}


def key_values(told: JsonObject) -> list[Json]:
    """Attributes as OTLP writes them."""
    return [{"key": key, "value": any_value(value)} for key, value in told.items()]


def any_value(value: Json) -> Json:
    """A value that says of what kind it is."""
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    if isinstance(value, float):
        return {"doubleValue": value}
    if isinstance(value, list):
        return {"arrayValue": {"values": [any_value(item) for item in value]}}
    if isinstance(value, dict):
        return {"kvlistValue": {"values": key_values(value)}}
    return {"stringValue": value}


Write = Callable[..., Json]
both = pytest.mark.parametrize("write", [jaeger, otlp])

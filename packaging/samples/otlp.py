"""Spans as a collector writes them to a file: OTLP's JSON encoding."""

from __future__ import annotations

from collections.abc import Iterable

from samples.agents import APP
from samples.spans import ADK, ADK_VERSION, Span
from samples.story import Json, JsonObject

_KINDS = {"internal": 1, "server": 2, "client": 3}
_OK, _ERROR = 0, 2


def export(spans: Iterable[Span]) -> JsonObject:
    """One resource, one scope, all spans."""
    resource: JsonObject = {
        "attributes": [_attribute("service.name", APP), _attribute("telemetry.sdk.language", "python")]
    }
    scope: JsonObject = {
        "scope": {"name": ADK, "version": ADK_VERSION},
        "spans": [_span(span) for span in spans],
    }
    return {"resourceSpans": [{"resource": resource, "scopeSpans": [scope]}]}


def _span(span: Span) -> JsonObject:
    start_ns = span.start_us * 1_000
    ids: JsonObject = {"traceId": span.trace_id, "spanId": span.id}
    parent: JsonObject = {"parentSpanId": span.parent_id} if span.parent_id else {}
    return {
        **ids,
        **parent,
        "name": span.name,
        "kind": _KINDS[span.kind],
        "startTimeUnixNano": str(start_ns),
        "endTimeUnixNano": str(start_ns + span.duration_us * 1_000),
        "attributes": [_attribute(key, value) for key, value in span.attributes.items()],
        "status": {"code": _ERROR if span.failed else _OK},
    }


def _attribute(key: str, value: str | int | bool | list[str]) -> Json:
    return {"key": key, "value": _value(value)}


def _value(value: str | int | bool | list[str]) -> JsonObject:
    match value:
        case bool():
            return {"boolValue": value}
        case int():
            return {"intValue": str(value)}
        case str():
            return {"stringValue": value}
    return {"arrayValue": {"values": [_value(item) for item in value]}}

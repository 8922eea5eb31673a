"""Spans as Jaeger exports them: microseconds, flat tags, parents as references."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from samples.agents import APP
from samples.names import line
from samples.spans import Span
from samples.story import Json, JsonObject

_PROCESS = "p1"


def export(spans: Iterable[Span]) -> JsonObject:
    """Everything a query returned; one trace per turn."""
    traces: list[Json] = [
        {
            "traceID": trace_id,
            "spans": [_span(span) for span in of_trace],
            "processes": {
                _PROCESS: {
                    "serviceName": APP,
                    "tags": [_tag("deployment.environment", "sample"), _tag("telemetry.sdk.language", "python")],
                }
            },
            "warnings": None,
        }
        for trace_id, of_trace in groupby(spans, key=lambda span: span.trace_id)
    ]
    return {"data": traces, "total": len(traces), "limit": 0, "offset": 0, "errors": None}


def _span(span: Span) -> JsonObject:
    parents: list[Json] = [{"refType": "CHILD_OF", "traceID": span.trace_id, "spanID": span.parent_id}]
    tags = {
        **span.attributes,
        "otel.scope.name": span.scope,
        "otel.scope.version": span.scope_version,
        "span.kind": span.kind,
    }
    if span.failed:
        tags |= {"error": True, "otel.status_code": "ERROR"}
    return {
        "traceID": span.trace_id,
        "spanID": span.id,
        "operationName": span.name,
        "references": parents if span.parent_id else [],
        "startTime": span.start_us,
        "duration": span.duration_us,
        "tags": [_tag(key, value) for key, value in sorted(tags.items())],
        "logs": [],
        "processID": _PROCESS,
        "warnings": None,
    }


def _tag(key: str, value: str | int | bool | list[str]) -> JsonObject:
    match value:
        case bool():
            return {"key": key, "type": "bool", "value": value}
        case int():
            return {"key": key, "type": "int64", "value": value}
        case str():
            return {"key": key, "type": "string", "value": value}
    return {"key": key, "type": "string", "value": line([*value])}

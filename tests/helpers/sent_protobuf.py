"""The same requests as `sent_spans` makes, in protobuf, as the exporters of other programs send them."""

from __future__ import annotations

from collections.abc import Iterable

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue
from opentelemetry.proto.trace.v1.trace_pb2 import ResourceSpans, ScopeSpans, Span

from trace_inspector.core.values.values import Json, JsonObject


def as_protobuf(spans: Iterable[JsonObject]) -> bytes:
    """A request with spans."""
    scope = ScopeSpans(spans=[_span(span) for span in spans])
    request = ExportTraceServiceRequest(resource_spans=[ResourceSpans(scope_spans=[scope])])
    return bytes(request.SerializeToString())


def _span(span: JsonObject) -> Span:
    listed = span["attributes"]
    assert isinstance(listed, list)
    return Span(
        trace_id=bytes.fromhex(str(span["traceId"])),
        span_id=bytes.fromhex(str(span["spanId"])),
        parent_span_id=bytes.fromhex(str(span.get("parentSpanId", ""))),
        name=str(span["name"]),
        start_time_unix_nano=int(str(span["startTimeUnixNano"])),
        end_time_unix_nano=int(str(span["endTimeUnixNano"])),
        attributes=[_attribute(one) for one in listed],
    )


def _attribute(stated: Json) -> KeyValue:
    assert isinstance(stated, dict)
    value = stated["value"]
    assert isinstance(value, dict)
    (text,) = value.values()
    return KeyValue(key=str(stated["key"]), value=AnyValue(string_value=str(text)))

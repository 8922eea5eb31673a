"""Spans and traces as Jaeger's interface exports them, as types to decode. What they leave out is read otherwise.

A field that the text lacks stays UNSET, so that a record says all that its text does.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import UNSET, Struct, UnsetType, to_builtins

from trace_inspector.core.values.values import JsonObject
from trace_inspector.documents.large.records import RecordDecoder

_IDS = {"trace_id": "traceID", "span_id": "spanID"}
_NAMES = {
    **_IDS,
    "parent_id": "parentSpanID",
    "name": "operationName",
    "start": "startTime",
    "process_id": "processID",
    "service": "serviceName",
    "kind": "refType",
}
_Text: TypeAlias = str | UnsetType
_Number: TypeAlias = int | float | UnsetType


class Tag(Struct, forbid_unknown_fields=True, gc=False):
    """An attribute. One whose value holds others is left to the general reader."""

    key: str
    type: Literal["string", "bool", "int64", "float64", "binary"] | UnsetType = UNSET
    value: str | int | float | bool | UnsetType | None = UNSET


class Reference(Struct, forbid_unknown_fields=True, gc=False, rename=_NAMES):
    """A span above or before another."""

    kind: Literal["CHILD_OF", "FOLLOWS_FROM"] | UnsetType = UNSET
    trace_id: _Text = UNSET
    span_id: _Text = UNSET


class Log(Struct, forbid_unknown_fields=True, gc=False):
    """An event of a span."""

    timestamp: _Number = UNSET
    fields: list[Tag] | UnsetType = UNSET


class JaegerSpan(Struct, forbid_unknown_fields=True, gc=False, rename=_NAMES):
    """A span."""

    span_id: str
    trace_id: _Text = UNSET
    name: _Text = UNSET
    references: list[Reference] | UnsetType | None = UNSET
    start: _Number = UNSET
    duration: _Number = UNSET
    tags: list[Tag] | UnsetType | None = UNSET
    logs: list[Log] | UnsetType | None = UNSET
    parent_id: str | UnsetType | None = UNSET
    process_id: _Text = UNSET
    flags: int | UnsetType = UNSET
    warnings: list[str] | UnsetType | None = UNSET

    def plain(self) -> JsonObject:
        """The span as JSON has it."""
        value: JsonObject = to_builtins(self)
        return value


class Process(Struct, forbid_unknown_fields=True, gc=False, rename=_NAMES):
    """What recorded some spans."""

    service: _Text = UNSET
    tags: list[Tag] | UnsetType | None = UNSET


class JaegerTrace(Struct, forbid_unknown_fields=True, gc=False, rename=_NAMES):
    """A trace with its spans."""

    spans: list[JaegerSpan]
    trace_id: _Text = UNSET
    processes: dict[str, Process] | UnsetType | None = UNSET
    warnings: list[str] | UnsetType | None = UNSET


SPANS = RecordDecoder(JaegerSpan)
TRACES = RecordDecoder(JaegerTrace)

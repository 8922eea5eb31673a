"""Spans as exporters of OpenTelemetry write them, as types to decode. What they leave out is read otherwise.

A field that the text lacks stays UNSET, so that a record says all that its text does. Values have two levels.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import UNSET, Struct, UnsetType, to_builtins

from trace_inspector.core.values.values import JsonObject
from trace_inspector.documents.large.records import RecordDecoder

_Text: TypeAlias = str | UnsetType
_Count: TypeAlias = int | UnsetType
_Nanos: TypeAlias = str | int | UnsetType


class _Record(Struct, forbid_unknown_fields=True, gc=False, rename="camel"):
    """What all of them have in common."""


class InnerValue(_Record):
    """A value within another."""

    string_value: _Text = UNSET
    int_value: str | int | UnsetType = UNSET
    double_value: float | int | str | UnsetType = UNSET
    bool_value: bool | UnsetType = UNSET
    bytes_value: _Text = UNSET


class InnerPair(_Record):
    """A member of a map."""

    key: str
    value: InnerValue | UnsetType = UNSET


class InnerValues(_Record):
    """A list."""

    values: list[InnerValue] | UnsetType = UNSET


class InnerPairs(_Record):
    """A map."""

    values: list[InnerPair] | UnsetType = UNSET


class AnyValue(InnerValue):
    """The value of an attribute."""

    array_value: InnerValues | UnsetType = UNSET
    kvlist_value: InnerPairs | UnsetType = UNSET


class Attribute(_Record):
    """A name with its value."""

    key: str
    value: AnyValue | UnsetType = UNSET


class _Attributed(_Record):
    attributes: list[Attribute] | UnsetType = UNSET
    dropped_attributes_count: _Count = UNSET


class SpanEvent(_Attributed):
    """An event of a span."""

    time_unix_nano: _Nanos = UNSET
    name: _Text = UNSET


class Link(_Attributed):
    """A span elsewhere."""

    trace_id: _Text = UNSET
    span_id: _Text = UNSET
    trace_state: _Text = UNSET
    flags: _Count = UNSET


class Status(_Record):
    """How a span ended."""

    code: int | str | UnsetType = UNSET
    message: _Text = UNSET


class OtlpSpan(_Attributed):
    """A span."""

    trace_id: _Text = UNSET
    span_id: _Text = UNSET
    parent_span_id: _Text = UNSET
    trace_state: _Text = UNSET
    flags: _Count = UNSET
    name: _Text = UNSET
    kind: int | str | UnsetType = UNSET
    start_time_unix_nano: _Nanos = UNSET
    end_time_unix_nano: _Nanos = UNSET
    events: list[SpanEvent] | UnsetType = UNSET
    dropped_events_count: _Count = UNSET
    links: list[Link] | UnsetType = UNSET
    dropped_links_count: _Count = UNSET
    status: Status | UnsetType = UNSET

    def plain(self) -> JsonObject:
        """The span as JSON has it."""
        value: JsonObject = to_builtins(self)
        return value


class Scope(_Attributed):
    """The library that recorded some spans."""

    name: _Text = UNSET
    version: _Text = UNSET


class ScopeRecord(_Record):
    """The spans of one library."""

    scope: Scope | UnsetType = UNSET
    spans: list[OtlpSpan] | UnsetType = UNSET
    schema_url: _Text = UNSET


class Resource(_Attributed):
    """The service that recorded some spans."""


class ResourceRecord(_Record):
    """The spans of one service."""

    resource: Resource | UnsetType = UNSET
    scope_spans: list[ScopeRecord] | UnsetType = UNSET
    schema_url: _Text = UNSET


# By the depth at which a list of them stands.
DECODERS = (RecordDecoder(ResourceRecord), RecordDecoder(ScopeRecord), RecordDecoder(OtlpSpan))

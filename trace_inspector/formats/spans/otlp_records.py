"""Spans as exporters of OpenTelemetry write them, as types to decode. What they leave out is read otherwise.

A field that the text lacks stays UNSET, so that a record says all that its text does. Values have two levels.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import TypeAlias

from msgspec import UNSET, Struct, UnsetType, to_builtins

from trace_inspector.documents.large.records import RecordDecoder
from trace_inspector.formats.spans.otlp_values import ERROR_CODES, hexadecimal, nanos, start_and_duration
from trace_inspector.formats.spans.span_rows import Kinds, SpanRow, may_be_quiet
from trace_inspector.formats.spans.spans import IDENTIFYING

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


_SERVICES = RecordDecoder(list[ResourceRecord])
_LIBRARIES = RecordDecoder(list[ScopeRecord])
_SPANS = RecordDecoder(list[OtlpSpan])
_KEY = attrgetter("key")


def span_rows(text: bytes, unique: bool) -> list[SpanRow] | None:
    """The spans in the text of a list; None where another reader has to look at it."""
    records = _SPANS.records(text, unique=unique)
    return None if records is None else _span_rows(records)


def library_rows(text: bytes, unique: bool) -> list[list[SpanRow]] | None:
    """The same of libraries, each with its spans."""
    records = _LIBRARIES.records(text, unique=unique)
    return None if records is None else _by_library(records)


def service_rows(text: bytes, unique: bool) -> list[list[list[SpanRow]]] | None:
    """The same of services, each with its libraries."""
    records = _SERVICES.records(text, unique=unique)
    return None if records is None else [_by_library(record.scope_spans or ()) for record in records]


def _by_library(records: Sequence[ScopeRecord]) -> list[list[SpanRow]]:
    return [_span_rows(record.spans or ()) for record in records]


def _span_rows(records: Sequence[OtlpSpan]) -> list[SpanRow]:
    kinds = Kinds()
    texts: dict[str, str] = {}  # one object for each name and trace, however often they come
    listed: list[SpanRow] = []
    for record in records:
        name, span_id = record.name or "", record.span_id or ""
        status = record.status
        if (
            not span_id
            or not may_be_quiet(span_id, kinds[name])
            or (record.attributes and not IDENTIFYING.isdisjoint(map(_KEY, record.attributes)))
            or (status and status.code in ERROR_CODES)
        ):
            listed.append(to_builtins(record))
            continue
        start, end = nanos(record.start_time_unix_nano), nanos(record.end_time_unix_nano)
        start_s, duration_s = start_and_duration(start, end)
        trace_id = hexadecimal(record.trace_id or "")
        trace_id, name = texts.setdefault(trace_id, trace_id), texts.setdefault(name, name)
        parent = hexadecimal(record.parent_span_id or "") or None
        listed.append((trace_id, hexadecimal(span_id), name, parent, start_s, duration_s))
    return listed

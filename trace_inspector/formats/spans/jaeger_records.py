"""Spans and traces as Jaeger's interface exports them, as types to decode. What they leave out is read otherwise.

A field that the text lacks stays UNSET, so that a record says all that its text does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from msgspec import UNSET, Struct, UnsetType, to_builtins

from trace_inspector.documents.large.records import RecordDecoder
from trace_inspector.formats.spans.jaeger_values import FAILED, NOTED, seconds
from trace_inspector.formats.spans.span_rows import Kinds, SpanRow, may_be_quiet
from trace_inspector.formats.spans.spans import IDENTIFYING

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


_SPANS = RecordDecoder(list[JaegerSpan])
_TRACES = RecordDecoder(list[JaegerTrace])


def span_rows(text: bytes, unique: bool) -> list[SpanRow] | None:
    """The spans in the text of a list; None where another reader has to look at it."""
    records = _SPANS.records(text, unique=unique)
    return None if records is None else _rows(records)


def trace_rows(text: bytes, unique: bool) -> list[tuple[str, list[SpanRow]]] | None:
    """The traces in the text of a list with their spans; None where another reader has to look at it."""
    records = _TRACES.records(text, unique=unique)
    return None if records is None else [(record.trace_id or "", _rows(record.spans)) for record in records]


def _rows(records: Sequence[JaegerSpan]) -> list[SpanRow]:
    kinds = Kinds()
    texts: dict[str, str] = {}  # one object for each name and trace, however often they come
    rows: list[SpanRow] = []
    for record in records:
        name, trace_id = record.name or "", record.trace_id or ""
        references = record.references or ()
        if (
            record.parent_id
            or len(references) > 1
            or not may_be_quiet(record.span_id, kinds[name])
            or (record.tags and _says_something(record.tags))
        ):
            rows.append(to_builtins(record))
            continue
        parent = references[0].span_id or None if references else None
        trace_id, name = texts.setdefault(trace_id, trace_id), texts.setdefault(name, name)
        rows.append((trace_id, record.span_id, name, parent, seconds(record.start), seconds(record.duration)))
    return rows


def _says_something(tags: list[Tag]) -> bool:
    """Whether tags give the kind of a span or a failure."""
    for tag in tags:  # no generator: there are millions of tags
        key = tag.key
        if key in NOTED and (key in IDENTIFYING or tag.value in FAILED):
            return True
    return False

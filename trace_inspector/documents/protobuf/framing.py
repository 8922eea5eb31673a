"""Which bytes are OTLP in protobuf, and where each of its messages begins: nothing in such a file says so itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from trace_inspector.documents.protobuf.schema import LOGS, TRACES, MessageType, Wire
from trace_inspector.documents.protobuf.wire import Broken, CutOff, skipped, span_of, varint

_FIRST_TAG, _SCOPES, _OLD_SCOPES = (number << 3 | Wire.LENGTH for number in (1, 2, 1000))
_RECORDS = _SCOPES
_PLAIN = frozenset(number << 3 | Wire.LENGTH for number in (1, 2, 3))
_TRACE_ID, _SPAN_ID, _START = 1 << 3 | Wire.LENGTH, 2 << 3 | Wire.LENGTH, 7 << 3 | Wire.FIXED_64
_TIME, _OBSERVED = 1 << 3 | Wire.FIXED_64, 11 << 3 | Wire.FIXED_64
_LONGEST = 17  # one byte more than the longest value that is looked at
_MOST_FIELDS = 100_000  # that are looked at before a first record is found, and in it
_MOST_FRAMES = 16
# Times that a recording can have, in nanoseconds: from 2000 to 2100.
_TIMES = range(946_684_800 * 10**9, 4_102_444_800 * 10**9)


def frames(data: bytes) -> tuple[Iterator[tuple[int, int]], bool] | None:
    """The messages of a file, each from byte to byte, and whether there may be several; None when it is no OTLP.

    Exporters write one message; the collector's file exporter sets four bytes of length before each, and others a
    varint, as protobuf's own libraries do.
    """
    if signal_of(data, 0, len(data)):
        return iter([(0, len(data))]), False
    for length in (_four_bytes, varint):
        if any(signal_of(data, start, end) for start, end in islice(_framed(data, length), _MOST_FRAMES)):
            return _framed(data, length), True
    return None


def _four_bytes(data: bytes, offset: int, end: int) -> tuple[int, int]:
    if offset + 4 > end:
        raise Broken(offset, "a length is cut")
    return int.from_bytes(data[offset : offset + 4], "big"), offset + 4


def _framed(data: bytes, length: Callable[[bytes, int, int], tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Messages behind their lengths; the last may end behind the end of the file."""
    offset = 0
    while offset < len(data):
        try:
            size, offset = length(data, offset, len(data))
        except Broken:
            yield offset, len(data) + 1
            return
        yield offset, offset + size
        offset += size


def signal_of(data: bytes, start: int, end: int) -> MessageType | None:
    """Whether a message holds spans or log records, judged strictly by the first; None for whatever else it is."""
    end = min(end, len(data))
    try:
        for record_start, stop in _records(data, start, end):
            return next((message_type for message_type, is_one in _SIGNALS if is_one(data, record_start, stop)), None)
    except Broken:
        pass
    return None


def _records(data: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The records of a message, whichever they are."""
    steps = iter(range(_MOST_FIELDS))
    for _tag, resource, resource_end in _members(data, start, end, frozenset({_FIRST_TAG}), steps):
        for tag, scope, scope_end in _members(data, resource, resource_end, _PLAIN | {_OLD_SCOPES}, steps):
            if tag in {_SCOPES, _OLD_SCOPES}:
                for inner, record, record_end in _members(data, scope, scope_end, _PLAIN, steps):
                    if inner == _RECORDS:
                        yield record, record_end


def _members(
    data: bytes, offset: int, end: int, tags: frozenset[int], steps: Iterator[int]
) -> Iterator[tuple[int, int, int]]:
    """The fields of a message that has no others than these, all with a length, until the steps are used up."""
    for _ in steps:
        if offset >= end:
            return
        tag, offset = varint(data, offset, end)
        if tag not in tags:
            raise Broken(offset, "no such field")
        offset, stop = _extent(data, offset, end)
        yield tag, offset, stop
        offset = stop


def _extent(data: bytes, offset: int, end: int) -> tuple[int, int]:
    """Like `span_of`, but what the end of the file cuts ends there."""
    try:
        return span_of(data, offset, end)
    except CutOff as problem:
        if end < len(data) or problem.offset >= end:
            raise
        return problem.offset, end


def _is_span(data: bytes, start: int, end: int) -> bool:
    """Whether a record has the ids of a span in their lengths, and a time."""
    fields = _flat(data, start, end)
    return len(fields.get(_TRACE_ID, b"")) == 16 and len(fields.get(_SPAN_ID, b"")) == 8 and _START in fields


def _is_log_record(data: bytes, start: int, end: int) -> bool:
    """Whether a record has a time that a recording can have."""
    fields = _flat(data, start, end)
    return any(int.from_bytes(fields.get(tag, b""), "little") in _TIMES for tag in (_TIME, _OBSERVED))


def _flat(data: bytes, offset: int, end: int) -> dict[int, bytes]:
    """The beginnings of a record's fields by tag, those of a later OTLP too; up to where a file cuts it."""
    fields: dict[int, bytes] = {}
    try:
        for _ in range(_MOST_FIELDS):
            if offset >= end:
                break
            tag, begin = varint(data, offset, end)
            offset = skipped(data, tag, begin, end)
            if tag & 7 == Wire.LENGTH:
                begin, _stop = span_of(data, begin, end)
            fields[tag] = data[begin : min(offset, begin + _LONGEST)]
    except CutOff:
        return fields if end == len(data) else {}
    return fields


_SIGNALS: tuple[tuple[MessageType, Callable[[bytes, int, int], bool]], ...] = (
    (TRACES, _is_span),
    (LOGS, _is_log_record),
)

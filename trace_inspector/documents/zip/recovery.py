"""A zip archive without a usable directory: its members from their own headers, as far as they go."""

from __future__ import annotations

import zlib
from typing import BinaryIO

from trace_inspector.core.errors import ReadError
from trace_inspector.documents.zip.inflate import BOMB, MOST_UNPACKED_BYTES, Inflated, allowance, inflate
from trace_inspector.documents.zip.layout import (
    CENTRAL_SIGN,
    IN_EXTRA_32,
    LOCAL,
    LOCAL_SIGN,
    MemberRecord,
    zip64_values,
)

_SIZES_FOLLOW = 1 << 3
_DEFLATED, _ZSTANDARD = 8, 93
_DESCRIPTOR_BYTES = (16, 24, 12, 20)


def recovered(file: BinaryIO, size: int, most: int) -> list[MemberRecord]:
    """The members of a damaged archive, the last of them perhaps cut off; at most one more than `most`."""
    if size > MOST_UNPACKED_BYTES:
        raise ReadError("The archive is cut off or damaged, and too large to be searched. Get it again.")
    file.seek(0)
    data = memoryview(file.read(size))
    records: list[MemberRecord] = []
    offset, room = 0, allowance(size)
    while len(records) <= most and offset + LOCAL.size <= len(data) and data[offset : offset + 4] == LOCAL_SIGN:
        record, end = _record(data, offset, room)
        room -= record.unpacked_bytes
        records.append(record)
        offset = end
    return records


def _record(data: memoryview, offset: int, room: int) -> tuple[MemberRecord, int]:
    _sign, _needed, flags, method, _time, _date, crc, packed, size, name_bytes, extra_bytes = LOCAL.unpack_from(
        data, offset
    )
    name_at = offset + LOCAL.size
    extra_at = name_at + name_bytes
    start = extra_at + extra_bytes
    if IN_EXTRA_32 in (packed, size):
        size, packed, _offset = zip64_values(bytes(data[extra_at:start]), (size, packed, 0))
    end = start + packed
    if flags & _SIZES_FOLLOW and not packed and method in (_DEFLATED, _ZSTANDARD):
        stream = _stream_at(data[start:], max(0, room), method)
        if stream.too_much or stream.too_dense:
            raise ReadError(BOMB)
        packed, size, crc = stream.used, len(stream.data), zlib.crc32(stream.data)
        end = _after_descriptor(data, start + packed)
    record = MemberRecord(
        offset=0,
        raw=b"",
        flags=flags,
        method=method,
        crc=crc,
        packed_bytes=min(packed, max(0, len(data) - start)),
        unpacked_bytes=size,
        name=bytes(data[name_at:extra_at]),
        mode=0,
        header_at=offset,
    )
    return record, end


def _stream_at(packed: memoryview, most: int, method: int) -> Inflated:
    """What begins there and tells by itself where it ends."""
    if method == _DEFLATED:
        return inflate(packed, most, lambda: None)
    from trace_inspector.documents.zip.zstd_frames import MEMBER, unpack_frames

    frames = unpack_frames(packed, most, lambda: None, MEMBER)
    return Inflated(frames.data, frames.end, not frames.problem, frames.too_much, frames.too_dense)


def _after_descriptor(data: memoryview, offset: int) -> int:
    """Past the data descriptor, the record of the sizes, which is written in four ways."""
    for length in _DESCRIPTOR_BYTES:
        if bytes(data[offset + length : offset + length + 4]) in (LOCAL_SIGN, CENTRAL_SIGN):
            return offset + length
    return offset

"""Reading one member of a zip archive, within limits, as far as it is whole."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct

from trace_inspector.core.errors import ReadError
from trace_inspector.documents.zip.directory import STORED, ZSTANDARD, Member
from trace_inspector.documents.zip.inflate import BOMB, MOST_UNPACKED_BYTES, Inflated, allowance, inflate
from trace_inspector.documents.zip.layout import LOCAL, LOCAL_SIGN, MemberRecord
from trace_inspector.regular_file import opened

_FARTHEST = 1 << 43  # some systems seek no farther, and no file is so long


class Content(Struct, frozen=True):
    """What a member holds, and what is wrong with it, "" when nothing is."""

    data: bytes
    problem: str = ""


def read_member(archive: Path, member: Member, tick: Callable[[], None]) -> Content:
    """The whole content of a member; ReadError without a path when it is not read at all."""
    if member.refusal:
        raise ReadError(member.refusal)
    record = member.record
    if record.unpacked_bytes > allowance(record.packed_bytes) or record.packed_bytes > MOST_UNPACKED_BYTES:
        raise ReadError(BOMB)
    with opened(archive) as file:
        packed = _packed(file, record, record.packed_bytes)
    tick()
    whole = len(packed) == record.packed_bytes
    if record.method == STORED:
        data = packed[: record.unpacked_bytes]
        whole = whole and len(packed) == record.unpacked_bytes
    else:
        inflated = _unpacked(packed, record, tick)
        if inflated.too_dense:
            raise ReadError(BOMB)
        if inflated.too_much:
            raise ReadError("This part of the archive holds more than the archive says. Get the archive again.")
        data = inflated.data
        whole = whole and inflated.whole and len(data) == record.unpacked_bytes
    if not whole:
        return Content(data, "its end is missing, or it is damaged in the middle")
    return Content(data, "" if zlib.crc32(data) == record.crc else "its checksum is wrong")


def head_of_member(archive: Path, member: Member, most: int) -> bytes:
    """The first bytes of a member; none when it is not read."""
    if member.refusal:
        return b""
    with opened(archive) as file:
        packed = _packed(file, member.record, most)
    if member.record.method == STORED:
        return packed
    if member.record.method == ZSTANDARD:
        from trace_inspector.documents.zip.zstd_frames import head_of_frame

        return head_of_frame(packed, most)
    try:
        return zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed, most)
    except zlib.error:
        return b""


def data_at(file: BinaryIO, record: MemberRecord) -> int:
    """Where the packed bytes of a member begin; ReadError when its header is not there."""
    file.seek(min(record.header_at, _FARTHEST))
    header = file.read(LOCAL.size)
    if len(header) < LOCAL.size or not header.startswith(LOCAL_SIGN):
        raise ReadError("The archive is damaged: this part is not where its directory says. Get it again.")
    fields = LOCAL.unpack(header)
    return record.header_at + LOCAL.size + int(fields[9]) + int(fields[10])


def _unpacked(packed: bytes, record: MemberRecord, tick: Callable[[], None]) -> Inflated:
    if record.method != ZSTANDARD:
        return inflate(memoryview(packed), record.unpacked_bytes, tick)
    from trace_inspector.documents.zip.zstd_frames import MEMBER, unpack_frames

    frames = unpack_frames(packed, record.unpacked_bytes, tick, MEMBER)
    whole = not frames.problem and frames.end == len(packed)
    return Inflated(frames.data, frames.end, whole, frames.too_much, frames.too_dense)


def _packed(file: BinaryIO, record: MemberRecord, most: int) -> bytes:
    file.seek(data_at(file, record))
    return file.read(min(record.packed_bytes, most))

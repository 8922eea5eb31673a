"""Where the records of a zip archive lie: its end, its directory, and the header of each member."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import BinaryIO

from msgspec import Struct

LOCAL = struct.Struct("<4s5H3L2H")
LOCAL_SIGN = b"PK\x03\x04"
CENTRAL = struct.Struct("<4s6H3L5H2L")
CENTRAL_SIGN = b"PK\x01\x02"
END = struct.Struct("<4s4H2LH")
END_SIGN = b"PK\x05\x06"
END_64 = struct.Struct("<4sQ2H2L4Q")
END_64_SIGN = b"PK\x06\x06"
LOCATOR_64 = struct.Struct("<4sLQL")
LOCATOR_64_SIGN = b"PK\x06\x07"
DESCRIPTOR_SIGN = b"PK\x07\x08"

IN_EXTRA_32 = 0xFFFF_FFFF  # the value stands in the zip64 extra field
ZIP64_EXTRA = 1

MOST_DIRECTORY_BYTES = 1 << 26
_LONGEST_COMMENT = 0xFFFF


class End(Struct, frozen=True):
    """The end of an archive. Offsets in the archive count from `shift`: something may stand before it."""

    offset: int
    offset_64: int | None
    directory_at: int
    directory_bytes: int
    count: int
    disk: int
    shift: int


class MemberStamp(Struct, frozen=True):
    """What identifies the contents of a member, whatever becomes of other members of its archive."""

    crc: int
    packed_bytes: int
    unpacked_bytes: int
    method: int


class MemberRecord(Struct, frozen=True):
    """One member as the directory lists it; `offset` is where its record begins in the directory."""

    offset: int
    raw: bytes
    flags: int
    method: int
    crc: int
    packed_bytes: int
    unpacked_bytes: int
    name: bytes
    mode: int
    header_at: int

    @property
    def contents(self) -> MemberStamp:
        """What it holds, wherever it lies."""
        return MemberStamp(self.crc, self.packed_bytes, self.unpacked_bytes, self.method)


def find_end(file: BinaryIO, size: int) -> End | None:
    """The end record of an archive of that size; None when it is missing or leads nowhere."""
    start = max(0, size - END.size - _LONGEST_COMMENT)
    file.seek(start)
    tail = file.read(size - start)
    candidate: End | None = None
    offset = len(tail)
    while (offset := tail.rfind(END_SIGN, 0, offset)) >= 0:
        raw = tail[offset : offset + END.size]
        if len(raw) == END.size and (end := _end(file, start + offset, raw)):
            if start + offset + END.size + int(END.unpack(raw)[7]) == size:
                return end
            candidate = candidate or end  # something follows, or this is part of a comment
    return candidate


def _end(file: BinaryIO, end_offset: int, raw: bytes) -> End | None:
    _sign, disk, _first, _here, count, directory_bytes, offset, _comment = END.unpack(raw)
    at_64 = _end_64_at(file, end_offset)
    if at_64 is not None:
        file.seek(at_64)
        fields = END_64.unpack(file.read(END_64.size))
        disk, count, directory_bytes, offset = fields[4], fields[7], fields[8], fields[9]
    end_at = end_offset if at_64 is None else at_64
    for shift in (end_at - directory_bytes - offset, 0):
        start = shift + offset
        if shift >= 0 and start + directory_bytes <= end_at and (not count or _signed(file, start, CENTRAL_SIGN)):
            return End(end_offset, at_64, start, directory_bytes, count, disk, shift)
    return None


def _end_64_at(file: BinaryIO, end_at: int) -> int | None:
    locator_at = end_at - LOCATOR_64.size
    if locator_at < END_64.size or not _signed(file, locator_at, LOCATOR_64_SIGN):
        return None
    file.seek(locator_at)
    stated = LOCATOR_64.unpack(file.read(LOCATOR_64.size))[2]
    # What stands before the archive moves everything, so the usual place is tried too.
    places = (stated, locator_at - END_64.size)
    return next(
        (place for place in places if place + END_64.size <= locator_at and _signed(file, place, END_64_SIGN)), None
    )


def _signed(file: BinaryIO, offset: int, sign: bytes) -> bool:
    file.seek(offset)
    return file.read(len(sign)) == sign


def records(directory: bytes, shift: int) -> Iterator[MemberRecord]:
    """The members that a directory lists, up to its end or to where it is damaged."""
    offset = 0
    while offset + CENTRAL.size <= len(directory):
        fields = CENTRAL.unpack_from(directory, offset)
        name_at = offset + CENTRAL.size
        extra_at = name_at + fields[10]
        comment_at = extra_at + fields[11]
        end = comment_at + fields[12]
        if fields[0] != CENTRAL_SIGN or end > len(directory):
            return
        size, packed, header_at = fields[9], fields[8], fields[16]
        if IN_EXTRA_32 in (size, packed, header_at):
            size, packed, header_at = zip64_values(directory[extra_at:comment_at], (size, packed, header_at))
        yield MemberRecord(
            offset,
            directory[offset:end],
            flags=fields[3],
            method=fields[4],
            crc=fields[7],
            packed_bytes=packed,
            unpacked_bytes=size,
            name=directory[name_at:extra_at],
            mode=fields[15] >> 16,
            header_at=header_at + shift,
        )
        offset = end


def zip64_values(extra: bytes, values: tuple[int, int, int]) -> tuple[int, int, int]:
    """Unpacked size, packed size and offset, those that do not fit into 32 bits from the extra field."""
    start = extra_field(extra, ZIP64_EXTRA)
    if start is None:
        return values
    widened: list[int] = []
    for value in values:
        if value == IN_EXTRA_32:
            widened.append(int.from_bytes(extra[start : start + 8], "little"))
            start += 8
        else:
            widened.append(value)
    return widened[0], widened[1], widened[2]


def extra_field(extra: bytes, field: int) -> int | None:
    """Where the data of an extra field begins."""
    offset = 0
    while offset + 4 <= len(extra):
        kind, length = struct.unpack_from("<2H", extra, offset)
        if kind == field:
            return offset + 4
        offset += 4 + length
    return None

"""A zip archive with one member changed: everything else is copied as it is, only offsets move."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Sequence
from typing import BinaryIO

from msgspec import Struct

from trace_inspector.core.errors import SaveError
from trace_inspector.documents.zip.deflate import USUAL_LEVEL, deflate, level_of
from trace_inspector.documents.zip.directory import STORED, ZSTANDARD
from trace_inspector.documents.zip.layout import (
    CENTRAL,
    DESCRIPTOR_SIGN,
    END,
    IN_EXTRA_32,
    LOCAL,
    LOCATOR_64,
    ZIP64_EXTRA,
    End,
    MemberRecord,
    extra_field,
    find_end,
    records,
)
from trace_inspector.documents.zip.member import data_at

_SIZES_FOLLOW = 1 << 3
_LEVELS = (USUAL_LEVEL, 9, 2, 1)  # by bits 1 and 2 of the flags
_CHUNK = 1 << 20
_SIZES = struct.Struct("<3L")
_WIDE_SIZES = struct.Struct("<L2Q")
_DESCRIPTORS = tuple((sign, sizes) for sizes in (_SIZES, _WIDE_SIZES) for sign in (DESCRIPTOR_SIGN, b""))

_DAMAGED = "The archive is damaged and was left as it is. Save under another name."
_TOO_LARGE = "The archive would grow beyond 4 GiB, which it has no room to say. Save under another name."


class _Replacement(Struct, frozen=True):
    """Bytes that stand in the place of others."""

    start: int
    end: int
    new: bytes

    @property
    def growth(self) -> int:
        return len(self.new) - (self.end - self.start)


class _ContentSizes(Struct, frozen=True):
    """What headers state about a member's content."""

    crc: int
    packed_bytes: int
    unpacked_bytes: int


def rewrite(archive: BinaryIO, size: int, record: MemberRecord, data: bytes, out: BinaryIO) -> None:
    """Write an archive of that size anew with other data in one member; SaveError when that cannot be done."""
    end = find_end(archive, size)
    if end is None:
        raise SaveError(_DAMAGED)
    packed = _packed(archive, record, data)
    content = _ContentSizes(zlib.crc32(data), len(packed), len(data))
    member = _member(archive, record, packed, content)
    changes = [member, _directory(archive, end, record, content, member.growth)]
    if end.directory_at > record.header_at:
        changes += _ends(archive, end, member.growth)
    copied = 0
    for change in sorted(changes, key=lambda change: change.start):
        _copy(archive, copied, change.start, out)
        out.write(change.new)
        copied = change.end
    _copy(archive, copied, size, out)


def _packed(archive: BinaryIO, record: MemberRecord, data: bytes) -> bytes:
    if record.method == STORED:
        return data
    if record.method == ZSTANDARD:
        from trace_inspector.documents.zip.zstd_frames import pack_frame

        return pack_frame(data)
    start = data_at(archive, record)
    before = _read(archive, start, start + record.packed_bytes)
    return deflate(data, level_of(before, _LEVELS[record.flags >> 1 & 3]))


def _member(archive: BinaryIO, record: MemberRecord, packed: bytes, content: _ContentSizes) -> _Replacement:
    start = data_at(archive, record)
    header = _read(archive, record.header_at, start)
    end = start + record.packed_bytes
    descriptor = b""
    if record.flags & _SIZES_FOLLOW:
        length, descriptor = _descriptor(_read(archive, end, end + 24), record, content)
        end += length
    fields = LOCAL.unpack_from(header)
    # What was left open when the archive was streamed stays open: the sizes follow, or stand in the directory.
    if not record.flags & _SIZES_FOLLOW or any(fields[6:9]):
        extra = (LOCAL.size + fields[9], len(header))
        values = ((22, content.unpacked_bytes), (18, content.packed_bytes))
        header = _renumbered(header, 14, content.crc, values, extra)
    return _Replacement(record.header_at, end, header + packed + descriptor)


def _descriptor(there: bytes, record: MemberRecord, content: _ContentSizes) -> tuple[int, bytes]:
    """The length of the data descriptor behind a member, and the new one of the same kind."""
    for sign, sizes in _DESCRIPTORS:
        old = sign + sizes.pack(record.crc, record.packed_bytes, record.unpacked_bytes)
        if there.startswith(old):
            return len(old), sign + sizes.pack(content.crc, content.packed_bytes, content.unpacked_bytes)
    return 0, b""


def _directory(
    archive: BinaryIO, end: End, record: MemberRecord, content: _ContentSizes, growth: int
) -> _Replacement:
    directory = _read(archive, end.directory_at, end.directory_at + end.directory_bytes)
    listed = list(records(directory, end.shift))
    if not any(each.offset == record.offset and each.raw == record.raw for each in listed):
        raise SaveError(_DAMAGED)
    rest = directory[listed[-1].offset + len(listed[-1].raw) :]
    new = b"".join(_entries(listed, end.shift, record, content, growth))
    return _Replacement(end.directory_at, end.directory_at + len(directory), new + rest)


def _entries(
    listed: Sequence[MemberRecord], shift: int, record: MemberRecord, content: _ContentSizes, growth: int
) -> Iterator[bytes]:
    for each in listed:
        is_changed = each.offset == record.offset
        moved = growth if each.header_at > record.header_at else 0
        if not is_changed and not moved:
            yield each.raw
            continue
        fields = CENTRAL.unpack_from(each.raw)
        extra_at = CENTRAL.size + fields[10]
        now = content if is_changed else _ContentSizes(each.crc, each.packed_bytes, each.unpacked_bytes)
        values = ((24, now.unpacked_bytes), (20, now.packed_bytes), (42, each.header_at - shift + moved))
        yield _renumbered(each.raw, 16, now.crc, values, (extra_at, extra_at + fields[11]))


def _renumbered(
    raw: bytes, crc_at: int, crc: int, values: Sequence[tuple[int, int]], extra: tuple[int, int]
) -> bytes:
    """A header with other numbers; those that do not fit into 32 bits stand in its extra field, in this order."""
    header = bytearray(raw)
    header[crc_at : crc_at + 4] = crc.to_bytes(4, "little")
    wide = extra_field(raw[extra[0] : extra[1]], ZIP64_EXTRA)
    wide_at = None if wide is None else extra[0] + wide
    for offset, value in values:
        if wide_at is not None and int.from_bytes(raw[offset : offset + 4], "little") == IN_EXTRA_32:
            if wide_at + 8 > extra[1]:
                raise SaveError(_DAMAGED)
            header[wide_at : wide_at + 8] = value.to_bytes(8, "little")
            wide_at += 8
        else:
            header[offset : offset + 4] = _narrow(value)
    return bytes(header)


def _ends(archive: BinaryIO, end: End, growth: int) -> Iterator[_Replacement]:
    """Changes of the records behind the directory, which state where it begins."""
    if end.offset_64 is not None:
        for offset in (end.offset_64 + 48, end.offset - LOCATOR_64.size + 8):
            stated = int.from_bytes(_read(archive, offset, offset + 8), "little")
            yield _Replacement(offset, offset + 8, (stated + growth).to_bytes(8, "little"))
    offset = end.offset + END.size - 6
    stated = int.from_bytes(_read(archive, offset, offset + 4), "little")
    if stated != IN_EXTRA_32 or end.offset_64 is None:
        yield _Replacement(offset, offset + 4, _narrow(stated + growth))


def _narrow(value: int) -> bytes:
    if value >= IN_EXTRA_32:
        raise SaveError(_TOO_LARGE)
    return value.to_bytes(4, "little")


def _read(archive: BinaryIO, start: int, end: int) -> bytes:
    archive.seek(start)
    return archive.read(end - start)


def _copy(archive: BinaryIO, start: int, end: int, out: BinaryIO) -> None:
    archive.seek(start)
    remaining = end - start
    while remaining > 0:
        chunk = archive.read(min(remaining, _CHUNK))
        if not chunk:
            raise SaveError(_DAMAGED)
        out.write(chunk)
        remaining -= len(chunk)

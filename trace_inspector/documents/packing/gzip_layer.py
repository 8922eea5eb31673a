"""Gzip: several members one after the other are one text; packed again as it was packed before."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable

from msgspec import Struct

from trace_inspector.documents.text.magic import GZIP
from trace_inspector.documents.zip.deflate import USUAL_LEVEL, deflate, level_of
from trace_inspector.documents.zip.inflate import allowance, inflate

_DEFLATE = 8
_HEADER_BYTES = 10
_TRAILER = struct.Struct("<II")
_HEADER_CHECK, _EXTRA, _NAME, _COMMENT, _UNKNOWN = 2, 4, 8, 16, 0xE0
_LEVELS = {2: 9, 4: 1}  # by the header's extra flags; others are the usual one


class Unpacked(Struct, frozen=True):
    """What a packed file holds. `end` is where its last whole member ends; `problem` says what is wrong with it."""

    data: bytes
    end: int
    problem: str = ""
    too_much: bool = False


def unpack(packed: bytes, allowed_for: int, tick: Callable[[], None]) -> Unpacked:
    """The text of a gzip file, as far as it can be read and no more than its size on disk allows."""
    view = memoryview(packed)
    room, offset = allowance(allowed_for), 0
    chunks: list[bytes] = []
    while packed[offset : offset + len(GZIP)] == GZIP:
        start = header_end(packed, offset)
        if start is None:
            return Unpacked(b"".join(chunks), offset, "a header is cut off or unknown")
        inflated = inflate(view[start:], room, tick)
        if inflated.too_much or inflated.too_dense:
            return Unpacked(b"", offset, too_much=True)
        chunks.append(inflated.data)
        room -= len(inflated.data)
        trailer = view[start + inflated.used : start + inflated.used + _TRAILER.size]
        if not inflated.whole or len(trailer) < _TRAILER.size:
            return Unpacked(b"".join(chunks), offset, "its end is missing, or it is damaged in the middle")
        if tuple(_TRAILER.unpack(trailer)) != (zlib.crc32(inflated.data), len(inflated.data) & 0xFFFF_FFFF):
            return Unpacked(b"".join(chunks), offset, "its checksum is wrong")
        offset = start + inflated.used + _TRAILER.size
    return Unpacked(b"".join(chunks), offset)


def pack(data: bytes, before: bytes) -> bytes:
    """Data as a gzip file with the header (name, time, level) and the tail of the one that was there before."""
    end = header_end(before, 0) or 0
    level = level_of(before[end:], _LEVELS.get(before[8], USUAL_LEVEL))
    return b"".join((before[:end], deflate(data, level), _TRAILER.pack(zlib.crc32(data), len(data) & 0xFFFF_FFFF)))


def header_end(packed: bytes, offset: int) -> int | None:
    """Where the packed bytes of a member begin; None when there is no whole header."""
    if len(packed) < offset + _HEADER_BYTES or packed[offset + 2] != _DEFLATE or packed[offset + 3] & _UNKNOWN:
        return None
    flags, end = packed[offset + 3], offset + _HEADER_BYTES
    if flags & _EXTRA:
        end += 2 + int.from_bytes(packed[end : end + 2], "little")
    for flag in (_NAME, _COMMENT):
        if flags & flag:
            zero = packed.find(b"\0", end)
            if zero < 0:
                return None
            end = zero + 1
    if flags & _HEADER_CHECK:
        end += 2
    return end if end <= len(packed) else None

"""Protobuf's wire format, byte by byte: tags, varints, lengths, and stepping over what nobody asked for."""

from __future__ import annotations

from trace_inspector.documents.protobuf.schema import Wire

_MOST_VARINT_BYTES = 10
_FIXED = {Wire.FIXED_64: 8, Wire.FIXED_32: 4}
_MOST_IN_GROUPS = 10_000


class Broken(Exception):
    """Bytes that cannot be protobuf here."""

    def __init__(self, at: int, why: str) -> None:
        super().__init__(why)
        self.at = at
        self.why = why


class Cut(Broken):
    """A length that leads behind the end of what holds it; `stop` is where it leads to."""

    def __init__(self, at: int, stop: int) -> None:
        super().__init__(at, f"a length leads on to byte {stop}")
        self.stop = stop


def varint(data: bytes, at: int, end: int) -> tuple[int, int]:
    """The number that begins at an offset, and the offset behind it."""
    value = shift = 0
    start = at
    while at < end:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & 0xFFFFFFFFFFFFFFFF, at
        shift += 7
        if at - start >= _MOST_VARINT_BYTES:
            raise Broken(start, "a number does not end")
    raise Cut(start, end + 1)


def span_of(data: bytes, at: int, end: int) -> tuple[int, int]:
    """Where the bytes of a field of type LENGTH begin and end."""
    size, at = varint(data, at, end)
    if at + size > end:
        raise Cut(at, at + size)
    return at, at + size


def skipped(data: bytes, tag: int, at: int, end: int) -> int:
    """The offset behind a field whose tag was just read."""
    at = _behind(data, tag, at, end)
    return _behind_group(data, tag >> 3, at, end) if tag & 7 == Wire.GROUP else at


def _behind_group(data: bytes, number: int, at: int, end: int) -> int:
    groups = [number]
    for _ in range(_MOST_IN_GROUPS):
        tag, at = varint(data, at, end)
        if tag & 7 == Wire.GROUP:
            groups.append(tag >> 3)
        elif tag & 7 == Wire.GROUP_END:
            if groups.pop() != tag >> 3:
                raise Broken(at, "a group ends that was not open")
            if not groups:
                return at
        else:
            at = _behind(data, tag, at, end)
    raise Broken(at, "a group does not end")


def _behind(data: bytes, tag: int, at: int, end: int) -> int:
    wire = tag & 7
    if tag >> 3 == 0:
        raise Broken(at, "a field has the number 0")
    if wire == Wire.VARINT:
        return varint(data, at, end)[1]
    if wire == Wire.LENGTH:
        return span_of(data, at, end)[1]
    if wire == Wire.GROUP:
        return at
    size = _FIXED.get(Wire(wire)) if wire in _FIXED else None
    if size is None:
        raise Broken(at, f"a field has the type {wire}")
    if at + size > end:
        raise Cut(at, at + size)
    return at + size

"""Protobuf's wire format, byte by byte: tags, varints, lengths, and stepping over what nobody asked for."""

from __future__ import annotations

from trace_inspector.documents.protobuf.schema import Wire

_MOST_VARINT_BYTES = 10
_FIXED = {Wire.FIXED_64: 8, Wire.FIXED_32: 4}
_MOST_IN_GROUPS = 10_000


class Broken(Exception):
    """Bytes that cannot be protobuf here."""

    def __init__(self, offset: int, why: str) -> None:
        super().__init__(why)
        self.offset = offset
        self.why = why


class CutOff(Broken):
    """A length that leads behind the end of what holds it; `stop` is where it leads to."""

    def __init__(self, offset: int, stop: int) -> None:
        super().__init__(offset, f"a length leads on to byte {stop}")
        self.stop = stop


def varint(data: bytes, offset: int, end: int) -> tuple[int, int]:
    """The number that begins at an offset, and the offset behind it."""
    value = shift = 0
    start = offset
    while offset < end:
        byte = data[offset]
        offset += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & 0xFFFFFFFFFFFFFFFF, offset
        shift += 7
        if offset - start >= _MOST_VARINT_BYTES:
            raise Broken(start, "a number does not end")
    raise CutOff(start, end + 1)


def span_of(data: bytes, offset: int, end: int) -> tuple[int, int]:
    """Where the bytes of a field of type LENGTH begin and end."""
    size, offset = varint(data, offset, end)
    if offset + size > end:
        raise CutOff(offset, offset + size)
    return offset, offset + size


def length_field(number: int, content: bytes) -> bytes:
    """A field of type LENGTH with this number."""
    return b"".join((as_varint(number << 3 | Wire.LENGTH), as_varint(len(content)), content))


def as_varint(value: int) -> bytes:
    """A number as it stands on the wire."""
    digits = bytearray()
    while value > 0x7F:
        digits.append(value & 0x7F | 0x80)
        value >>= 7
    digits.append(value)
    return bytes(digits)


def skipped(data: bytes, tag: int, offset: int, end: int) -> int:
    """The offset behind a field whose tag was just read."""
    offset = _behind(data, tag, offset, end)
    return _behind_group(data, tag >> 3, offset, end) if tag & 7 == Wire.GROUP else offset


def _behind_group(data: bytes, number: int, offset: int, end: int) -> int:
    groups = [number]
    for _ in range(_MOST_IN_GROUPS):
        tag, offset = varint(data, offset, end)
        if tag & 7 == Wire.GROUP:
            groups.append(tag >> 3)
        elif tag & 7 == Wire.GROUP_END:
            if groups.pop() != tag >> 3:
                raise Broken(offset, "a group ends that was not open")
            if not groups:
                return offset
        else:
            offset = _behind(data, tag, offset, end)
    raise Broken(offset, "a group does not end")


def _behind(data: bytes, tag: int, offset: int, end: int) -> int:
    wire = tag & 7
    if tag >> 3 == 0:
        raise Broken(offset, "a field has the number 0")
    if wire == Wire.VARINT:
        return varint(data, offset, end)[1]
    if wire == Wire.LENGTH:
        return span_of(data, offset, end)[1]
    if wire == Wire.GROUP:
        return offset
    size = _FIXED.get(Wire(wire)) if wire in _FIXED else None
    if size is None:
        raise Broken(offset, f"a field has the type {wire}")
    if offset + size > end:
        raise CutOff(offset, offset + size)
    return offset + size

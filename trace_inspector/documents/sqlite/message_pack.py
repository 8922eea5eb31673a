"""MessagePack in a cell of a database as plain values: bounded, and nothing in it is ever made an object or run.

Why this is no library: docs/decisions/0050-message-pack.md.
"""

from __future__ import annotations

import struct
from collections.abc import Callable

from msgspec import Struct

from trace_inspector.core.values.values import Json, JsonObject

_DEEPEST = 100
_LONGEST_HEX = 64


_MOST_REMEMBERED_BYTES = 1 << 27
_TOLD_APART_BYTES = 64  # of the beginning of a list
_LEAST_ITEMS = 4


class NoMessagePack(ValueError):
    """The bytes are no whole MessagePack value, or one beyond the bounds."""


class _SeenList(Struct, frozen=True):
    body: bytes
    items: list[Json]
    count: int  # of all values in it


class SeenValues:
    """Lists and extensions of earlier cells: a checkpoint repeats all messages of the one before it.

    What comes again is the same object, so that nobody may change one, and a list that goes on costs what is new.
    """

    def __init__(self) -> None:
        self._extensions: dict[tuple[int, int, bytes], tuple[JsonObject, int]] = {}
        self._lists: dict[tuple[int, bytes], _SeenList] = {}
        self._bytes = 0

    def extension(self, kind: int, depth: int, raw: bytes) -> tuple[JsonObject, int] | None:
        """An extension and how many values are in it; the depth counts, as values may be too deep."""
        return self._extensions.get((kind, depth, raw))

    def add_extension(self, kind: int, depth: int, raw: bytes, value: JsonObject, count: int) -> None:
        """Remember an extension."""
        self._make_room(len(raw))
        self._extensions[kind, depth, raw] = value, count

    def beginning(self, depth: int, data: bytes, start: int, length: int) -> _SeenList | None:
        """The last list that began alike, if one of this length goes on from all of it."""
        seen = self._lists.get((depth, data[start : start + _TOLD_APART_BYTES]))
        return seen if seen and len(seen.items) <= length and data.startswith(seen.body, start) else None

    def add_list(self, depth: int, body: bytes, items: list[Json], count: int) -> None:
        """Remember a list instead of the last one that began alike."""
        if len(items) >= _LEAST_ITEMS:
            self._make_room(len(body))
            self._lists[depth, body[:_TOLD_APART_BYTES]] = _SeenList(body, items, count)

    def _make_room(self, size: int) -> None:
        """Forget all where it would take too much."""
        self._bytes += size
        if self._bytes > _MOST_REMEMBERED_BYTES:
            self._extensions.clear()
            self._lists.clear()
            self._bytes = size


def unpacked(data: bytes, most_values: int, seen: SeenValues | None = None) -> tuple[Json, int]:
    """The value of MessagePack, and how many values are in it. NoMessagePack for anything else, and for too many.

    An extension is an object with its number under "extension" and what is in it under "value". What was `seen`
    before is the same object.
    """
    reader = _Reader(data, most_values, seen)
    value = reader.value(0)
    if reader.position != len(data):
        raise NoMessagePack("There is more after the value.")
    return value, reader.count


class _Reader:
    def __init__(self, data: bytes, most_values: int, seen: SeenValues | None = None) -> None:
        self._data = data
        self._most = most_values
        self._seen = seen
        self.position = 0
        self.count = 0

    def value(self, depth: int) -> Json:
        """The value at the position."""
        self.count += 1
        if depth > _DEEPEST or self.count > self._most:
            raise NoMessagePack("It holds too much.")
        head = self._take(1)[0]
        if head < 0x80:
            return head
        if head >= 0xE0:
            return head - 0x100
        if head < 0x90:
            return self._map(head & 0x0F, depth)
        if head < 0xA0:
            return self._list(head & 0x0F, depth)
        if head < 0xC0:
            return self._text(head & 0x1F)
        read = _READERS.get(head)
        if read is None:
            raise NoMessagePack("A byte begins no value.")
        return read(self, depth)

    def number(self, layout: str) -> int:
        """A whole number that says a length or stands for itself."""
        (number,) = struct.unpack(layout, self._take(struct.calcsize(layout)))
        return int(number)

    def real(self, layout: str) -> float:
        """A number with a fraction."""
        (number,) = struct.unpack(layout, self._take(struct.calcsize(layout)))
        return float(number)

    def _take(self, length: int) -> bytes:
        end = self.position + length
        if end > len(self._data):
            raise NoMessagePack("It ends too early.")
        piece = self._data[self.position : end]
        self.position = end
        return piece

    def _text(self, length: int) -> str:
        return self._take(length).decode("utf-8", "replace")

    def _bytes(self, length: int) -> str:
        raw = self._take(length)
        return raw.hex() if len(raw) <= _LONGEST_HEX else f"({len(raw)} bytes, not shown)"

    def _list(self, length: int, depth: int) -> Json:
        if self._seen is None or length < _LEAST_ITEMS:
            return [self.value(depth + 1) for _ in range(length)]
        start, before, items = self.position, self.count, list[Json]()
        if (known := self._seen.beginning(depth, self._data, start, length)) is not None:
            self.position += len(known.body)
            self._add_to_count(known.count)
            items += known.items
        items += [self.value(depth + 1) for _ in range(length - len(items))]
        self._seen.add_list(depth, self._data[start : self.position], items, self.count - before)
        return items

    def _map(self, length: int, depth: int) -> Json:
        pairs: JsonObject = {}
        for _ in range(length):
            key = self.value(depth + 1)
            pairs[key if isinstance(key, str) else repr(key)] = self.value(depth + 1)
        return pairs

    def _add_to_count(self, count: int) -> None:
        self.count += count
        if self.count > self._most:
            raise NoMessagePack("It holds too much.")

    def _extension(self, length: int, depth: int) -> Json:
        (kind,) = struct.unpack("b", self._take(1))
        begin = self.position
        raw = self._take(length)
        if self._seen is not None and (known := self._seen.extension(kind, depth, raw)) is not None:
            self._add_to_count(known[1])
            return known[0]
        inner = _Reader(raw, self._most - self.count)
        try:
            value = inner.value(depth + 1)
            if inner.position != length:
                raise NoMessagePack("There is more after the value.")
        except NoMessagePack:
            if inner.count + self.count > self._most or depth + 1 > _DEEPEST:
                raise
            self.position = begin
            return {"extension": int(kind), "value": self._bytes(length)}
        self.count += inner.count
        extension: JsonObject = {"extension": int(kind), "value": value}
        if self._seen is not None:
            self._seen.add_extension(kind, depth, raw, extension, inner.count)
        return extension


def _sized(read: Callable[[_Reader, int, int], Json], layout: str) -> Callable[[_Reader, int], Json]:
    return lambda reader, depth: read(reader, reader.number(layout), depth)


def _fixed(length: int) -> Callable[[_Reader, int], Json]:
    return lambda reader, depth: reader._extension(length, depth)


def _number(layout: str) -> Callable[[_Reader, int], Json]:
    return lambda reader, _depth: reader.number(layout)


def _of_text(reader: _Reader, length: int, _depth: int) -> Json:
    return reader._text(length)


def _of_bytes(reader: _Reader, length: int, _depth: int) -> Json:
    return reader._bytes(length)


_READERS: dict[int, Callable[[_Reader, int], Json]] = {
    0xC0: lambda _reader, _depth: None,
    0xC2: lambda _reader, _depth: False,
    0xC3: lambda _reader, _depth: True,
    0xC4: _sized(_of_bytes, ">B"),
    0xC5: _sized(_of_bytes, ">H"),
    0xC6: _sized(_of_bytes, ">I"),
    0xC7: _sized(_Reader._extension, ">B"),
    0xC8: _sized(_Reader._extension, ">H"),
    0xC9: _sized(_Reader._extension, ">I"),
    0xCA: lambda reader, _depth: reader.real(">f"),
    0xCB: lambda reader, _depth: reader.real(">d"),
    **{
        0xCC + index: _number(layout) for index, layout in enumerate((">B", ">H", ">I", ">Q", ">b", ">h", ">i", ">q"))
    },
    **{0xD4 + index: _fixed(1 << index) for index in range(5)},
    0xD9: _sized(_of_text, ">B"),
    0xDA: _sized(_of_text, ">H"),
    0xDB: _sized(_of_text, ">I"),
    0xDC: _sized(_Reader._list, ">H"),
    0xDD: _sized(_Reader._list, ">I"),
    0xDE: _sized(_Reader._map, ">H"),
    0xDF: _sized(_Reader._map, ">I"),
}

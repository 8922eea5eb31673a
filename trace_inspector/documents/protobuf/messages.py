"""Messages of OTLP as protobuf's JSON has them: ids in hex, numbers exact, and what is damaged left out and named."""

from __future__ import annotations

import base64
import math
import struct
from collections.abc import Callable

from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.documents.protobuf.notes import Notes
from trace_inspector.documents.protobuf.schema import KEY_VALUE, Kind, Known, Shape, Wire
from trace_inspector.documents.protobuf.wire import Broken, Cut, skipped, span_of, varint

MAX_DEPTH = 100  # the limit of protobuf's own readers
_BYTES_PER_TICK = 1 << 16
# Attributes and names repeat: the same bytes give the same value, which nobody changes.
_MOST_KEPT, _LONGEST_KEPT = 1 << 14, 80


def budget_for(size: int) -> int:
    """How many messages are made of a file: several times what exporters write, a fraction of what could be made up.

    A message takes about 200 bytes of memory, and two bytes of a file can be one.
    """
    return 200_000 + size // 6


class MessageReader:
    """Reads messages out of bytes. `notes` says what was odd about them."""

    def __init__(self, data: bytes, tick: Callable[[], None]) -> None:
        self.notes = Notes(len(data))
        self._data = data
        self._tick = tick
        self._left = budget_for(len(data))
        self._next_tick = 0
        self._kept: dict[bytes, JsonObject] = {}
        self._words: dict[bytes, str] = {}
        self._lengths: dict[Kind, Callable[[int, int], Json]] = {
            Kind.TEXT: self._text,
            Kind.ID: lambda at, stop: data[at:stop].hex(),
            Kind.BYTES: lambda at, stop: base64.b64encode(data[at:stop]).decode(),
        }

    @property
    def is_over(self) -> bool:
        """Whether more messages were asked for than are made of one file."""
        return self._left < 0

    def container(self, at: int, end: int, shape: Shape) -> JsonObject:
        """A message that goes on: everything in it that is whole."""
        self._left -= 1
        value: JsonObject = {}
        while at < end and not self.is_over:
            if at >= self._next_tick:
                self._pause(at)
            known, at, stop = self._next(at, end, shape)
            if known is None:
                at = stop
                continue
            try:
                _put(value, known, self._member(known, at, stop))
            except Broken as problem:
                if not self.is_over:
                    self.notes.broken(known, problem)
            at = stop
        return value

    def _pause(self, at: int) -> None:
        self._tick()
        self._next_tick = at + _BYTES_PER_TICK

    def _next(self, at: int, end: int, shape: Shape) -> tuple[Known | None, int, int]:
        """The next field that a container has, and its extent; where nothing more can be told, the end."""
        known: Known | None = None
        try:
            tag, at = varint(self._data, at, end)
            known = shape.fields.get(tag)
            if known is None:
                at = skipped(self._data, tag, at, end)
                self.notes.unknown(shape, tag)
                return None, at, at
            at, stop = span_of(self._data, at, end)
        except Cut as problem:
            if end < len(self._data):
                self.notes.broken_off(shape, problem)
            else:
                self.notes.cut(problem.stop)
                if known and known.shape and known.shape.goes_on:
                    return known, min(problem.at, end), end
        except Broken as problem:
            self.notes.broken_off(shape, problem)
        else:
            return known, at, stop
        return None, end, end

    def _member(self, known: Known, at: int, stop: int) -> Json:
        if known.shape is None:
            return self._text(at, stop)
        return self.container(at, stop, known.shape) if known.shape.goes_on else self._whole(at, stop, known.shape, 0)

    def _whole(self, at: int, end: int, shape: Shape, depth: int) -> JsonObject:
        """A message that is left out unless all of it can be read."""
        self._left -= 1
        if self._left < 0:
            raise Broken(at, "the file holds more values than are read")
        data, fields = self._data, shape.fields
        value: JsonObject = {}
        while at < end:
            if at >= self._next_tick:
                self._pause(at)
            tag = data[at]
            if tag < 0x80:
                at += 1
            else:
                tag, at = varint(data, at, end)
            known = fields.get(tag)
            if known is None:
                at = skipped(data, tag, at, end)
                self.notes.unknown(shape, tag)
                continue
            item, at = self._item(known, at, end, depth) if tag & 7 == 2 else self._number(known.kind, at, end)
            if shape.is_choice:
                value.clear()
            _put(value, known, item)
        return value

    def _item(self, known: Known, at: int, end: int, depth: int) -> tuple[Json, int]:
        if at < end and self._data[at] < 0x80:  # the length, nearly always
            stop = at + 1 + self._data[at]
            at += 1
            if stop > end:
                raise Cut(at, stop)
        else:
            at, stop = span_of(self._data, at, end)
        if known.shape is None:
            return self._lengths[known.kind](at, stop), stop
        return self._below(at, stop, known.shape, depth), stop

    def _below(self, at: int, stop: int, shape: Shape, depth: int) -> Json:
        if shape is KEY_VALUE and stop - at <= _LONGEST_KEPT:
            raw = self._data[at:stop]
            found = self._kept.get(raw)
            if found is None:
                found = self._whole(at, stop, shape, depth + 1)
                if len(self._kept) < _MOST_KEPT:
                    self._kept[raw] = found
            return found
        if depth >= MAX_DEPTH:
            self.notes.too_deep(at)
            return None
        return self._whole(at, stop, shape, depth + 1)

    def _number(self, kind: Kind, at: int, end: int) -> tuple[Json, int]:
        wire, _name = kind.value
        if wire == Wire.VARINT:
            number, at = varint(self._data, at, end)
            return _meant(kind, number), at
        stop = at + (8 if wire == Wire.FIXED_64 else 4)
        if stop > end:
            raise Cut(at, stop)
        if kind is Kind.DOUBLE:
            (real,) = struct.unpack_from("<d", self._data, at)
            return _finite(real), stop
        return int.from_bytes(self._data[at:stop], "little"), stop

    def _text(self, at: int, stop: int) -> str:
        raw = self._data[at:stop]
        found = self._words.get(raw)
        if found is not None:
            return found
        try:
            text = raw.decode()
        except UnicodeDecodeError as problem:
            self.notes.not_text(at + problem.start)
            return raw.decode("utf-8", "surrogateescape")
        if len(raw) <= _LONGEST_KEPT and len(self._words) < _MOST_KEPT:
            self._words[raw] = text
        return text


def _put(value: JsonObject, known: Known, item: Json) -> None:
    if not known.repeated:
        value[known.name] = item
        return
    listed = value.get(known.name)
    if isinstance(listed, list):
        listed.append(item)
    else:
        value[known.name] = [item]


def _meant(kind: Kind, number: int) -> Json:
    if kind is Kind.TRUTH:
        return number != 0
    return number - (1 << 64) if kind is Kind.SIGNED and number >> 63 else number


def _finite(real: float) -> Json:
    """A number, or the word with which protobuf's JSON writes what JSON has no number for."""
    if math.isfinite(real):
        return real
    return "NaN" if math.isnan(real) else "Infinity" if real > 0 else "-Infinity"

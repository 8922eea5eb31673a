"""Messages of OTLP as protobuf's JSON has them: ids in hex, numbers exact, and what is damaged left out and named."""

from __future__ import annotations

import base64
import math
import struct
from collections.abc import Callable

from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.documents.protobuf.notes import Notes
from trace_inspector.documents.protobuf.schema import KEY_VALUE, FieldKind, FieldType, MessageType, Wire
from trace_inspector.documents.protobuf.wire import Broken, CutOff, skipped, span_of, varint

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
    """Reads messages out of bytes. `notes` says what was odd about them.

    With `long_as_text`, numbers of 64 bits are texts, as protobuf's JSON writes them for readers that round.
    """

    def __init__(self, data: bytes, tick: Callable[[], None], *, long_as_text: bool = False) -> None:
        self.notes = Notes(len(data))
        self._data = data
        self._tick = tick
        self._long: Callable[[int], Json] = str if long_as_text else int
        self._remaining = budget_for(len(data))
        self._next_tick = 0
        self._kept: dict[bytes, JsonObject] = {}
        self._words: dict[bytes, str] = {}
        self._lengths: dict[FieldKind, Callable[[int, int], Json]] = {
            FieldKind.TEXT: self._text,
            FieldKind.ID: lambda start, stop: data[start:stop].hex(),
            FieldKind.BYTES: lambda start, stop: base64.b64encode(data[start:stop]).decode(),
        }

    @property
    def is_over(self) -> bool:
        """Whether more messages were asked for than are made of one file."""
        return self._remaining < 0

    def container(self, offset: int, end: int, message_type: MessageType) -> JsonObject:
        """A message that goes on: everything in it that is whole."""
        self._remaining -= 1
        value: JsonObject = {}
        while offset < end and not self.is_over:
            if offset >= self._next_tick:
                self._pause(offset)
            field, offset, stop = self._next(offset, end, message_type)
            if field is None:
                offset = stop
                continue
            try:
                _put(value, field, self._member(field, offset, stop))
            except Broken as problem:
                if not self.is_over:
                    self.notes.broken(field, problem)
            offset = stop
        return value

    def _pause(self, offset: int) -> None:
        self._tick()
        self._next_tick = offset + _BYTES_PER_TICK

    def _next(self, offset: int, end: int, message_type: MessageType) -> tuple[FieldType | None, int, int]:
        """The next field that a container has, and its extent; the end where nothing more can be read."""
        field: FieldType | None = None
        try:
            tag, offset = varint(self._data, offset, end)
            field = message_type.fields.get(tag)
            if field is None:
                offset = skipped(self._data, tag, offset, end)
                self.notes.unknown(message_type, tag)
                return None, offset, offset
            offset, stop = span_of(self._data, offset, end)
        except CutOff as problem:
            if end < len(self._data):
                self.notes.broken_off(message_type, problem)
            else:
                self.notes.cut(problem.stop)
                if field and field.message_type and field.message_type.goes_on:
                    return field, min(problem.offset, end), end
        except Broken as problem:
            self.notes.broken_off(message_type, problem)
        else:
            return field, offset, stop
        return None, end, end

    def _member(self, field: FieldType, start: int, stop: int) -> Json:
        if field.message_type is None:
            return self._text(start, stop)
        return (
            self.container(start, stop, field.message_type)
            if field.message_type.goes_on
            else self._whole(start, stop, field.message_type, 0)
        )

    def _whole(self, offset: int, end: int, message_type: MessageType, depth: int) -> JsonObject:
        """A message that is left out unless all of it can be read."""
        self._remaining -= 1
        if self._remaining < 0:
            raise Broken(offset, "the file holds more values than are read")
        data, fields = self._data, message_type.fields
        value: JsonObject = {}
        while offset < end:
            if offset >= self._next_tick:
                self._pause(offset)
            tag = data[offset]
            if tag < 0x80:
                offset += 1
            else:
                tag, offset = varint(data, offset, end)
            field = fields.get(tag)
            if field is None:
                offset = skipped(data, tag, offset, end)
                self.notes.unknown(message_type, tag)
                continue
            item, offset = (
                self._item(field, offset, end, depth) if tag & 7 == 2 else self._number(field.kind, offset, end)
            )
            if message_type.is_choice:
                value.clear()
            _put(value, field, item)
        return value

    def _item(self, field: FieldType, offset: int, end: int, depth: int) -> tuple[Json, int]:
        if offset < end and self._data[offset] < 0x80:  # the length, nearly always
            stop = offset + 1 + self._data[offset]
            offset += 1
            if stop > end:
                raise CutOff(offset, stop)
        else:
            offset, stop = span_of(self._data, offset, end)
        if field.message_type is None:
            return self._lengths[field.kind](offset, stop), stop
        return self._below(offset, stop, field.message_type, depth), stop

    def _below(self, start: int, stop: int, message_type: MessageType, depth: int) -> Json:
        if message_type is KEY_VALUE and stop - start <= _LONGEST_KEPT:
            raw = self._data[start:stop]
            value = self._kept.get(raw)
            if value is None:
                value = self._whole(start, stop, message_type, depth + 1)
                if len(self._kept) < _MOST_KEPT:
                    self._kept[raw] = value
            return value
        if depth >= MAX_DEPTH:
            self.notes.too_deep(start)
            return None
        return self._whole(start, stop, message_type, depth + 1)

    def _number(self, kind: FieldKind, offset: int, end: int) -> tuple[Json, int]:
        wire, _name = kind.value
        if wire == Wire.VARINT:
            number, offset = varint(self._data, offset, end)
            return self._meant(kind, number), offset
        stop = offset + (8 if wire == Wire.FIXED_64 else 4)
        if stop > end:
            raise CutOff(offset, stop)
        if kind is FieldKind.DOUBLE:
            (real,) = struct.unpack_from("<d", self._data, offset)
            return _finite(real), stop
        integer = int.from_bytes(self._data[offset:stop], "little")
        return self._long(integer) if wire == Wire.FIXED_64 else integer, stop

    def _meant(self, kind: FieldKind, number: int) -> Json:
        if kind is FieldKind.TRUTH:
            return number != 0
        if kind is FieldKind.SIGNED:
            return self._long(number - (1 << 64) if number >> 63 else number)
        return number

    def _text(self, start: int, stop: int) -> str:
        raw = self._data[start:stop]
        cached = self._words.get(raw)
        if cached is not None:
            return cached
        try:
            text = raw.decode()
        except UnicodeDecodeError as problem:
            self.notes.not_text(start + problem.start)
            return raw.decode("utf-8", "surrogateescape")
        if len(raw) <= _LONGEST_KEPT and len(self._words) < _MOST_KEPT:
            self._words[raw] = text
        return text


def _put(value: JsonObject, field: FieldType, item: Json) -> None:
    if not field.repeated:
        value[field.name] = item
        return
    listed = value.get(field.name)
    if isinstance(listed, list):
        listed.append(item)
    else:
        value[field.name] = [item]


def _finite(real: float) -> Json:
    """A number, or the word with which protobuf's JSON writes what JSON has no number for."""
    if math.isfinite(real):
        return real
    return "NaN" if math.isnan(real) else "Infinity" if real > 0 else "-Infinity"

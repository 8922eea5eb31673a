"""Places in plain documents: skips what is not requested, looks into what is. Builds no values."""

from __future__ import annotations

import re

from trace_inspector.core.values.pointer import index_of
from trace_inspector.documents.base.json_syntax import COLON, COMMA, SPACE, STRING, strict_end
from trace_inspector.documents.json.scalars import unescaped
from trace_inspector.documents.text.requested_places import Place, Watch, looks_inside

_OPEN_OBJECT, _CLOSE_OBJECT, _OPEN_ARRAY, _CLOSE_ARRAY = b"{}[]"


class Skipper:
    """Finds places in bytes that must be strict JSON without duplicate keys.

    It recurses, which is safe: the fast reader takes nothing that is nested deeper than 200.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data

    def document(self, start: int, watch: Watch) -> None:
        """Fill in the places of the one document that begins after white space at `start`."""
        offset = self._after(SPACE, start)
        self._value(offset, offset, watch, needs_end=False)

    def value(self, start: int, watch: Watch) -> None:
        """Fill in the places of the value that begins just there."""
        self._value(start, start, watch, needs_end=False)

    def documents(self, start: int, watch: Watch) -> None:
        """Fill in the places of documents that follow each other; the first token of a pointer counts them."""
        self._elements(self._after(SPACE, start), watch, needs_end=False)

    def _value(self, member: int, start: int, watch: Watch, *, needs_end: bool) -> int:
        """Where the value ends; or where it begins, if nobody needs its end."""
        needs_end = needs_end or watch.requested
        mark = self._data[start]
        if looks_inside(watch) and mark == _OPEN_OBJECT:
            end = self._members(start, watch, needs_end=needs_end)
        elif looks_inside(watch) and mark == _OPEN_ARRAY:
            end = self._elements(self._after(SPACE, start + 1), watch, needs_end=needs_end)
        else:
            end = self._end(start, needs_end)
        watch.place = Place(member, start, end)
        return end

    def _members(self, offset: int, watch: Watch, *, needs_end: bool) -> int:
        remaining = dict(watch.children)
        begin, offset = offset, self._after(SPACE, offset + 1)
        while self._data[offset] != _CLOSE_OBJECT:
            key_end = self._after(STRING, offset)
            value = self._after(COLON, key_end)
            child = remaining.pop(unescaped(self._data[offset:key_end]), None) if remaining else None
            goes_on = needs_end or bool(remaining) or watch.members is not None
            end = self._value(offset, value, child, needs_end=goes_on) if child else self._end(value, goes_on)
            if not goes_on:
                return begin
            if watch.members is not None:
                watch.members.append(Place(offset, value, end))
            offset = self._after(COMMA, end)
        return offset + 1

    def _elements(self, offset: int, watch: Watch, *, needs_end: bool) -> int:
        by_index = {index: child for token, child in watch.children.items() if (index := index_of(token)) is not None}
        last = max(by_index, default=-1)
        begin, number = offset, 0
        while offset < len(self._data) and self._data[offset] != _CLOSE_ARRAY:
            goes_on = needs_end or number < last or watch.members is not None
            child = by_index.get(number)
            end = self._value(offset, offset, child, needs_end=goes_on) if child else self._end(offset, goes_on)
            if not goes_on:
                return begin
            if watch.members is not None:
                watch.members.append(Place(offset, offset, end))
            offset = self._after(COMMA, end)
            number += 1
        return offset + 1

    def _end(self, start: int, is_needed: bool) -> int:
        return (strict_end(self._data, start, len(self._data)) or len(self._data)) if is_needed else start

    def _after(self, token: re.Pattern[bytes], offset: int) -> int:
        match = token.match(self._data, offset)
        return match.end() if match else offset

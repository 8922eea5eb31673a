"""Places in plain documents: step over what is not asked for, look into what is. Builds no values."""

from __future__ import annotations

import re

from trace_inspector.core.values.pointer import index_of
from trace_inspector.documents.base.json_syntax import COLON, COMMA, SPACE, STRING, strict_end
from trace_inspector.documents.json.scalars import unescaped
from trace_inspector.documents.text.stamps import Place, Watch, looks_inside

_OPEN_OBJECT, _CLOSE_OBJECT, _OPEN_ARRAY, _CLOSE_ARRAY = b"{}[]"


class Steps:
    """A walk through bytes that must be strict JSON without duplicate keys.

    It recurses, which is safe: the fast reader takes nothing that is nested deeper than 200.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data

    def document(self, start: int, watch: Watch) -> None:
        """Fill in the places of the one document that begins after white space at `start`."""
        at = self._after(SPACE, start)
        self._value(at, at, watch, needs_end=False)

    def value(self, start: int, watch: Watch) -> None:
        """Fill in the places of the value that begins just there."""
        self._value(start, start, watch, needs_end=False)

    def documents(self, start: int, watch: Watch) -> None:
        """Fill in the places of documents that follow each other; the first token of a pointer counts them."""
        self._elements(self._after(SPACE, start), watch, needs_end=False)

    def _value(self, member: int, at: int, watch: Watch, *, needs_end: bool) -> int:
        """Where the value ends; or where it begins, if nobody needs its end."""
        needs_end = needs_end or watch.wanted
        mark = self._data[at]
        if looks_inside(watch) and mark == _OPEN_OBJECT:
            end = self._members(at, watch, needs_end=needs_end)
        elif looks_inside(watch) and mark == _OPEN_ARRAY:
            end = self._elements(self._after(SPACE, at + 1), watch, needs_end=needs_end)
        else:
            end = self._end(at, needs_end)
        watch.place = Place(member, at, end)
        return end

    def _members(self, at: int, watch: Watch, *, needs_end: bool) -> int:
        left = dict(watch.children)
        begin, at = at, self._after(SPACE, at + 1)
        while self._data[at] != _CLOSE_OBJECT:
            key_end = self._after(STRING, at)
            value = self._after(COLON, key_end)
            child = left.pop(unescaped(self._data[at:key_end]), None) if left else None
            goes_on = needs_end or bool(left) or watch.members is not None
            end = self._value(at, value, child, needs_end=goes_on) if child else self._end(value, goes_on)
            if not goes_on:
                return begin
            if watch.members is not None:
                watch.members.append(Place(at, value, end))
            at = self._after(COMMA, end)
        return at + 1

    def _elements(self, at: int, watch: Watch, *, needs_end: bool) -> int:
        wanted = {index: child for token, child in watch.children.items() if (index := index_of(token)) is not None}
        last = max(wanted, default=-1)
        begin, number = at, 0
        while at < len(self._data) and self._data[at] != _CLOSE_ARRAY:
            goes_on = needs_end or number < last or watch.members is not None
            child = wanted.get(number)
            end = self._value(at, at, child, needs_end=goes_on) if child else self._end(at, goes_on)
            if not goes_on:
                return begin
            if watch.members is not None:
                watch.members.append(Place(at, at, end))
            at = self._after(COMMA, end)
            number += 1
        return at + 1

    def _end(self, at: int, is_needed: bool) -> int:
        return (strict_end(self._data, at, len(self._data)) or len(self._data)) if is_needed else at

    def _after(self, token: re.Pattern[bytes], at: int) -> int:
        found = token.match(self._data, at)
        return found.end() if found else at

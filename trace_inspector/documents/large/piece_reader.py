"""Reads a large document piece by piece: what is parsed at once stays small, whatever the size of the file."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator
from typing import Final, TypeAlias

from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.documents.base.json_syntax import (
    COLON,
    SPACE,
    SPACE_OR_COMMENT,
    STRING,
    Bytes,
    quick_end,
    strict_end,
)
from trace_inspector.documents.json.strict import fast_value
from trace_inspector.documents.json.tolerant import TolerantReader
from trace_inspector.documents.large.pieces import Piece, Shape
from trace_inspector.documents.text.warnings import MAX_FINDINGS, Oddity

MAX_VALUE_BYTES = 1 << 28  # one that cannot be cut must end within this
MAX_BROKEN_BYTES = 1 << 26  # so much of what is never closed is read by hand
_GUESSES = 3
_LONGEST_SEAM = 512
_SCALAR = rb'(?:"[^"\\]*+"|[^"\\,\[\]{}]++)'
# Two keys of the next member, where the value of the first is a scalar.
_SEAM = re.compile(rb'([}\]]\s*+,\s*+\{\s*+"[^"\\]*+"\s*+:\s*+)(?:' + _SCALAR + rb'(\s*+,\s*+"[^"\\]*+"\s*+:))?')
_OPEN_OBJECT, _CLOSE_OBJECT, _OPEN_ARRAY, _CLOSE_ARRAY = b"{}[]"
_COMMA, _SLASH = b",/"
_END: Final = -1
_EndOf: TypeAlias = Callable[[Bytes, int, int], int | None]


class PieceReader:
    """One pass over the bytes of a document, cut by a shape. What is odd is noted as the other readers do.

    About `group_bytes` are parsed at once; a value larger than `cut_bytes` is cut where its shape allows it. Without
    `unique` nobody looks for duplicate keys, which takes as long as reading and changes no value.
    """

    def __init__(
        self,
        data: Bytes,
        shape: Shape,
        tick: Callable[[], None],
        *,
        group_bytes: int,
        cut_bytes: int,
        unique: bool = True,
    ) -> None:
        self.odd: list[Oddity] = []
        self.hidden = 0
        self._data = data
        self._size = len(data)
        self._shape = shape
        self._group_bytes = group_bytes
        self._cut_bytes = cut_bytes
        self._tick = tick
        self._unique = unique
        self._is_lost = False  # what follows makes no sense, or the file ended too early: said once
        self._attempts = 2 * self._size  # bytes to be searched for the ends of values that have none

    def document(self, start: int) -> Iterator[Piece]:
        """The one document of the file, which begins at an offset behind white space."""
        at = yield from self._single(self._space(start), "")
        at = self._space(at)
        if at < self._size and not self._is_lost:
            self._note("unexpected-mark", at)

    def lines(self, start: int) -> Iterator[Piece]:
        """Documents in lines of their own, as members of one list."""
        shape = self._shape.items or Shape()
        number = 0
        while start < self._size:
            self._tick()
            end = self._data.find(b"\n", start) + 1 or self._size
            if end - start > self._cut_bytes and _is_cut(shape, self._mark(self._space(start))):
                whole, self._size = self._size, end  # a line that is cut off spoils only itself
                yield from self._single(self._space(start), f"/{number}", shape)
                self._size = whole
                number += 1
            elif end - start > MAX_VALUE_BYTES:
                self._note("too-large", start, f"/{number}")
                number += 1
            elif values := self._line(start, end, number):
                yield Piece(shape.level, values, "", number, {}, start, end)
                number += len(values)
            start, self._is_lost = end, False

    def _line(self, start: int, end: int, number: int) -> list[Json]:
        line = self._data[start:end].rstrip()
        try:
            return [fast_value(line, unique=self._unique)] if line else []
        except ValueError:
            return self._by_hand(start, start + len(line), "", number)[0]

    def _single(self, at: int, place: str, shape: Shape | None = None) -> Generator[Piece, None, int]:
        """One value on its own, cut or whole; returns where it ends."""
        shape = shape or self._shape
        is_cut = _is_cut(shape, self._mark(at))
        end = self._near_end(at, is_cut=is_cut)
        if end is None and is_cut:
            value, end = yield from self._cut(at, place, shape, {})
        else:
            value, end = self._value(at, end, place)
        yield Piece(shape.level, [value], place, None, {}, at, end)
        return end

    def _cut(self, at: int, place: str, shape: Shape, around: JsonObject) -> Generator[Piece, None, tuple[Json, int]]:
        """What a value holds in pieces; returns the rest of it, and where it ends."""
        if self._mark(at) == _OPEN_ARRAY and shape.items:
            end = yield from self._list(at, place, shape.items, around)
            return [], end
        return (yield from self._object(at, place, shape))

    def _object(self, at: int, place: str, shape: Shape) -> Generator[Piece, None, tuple[Json, int]]:
        rest: JsonObject = {}
        at = self._separator(at + 1)
        while self._mark(at) not in (_CLOSE_OBJECT, _END):
            key_end = found.end() if (found := STRING.match(self._data, at, self._size)) else at
            colon = COLON.match(self._data, key_end)
            key = self._value(at, key_end, place)[0] if colon and key_end > at else None
            if colon is None or not isinstance(key, str):
                at = self._lost(at)
                break
            if key in rest:
                self._note("duplicate-key", at, place)
            at, inner = colon.end(), join(place, key)
            child = shape.keys.get(key)
            if child and _is_cut(child, self._mark(at)):
                rest[key] = []
                rest[key], at = yield from self._cut(at, inner, child, rest)
            else:
                rest[key], at = self._value(at, None, inner)
            at = self._separator(at)
        return rest, self._closed(at)

    def _list(self, at: int, place: str, item: Shape, around: JsonObject) -> Generator[Piece, None, int]:
        index = 0
        at = self._separator(at + 1)
        seam, is_guessed = None, True
        while self._mark(at) not in (_CLOSE_ARRAY, _END):
            self._tick()
            if self._mark(at) in b"}:":
                at = self._lost(at)
                break
            is_cut = _is_cut(item, self._mark(at))
            end = self._near_end(at, is_cut=is_cut)
            if end is None and is_cut:
                value, end = yield from self._cut(at, f"{place}/{index}", item, {})
                values = [value]
            elif end is None:
                value, end = self._value(at, None, f"{place}/{index}", seam)
                values = [value]
            else:
                seam = self._seam(end) or seam
                group = self._guessed(at, end, seam) if is_guessed else None
                is_guessed = group is not None or end - at >= self._group_bytes
                values, end = group or self._stepped(at, end, seam, place, index)
            yield Piece(item.level, values, place, index, around, at, end)
            index += len(values)
            at = self._separator(end)
        return self._closed(at)

    def _seam(self, end: int) -> re.Pattern[bytes] | None:
        """What stands between two members that are objects: from a bracket to the second key behind the next one."""
        found = _SEAM.match(self._data, end - 1, min(end + _LONGEST_SEAM, self._size))
        if found is None:
            return None
        before, after = found.groups()
        return re.compile(re.escape(before) + (_SCALAR + re.escape(after) if after else b""))

    def _guessed(self, at: int, end: int, seam: re.Pattern[bytes] | None) -> tuple[list[Json], int] | None:
        """Members from `at` on, the first of which ends at `end`, and where the last one ends.

        Where they end is guessed by the look of their seams; that what is before parses proves the guess. Where the
        members of an inner list look the same, one failed guess is enough.
        """
        guess = at + self._group_bytes
        for _ in range(_GUESSES if seam and end < guess else 0):
            found = seam.search(self._data, guess, min(at + self._cut_bytes, self._size)) if seam else None
            if not found:
                break
            guess = found.start() + 1
            try:
                values = fast_value(b"[" + self._data[at:guess] + b"]", unique=self._unique)
            except ValueError:
                continue
            if isinstance(values, list):
                return values, guess
        return None

    def _stepped(
        self, at: int, end: int, seam: re.Pattern[bytes] | None, place: str, index: int
    ) -> tuple[list[Json], int]:
        members = [(at, end)]
        while end - at < self._group_bytes:
            comma = self._space(end)
            begin = self._space(comma + 1)
            if self._mark(comma) != _COMMA or self._mark(begin) in (_CLOSE_ARRAY, _COMMA, _END, _SLASH):
                break
            found = self._near_end(begin)
            if found is None:
                break
            end = found
            members.append((begin, end))
        try:
            values = fast_value(b"[" + self._data[at:end] + b"]", unique=self._unique)
        except ValueError:
            values = None
        if isinstance(values, list) and len(values) == len(members):
            return values, end
        values = []
        for number, (start, stop) in enumerate(members, index):
            value, end = self._value(start, stop, f"{place}/{number}", seam)
            values.append(value)
            if end != stop:
                break
        return values, end

    def _value(self, at: int, end: int | None, place: str, seam: re.Pattern[bytes] | None = None) -> tuple[Json, int]:
        """One value that is not cut, and where it ends."""
        end = end or self._far_end(at)
        if end is None:
            found = seam.search(self._data, at + 1, self._size) if seam else None
            end = found.start() + 1 if found else self._size
            if end - at > MAX_BROKEN_BYTES:
                return None, self._lost(at)
        try:
            return fast_value(self._data[at:end], unique=self._unique), end
        except ValueError:
            values, first_end = self._by_hand(at, min(end, at + MAX_BROKEN_BYTES), place)
        # Brackets that do not match may have led too far.
        return (values[0], first_end) if values else (None, end)

    def _near_end(self, at: int, *, is_cut: bool = False) -> int | None:
        """Where a value ends that is small enough to be parsed at once; what can be cut is not searched for long."""
        return self._end_before(at, min(at + self._cut_bytes, self._size), quick_end if is_cut else strict_end)

    def _end_before(self, at: int, limit: int, end_of: _EndOf = strict_end) -> int | None:
        end = end_of(self._data, at, limit)
        # What looks whole and ends at the limit may be a number that goes on behind it.
        return None if end == limit < self._size else end

    def _far_end(self, at: int) -> int | None:
        """Where a large value ends, looked for in steps, because what is never closed is searched in vain."""
        reach = self._cut_bytes
        while self._attempts > 0 and reach <= MAX_VALUE_BYTES:
            limit = min(at + reach, self._size)
            if end := self._end_before(at, limit):
                return end
            if limit == self._size:
                self._attempts -= limit - at
                return None
            reach *= 4
        self._attempts -= reach
        return None

    def _by_hand(self, start: int, end: int, place: str, number: int | None = None) -> tuple[list[Json], int]:
        """What the tolerant reader makes of some bytes, and where the first value ends.

        With a number all the values count, as documents from that number on; else the first one.
        """
        text = self._data[start:end]
        reader = TolerantReader(text, self._tick, unique=self._unique)
        values = reader.values(0, len(text))
        first_end = reader.ends[0] if values else len(text)
        until = first_end if number is None else len(text)
        try:
            text[:until].decode()
        except UnicodeDecodeError as problem:
            self._note("invalid-utf-8", start + problem.start, place)
        for odd in reader.odd:
            if number is not None or odd.document == 0:
                whose = place if number is None else f"/{number + odd.document}"
                self._note(odd.code, start + odd.offset, whose + odd.pointer)
                self._is_lost = self._is_lost or (odd.code == "truncated" and end == self._size)
        self.hidden += reader.hidden
        return values, start + first_end

    def _separator(self, at: int) -> int:
        """Where the next member begins, or the container ends."""
        commas = 0
        first = self._data[at - 1] in b"[{"
        last = at
        while True:
            found = SPACE_OR_COMMENT.match(self._data, at)
            ahead = found.end() if found else at
            if (comment := self._data.find(b"/", at, ahead)) >= 0:
                self._note("comment", comment)
            at = ahead
            mark = self._mark(at)
            if mark != _COMMA:
                break
            commas += 1
            if first or commas > 1:
                self._note("extra-comma", at)
            last = at
            at += 1
        if mark in (_CLOSE_OBJECT, _CLOSE_ARRAY):
            if commas and not first:
                self._note("trailing-comma", last)
        elif mark != _END and not commas and not first:
            self._note("missing-comma", at)
        return at

    def _closed(self, at: int) -> int:
        """Behind the closing bracket; the end of the file where there is none."""
        if at < self._size:
            return at + 1
        if not self._is_lost:
            self._is_lost = True
            self._note("truncated", self._size)
        return self._size

    def _lost(self, at: int) -> int:
        if not self._is_lost:
            self._is_lost = True
            self._note("unreadable-rest", at)
        return self._size

    def _note(self, code: str, offset: int, place: str = "") -> None:
        if len(self.odd) < MAX_FINDINGS:
            self.odd.append(Oddity(code, offset, pointer=place))
        else:
            self.hidden += 1

    def _mark(self, at: int) -> int:
        return self._data[at] if at < self._size else _END

    def _space(self, at: int) -> int:
        found = SPACE.match(self._data, at)
        return found.end() if found else at


def _is_cut(shape: Shape, mark: int) -> bool:
    return bool(shape.items) if mark == _OPEN_ARRAY else bool(shape.keys) and mark == _OPEN_OBJECT

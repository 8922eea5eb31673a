"""Reads a large document piece by piece: what is parsed at once stays small, whatever the size of the file."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.documents.base.json_syntax import (
    COLON,
    COMMA,
    SPACE,
    SPACE_OR_COMMENT,
    STRING,
    Bytes,
    quick_end,
    strict_end,
)
from trace_inspector.documents.json.strict import fast_value
from trace_inspector.documents.json.tolerant import TolerantReader
from trace_inspector.documents.large.decoding_process import DecodingProcess, Group
from trace_inspector.documents.large.pieces import Piece, Shape
from trace_inspector.documents.text.warnings import MAX_FINDINGS, SourceWarning

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
_Group: TypeAlias = tuple[list[Json], Sequence[Any], int]  # members of a list, plain or typed, and where they end


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
        helper: DecodingProcess | None = None,
    ) -> None:
        self.warnings: list[SourceWarning] = []
        self.line_places: list[tuple[int, int, int]] | None = None  # for whoever sets a list: number, start, end
        self.hidden = 0
        self._data = data
        self._size = len(data)
        self._shape = shape
        self._group_bytes = group_bytes
        self._cut_bytes = cut_bytes
        self._tick = tick
        self._unique = unique
        self._helper = helper
        self._is_lost = False  # what follows makes no sense, or the file ended too early: noted once
        self._attempts = 2 * self._size  # bytes to be searched for the ends of values that have none

    def document(self, start: int) -> Iterator[Piece]:
        """The one document of the file, which begins at an offset behind white space."""
        offset = yield from self._single(self._space(start), "")
        offset = self._space(offset)
        if offset < self._size and not self._is_lost:
            self._note("unexpected-mark", offset)

    def lines(self, start: int, number: int = 0) -> Generator[Piece, None, int]:
        """Documents in lines of their own, as members of one list; `number` is the index of the first.

        Returns the index behind the last.
        """
        shape = self._shape.items or Shape()
        while start < self._size:
            self._tick()
            first = number
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
            if self.line_places is not None and number > first:
                self.line_places.append((first, start, end))
            start, self._is_lost = end, False
        return number

    def _line(self, start: int, end: int, number: int) -> list[Json]:
        line = self._data[start:end].rstrip()
        try:
            return [fast_value(line, unique=self._unique)] if line else []
        except ValueError:
            return self._by_hand(start, start + len(line), "", number)[0]

    def _single(self, start: int, place: str, shape: Shape | None = None) -> Generator[Piece, None, int]:
        """One value on its own, cut or whole; returns where it ends."""
        shape = shape or self._shape
        is_cut = _is_cut(shape, self._mark(start))
        end = self._near_end(start, is_cut=is_cut)
        if end is None and is_cut:
            value, end = yield from self._cut(start, place, shape, {})
        else:
            value, end = self._value(start, end, place)
        yield Piece(shape.level, [value], place, None, {}, start, end)
        return end

    def _cut(
        self, start: int, place: str, shape: Shape, around: JsonObject
    ) -> Generator[Piece, None, tuple[Json, int]]:
        """What a value holds in pieces; returns the rest of it, and where it ends."""
        if self._mark(start) == _OPEN_ARRAY and shape.items:
            end = yield from self._list(start, place, shape.items, around)
            return [], end
        return (yield from self._object(start, place, shape))

    def _object(self, offset: int, place: str, shape: Shape) -> Generator[Piece, None, tuple[Json, int]]:
        rest: JsonObject = {}
        offset = self._separator(offset + 1)
        while self._mark(offset) not in (_CLOSE_OBJECT, _END):
            key_end = match.end() if (match := STRING.match(self._data, offset, self._size)) else offset
            colon = COLON.match(self._data, key_end)
            key = self._value(offset, key_end, place)[0] if colon and key_end > offset else None
            if colon is None or not isinstance(key, str):
                offset = self._lost(offset)
                break
            if key in rest:
                self._note("duplicate-key", offset, place)
            offset, inner = colon.end(), join(place, key)
            child = shape.keys.get(key)
            if child and _is_cut(child, self._mark(offset)):
                rest[key] = []
                rest[key], offset = yield from self._cut(offset, inner, child, rest)
            else:
                rest[key], offset = self._value(offset, None, inner)
            offset = self._separator(offset)
        return rest, self._closed(offset)

    def _list(self, offset: int, place: str, item: Shape, around: JsonObject) -> Generator[Piece, None, int]:
        index = 0
        offset = self._separator(offset + 1)
        seam, is_guessed = None, True
        records: Sequence[Any] = ()
        while self._mark(offset) not in (_CLOSE_ARRAY, _END):
            self._tick()
            if seam and is_guessed and (found := self._found(offset, seam, item)):
                group, values = found
                yield Piece(item.level, values, place, index, around, offset, group.end, group.records or ())
                index += len(values) or len(group.records or ())
                seam, offset = group.seam, self._separator(group.end)
                continue
            if self._mark(offset) in b"}:":
                offset = self._lost(offset)
                break
            is_cut = _is_cut(item, self._mark(offset))
            end = self._near_end(offset, is_cut=is_cut)
            if end is None and is_cut:
                value, end = yield from self._cut(offset, f"{place}/{index}", item, {})
                values, records = [value], ()
            elif end is None:
                value, end = self._value(offset, None, f"{place}/{index}", seam)
                values, records = [value], ()
            else:
                seam = self._seam(end) or seam
                guessed = self._guessed(offset, end, seam, item) if is_guessed else None
                is_guessed = guessed is not None or end - offset >= self._group_bytes
                values, records, end = guessed or self._stepped(offset, end, seam, item, place, index)
            yield Piece(item.level, values, place, index, around, offset, end, records)
            index += len(values) or len(records)
            offset = self._separator(end)
        if self._helper is not None:
            self._helper.forget()
        return self._closed(offset)

    def _found(self, offset: int, seam: re.Pattern[bytes], item: Shape) -> tuple[Group, list[Json]] | None:
        """The next group, when another process helps and where it ends was guessed right; its members where plain."""
        if self._helper is None or item.decode is None:
            return None
        group = self._helper.group(offset, seam, partial(self._next_group, item))
        if group is None or group.records:
            return None if group is None else (group, [])
        values = self._plain(group.start, group.end)
        if not values:
            self._helper.forget()
        return (group, values) if values else None

    def _next_group(self, item: Shape, offset: int, seam: re.Pattern[bytes]) -> Group | None:
        """What `_guessed` would try first, so that pieces are the same with and without another process."""
        end = self._near_end(offset, is_cut=_is_cut(item, self._mark(offset)))
        guess = offset + self._group_bytes
        if end is None or end >= guess or item.decode is None or self._mark(offset) != _OPEN_OBJECT:
            return None
        seam = self._seam(end) or seam
        match = seam.search(self._data, guess, min(offset + self._cut_bytes, self._size))
        comma = COMMA.match(self._data, match.start() + 1) if match else None
        return Group(offset, match.start() + 1, item.decode, seam, comma.end()) if match and comma else None

    def _seam(self, end: int) -> re.Pattern[bytes] | None:
        """What stands between two members that are objects: from a bracket to the second key behind the next one."""
        match = _SEAM.match(self._data, end - 1, min(end + _LONGEST_SEAM, self._size))
        if match is None:
            return None
        before, after = match.groups()
        return re.compile(re.escape(before) + (_SCALAR + re.escape(after) if after else b""))

    def _guessed(self, start: int, end: int, seam: re.Pattern[bytes] | None, item: Shape) -> _Group | None:
        """Members from `start` on, the first of which ends at `end`, and where the last one ends.

        Where they end is guessed by the look of their seams; that what is before parses proves the guess. Where the
        members of an inner list look the same, one failed guess is enough.
        """
        guess = start + self._group_bytes
        for _ in range(_GUESSES if seam and end < guess else 0):
            match = seam.search(self._data, guess, min(start + self._cut_bytes, self._size)) if seam else None
            if not match:
                break
            guess = match.start() + 1
            values, records = self._members(start, guess, item)
            if values or records:
                return values, records, guess
        return None

    def _members(self, start: int, end: int, item: Shape) -> tuple[list[Json], Sequence[Any]]:
        """Members of a list, plain or typed; none where the bytes are not just strict JSON."""
        if item.decode is not None:
            records = item.decode(b"[" + self._data[start:end] + b"]", self._unique)
            if records is not None:
                return [], records
        return self._plain(start, end), ()

    def _plain(self, start: int, end: int) -> list[Json]:
        try:
            values = fast_value(b"[" + self._data[start:end] + b"]", unique=self._unique)
        except ValueError:
            return []
        return values if isinstance(values, list) else []

    def _stepped(
        self, first_start: int, end: int, seam: re.Pattern[bytes] | None, item: Shape, place: str, index: int
    ) -> _Group:
        members = [(first_start, end)]
        while end - first_start < self._group_bytes:
            comma = self._space(end)
            begin = self._space(comma + 1)
            if self._mark(comma) != _COMMA or self._mark(begin) in (_CLOSE_ARRAY, _COMMA, _END, _SLASH):
                break
            member_end = self._near_end(begin)
            if member_end is None:
                break
            end = member_end
            members.append((begin, end))
        values, records = self._members(first_start, end, item)
        if len(values) == len(members) or len(records) == len(members):
            return values, records, end
        values = []
        for number, (start, stop) in enumerate(members, index):
            value, end = self._value(start, stop, f"{place}/{number}", seam)
            values.append(value)
            if end != stop:
                break
        return values, (), end

    def _value(
        self, start: int, end: int | None, place: str, seam: re.Pattern[bytes] | None = None
    ) -> tuple[Json, int]:
        """One value that is not cut, and where it ends."""
        end = end or self._far_end(start)
        if end is None:
            match = seam.search(self._data, start + 1, self._size) if seam else None
            end = match.start() + 1 if match else self._size
            if end - start > MAX_BROKEN_BYTES:
                return None, self._lost(start)
        try:
            return fast_value(self._data[start:end], unique=self._unique), end
        except ValueError:
            values, first_end = self._by_hand(start, min(end, start + MAX_BROKEN_BYTES), place)
        # Brackets that do not match may have led too far.
        return (values[0], first_end) if values else (None, end)

    def _near_end(self, start: int, *, is_cut: bool = False) -> int | None:
        """Where a value ends that is small enough to be parsed at once; what can be cut is not searched for long."""
        return self._end_before(start, min(start + self._cut_bytes, self._size), quick_end if is_cut else strict_end)

    def _end_before(self, start: int, limit: int, end_of: _EndOf = strict_end) -> int | None:
        end = end_of(self._data, start, limit)
        # What looks whole and ends at the limit may be a number that goes on behind it.
        return None if end == limit < self._size else end

    def _far_end(self, start: int) -> int | None:
        """Where a large value ends, looked for in steps, because what is never closed is searched in vain."""
        reach = self._cut_bytes
        while self._attempts > 0 and reach <= MAX_VALUE_BYTES:
            limit = min(start + reach, self._size)
            if end := self._end_before(start, limit):
                return end
            if limit == self._size:
                self._attempts -= limit - start
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
        for odd in reader.warnings:
            if number is not None or odd.document == 0:
                whose = place if number is None else f"/{number + odd.document}"
                self._note(odd.code, start + odd.offset, whose + odd.pointer)
                self._is_lost = self._is_lost or (odd.code == "truncated" and end == self._size)
        self.hidden += reader.hidden
        return values, start + first_end

    def _separator(self, offset: int) -> int:
        """Where the next member begins, or the container ends."""
        commas = 0
        first = self._data[offset - 1] in b"[{"
        last = offset
        while True:
            match = SPACE_OR_COMMENT.match(self._data, offset)
            ahead = match.end() if match else offset
            if (comment := self._data.find(b"/", offset, ahead)) >= 0:
                self._note("comment", comment)
            offset = ahead
            mark = self._mark(offset)
            if mark != _COMMA:
                break
            commas += 1
            if first or commas > 1:
                self._note("extra-comma", offset)
            last = offset
            offset += 1
        if mark in (_CLOSE_OBJECT, _CLOSE_ARRAY):
            if commas and not first:
                self._note("trailing-comma", last)
        elif mark != _END and not commas and not first:
            self._note("missing-comma", offset)
        return offset

    def _closed(self, offset: int) -> int:
        """Behind the closing bracket; the end of the file where there is none."""
        if offset < self._size:
            return offset + 1
        if not self._is_lost:
            self._is_lost = True
            self._note("truncated", self._size)
        return self._size

    def _lost(self, offset: int) -> int:
        if not self._is_lost:
            self._is_lost = True
            self._note("unreadable-rest", offset)
        return self._size

    def _note(self, code: str, offset: int, place: str = "") -> None:
        if len(self.warnings) < MAX_FINDINGS:
            self.warnings.append(SourceWarning(code, offset, pointer=place))
        else:
            self.hidden += 1

    def _mark(self, offset: int) -> int:
        return self._data[offset] if offset < self._size else _END

    def _space(self, offset: int) -> int:
        match = SPACE.match(self._data, offset)
        return match.end() if match else offset


def _is_cut(shape: Shape, mark: int) -> bool:
    return bool(shape.items) if mark == _OPEN_ARRAY else bool(shape.keys) and mark == _OPEN_OBJECT

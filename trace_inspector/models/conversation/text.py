"""Texts and JSON values of any size in pieces, made on demand and never all at once."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from itertools import islice
from typing import TypeAlias

from trace_inspector.core.values.values import Absent, Json

PIECE_CHARS = 4_000
HEAD_CHARS, HEAD_LINES = 1_600, 16
_NEAR_CHARS = 600  # how far back a piece may end to end with a line or a word
_COUNTED_VALUES = 5_000
_STRING_CHARS = 60_000
_UNITS = ((1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB"))

# Characters that steer a terminal or turn the direction of writing, are not seen at all, or are halves of characters.
_HIDDEN = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
_LINE_ENDS = re.compile("[\r\x0b\x0c\x1c-\x1f\x85\u2028\u2029]")

Value: TypeAlias = "Json | Absent"


def visible(text: str) -> str:
    """The text with hidden characters made visible and only line feeds as line ends; its length stays the same."""
    return _LINE_ENDS.sub(" ", _HIDDEN.sub("\N{REPLACEMENT CHARACTER}", text))


def size_text(count: int) -> str:
    """A number of bytes with two or three figures: 48 bytes, 1.4 kB, 5.2 MB."""
    for unit, name in _UNITS:
        if count >= unit:
            scaled = count / unit
            return f"{scaled:.1f} {name}" if scaled < 99.95 else f"{scaled:.0f} {name}"
    return f"{count} {'byte' if count == 1 else 'bytes'}"


def size_of(value: Value) -> tuple[int, bool]:
    """About how many bytes a value takes as JSON, and whether it was counted to the end."""
    total, seen = 0, 0
    waiting: list[Iterator[Json]] = [iter(() if isinstance(value, Absent) else (value,))]
    while waiting:
        for item in waiting[-1]:
            seen += 1
            total += _own_size(item)
            if isinstance(item, dict):
                total += sum(len(key) + 4 for key in islice(item, _COUNTED_VALUES))
                waiting.append(iter(item.values()))
                break
            if isinstance(item, list):
                waiting.append(iter(item))
                break
            if seen > _COUNTED_VALUES:
                return total, False
        else:
            waiting.pop()
    return total, True


def value_size_text(value: Value) -> str:
    """The size of a value as text."""
    count, whole = size_of(value)
    return size_text(count) if whole else f"over {size_text(count)}"


def written(value: Value) -> Iterator[str]:
    """A value for reading, in small pieces: strings as they are, everything else as indented JSON."""
    if isinstance(value, str):
        yield value
    elif not isinstance(value, Absent):
        yield from _json(value)


def copied(value: Value) -> str:
    """A whole value as text for the clipboard."""
    if isinstance(value, str):
        return value
    small = size_of(value)[1]
    return "" if isinstance(value, Absent) else json.dumps(value, ensure_ascii=False, indent=2 if small else None)


def head_of(value: Value) -> tuple[str, bool]:
    """The first lines of a value, and whether there is more of it."""
    text = ""
    for piece in written(value):
        text += piece[: 2 * HEAD_CHARS]
        if len(text) > 2 * HEAD_CHARS:
            break
    else:
        piece = ""
    cut = _head_end(text)
    more = cut < len(text) or len(piece) > 2 * HEAD_CHARS
    return text[:cut], more


def _head_end(text: str) -> int:
    """Where the head ends: a text that is only a little longer is shown whole."""
    end = 0
    for _line in range(HEAD_LINES):
        end = text.find("\n", end) + 1
        if not end:
            break
    by_lines = end - 1 if end and text.count("\n", end) > 2 else len(text)
    return by_lines if by_lines <= HEAD_CHARS + _NEAR_CHARS else _cut(text, 0, HEAD_CHARS)


class LongText:
    """A text that is shown whole, cut into pieces step by step by `go_on`."""

    def __init__(self, value: Value) -> None:
        self._source = written(value)
        self._rest = ""
        self._pieces: list[str] = []
        self.done = False
        self._cut_some()

    @property
    def pieces(self) -> int:
        """How many there are so far, at least one."""
        return len(self._pieces)

    def piece(self, number: int) -> str:
        """A piece without a line feed at its end: the next piece begins a new line anyway."""
        return self._pieces[number].removesuffix("\n")

    def raw(self, number: int) -> str:
        """A piece with all its characters."""
        return self._pieces[number]

    def start(self, number: int) -> int:
        """Where a piece begins in the whole text."""
        return sum(map(len, self._pieces[:number]))

    def go_on(self, budget_s: float) -> bool:
        """Cut more pieces until that time; true while there is more."""
        until_s = time.perf_counter() + budget_s
        while not self.done and time.perf_counter() < until_s:
            self._cut_some()
        return not self.done

    def _cut_some(self) -> None:
        taken = list(islice(self._source, 2_000))
        text = self._rest + "".join(taken)
        self.done = len(taken) < 2_000
        start = 0
        while len(text) - start > (0 if self.done else PIECE_CHARS):
            end = _cut(text, start, PIECE_CHARS)
            self._pieces.append(text[start:end])
            start = end
        self._rest = text[start:]
        if not self._pieces:
            self._pieces.append("")


def _cut(text: str, start: int, length: int) -> int:
    """The end of a piece: after the last line feed or space near that length, else at that length."""
    end = start + length
    if end >= len(text):
        return len(text)
    for mark in "\n ":
        position = text.rfind(mark, end - _NEAR_CHARS, end)
        if position > start:
            return position + 1
    return end


def _json(value: Json) -> Iterator[str]:
    """JSON indented by two, long strings in slices. Not recursive, because values may be deeply nested."""
    waiting: list[tuple[Iterator[tuple[str, Json]], str]] = []
    yield from _opened(value, waiting)
    while waiting:
        inside, closing = waiting[-1]
        entry = next(inside, None)
        if entry is None:
            waiting.pop()
            yield "\n" + "  " * len(waiting) + closing
            continue
        lead, item = entry
        yield lead
        yield from _opened(item, waiting)


def _opened(value: Json, waiting: list[tuple[Iterator[tuple[str, Json]], str]]) -> Iterator[str]:
    inner = "\n" + "  " * (len(waiting) + 1)
    if isinstance(value, dict) and value:
        yield "{"
        named = ((f"{_string(key)}: ", item) for key, item in value.items())
        waiting.append((_separated(named, inner), "}"))
    elif isinstance(value, list) and value:
        yield "["
        waiting.append((_separated((("", item) for item in value), inner), "]"))
    elif isinstance(value, str) and len(value) > _STRING_CHARS:
        yield '"'
        for start in range(0, len(value), _STRING_CHARS):
            yield _string(value[start : start + _STRING_CHARS])[1:-1]
        yield '"'
    else:
        yield json.dumps(value, ensure_ascii=False)


def _separated(items: Iterator[tuple[str, Json]], inner: str) -> Iterator[tuple[str, Json]]:
    for index, (lead, item) in enumerate(items):
        yield ("," if index else "") + inner + lead, item


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _own_size(value: Json) -> int:
    if isinstance(value, str):
        return 2 + (len(value) if value.isascii() else len(value.encode("utf-8", "surrogatepass")))
    return 2 if isinstance(value, dict | list) else len(str(value)) + 2

"""Evidence cut into passages: a record of a tool result with its keys, or a few lines of prose."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from trace_inspector.core.values import Json

_PASSAGE_CHARS: Final = 320
_LEAF_CHARS: Final = 240
_MAX_JSON_CHARS: Final = 1_000_000
_SHORT_LIST: Final = 40
_SHORT_CHARS: Final = 60


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of evidence. `leaves` are where values with their keys begin; prose has one."""

    text: str
    leaves: tuple[int, ...] = (0,)


@dataclass(slots=True)
class Cut:
    """How many characters were there, and how many were read."""

    read: int = 0
    whole: int = 0


@dataclass(slots=True)
class _Record:
    """Leaves of one object, gathered until they fill a passage."""

    pieces: list[str] = field(default_factory=list)
    length: int = 0

    def passage(self) -> Passage:
        starts, at = [], 0
        for piece in self.pieces:
            starts.append(at)
            at += len(piece) + 2
        return Passage("; ".join(self.pieces), tuple(starts))


def prose(text: str, cut: Cut, limit: int) -> Iterator[Passage]:
    """Passages of the first `limit` characters of a text, cut at lines, sentences or spaces."""
    cut.whole += len(text)
    text = text[:limit]
    cut.read += len(text)
    for piece in _pieces(text, _PASSAGE_CHARS):
        yield Passage(piece)


def values(value: Json, cut: Cut, limit: int) -> Iterator[Passage]:
    """Passages of a JSON value up to `limit` characters: one a record, its scalars as "key: value".

    Texts that are JSON themselves are read as such.
    """
    yield from _Walk(cut, limit).passages(value)


def _pieces(text: str, limit: int) -> Iterator[str]:
    start, whole = 0, len(text)
    while start < whole:
        end = start + limit
        if end < whole:
            end = _break(text, start, end)
        piece = text[start:end].strip()
        if piece:
            yield piece
        start = end


def _break(text: str, start: int, end: int) -> int:
    least = start + (end - start) // 3
    for mark in ("\n", ". ", "。", "। ", "; ", ", ", " "):
        at = text.rfind(mark, least, end)
        if at >= 0:
            return at + len(mark)
    return end


class _Walk:
    """Through a JSON value in document order, without recursion: nesting is as deep as a file likes."""

    def __init__(self, cut: Cut, limit: int) -> None:
        self._cut = cut
        self._left = limit
        self._ready: list[Passage] = []

    def passages(self, value: Json) -> Iterator[Passage]:
        # Each step: a value, its key as words, and the record it belongs to; None closes a record.
        root = _Record()
        todo: list[tuple[Json, str, _Record, bool]] = [(None, "", root, True), (value, "", root, False)]
        while todo:
            if self._left <= 0:
                self._cut.whole += _size([step[0] for step in todo])
                todo = [step for step in todo if step[3]]
                self._left = 1
            value, key, record, closes = todo.pop()
            if closes:
                self._close(record)
            elif isinstance(value, dict):
                todo.extend(self._object(value, key, record))
            elif isinstance(value, list):
                todo.extend(self._list(value, key, record))
            elif isinstance(value, str) and (parsed := _json_in(value)) is not None:
                todo.append((parsed, key, record, False))
            else:
                self._leaf(value, key, record)
            if self._ready:
                yield from self._ready
                self._ready.clear()

    def _object(self, value: dict[str, Json], key: str, record: _Record) -> Iterator[tuple[Json, str, _Record, bool]]:
        prefix = f"{key} " if key else ""
        for name, item in reversed(value.items()):
            yield item, prefix + name[:_LEAF_CHARS], record, False

    def _list(self, value: list[Json], key: str, record: _Record) -> Iterator[tuple[Json, str, _Record, bool]]:
        # The number of items stands beside the key: an answer may count them.
        counted = f"{key} ({len(value)})" if key else f"({len(value)})"
        if len(value) <= _SHORT_LIST and all(_is_short(item) for item in value):
            self._leaf(", ".join(map(_scalar, value)), counted, record)
            return
        self._leaf("", counted, record)
        for item in reversed(value):
            own = _Record()
            yield None, "", own, True
            yield item, key, own, False

    def _leaf(self, value: Json, key: str, record: _Record) -> None:
        text = value if isinstance(value, str) else _scalar(value)
        self._cut.whole += len(text) + len(key)
        text = text[: self._left]
        self._left -= len(text) + len(key)
        self._cut.read += len(text) + len(key)
        if len(text) > _LEAF_CHARS:
            head = f"{key}: " if key else ""
            self._ready.extend(Passage(head + piece) for piece in _pieces(text, _PASSAGE_CHARS))
            return
        piece = f"{key}: {text}" if key and text else key or text
        if record.length + len(piece) > _PASSAGE_CHARS and record.pieces:
            self._close(record)
        record.pieces.append(piece)
        record.length += len(piece) + 2

    def _close(self, record: _Record) -> None:
        if record.pieces:
            self._ready.append(record.passage())
        record.pieces, record.length = [], 0


def _scalar(value: Json) -> str:
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value)
    except ValueError:  # an integer of more digits than Python writes
        return ""


def _is_short(item: Json) -> bool:
    return len(item) <= _SHORT_CHARS if isinstance(item, str) else not isinstance(item, dict | list)


def _size(rest: list[Json]) -> int:
    """Characters of what was not read, counted as for what was, but without the keys."""
    size = 0
    while rest:
        value = rest.pop()
        if isinstance(value, dict):
            rest.extend(value.values())
        elif isinstance(value, list):
            rest.extend(value)
        else:
            size += len(value) if isinstance(value, str) else len(_scalar(value))
    return size


def _json_in(text: str) -> Json:
    """The value of a text that is itself a JSON object or list; None for any other text."""
    if len(text) > _MAX_JSON_CHARS or text[:1] not in ("{", "[") or text.rstrip()[-1:] not in ("}", "]"):
        return None
    try:
        value: Json = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict | list) else None

"""Evidence cut into passages: a record of a tool result with its keys, or a few lines of prose."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cached_property, lru_cache
from operator import attrgetter
from typing import Final

from msgspec import Struct, field

from trace_inspector.core.values.values import Json
from trace_inspector.engine.grounding.text.languages import language_of
from trace_inspector.engine.grounding.text.words import split_words

_PASSAGE_CHARS: Final = 320
_LEAF_CHARS: Final = 240
_KEY_CHARS: Final = 80
_MAX_JSON_CHARS: Final = 1_000_000
_WORDS: Final = {True: "true", False: "false", None: "null"}
_SHORT_LIST: Final = 40
_CONTAINERS: Final = (dict, list)
_OPENING: Final = ("{", "[")  # of a text that may be JSON
_SHORT_CHARS: Final = 60
_PROSE_SPACES: Final = 3  # a value of a record with fewer is a name or a state, and has no language of its own
_BETWEEN: Final = "; "
_HEAD: Final = " · "


@lru_cache(maxsize=1 << 12)
def _label(key: str) -> str:
    return key.rpartition(_HEAD)[2]


class Leaf(Struct, frozen=True, gc=False):
    """A value with the keys that lead to it, or, without a key, a piece of prose."""

    key: str
    value: str

    @property
    def text(self) -> str:
        """As shown: "price: 12"."""
        return f"{self.key}: {self.value}" if self.key and self.value else self.key or self.value

    @property
    def label(self) -> str:
        """The key without that of the list around the record."""
        return _label(self.key)

    @property
    def is_count(self) -> bool:
        """Whether it begins with the number of items of a list; a result that is one has no key."""
        return self.value.startswith("(") and (bool(self.key) or self.value[1:-1].isdecimal())

    @property
    def value_start(self) -> int:
        """Where the value begins in the text."""
        return len(self.key) + 2 if self.key and self.value else 0


_key_of: Final = attrgetter("key")
_value_of: Final = attrgetter("value")


class Passage(Struct, frozen=True, dict=True):  # a dict for the cached properties
    """A piece of evidence."""

    leaves: tuple[Leaf, ...]

    @cached_property
    def text(self) -> str:
        """As shown in excerpts."""
        return _BETWEEN.join(leaf.text for leaf in self.leaves)

    @cached_property
    def language(self) -> str:
        """That of prose, or of the prose in a record; keys of records are English unless they are not."""
        if not self.is_record:
            return language_of(self.text)
        prose = " ".join([value for value in map(_value_of, self.leaves) if value.count(" ") >= _PROSE_SPACES])
        return (language_of(prose) if prose else "") or _language_of_keys(tuple(map(_key_of, self.leaves)))

    @property
    def head(self) -> str:
        """The key of the list around it, "" outside lists."""
        return self.leaves[0].key.rpartition(_HEAD)[0]

    @property
    def is_record(self) -> bool:
        """Whether it has several values, and so describes one thing."""
        return len(self.leaves) > 1 and bool(self.leaves[-1].key)

    def start_of(self, leaf: int) -> int:
        """Where a leaf begins in the text."""
        return sum(len(earlier.text) + len(_BETWEEN) for earlier in self.leaves[:leaf])


@lru_cache(maxsize=1 << 8)  # results have records with the same keys
def _language_of_keys(keys: tuple[str, ...]) -> str:
    return language_of(" ".join([word for key in keys for word in split_words(key)])) or "en"


class Cut(Struct):
    """How many characters were there, and how many were read."""

    read: int = 0
    whole: int = 0


class _OpenPassage(Struct):
    """Leaves of one object, gathered until they fill a passage."""

    head: str = ""  # the key of the list around it, written once a passage
    leaves: list[Leaf] = field(default_factory=list)
    length: int = 0


class _PendingValue(Struct, frozen=True, gc=False):
    """A value to read, with its key and its record; or, when it `closes`, the end of the record."""

    value: Json
    key: str
    record: _OpenPassage
    closes: bool = False


def prose(text: str, cut: Cut, limit: int) -> Iterator[Passage]:
    """Passages of the first `limit` characters of a text, cut at lines, sentences or spaces."""
    cut.whole += len(text)
    text = text[:limit]
    cut.read += len(text)
    header = _header(text)
    for piece in _pieces(text):
        yield Passage((*header, Leaf("", piece)))


def values(value: Json, cut: Cut, limit: int) -> Iterator[Passage]:
    """Passages of a JSON value up to `limit` characters: one a record, its scalars as "key: value".

    Texts that are JSON themselves are read as such.
    """
    yield from _Walk(cut, limit).passages(value)


def _pieces(text: str) -> Iterator[str]:
    start, whole = 0, len(text)
    while start < whole:
        end = start + _PASSAGE_CHARS
        if end < whole:
            end = _break(text, start, end)
        piece = text[start:end].strip()
        if piece:
            yield piece
        start = end


def _header(text: str) -> tuple[Leaf, ...]:
    """The first line of a long table in text, which each of its passages needs to be understood."""
    if len(text) <= _PASSAGE_CHARS:
        return ()
    first, second = (*text[: 2 * _LEAF_CHARS].splitlines(), "", "")[:2]
    columns = next((mark for mark in ("\t", "|", "  ", ";", ",") if first.count(mark) > 1), "")
    is_table = (
        columns and second.count(columns) > 1 and len(first) <= _LEAF_CHARS and not first.rstrip().endswith(".")
    )
    return (Leaf("", " ".join(first.split())),) if is_table else ()


def _break(text: str, start: int, end: int) -> int:
    least = start + (end - start) // 3
    for mark in ("\n", ". ", "。", "। ", "; ", ", ", " "):
        position = text.rfind(mark, least, end)
        if position >= 0:
            return position + len(mark)
    return end


class _PendingItems(Struct, frozen=True, gc=False):
    """The items of a list that are not yet begun: of a long one few are read."""

    items: list[Json]
    start: int
    key: str


class _Walk:
    """Through a JSON value in document order, without recursion: nesting is as deep as a file likes."""

    def __init__(self, cut: Cut, limit: int) -> None:
        self._cut = cut
        self._remaining = limit
        self._ready: list[Passage] = []

    def passages(self, value: Json) -> Iterator[Passage]:
        root = _OpenPassage()
        todo: list[_PendingValue | _PendingItems] = [
            _PendingValue(None, "", root, closes=True),
            _PendingValue(value, "", root),
        ]
        while todo:
            if self._remaining <= 0:
                self._cut.whole += sum(map(_size_of_step, todo))
                todo = [step for step in todo if isinstance(step, _PendingValue) and step.closes]
                self._remaining = 1
            step = todo.pop()
            if isinstance(step, _PendingItems):
                self._begin(step, todo)
            else:
                self._take(step, todo)
            if self._ready:
                yield from self._ready
                self._ready.clear()

    def _begin(self, step: _PendingItems, todo: list[_PendingValue | _PendingItems]) -> None:
        """Begin the record of the next item."""
        items, start, key = step.items, step.start, step.key
        if start + 1 < len(items):
            todo.append(_PendingItems(items, start + 1, key))
        record = _OpenPassage(key)
        todo += (_PendingValue(None, "", record, closes=True), _PendingValue(items[start], "", record))

    def _take(self, step: _PendingValue, todo: list[_PendingValue | _PendingItems]) -> None:
        value = step.value
        if step.closes:
            self._close(step.record)
        elif isinstance(value, dict):
            self._object(value, step, todo)
        elif isinstance(value, list):
            self._list(value, step, todo)
        elif isinstance(value, str) and (parsed := _json_in(value)) is not None:
            todo.append(_PendingValue(parsed, step.key, step.record))
        else:
            self._leaf(value, step.key, step.record)

    def _object(self, value: dict[str, Json], step: _PendingValue, todo: list[_PendingValue | _PendingItems]) -> None:
        """Its scalars up to the first other value at once, the rest in turn."""
        prefix, record = f"{step.key[-_KEY_CHARS:]} " if step.key else "", step.record
        leaves, length, room = record.leaves, record.length, self._remaining
        waiting: list[_PendingValue] = []
        for name, item in value.items():
            key = prefix + name[:_KEY_CHARS]
            if waiting or room <= 0:
                waiting.append(_PendingValue(item, key, record))
                continue
            if isinstance(item, str):
                opens, text = item.startswith(_OPENING), item
            else:
                opens = isinstance(item, _CONTAINERS)
                text = "" if opens else _scalar(item)
            if opens:
                waiting.append(_PendingValue(item, key, record))
                continue
            size, whole = len(text), len(text) + len(key)
            if leaves and size <= _LEAF_CHARS and length + size <= _PASSAGE_CHARS and whole <= room:  # as most values
                leaves.append(Leaf(key, text))
                length += whole + 4
                room -= whole
                continue
            self._take_from_room(room)
            record.length = length
            self._leaf(text, key, record)
            leaves, length, room = record.leaves, record.length, self._remaining
        self._take_from_room(room)
        record.length = length
        waiting.reverse()
        todo += waiting

    def _take_from_room(self, room: int) -> None:
        """Note that so much room is left after what was read at once."""
        taken, self._remaining = self._remaining - room, room
        self._cut.whole += taken
        self._cut.read += taken

    def _list(self, value: list[Json], step: _PendingValue, todo: list[_PendingValue | _PendingItems]) -> None:
        # The number of items comes first: an answer may count them.
        counted = f"({len(value)})"
        if len(value) <= _SHORT_LIST and all(map(_is_short, value)):
            self._leaf(" ".join((counted, ", ".join(map(_scalar, value)))).rstrip(), step.key, step.record)
            return
        self._leaf(counted, step.key, step.record)
        if value:
            todo.append(_PendingItems(value, 0, step.key))

    def _leaf(self, value: Json, key: str, record: _OpenPassage) -> None:
        text = value if isinstance(value, str) else _scalar(value)
        length, key_length = len(text), len(key)
        self._cut.whole += length + key_length
        if length > self._remaining:
            text = text[: self._remaining]
            length = len(text)
        self._remaining -= length + key_length
        self._cut.read += length + key_length
        if length > _LEAF_CHARS:
            whole_key = _HEAD.join(name for name in (record.head, key) if name)
            header = _header(text)
            self._ready.extend(Passage((*header, Leaf(whole_key, piece))) for piece in _pieces(text))
            return
        if record.length + length > _PASSAGE_CHARS:
            self._close(record)
        if record.head and not record.leaves:
            key = f"{record.head}{_HEAD}{key}" if key else record.head
            key_length = len(key)
        record.leaves.append(Leaf(key, text))
        record.length += key_length + length + 4

    def _close(self, record: _OpenPassage) -> None:
        if record.leaves:
            self._ready.append(Passage(tuple(record.leaves)))
        record.leaves, record.length = [], 0


def _scalar(value: Json) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or value is None:
        return _WORDS[value]
    try:
        return repr(value)
    except ValueError:  # an integer of more digits than Python writes
        return ""


def _is_short(item: Json) -> bool:
    return len(item) <= _SHORT_CHARS if isinstance(item, str) else not isinstance(item, dict | list)


def _size_of_step(step: _PendingValue | _PendingItems) -> int:
    """Characters of what was not read; the end of a record, which is a null, is counted too."""
    if isinstance(step, _PendingValue):
        return _size(step.value)
    return sum(map(_size, step.items[step.start :])) + (len(step.items) - step.start) * len(_scalar(None))


def _size(value: Json) -> int:
    """Characters of a value, counted as for what was read, but without the keys."""
    if not isinstance(value, dict | list):
        return len(_scalar(value))
    size = 0
    rest = [value]
    while rest:
        inside = rest.pop()
        for item in inside.values() if isinstance(inside, dict) else inside:
            if isinstance(item, str):
                size += len(item)
            elif isinstance(item, dict | list):
                rest.append(item)
            else:
                size += len(_scalar(item))
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

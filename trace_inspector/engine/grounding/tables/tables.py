"""Tables of records out of the results of tools: lists of objects, objects by id, columns, and their envelopes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct, field

from trace_inspector.core.values.values import Json
from trace_inspector.engine.grounding.evidence.evidence import Evidence, Source
from trace_inspector.engine.grounding.tables.record import Field, Record, Scalar, Table
from trace_inspector.engine.grounding.text.folding import fold, folded_words
from trace_inspector.engine.grounding.text.words import split_words

SENTENCES: Final = "sentences"  # the name of tables read from lists of sentences
MAX_RECORDS: Final = 2_000  # of one table
MAX_FIELDS: Final = 60  # of one record
MAX_TABLES: Final = 60  # of one evidence, the newest
MAX_VALUES: Final = 60_000  # of one evidence
_MAX_DEPTH: Final = 8
_MAX_CHARS: Final = 2_000  # of one value
_MAX_JSON_CHARS: Final = 1_000_000
_LIST_ITEMS: Final = 40  # of a list of scalars that is one value
# Objects that only group the attributes of the object around them.
_WRAPPERS: Final = folded_words("details attributes properties data fields info node item result record meta specs")
_MORE: Final = frozenset(
    {
        "has more",
        "more",
        "truncated",
        "is truncated",
        "next",
        "next page",
        "next cursor",
        "next page token",
        "partial",
    }
)
_TOTAL: Final = frozenset(
    {"total", "total count", "total results", "count", "total items", "total hits", "total records", "matches"}
)
_CONSTANTS: Final = {None: "null", True: "true", False: "false"}
_HEADS: Final = ("columns", "header", "headers", "fields")
_ROWS: Final = ("rows", "data", "values", "records")


class _Read(Struct):
    """What was read of the results of one evidence: the tables of the newest ones."""

    results: int = 0
    tables: list[Table] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)  # of these tables, in values


def tables_of(evidence: Evidence) -> list[Table]:
    """The tables of the newest results, oldest first; the same list until there is another result.

    A long conversation speaks of what it saw last, and a bound keeps each of its turns as quick as the first.
    """
    read = evidence.recall(_Read)
    if read is None:
        read = _Read()
        evidence.keep(read)
    if read.results < len(evidence.results):
        tables = list(read.tables)
        for source, value in evidence.results[read.results :][-MAX_TABLES:]:
            reader = _Reader()
            reader.read(source, value)
            tables += reader.tables
        sizes = read.sizes + [
            sum(len(record.fields) for record in table.records) for table in tables[len(read.sizes) :]
        ]
        kept = _kept(sizes[-MAX_TABLES:])
        read.results, read.tables, read.sizes = len(evidence.results), tables[-kept:], sizes[-kept:]
    return read.tables


def _kept(sizes: list[int]) -> int:
    """How many of the newest tables there is room for; one always."""
    room = MAX_VALUES
    for kept, size in enumerate(reversed(sizes)):
        room -= size
        if room < 0 and kept:
            return kept
    return len(sizes)


class _Reader:
    """Reads a result into tables until there are too many."""

    def __init__(self) -> None:
        self.tables: list[Table] = []
        self._room = MAX_VALUES

    def read(self, source: Source, value: Json) -> None:
        """Add the tables of one result."""
        self._value(source, "", value, 0, is_complete=True)

    def _value(self, source: Source, name: str, value: Json, depth: int, *, is_complete: bool) -> None:
        if depth > _MAX_DEPTH or len(self.tables) >= MAX_TABLES or self._room <= 0:
            return
        if isinstance(value, str):
            value = _opened(value)
        if isinstance(value, str):
            self._text(source, name, value, is_complete=is_complete)
        elif isinstance(value, dict):
            self._object(source, name, value, depth, is_complete=is_complete)
        elif isinstance(value, list):
            self._list(source, name, value, depth, is_complete=is_complete)

    def _text(self, source: Source, name: str, text: str, *, is_complete: bool) -> None:
        from trace_inspector.engine.grounding.tables.text_tables import tables_in_text  # not for JSON

        for table in tables_in_text(source, text):
            self._room -= sum(len(record.fields) for record in table.records)
            kept = table.name if table.name == SENTENCES else name or table.name
            self._add(source, kept, list(table.records), is_complete=is_complete and table.is_complete)

    def _object(self, source: Source, name: str, value: dict[str, Json], depth: int, *, is_complete: bool) -> None:
        if _is_by_id(value):
            rows: list[Json] = [{_id_key(item): key, **item} for key, item in value.items() if isinstance(item, dict)]
            self._list(source, name, rows, depth, is_complete=is_complete)
        elif rows := _rows(value):
            self._list(source, name, rows, depth, is_complete=is_complete)
        else:
            fields, inner = self._fields(value, depth)
            if fields:
                self._add(source, name, [Record(fields)], is_complete=True)
            for key, item in inner:
                whole = is_complete and not _says_more(fields, len(item))
                self._value(source, key, item, depth + 1, is_complete=whole)

    def _list(self, source: Source, name: str, value: list[Json], depth: int, *, is_complete: bool) -> None:
        items = [_opened(item) if isinstance(item, str) else item for item in value[:MAX_RECORDS]]
        if headed := _headed(items):
            items = headed
        objects = [item for item in items if isinstance(item, dict)]
        if not objects:
            self._scalars(source, name, items, is_complete=is_complete and len(items) == len(value))
            return
        records, inner = [], []
        for item in objects:
            if self._room <= 0:
                break
            fields, inside = self._fields(item, depth)
            if fields:
                records.append(Record(fields))
            inner += inside
        whole = is_complete and len(objects) == len(value) and len(records) == len(objects)
        self._add(source, name, records, is_complete=whole)
        for key, nested in inner:
            self._value(source, key, nested, depth + 1, is_complete=whole)

    def _scalars(self, source: Source, name: str, items: list[Json], *, is_complete: bool) -> None:
        short = [item for item in items if _is_scalar(item) and len(str(item)) <= _MAX_CHARS]
        if short and all(isinstance(item, str) and " " in item for item in short):
            self._text(source, name, "\n".join(map(str, short)), is_complete=is_complete)
        elif short and len(short) == len(items):
            records = [
                Record((_field(name or "value", item),)) for item in short if not isinstance(item, dict | list)
            ]
            self._add(source, name, records, is_complete=is_complete)

    def _add(self, source: Source, name: str, records: list[Record], *, is_complete: bool) -> None:
        if records and len(self.tables) < MAX_TABLES:
            self.tables.append(Table(source, name, tuple(records), is_complete))

    def _fields(self, value: dict[str, Json], depth: int) -> tuple[tuple[Field, ...], list[tuple[str, list[Json]]]]:
        """The scalars of an object and of the objects in it, and the lists of objects in it."""
        fields: dict[str, Field] = {}
        inner: list[tuple[str, list[Json]]] = []
        leaves: list[tuple[str, str, Scalar | list[Json]]] = []
        _add_leaves(value, "", depth, leaves)
        for key, prefix, item in leaves:
            if isinstance(item, list):
                inner.append((key, item))
            elif len(fields) < MAX_FIELDS:
                whole = f"{prefix} {key}" if prefix and (key in fields or not _is_wrapper(prefix)) else key
                if whole not in fields:
                    fields[whole] = _field(whole, item)
        self._room -= len(fields)
        return tuple(fields.values()), inner


def _add_leaves(
    value: dict[str, Json], prefix: str, depth: int, leaves: list[tuple[str, str, Scalar | list[Json]]]
) -> None:
    """Add the scalars and the lists of objects of an object, with their keys and the key of the object around."""
    for key, item in value.items():
        if isinstance(item, dict):
            if _is_by_id(item):
                leaves.append((key, prefix, [{_id_key(inner): name, **inner} for name, inner in _objects(item)]))
            elif depth < _MAX_DEPTH:
                around = prefix if _is_wrapper(key) else f"{prefix} {key}".strip()
                _add_leaves(item, around[-80:], depth + 1, leaves)
        elif isinstance(item, list):
            if item and all(map(_is_scalar, item)) and len(item) <= _LIST_ITEMS:
                shown = ", ".join(_shown(part) for part in item if not isinstance(part, dict | list))
                leaves.append((key, prefix, shown))
            elif item:
                leaves.append((key, prefix, item))
        else:
            leaves.append((key, prefix, item))


def _objects(value: dict[str, Json]) -> Iterator[tuple[str, dict[str, Json]]]:
    return ((key, item) for key, item in value.items() if isinstance(item, dict))


def _field(key: str, value: Json) -> Field:
    key = key[-80:]
    if isinstance(value, str):
        return Field(key, value[:_MAX_CHARS], f"{key}: {value[:240]}")
    scalar: Scalar = None if isinstance(value, dict | list) else value
    return Field(key, scalar, f"{key}: {_shown(scalar)[:240]}")


def _shown(value: Scalar) -> str:
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, bool):
        return _CONSTANTS[value]
    try:
        return str(value) if isinstance(value, int) else json.dumps(value)
    except ValueError:  # an integer of more digits than Python writes
        return ""


def _is_scalar(value: Json) -> bool:
    return not isinstance(value, dict | list)


@lru_cache(maxsize=1 << 10)
def _is_wrapper(key: str) -> bool:
    return fold(key) in _WRAPPERS


def _opened(text: str) -> Json:
    """The object or list that a text is, or the text."""
    if len(text) > _MAX_JSON_CHARS or text[:1] not in ("{", "[") or text.rstrip()[-1:] not in ("}", "]"):
        return text
    try:
        value: Json = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value if isinstance(value, dict | list) else text


def _id_key(item: dict[str, Json]) -> str:
    return next((key for key in ("id", "key", "name", "entry") if key not in item), "record")


def _is_by_id(value: dict[str, Json]) -> bool:
    """Whether an object is a list of objects by their ids: alike inside, and its keys no names of attributes."""
    if not isinstance(next(iter(value.values()), None), dict):  # as in most objects
        return False
    items = list(value.values())[:MAX_RECORDS]
    if not all(isinstance(item, dict) and item for item in items):
        return False
    keys = [set(item) for item in items if isinstance(item, dict)]
    if len(keys) > 1 and 2 * len(set.intersection(*keys)) < max(map(len, keys)):
        return False
    names = [key for key in value if not (key.isascii() and key.replace("_", "").isalpha() and key.islower())]
    return (len(names) == len(value) and (len(value) > 1 or any(char.isdigit() for char in names[0]))) or (
        not names and len(value) > 2
    )  # fmt: skip


def _rows(value: dict[str, Json]) -> list[Json]:
    """The rows of an object that has columns: as heads with rows, or as lists of equal length by name."""
    lists = {key: item for key, item in value.items() if isinstance(item, list)}
    if not lists:
        return []
    head = next((value[key] for key in _HEADS if isinstance(value.get(key), list)), None)
    rows = next((value[key] for key in _ROWS if isinstance(value.get(key), list)), None)
    if isinstance(head, list) and isinstance(rows, list) and rows and all(isinstance(row, list) for row in rows):
        return _headed([[_head(name) for name in head], *rows[:MAX_RECORDS]])
    lengths = {len(item) for item in lists.values()}
    if len(lists) < 2 or len(lists) < len(value) or len(lengths) != 1 or min(lengths) < 2:
        return []
    if not all(_is_scalar(item) for column in lists.values() for item in column[:MAX_RECORDS]):
        return []
    return [
        dict(zip(lists, cells, strict=True))
        for cells in zip(*(column[:MAX_RECORDS] for column in lists.values()), strict=True)
    ]


def _head(name: Json) -> Json:
    return name.get("name") or name.get("key") if isinstance(name, dict) else name


def _headed(items: Sequence[Json]) -> list[Json]:
    """Rows as objects when the items are rows below a row of names."""
    rows = [item for item in items if isinstance(item, list)]
    if len(rows) < 2 or len(rows) != len(items):
        return []
    head, width = rows[0], len(rows[0])
    names = [name for name in head if isinstance(name, str) and name and not name[0].isdigit()]
    if width < 2 or len(set(names)) != width or any(len(row) != width for row in rows):
        return []
    return [dict(zip(names, row, strict=True)) for row in rows[1:]]


def _says_more(fields: tuple[Field, ...], length: int) -> bool:
    """Whether the values beside a list say that there are more items than it has."""
    for item in fields:
        words = " ".join(fold(word) for word in split_words(item.key)[-3:])
        if words in _MORE and item.value not in (None, False, "", 0, "false", "None"):
            return True
        is_total = words in _TOTAL and isinstance(item.value, int) and not isinstance(item.value, bool)
        if is_total and isinstance(item.value, int) and item.value > length:
            return True
    return False

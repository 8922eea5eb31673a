"""A table as calculations see it: typed columns with units, the names of its records, and their states."""

from __future__ import annotations

import enum
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date
from functools import cached_property, lru_cache
from typing import Final

from msgspec import Struct

from trace_inspector.engine.grounding.facts.amounts import readings
from trace_inspector.engine.grounding.facts.fact import FactKind
from trace_inspector.engine.grounding.facts.reading import read
from trace_inspector.engine.grounding.lexicon.concepts import CONCEPTS, concepts_in_name, concepts_in_words
from trace_inspector.engine.grounding.tables.record import Scalar, Table
from trace_inspector.engine.grounding.text.folding import fold, fold_text, folded_words
from trace_inspector.engine.grounding.text.units import Unit, unit_of
from trace_inspector.engine.grounding.text.vocabulary import STOP_WORDS
from trace_inspector.engine.grounding.text.words import split_words

MAX_RECORDS: Final = 500
_MAX_COLUMNS: Final = 60
_MAX_VALUE_CHARS: Final = 60
_MAX_STATE_WORDS: Final = 4
_LEAST_CHARS: Final = 2  # of a name
_FREE_TEXTS: Final = folded_words("""
    title name subject message description comment comments note notes text summary snippet url path file files email
    phone address sku titre titel titulo nombre nom beschreibung kommentar commentaire comentario asunto betreff
""")
_LEVELS: Final = ("error", "warn")  # a log without errors has none
_CLOCK: Final = re.compile(r"([01]?\d|2[0-4]):([0-5]\d)(?::([0-5]\d)(?:[.,]\d{1,9})?)?Z?")
_DAY: Final = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2}))?)?")
_NUMBER: Final = re.compile(r"-?\d{1,15}(?:[.,]\d{1,12})?")
_TRUE: Final = frozenset({"true", "yes", "ja", "oui", "si", "sim", "はい", "हाँ"})
_FALSE: Final = frozenset({"false", "no", "nein", "non", "nao", "いいえ", "नहीं"})
_NOTHING: Final = frozenset({"", "-", "–", "n/a", "null", "none", "nan"})
# Ends of keys that are units only there.
_KEY_UNITS: Final = {"c": "°c", "f": "°f", "kph": "km/h", "pct": "%", "mins": "min", "sqm": "m²"}
_FIRST_YEAR: Final = 1500
_LAST_YEAR: Final = 2200
_SMALL_HOURS: Final = 300.0  # what closes before five closes after midnight
# Words of names that say what a thing is, and name it no more than "the hotel" does.
_THINGS: Final = folded_words("""
    hotel hostel pension inn house haus casa maison park garden gardens center centre zentrum centro museum
    musée museo museu gallery galerie galería galeria restaurant restaurante café cafe bistro station bahnhof
    gare estación estação airport flughafen street straße avenue plaza place platz hall room raum salle sala
    building tower bridge lake river meeting review planning workshop lunch training session team project
    group class course report update order item flight train room service server node city town village
    island beach mountain trail school college university company store shop market bank office department
    studio club apartment suite suites lodge resort villa
""")
_SQUARE_METRES: Final = re.compile(r"(?<![^\W\d_])m[2²](?![^\W_])")
# What tells metres from minutes, where a key says only "m".
_DIMENSIONS: Final = {
    "distance": "length",
    "elevation": "length",
    "width": "length",
    "depth": "length",
    "duration": "time",
}
_NO_NAMES: Final = _THINGS | STOP_WORDS
_RATES: Final = frozenset({"per", "pro", "par", "por"})
_NAMELIKE: Final = re.compile(r"[\d#/]|[A-Z][a-z]|^[A-Z]{3}$")
# What a unit says of an attribute whose key has no word for it.
_UNIT_CONCEPTS: Final = {
    "money": "price", "time": "duration", "length": "distance", "mass": "weight", "temperature": "temperature",
    "data": "size", "stars": "rating",
}  # fmt: skip


class ValueKind(enum.Enum):
    """What the values of a column are."""

    NUMBER = "number"
    DAY = "day"
    CLOCK = "clock"
    BOOLEAN = "boolean"
    TEXT = "text"


class Column(Struct, frozen=True, dict=True):  # a dict for the cached properties
    """An attribute of all records: numbers in its unit, moments in minutes, booleans as 0 and 1, or folded texts."""

    key: str
    kind: ValueKind
    unit: Unit
    concepts: frozenset[str]
    numbers: tuple[float | None, ...]
    texts: tuple[str, ...]
    written: tuple[str, ...]

    @cached_property
    def differs(self) -> bool:
        """Whether no two records have the same text."""
        return len(set(self.texts)) == len(self.texts)

    @cached_property
    def single(self) -> tuple[tuple[str, int], ...]:
        """The texts that one record only has, with its number; single letters are none."""
        counts = Counter(self.texts) if not self.differs else None
        return tuple(
            [
                (text, record)
                for record, text in enumerate(self.texts)
                if len(text) >= _LEAST_CHARS and (counts is None or counts[text] == 1)
            ]
        )

    def is_named(self, concepts: frozenset[str]) -> bool:
        """Whether the concepts of a sentence name it by its key: a warranty is not named by its months."""
        words = [fold(word) for word in split_words(self.key) if not unit_of_key(word)]
        own = concepts_in_words(words)
        if listed := own & CONCEPTS:
            return not listed.isdisjoint(concepts)
        return own <= concepts and not (self.concepts & CONCEPTS).isdisjoint(concepts)

    @property
    def is_ordered(self) -> bool:
        """Whether its values are more or less than each other."""
        return self.kind in (ValueKind.NUMBER, ValueKind.DAY, ValueKind.CLOCK)

    @property
    def is_moment(self) -> bool:
        """Whether its values are dates or times of day."""
        return self.kind in (ValueKind.DAY, ValueKind.CLOCK)


class RecordName(Struct, frozen=True, gc=False):
    """A value that names one record."""

    folded: str
    record: int
    column: int
    is_part: bool = False


class State(Struct, frozen=True):
    """Records with one value of a column of states, or for which a column of booleans is true."""

    column: Column
    value: str
    concepts: frozenset[str]
    records: frozenset[int]


class Grid(Struct, frozen=True):
    """A table with its columns, names and states."""

    table: Table
    size: int
    columns: tuple[Column, ...]
    names: tuple[RecordName, ...]
    states: tuple[State, ...]
    of_states: frozenset[str]  # the concepts of all of them
    nouns: frozenset[str]
    counted: frozenset[str]  # the concepts of all columns of numbers
    is_log: bool  # its records are lines of a log

    @property
    def is_whole(self) -> bool:
        """Whether all records were read, so that a count says something."""
        return self.table.is_complete and self.size == len(self.table.records)

    def called(self, record: int) -> str:
        """A record as reasons name it."""
        fields = self.table.records[record].fields
        return next((str(item.value) for item in fields if isinstance(item.value, str) and item.value), "it")

    def written(self, record: int, column: Column) -> str:
        """A value as the result has it."""
        return next(
            (str(item.value) for item in self.table.records[record].fields if item.key == column.key), "nothing"
        )


def _written(cell: Scalar) -> str:
    return "" if cell is None else str(cell)[:_MAX_VALUE_CHARS]


def grid_of(table: Table) -> Grid:
    """The grid of a table."""
    records = table.records[:MAX_RECORDS]
    values: dict[str, list[Scalar]] = {}
    for index, record in enumerate(records):
        for item in record.fields:
            cells = values.get(item.key)
            if cells is None:
                if len(values) >= _MAX_COLUMNS:
                    continue
                cells = values[item.key] = [None] * len(records)
            cells[index] = item.value
    columns = tuple([_column(key, tuple(map(_written, cells))) for key, cells in values.items()])
    states = tuple(_states(columns))
    return Grid(
        table,
        len(records),
        columns,
        tuple(_names(columns)),
        states,
        frozenset().union(*[state.concepts for state in states]),
        concepts_in_name(table.name) | concepts_in_name(table.source.words.removesuffix(" result")),
        frozenset().union(*(column.concepts for column in columns if column.kind is ValueKind.NUMBER)),
        table.is_log,
    )


@lru_cache(maxsize=1 << 8)  # results say the same again and again
def _column(key: str, written: tuple[str, ...]) -> Column:
    texts = tuple("" if (text := fold_text(cell).strip()) in _NOTHING else text for cell in written)
    filled = [text for text in texts if text]
    unit = unit_of_key(key)
    kind, numbers = _plain_numbers(texts) if filled else (ValueKind.TEXT, (None,) * len(texts))
    if kind is ValueKind.TEXT and filled:
        measured = [_measured(cell) for cell, text in zip(written, texts, strict=True) if text]
        common = set.intersection(*(set(found[1]) if found else set() for found in measured))
        if common:
            kind, unit = ValueKind.NUMBER, unit or tuple(sorted(common))
            values = iter(found[0] for found in measured if found)
            numbers = tuple(next(values) if text else None for text in texts)
    concepts = concepts_in_name(key)
    if kind is ValueKind.CLOCK and "close" in concepts:
        numbers = tuple(
            number + 1440 if number is not None and number < _SMALL_HOURS else number for number in numbers
        )
    if len(unit) > 1 and (meant := {_DIMENSIONS.get(concept) for concept in concepts} & {name for name, _ in unit}):
        unit = tuple(reading for reading in unit if reading[0] in meant)
    if unit and not concepts & CONCEPTS:
        concepts |= {concept for dimension, _ in unit if (concept := _UNIT_CONCEPTS.get(dimension.split()[0]))}
    if kind is ValueKind.NUMBER and unit and unit[0][0] == "time" and _are_years(numbers):
        unit, concepts = (), concepts | {"created"}
    if unit and unit[0][0].startswith("money"):
        concepts |= {"price"}
    return Column(key, kind, unit, concepts, numbers, texts, written)


def _are_years(numbers: Sequence[float | None]) -> bool:
    """Whether numbers of a key such as "year" are years of the calendar and no lengths of time."""
    return all(
        number is None or (_FIRST_YEAR <= number <= _LAST_YEAR and number == int(number)) for number in numbers
    )


def _plain_numbers(texts: Sequence[str]) -> tuple[ValueKind, tuple[float | None, ...]]:
    """The kind that all texts are of, with their values; texts when there is none."""
    first = next(filter(None, texts))
    for kind, reader in _READERS.items():
        if reader(first) is None:
            continue
        numbers = tuple(reader(text) if text else None for text in texts)
        if all(number is not None or not text for number, text in zip(numbers, texts, strict=True)):
            return kind, numbers
    return ValueKind.TEXT, (None,) * len(texts)


def _boolean(text: str) -> float | None:
    return 1.0 if text in _TRUE else 0.0 if text in _FALSE else None


def _clock(text: str) -> float | None:
    match = _CLOCK.fullmatch(text.upper())
    return int(match[1]) * 60 + int(match[2]) + int(match[3] or 0) / 60 if match else None


def _day(text: str) -> float | None:
    match = _DAY.match(text)
    if match is None:
        return None
    try:
        day = date(int(match[1]), int(match[2]), int(match[3]))
    except ValueError:
        return None
    return day.toordinal() * 1440.0 + int(match[4] or 0) * 60 + int(match[5] or 0) + int(match[6] or 0) / 60


def _number(text: str) -> float | None:
    if not _NUMBER.fullmatch(text):
        return None
    try:
        return float(text)
    except ValueError:
        values, _step = readings(text.lstrip("-"))
        return values[-1] * (-1 if text.startswith("-") else 1) if values else None


def _measured(text: str) -> tuple[float, Unit] | None:
    """A value such as "12 km" or "€ 3.50": one number with its unit and nothing else."""
    facts = read(text).facts
    if len(facts) != 1 or facts[0].kind is not FactKind.NUMBER or facts[0].amount is None or not facts[0].amount.unit:
        return None
    fact, amount = facts[0], facts[0].amount
    rest = text[: fact.start] + text[fact.end :]
    return (amount.values[0], amount.unit) if not rest.strip(" .") else None


_READERS: Final = {
    ValueKind.BOOLEAN: _boolean,
    ValueKind.NUMBER: _number,
    ValueKind.CLOCK: _clock,
    ValueKind.DAY: _day,
}


@lru_cache(maxsize=1 << 12)
def unit_of_key(key: str) -> Unit:
    """The unit that a key names: its last word that is one, but none of a rate such as visitors_per_day."""
    words = [fold(word) for word in split_words(_SQUARE_METRES.sub("sqm", key))]
    for index in range(len(words) - 1, -1, -1):
        word = words[index]
        if index and words[index - 1] in _RATES:
            continue
        if len(word) == 1 and index < len(words) - 1:
            continue
        if word == "min" and index == 0:
            continue
        if unit := unit_of(_KEY_UNITS.get(word, word)):
            return unit
    return ()


def _names(columns: Sequence[Column]) -> Iterator[RecordName]:
    first = _first_name_column(columns)
    for index, column in enumerate(columns):
        if column.kind is not ValueKind.TEXT and index != first:
            continue
        is_key = index == first and column.differs
        for text, record in column.single:
            if is_key or _is_namelike(column, text):
                yield RecordName(text, record, index)
        if is_key:
            yield from _parts_of_names(column, index)


def _first_name_column(columns: Sequence[Column]) -> int:
    """The column that names the records: the first one of texts, or numbers that all differ before it."""
    first = next((index for index, column in enumerate(columns) if column.kind is ValueKind.TEXT), -1)
    if columns and columns[0].kind is ValueKind.NUMBER and not columns[0].unit and len(columns[0].texts) > 1:
        texts = columns[0].texts
        if (
            len(set(texts)) == len(texts)
            and all(len(text) >= 2 for text in texts)
            and not columns[0].concepts & CONCEPTS
        ):
            return 0
    return first


def _parts_of_names(column: Column, index: int) -> Iterator[RecordName]:
    """The words of names of two words or more that only one of them has: a first name or a surname."""
    words = Counter(word for text in column.texts for word in set(text.split()))
    for record, text in enumerate(column.texts):
        pieces = text.split()
        for piece in pieces if 2 <= len(pieces) <= 3 else ():
            if (
                words[piece] == 1
                and len(piece) >= 2
                and piece.isalpha()
                and piece not in _NO_NAMES
                and not concepts_in_name(piece) & CONCEPTS
            ):
                yield RecordName(piece, record, index, is_part=True)


def _is_namelike(column: Column, text: str) -> bool:
    """Whether a value names its record and is no state that happens to occur once."""
    written = column.written[column.texts.index(text)]
    if all(concepts_in_name(word) & CONCEPTS for word in text.replace("_", " ").split()):
        return False
    if _NAMELIKE.search(written):
        return True
    return column.differs and len(column.texts) > 1 and not concepts_in_name(text) & CONCEPTS


def _is_free_text(key: str) -> bool:
    """Whether the values of a key are names or sentences, which nobody counts as states."""
    words = split_words(key)
    return bool(words) and fold(words[-1]) in _FREE_TEXTS


def _states(columns: Sequence[Column]) -> Iterator[State]:
    keys = {column.key for column in columns}
    is_log = {"time", "message"} <= keys
    first = True
    for column in columns:
        if column.kind is ValueKind.BOOLEAN:
            records = frozenset(index for index, value in enumerate(column.numbers) if value == 1.0)
            yield State(column, "true", column.concepts, records)
        elif column.kind is ValueKind.TEXT:
            is_first, first = first, False
            if is_first and not is_log and column.differs:
                continue
            if column.key != "level" if is_log else _is_free_text(column.key):
                continue
            for text in dict.fromkeys((*column.texts, *_LEVELS) if is_log else column.texts):
                if text and len(text.split()) <= _MAX_STATE_WORDS:
                    records = frozenset(index for index, other in enumerate(column.texts) if other == text)
                    yield State(column, text, concepts_in_name(text), records)

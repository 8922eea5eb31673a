"""The quantities of the newest results: numbers with their keys and units, moments, and counts of states."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import UTC, date, datetime
from functools import lru_cache
from itertools import islice
from typing import Final

from msgspec import Struct, field

from trace_inspector.engine.grounding.evidence.evidence import Evidence
from trace_inspector.engine.grounding.facts.reading import read
from trace_inspector.engine.grounding.tables.record import Field, Table
from trace_inspector.engine.grounding.tables.tables import SENTENCES, tables_of
from trace_inspector.engine.grounding.text.units import Unit, unit_of
from trace_inspector.engine.grounding.text.words import find_words, keys_of, split_words

_PASSAGES: Final = 20  # the newest ones of results
_NUMBERS: Final = 48  # that are calculated with in pairs
_COLUMN: Final = 500  # values of one key
_MOMENTS: Final = 16
_TABLES: Final = 8  # the newest
_RECORDS: Final = 60  # of one table
_FACTS: Final = 12  # of one text
_STATE_CHARS: Final = 40
_REMEMBERED_CHARS: Final = 80
_EPOCH: Final = (1_000_000_000, 2_200_000_000)  # seconds since 1970 from 2001 to 2039
_ISO: Final = re.compile(r"(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d))?")
_CLOCK: Final = re.compile(r"(?<![\d:-])([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?(?![\d:])")
_CENTS: Final = frozenset({"cents", "cent", "ct", "pence", "minor"})
_LARGEST: Final = 1e15  # numbers above it, which may be too large for a float, are codes
DAY: Final = 86_400


class Quantity(Struct, frozen=True, gc=False):
    """A number of a result with the words that name it: of its key, and of the record around it."""

    value: float
    label: str
    keys: frozenset[str]
    beside: frozenset[str]
    unit: Unit
    record: int


class Quantities(Struct):
    """All that can be calculated with."""

    passages: int
    numbers: list[Quantity] = field(default_factory=list)
    columns: dict[str, list[Quantity]] = field(default_factory=dict)
    # Of a key, by the key and the text of a state.
    groups: defaultdict[tuple[str, str, str], list[Quantity]] = field(default_factory=lambda: defaultdict(list))
    # Of a key: the texts, and how often each occurs.
    states: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    sizes: list[int] = field(default_factory=list)  # of tables, in records
    datetimes: list[int] = field(default_factory=list)  # in seconds
    clocks: list[int] = field(default_factory=list)  # in seconds of a day
    days: list[int] = field(default_factory=list)
    has_cents: bool = False


class _OfTable(Struct):
    """What one table adds to what can be calculated with."""

    table: Table
    datetimes: list[int] = field(default_factory=list)
    clocks: list[int] = field(default_factory=list)
    days: list[int] = field(default_factory=list)
    numbers: list[Quantity] = field(default_factory=list)
    columns: dict[str, list[Quantity]] = field(default_factory=dict)
    groups: dict[tuple[str, str, str], list[Quantity]] = field(default_factory=dict)
    states: dict[str, dict[str, int]] = field(default_factory=dict)
    has_cents: bool = False


class _NewestTables(Struct):
    """What the newest tables add, by the identity of each: most of them are still there in the next turn."""

    of_table: dict[int, _OfTable]
    records: int  # read so far, by which records are told apart


def quantities_of(evidence: Evidence) -> Quantities:
    """Read the newest results: their records, and what stands in prose."""
    found = Quantities(len(evidence.passages))
    record = _add_tables(evidence, found)
    for number in sorted(islice(evidence.newest_results(), _PASSAGES)):
        passage = evidence.passages[number]
        record += 1
        for leaf in passage.leaves:
            if not leaf.key:
                stated = _in_text(leaf.value, "")
                found.datetimes += stated.datetimes
                found.clocks += stated.clocks
                found.days += stated.days
                beside = frozenset(evidence.keys[number])
                for value, keys, unit in stated.numbers:
                    _take_number(Quantity(value, "", keys, beside, unit, record), found)
    found.days = sorted(set(found.days))[:_MOMENTS]
    found.datetimes = sorted(set(found.datetimes))[:_MOMENTS]
    found.clocks = sorted(set(found.clocks))[:_MOMENTS]
    return found


def _add_tables(evidence: Evidence, found: Quantities) -> int:
    """Add what the newest tables have, the newest first; and tell how many records were read so far."""
    known = evidence.recall(_NewestTables) or _NewestTables({}, 0)
    newest: dict[int, _OfTable] = {}
    whole = (table for table in reversed(tables_of(evidence)) if table.is_complete or table.name != SENTENCES)
    for table in islice(whole, _TABLES):  # the figures of a few sentences of a text are those of the text
        one = known.of_table.get(id(table))
        if one is None:
            one = _read_table(table, known.records)
            known.records += min(len(table.records), _RECORDS)
        newest[id(table)] = one
        found.sizes.append(len(table.records))
        found.datetimes += one.datetimes
        found.clocks += one.clocks
        found.days += one.days
        found.numbers += one.numbers
        for label, column in one.columns.items():
            found.columns.setdefault(label, []).extend(column)
        for group, members in one.groups.items():
            found.groups[group] += members
        for key, counts in one.states.items():
            states = found.states[key]
            for text, times in counts.items():
                states[text] += times
        found.has_cents = found.has_cents or one.has_cents
    del found.numbers[_NUMBERS:]
    for column in found.columns.values():
        del column[_COLUMN:]
    evidence.keep(_NewestTables(newest, known.records))
    return known.records


def _read_table(table: Table, record: int) -> _OfTable:
    read = _OfTable(table)
    for one in table.records[:_RECORDS]:
        record += 1
        stated = _in_record(one.fields, table.name)
        read.datetimes += stated.datetimes
        read.clocks += stated.clocks
        read.days += stated.days
        quantities = [
            Quantity(value, label, keys, stated.beside, unit, record) for value, label, keys, unit in stated.numbers
        ]
        for quantity in quantities:
            _take_number(quantity, read)
        for key, text in stated.texts:
            if text:
                counts = read.states.setdefault(key, {})
                counts[text] = counts.get(text, 0) + 1
        for group, place in stated.groups:
            read.groups.setdefault(group, []).append(quantities[place])
    return read


class _InRecord(Struct, frozen=True, gc=False):
    """What can be calculated with in a record."""

    datetimes: tuple[int, ...]
    clocks: tuple[int, ...]
    days: tuple[int, ...]
    numbers: tuple[tuple[float, str, frozenset[str], Unit], ...]
    # By the key of a number, and the key and the text of a state: the place of the number. None of those in texts.
    groups: tuple[tuple[tuple[str, str, str], int], ...]
    texts: tuple[tuple[str, str], ...]  # short ones, by key
    beside: frozenset[str]


@lru_cache(maxsize=1 << 7)  # results have the same records again and again
def _in_record(fields: tuple[Field, ...], table: str) -> _InRecord:
    texts = tuple((f.key, f.value) for f in fields if isinstance(f.value, str) and len(f.value) <= _STATE_CHARS)
    beside_unit = next(
        (unit for key, text in texts if key.endswith(("currency", "unit")) and (unit := unit_of(text))), ()
    )
    in_texts: list[_InText] = []
    numbers: list[tuple[float, str, frozenset[str], Unit]] = []
    own: list[tuple[str, int]] = []
    for item in fields:
        key, value = item.key, item.value
        if isinstance(value, str):
            stated = _remembered(value, key) if len(value) <= _REMEMBERED_CHARS else _in_text(value, key)
            in_texts.append(stated)
            numbers += ((number, key, keys, unit) for number, keys, unit in stated.numbers)
        elif value is not None and not isinstance(value, bool) and abs(value) <= _LARGEST:
            own.append((key, len(numbers)))
            numbers.append((float(value), key, _words_of_key(key), _unit_of_key(key) or beside_unit))
    return _InRecord(
        tuple(moment for stated in in_texts for moment in stated.datetimes),
        tuple(clock for stated in in_texts for clock in stated.clocks),
        tuple(day for stated in in_texts for day in stated.days),
        tuple(numbers),
        tuple([((label, key, text), place) for key, text in texts for label, place in own]),
        texts,
        _words_of_key(table).union(*(_words_of_key(text) for _key, text in texts[:8])),
    )


def _take_number(quantity: Quantity, found: Quantities | _OfTable) -> None:
    value = quantity.value
    if _EPOCH[0] <= value <= _EPOCH[1] and value.is_integer():
        found.datetimes.append(int(value))
        return
    if abs(value) > _LARGEST:
        return
    column = found.columns.setdefault(quantity.label, []) if quantity.label else []
    if len(column) < _COLUMN:
        column.append(quantity)
    if len(found.numbers) < _NUMBERS:
        found.numbers.append(quantity)
    found.has_cents = found.has_cents or _names_cents(quantity.label)


class _InText(Struct, frozen=True, gc=False):
    """What can be calculated with in a text: moments, and numbers with the words beside them and their units."""

    datetimes: tuple[int, ...]
    clocks: tuple[int, ...]
    days: tuple[int, ...]
    numbers: tuple[tuple[float, frozenset[str], Unit], ...]


@lru_cache(maxsize=1 << 12)
def _remembered(text: str, key: str) -> _InText:
    return _in_text(text, key)


def _in_text(whole: str, key: str) -> _InText:
    text = whole[:2_000]
    moments = (_seconds(match) for match in islice(_ISO.finditer(text), _MOMENTS))
    clocks = (
        int(match[1]) * 3_600 + int(match[2]) * 60 + int(match[3] or 0)
        for match in islice(_CLOCK.finditer(text), _MOMENTS)
    )
    numbers, days = [], []
    for fact in read(text).facts[:_FACTS]:
        if fact.amount is not None and not fact.keys:
            unit = fact.amount.unit or _unit_of_key(key)
            near = frozenset(keys_of(find_words(text[max(0, fact.start - 24) : fact.end + 24])))
            numbers.append((fact.amount.values[0], near | _words_of_key(key), unit))
        for name in fact.keys[:1]:
            kind, _, value = name.partition(":")
            if kind == "date" and len(value) == 10:
                days.append(date.fromisoformat(value).toordinal())
    return _InText(tuple(filter(None, moments)), tuple(clocks), tuple(days), tuple(numbers))


def _seconds(match: re.Match[str]) -> int:
    year, month, day, hour, minute, second = (int(part or 0) for part in match.groups())
    try:
        return int(datetime(year, month, day, hour, minute, second, tzinfo=UTC).timestamp())
    except ValueError:
        return 0


@lru_cache(maxsize=1 << 12)
def _words_of_key(key: str) -> frozenset[str]:
    return frozenset(keys_of(split_words(key)))


@lru_cache(maxsize=1 << 12)
def _names_cents(key: str) -> bool:
    return not _CENTS.isdisjoint(word.lower() for word in split_words(key))


@lru_cache(maxsize=1 << 12)
def _unit_of_key(key: str) -> Unit:
    words = split_words(key)
    return next((unit for word in reversed(words[-2:]) if len(word) > 1 and (unit := unit_of(word.lower()))), ())


def states_of(found: Quantities) -> Iterator[Counter[str]]:
    """How often each state of a key occurs, for keys whose states repeat."""
    return (counts for counts in found.states.values() if counts.total() > 1)

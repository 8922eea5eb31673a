"""The quantities of the newest results: numbers with their keys and units, moments, and counts of states."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple

from trace_inspector.engine.grounding.evidence.evidence import Evidence
from trace_inspector.engine.grounding.facts.reading import read
from trace_inspector.engine.grounding.tables.record import Record, Scalar, Table
from trace_inspector.engine.grounding.tables.tables import tables_of
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
DAY: Final = 86_400


class Quantity(NamedTuple):
    """A number of a result with the words that name it: of its key, and of the record around it."""

    value: float
    label: str
    keys: frozenset[str]
    beside: frozenset[str]
    unit: Unit
    record: int


@dataclass(slots=True)
class Quantities:
    """All that can be calculated with."""

    passages: int
    numbers: list[Quantity] = field(default_factory=list)
    columns: dict[str, list[Quantity]] = field(default_factory=dict)
    groups: dict[tuple[str, str, str], list[Quantity]] = field(default_factory=dict)  # of a key, by a state's key
    states: dict[str, Counter[str]] = field(default_factory=dict)  # of a key: the texts, and how often each occurs
    sizes: list[int] = field(default_factory=list)  # of tables, in records
    datetimes: list[int] = field(default_factory=list)  # in seconds
    clocks: list[int] = field(default_factory=list)  # in seconds of a day
    days: list[int] = field(default_factory=list)
    has_cents: bool = False


def quantities_of(evidence: Evidence) -> Quantities:
    """Read the newest results: their records, and what stands in prose."""
    found = Quantities(len(evidence.passages))
    record = 0
    for table in islice(reversed(tables_of(evidence)), _TABLES):
        found.sizes.append(len(table.records))
        for one in table.records[:_RECORDS]:
            record += 1
            _take_record(one, table, record, found)
    for number in sorted(islice(evidence.newest_results(), _PASSAGES)):
        passage = evidence.passages[number]
        record += 1
        for leaf in passage.leaves:
            if not leaf.key:
                _take_text(leaf.value, "", frozenset(evidence.keys[number]), record, found)
    found.days = sorted(set(found.days))[:_MOMENTS]
    found.datetimes = sorted(set(found.datetimes))[:_MOMENTS]
    found.clocks = sorted(set(found.clocks))[:_MOMENTS]
    return found


def _take_record(one: Record, table: Table, record: int, found: Quantities) -> None:
    texts = [(f.key, f.value) for f in one.fields if isinstance(f.value, str) and len(f.value) <= _STATE_CHARS]
    beside = _words_of_key(table.name).union(*(_words_of_key(text) for _key, text in texts[:8]))
    beside_unit = next(
        (unit for key, text in texts if key.endswith(("currency", "unit")) and (unit := unit_of(text))), ()
    )
    own: list[Quantity] = []
    for key, value, _text in one.fields:
        if isinstance(value, bool) or value is None:
            continue
        if isinstance(value, str):
            _take_text(value, key, beside, record, found)
            if value and len(value) <= _STATE_CHARS:
                found.states.setdefault(key, Counter())[value] += 1
        else:
            quantity = _quantity(value, key, beside, beside_unit, record)
            own.append(quantity)
            _take_number(quantity, found)
    for key, text in texts:
        for quantity in own:
            found.groups.setdefault((quantity.label, key, text), []).append(quantity)


def _quantity(value: Scalar, key: str, beside: frozenset[str], beside_unit: Unit, record: int) -> Quantity:
    unit = _unit_of_key(key) or beside_unit
    return Quantity(float(value or 0), key, _words_of_key(key), beside, unit, record)


def _take_number(quantity: Quantity, found: Quantities) -> None:
    value = quantity.value
    if _EPOCH[0] <= value <= _EPOCH[1] and value.is_integer():
        found.datetimes.append(int(value))
        return
    if abs(value) > 1e15:
        return
    column = found.columns.setdefault(quantity.label, []) if quantity.label else []
    if len(column) < _COLUMN:
        column.append(quantity)
    if len(found.numbers) < _NUMBERS:
        found.numbers.append(quantity)
    found.has_cents = found.has_cents or _names_cents(quantity.label)


def _take_text(text: str, key: str, beside: frozenset[str], record: int, found: Quantities) -> None:
    """The moments and numbers in a text."""
    stated = _remembered(text, key) if len(text) <= _REMEMBERED_CHARS else _in_text(text[:2_000], key)
    found.datetimes += stated.datetimes
    found.clocks += stated.clocks
    found.days += stated.days
    for value, keys, unit in stated.numbers:
        _take_number(Quantity(value, key, keys, beside, unit, record), found)


class _InText(NamedTuple):
    """What can be calculated with in a text: moments, and numbers with the words beside them and their units."""

    datetimes: tuple[int, ...]
    clocks: tuple[int, ...]
    days: tuple[int, ...]
    numbers: tuple[tuple[float, frozenset[str], Unit], ...]


@lru_cache(maxsize=1 << 12)
def _remembered(text: str, key: str) -> _InText:
    return _in_text(text, key)


def _in_text(text: str, key: str) -> _InText:
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

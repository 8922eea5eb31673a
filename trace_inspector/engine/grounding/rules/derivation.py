"""Whether a figure that stands nowhere follows from figures that do, by one step of arithmetic.

Agents calculate more often rightly than wrongly. A figure that is a sum, a difference, a product, a share or a
conversion of what the newest results state is no sign of an invented one, whatever the sentence calls it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import combinations, islice, permutations
from typing import Final
from weakref import WeakKeyDictionary

from trace_inspector.engine.grounding.evidence.evidence import Evidence
from trace_inspector.engine.grounding.facts.claim import Claim
from trace_inspector.engine.grounding.facts.fact import Amount, Fact, FactKind
from trace_inspector.engine.grounding.facts.reading import read
from trace_inspector.engine.grounding.text.units import measures

_PASSAGES: Final = 32  # the newest ones of results
_COLUMN: Final = 12  # values of one key
_ALL: Final = 24  # numbers that are tried with each other whatever their keys are
_MOMENTS: Final = 24
_TRIPLES: Final = 6
_DAY_MINUTES: Final = 1_440
# What one figure is in another unit: minutes and hours, days and weeks, miles, pounds, inches, cents, per cent.
_FACTORS: Final = (60.0, 24.0, 7.0, 12.0, 1_000.0, 1_024.0, 100.0, 1.609344, 2.20462262, 2.54, 0.3048, 3.785411784)


@dataclass(slots=True)
class _Pool:
    """The figures of the newest results: by their keys, by their records, and all of them."""

    passages: int
    columns: dict[str, list[float]] = field(default_factory=dict)
    states: dict[str, Counter[str]] = field(default_factory=dict)
    records: list[list[float]] = field(default_factory=list)
    numbers: list[float] = field(default_factory=list)
    minutes: list[int] = field(default_factory=list)
    days: list[int] = field(default_factory=list)


_Result = tuple[float, str, tuple[float, ...]]  # a figure, and the words of its calculation with their figures


def derive(fact: Fact, claim: Claim, evidence: Evidence) -> str:
    """The calculation that gives a figure, as "12 + 30 = 42"; "" where there is none."""
    amount = fact.amount
    if amount is None or fact.kind is not FactKind.NUMBER:
        return ""
    pool = _pool_of(evidence)
    kind = _kind_of(amount)
    half = amount.step * 0.5000001
    ranges = [(value - half, value + half) for value in amount.values if value]
    ranges += [
        (min(value * least, value * most), max(value * least, value * most))
        for value in amount.values
        for least, most in claim.bounds
    ]
    for low, high in ranges:
        for result, words, figures in _results(pool, kind):
            if low <= result <= high:
                return f"{words.format(*figures)} = {result:.6g}"
    return ""


@dataclass(frozen=True, slots=True)
class _Asked:
    """What kind of figure is looked for: the seconds of its unit, whether it is a share, whether it has a unit."""

    seconds: float
    is_share: bool
    is_measure: bool


def _kind_of(amount: Amount) -> _Asked:
    seconds = next((factor for dimension, factor in amount.unit if dimension == "time"), 0.0)
    is_share = any(dimension == "percent" for dimension, _ in amount.unit)
    return _Asked(seconds, is_share, measures(amount.unit))


def _results(pool: _Pool, asked: _Asked) -> Iterator[_Result]:
    """Figures that follow by one step, the likelier ones first; of shares and measures only what can be one."""
    pairs = _shares if asked.is_share else _sums
    if asked.seconds:
        yield from _spans(pool, asked.seconds)
    for values in pool.columns.values():
        yield from _of_column(values)
        yield from pairs(values)
    for counts in pool.states.values():
        yield from _of_states(counts, is_share=asked.is_share)
    for numbers in pool.records:
        yield from pairs(numbers)
    for number in pool.numbers if asked.is_measure else ():
        yield from _converted(number)
    if len(pool.numbers) <= _ALL:
        yield from pairs(pool.numbers)


def _of_states(counts: Counter[str], *, is_share: bool) -> Iterator[_Result]:
    whole = counts.total()
    if whole < 2:
        return
    for count in sorted(set(counts.values())):
        if is_share:
            yield 100 * count / whole, "100 × {:g} / {:g}", (count, whole)
        else:
            yield count, "{:g} of {:g} records", (count, whole)
            yield whole - count, "{1:g} − {0:g} records", (count, whole)


def _of_column(values: Sequence[float]) -> Iterator[_Result]:
    if len(values) < 2:
        return
    total = sum(values)
    yield total, "the sum of {:g} values", (len(values),)
    yield total / len(values), "the mean of {:g} values", (len(values),)
    if len(values) <= _TRIPLES:
        for three in combinations(values, 3):
            yield sum(three), "{:.6g} + {:.6g} + {:.6g}", three


def _sums(values: Sequence[float]) -> Iterator[_Result]:
    for pair in combinations(values, 2):
        yield pair[0] + pair[1], "{:.6g} + {:.6g}", pair
        yield abs(pair[0] - pair[1]), "{:.6g} − {:.6g}", (max(pair), min(pair))
        yield pair[0] * pair[1], "{:.6g} × {:.6g}", pair


def _shares(values: Sequence[float]) -> Iterator[_Result]:
    for pair in permutations(values, 2):
        first, second = pair
        if second:
            yield 100 * first / second, "100 × {:.6g} / {:.6g}", pair
            yield 100 * abs(first - second) / second, "100 × ({0:.6g} − {1:.6g}) / {1:.6g}", pair
        yield first - second, "{:.6g} − {:.6g}", pair


def _converted(number: float) -> Iterator[_Result]:
    for factor in _FACTORS:
        yield number * factor, "{:.6g} × {:g}", (number, factor)
        yield number / factor, "{:.6g} / {:g}", (number, factor)
    yield number * 1.8 + 32, "{:.6g} °C in °F", (number,)
    yield (number - 32) / 1.8, "{:.6g} °F in °C", (number,)
    yield 100 - number, "100 − {:.6g}", (number,)


def _spans(pool: _Pool, seconds: float) -> Iterator[_Result]:
    """Times between two moments of one day, or of two days in a row, and days between two dates."""
    for first, second in permutations(pool.minutes, 2):
        minutes = (second - first) % _DAY_MINUTES
        figures = (second // 60, second % 60, first // 60, first % 60)
        yield minutes * 60 / seconds, "{}:{:02} − {}:{:02}", figures
    for early, late in combinations(sorted(set(pool.days)), 2):
        yield (late - early) * 86_400 / seconds, "{} days between two dates", (late - early,)
        yield (late - early + 1) * 86_400 / seconds, "{} days, both dates counted", (late - early + 1,)


_POOLS: WeakKeyDictionary[Evidence, _Pool] = WeakKeyDictionary()


def _pool_of(evidence: Evidence) -> _Pool:
    pool = _POOLS.get(evidence)
    if pool is None or pool.passages != len(evidence.passages):
        pool = _POOLS[evidence] = _read_pool(evidence)
    return pool


def _read_pool(evidence: Evidence) -> _Pool:
    pool = _Pool(len(evidence.passages))
    for number in sorted(islice(evidence.newest_results(), _PASSAGES)):
        record: list[float] = []
        for leaf in evidence.passages[number].leaves:
            facts = read(leaf.value).facts
            for fact in facts[:12]:
                _take(fact, leaf.label, record, pool)
            if leaf.key and not any(fact.amount for fact in facts):
                pool.states.setdefault(leaf.label, Counter())[leaf.value] += 1
        pool.records.append(record[:_COLUMN])
    pool.columns = {label: values[:_COLUMN] for label, values in pool.columns.items()}
    pool.numbers = list(dict.fromkeys(pool.numbers))
    return pool


def _take(fact: Fact, label: str, record: list[float], pool: _Pool) -> None:
    if fact.amount is not None and not fact.keys:
        value = fact.amount.values[0]
        record.append(value)
        pool.numbers.append(value)
        if label:
            pool.columns.setdefault(label, []).append(value)
    for key in fact.keys[:1]:
        kind, _, text = key.partition(":")
        if kind == "time" and len(pool.minutes) < _MOMENTS:
            hour, _, minute = text.partition(":")
            pool.minutes.append(int(hour) * 60 + int(minute[:2]))
        elif kind == "date" and len(pool.days) < _MOMENTS:
            pool.days.append(date.fromisoformat(text).toordinal())

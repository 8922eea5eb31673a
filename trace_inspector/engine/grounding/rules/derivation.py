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

_PASSAGES: Final = 20  # the newest ones of results
_COLUMN: Final = 10  # values of one key
_ALL: Final = 16  # numbers that are tried with each other whatever their keys are
_MOMENTS: Final = 12
_TRIPLES: Final = 6
_DAY_MINUTES: Final = 1_440
# What one figure may be in another unit of its dimension.
_FACTORS: Final = {
    "time": (60.0, 3_600.0, 24.0, 7.0, 12.0, 1_000.0),
    "length": (1.609344, 0.3048, 2.54, 1_000.0, 100.0),
    "mass": (2.20462262, 1_000.0),
    "volume": (3.785411784, 1_000.0),
    "data": (1_000.0, 1_024.0, 1_000_000.0),
    "speed": (1.609344,),
}
_EXACTLY: Final = 1e-9


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


_PLUS, _MINUS, _TIMES = "{:.6g} + {:.6g}", "{:.6g} − {:.6g}", "{:.6g} × {:.6g}"
_THREE = "{:.6g} + {:.6g} + {:.6g}"
_TOTAL = "the sum of {:g} values"
_EXACT: Final = frozenset({_PLUS, _MINUS, _TIMES, _THREE, _TOTAL})
_Result = tuple[float, str, tuple[float, ...]]  # a figure, and the words of its calculation with their figures


def derive(fact: Fact, claim: Claim, evidence: Evidence) -> str:
    """The calculation that gives a figure, as "12 + 30 = 42"; "" where there is none."""
    amount = fact.amount
    if amount is None or fact.kind is not FactKind.NUMBER:
        return ""
    pool = _pool_of(evidence)
    kind = _kind_of(amount)
    half = amount.step * 0.5000001
    for value in filter(None, amount.values):
        about = [sorted((value * least, value * most)) for least, most in claim.bounds]
        for result, words, figures in _results(pool, kind):
            # A sum of what is stated needs no rounding; a share, a mean or a conversion does.
            near = _EXACTLY * abs(value) if words in _EXACT else half
            if abs(result - value) <= near or any(low <= result <= high for low, high in about):
                return f"{words.format(*figures)} = {result:.6g}"
    return ""


@dataclass(frozen=True, slots=True)
class _FigureKind:
    """What kind of figure is looked for: its dimension, the seconds of its unit, and whether it is a share."""

    dimension: str
    seconds: float
    is_share: bool


def _kind_of(amount: Amount) -> _FigureKind:
    seconds = next((factor for dimension, factor in amount.unit if dimension == "time"), 0.0)
    is_share = any(dimension == "percent" for dimension, _ in amount.unit)
    return _FigureKind(amount.unit[0][0] if amount.unit else "", seconds, is_share)


def _results(pool: _Pool, asked: _FigureKind) -> Iterator[_Result]:
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
    for number in pool.numbers:
        yield from _converted(number, asked.dimension)
    if len(pool.numbers) <= _ALL:
        yield from pairs(pool.numbers)


def _of_states(counts: Counter[str], *, is_share: bool) -> Iterator[_Result]:
    whole = counts.total()
    if whole < 2:
        return
    if not is_share:
        yield whole, "all {:g} records", (whole,)
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
    yield len(values), "the number of {:g} values", (len(values),)
    yield total, _TOTAL, (len(values),)
    yield total / len(values), "the mean of {:g} values", (len(values),)
    if len(values) <= _TRIPLES:
        for three in combinations(values, 3):
            yield sum(three), _THREE, three


def _sums(values: Sequence[float]) -> Iterator[_Result]:
    for pair in combinations(values, 2):
        yield pair[0] + pair[1], _PLUS, pair
        yield abs(pair[0] - pair[1]), _MINUS, (max(pair), min(pair))
        yield pair[0] * pair[1], _TIMES, pair


def _shares(values: Sequence[float]) -> Iterator[_Result]:
    for pair in permutations(values, 2):
        first, second = pair
        if second:
            yield 100 * first / second, "100 × {:.6g} / {:.6g}", pair
            yield 100 * abs(first - second) / second, "100 × ({0:.6g} − {1:.6g}) / {1:.6g}", pair
        yield first - second, _MINUS, pair


def _converted(number: float, dimension: str) -> Iterator[_Result]:
    for factor in _FACTORS.get(dimension, ()):
        yield number * factor, "{:.6g} × {:g}", (number, factor)
        yield number / factor, "{:.6g} / {:g}", (number, factor)
    if dimension.startswith("temperature"):
        yield number * 1.8 + 32, "{:.6g} °C in °F", (number,)
        yield (number - 32) / 1.8, "{:.6g} °F in °C", (number,)


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

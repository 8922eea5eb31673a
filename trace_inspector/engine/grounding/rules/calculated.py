"""All figures that follow from the quantities of results by one step of arithmetic, in the order of their values."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from operator import itemgetter
from typing import Final, NamedTuple, TypeAlias

from trace_inspector.engine.grounding.facts.reading import read
from trace_inspector.engine.grounding.rules.quantities import DAY, Quantities, Quantity, states_of
from trace_inspector.engine.grounding.text.words import keys_of

_ALL: Final = 16  # numbers that are tried with each other whatever their keys are
_TRIPLES: Final = 7
_ROWS: Final = 14  # of a column, whose values are tried in pairs
_AGGREGATES: Final = 12


class Calculation(NamedTuple):
    """A figure that follows: its words with its operands, and the words that name these."""

    value: float
    words: str
    figures: tuple[float, ...]
    keys: frozenset[str]
    beside: frozenset[str] = frozenset()
    is_exact: bool = False  # a sum of what is stated needs no rounding; a share, a mean or a conversion does


class Calculations:
    """Calculations in the order of their values."""

    def __init__(self, calculations: Iterable[Calculation]) -> None:
        self._calculations = sorted(calculations, key=itemgetter(0, 1, 2))
        self._values = [one.value for one in self._calculations]

    def between(self, low: float, high: float) -> list[Calculation]:
        """Those whose value is in a range."""
        return self._calculations[bisect_left(self._values, low) : bisect_right(self._values, high)]

    def values(self, low: float, high: float) -> list[float]:
        """The values in a range."""
        return self._values[bisect_left(self._values, low) : bisect_right(self._values, high)]


@dataclass(frozen=True)
class FollowingFigures:
    """What is stated, and what follows from it: figures, shares in percent, and times in seconds; each when asked."""

    found: Quantities

    @cached_property
    def stated(self) -> Calculations:
        """The numbers themselves."""
        return Calculations(_stated(self.found.numbers))

    @cached_property
    def figures(self) -> Calculations:
        """Sums, differences, products, quotients, counts."""
        found, aggregates = self.found, self._aggregates
        pairs = (*_of_pairs(found, _sums), *_of_pairs(found, _with_share))
        return Calculations([*aggregates, *_counts(found), *pairs, *_second_sums(aggregates, found)])

    @cached_property
    def shares(self) -> Calculations:
        """Parts of a whole and changes, in percent."""
        found = self.found
        of_aggregates = _shares_of_aggregates(self._aggregates)
        return Calculations([*_of_pairs(found, _shares), *_shares_of_states(found), *of_aggregates])

    @cached_property
    def spans(self) -> Calculations:
        """Times between moments."""
        return Calculations(_spans(self.found))

    @cached_property
    def _aggregates(self) -> list[Calculation]:
        return list(_aggregates(self.found))


_PLUS, _MINUS, _TIMES, _OVER = "{:.6g} + {:.6g}", "{:.6g} − {:.6g}", "{:.6g} × {:.6g}", "{:.6g} / {:.6g}"
_NOTHING: Final = frozenset[str]()
_RATE_KEYS: Final = keys_of(
    ["rate", "share", "pct", "percent", "percentage", "vat", "tax", "discount", "probability", "ratio"]
)
_Pairs: TypeAlias = Callable[[Quantity, Quantity], Iterator[Calculation]]


def _stated(numbers: Iterable[Quantity]) -> Iterator[Calculation]:
    return (Calculation(abs(one.value), "{:.6g}", (one.value,), one.keys, one.beside) for one in numbers)


def _aggregates(found: Quantities) -> Iterator[Calculation]:
    """Sums and means of the values of a key, of all records or of those with one state; products summed."""
    for label, values in found.columns.items():
        yield from _of_column(values, "")
        if len(values) <= _TRIPLES:
            for three in combinations(values, 3):
                total = abs(sum(one.value for one in three))
                figures = tuple(one.value for one in three)
                yield Calculation(total, "{:.6g} + {:.6g} + {:.6g}", figures, three[0].keys, _NOTHING, is_exact=True)
        for other, more in found.columns.items():
            if label < other and 1 < len(values) == len(more) <= _ROWS:
                pairs = list(zip(values, more, strict=True))
                if all(first.record == second.record for first, second in pairs):
                    total = sum(first.value * second.value for first, second in pairs)
                    keys = values[0].keys | more[0].keys
                    yield Calculation(
                        abs(total), "the sum of {:g} products", (len(pairs),), keys, _NOTHING, is_exact=True
                    )
    for (label, _key, state), members in found.groups.items():
        if 1 < len(members) < len(found.columns.get(label, ())):
            yield from _of_column(members, state)


def _of_column(values: Sequence[Quantity], state: str) -> Iterator[Calculation]:
    if len(values) < 2:
        return
    total, count = sum(one.value for one in values), len(values)
    of_state = f" of {state[:20]}".replace("{", "").replace("}", "") if state else ""
    keys = values[0].keys
    beside = frozenset.intersection(*(one.beside for one in values))
    yield Calculation(abs(total), f"the sum of {{:g}} values{of_state}", (count,), keys, beside, is_exact=True)
    yield Calculation(abs(total) / count, f"the mean of {{:g}} values{of_state}", (count,), keys, beside)


def _counts(found: Quantities) -> Iterator[Calculation]:
    for size in found.sizes:
        if size > 1:
            yield Calculation(size, "all {:g} records", (size,), _NOTHING, _NOTHING, is_exact=True)
    for counts in states_of(found):
        whole = counts.total()
        for text, count in sorted(counts.items()):
            keys = read(text.replace("_", " ")).keys
            yield Calculation(count, "{:g} of {:g} records", (count, whole), keys, _NOTHING, is_exact=True)
            yield Calculation(whole - count, "{1:g} − {0:g} records", (count, whole), keys, _NOTHING, is_exact=True)


def _of_pairs(found: Quantities, make: _Pairs) -> Iterator[Calculation]:
    seen: set[tuple[int, int]] = set()
    records: dict[int, list[Quantity]] = {}
    for one in found.numbers:
        records.setdefault(one.record, []).append(one)
    columns = (values[:_ROWS] for values in found.columns.values())
    rest = [found.numbers] if len(found.numbers) <= _ALL else []
    for values in (*columns, *records.values(), *rest):
        for first, second in combinations(values, 2):
            pair = (id(first), id(second))
            if pair not in seen:
                seen.add(pair)
                yield from make(first, second)


def _with_share(first: Quantity, second: Quantity) -> Iterator[Calculation]:
    """A figure with or without a share of it, such as a tax."""
    for base, share in ((first, second), (second, first)):
        is_percent = any(dimension == "percent" for dimension, _factor in share.unit)
        rate = share.value / 100 if is_percent else share.value
        if 0 < rate < 1 and (is_percent or not _RATE_KEYS.isdisjoint(share.keys)):
            keys = base.keys | share.keys
            for sign, words in ((1, "{:.6g} + {:g} %"), (-1, "{:.6g} − {:g} %")):
                result = abs(base.value) * (1 + sign * rate)
                yield Calculation(result, words, (base.value, 100 * rate), keys, base.beside)


def _sums(first: Quantity, second: Quantity) -> Iterator[Calculation]:
    a, b = first.value, second.value
    keys, beside = first.keys | second.keys, first.beside | second.beside
    yield Calculation(abs(a + b), _PLUS, (a, b), keys, beside, is_exact=True)
    yield Calculation(abs(a - b), _MINUS, (max(a, b), min(a, b)), keys, beside, is_exact=True)
    yield Calculation(abs(a * b), _TIMES, (a, b), keys, beside, is_exact=True)
    for over, under in ((a, b), (b, a)):
        if under:
            yield Calculation(abs(over / under), _OVER, (over, under), keys, beside)


def _shares(first: Quantity, second: Quantity) -> Iterator[Calculation]:
    keys, beside = first.keys | second.keys, first.beside | second.beside
    for a, b in ((first.value, second.value), (second.value, first.value)):
        if b:
            yield Calculation(abs(100 * a / b), "100 × {:.6g} / {:.6g}", (a, b), keys, beside)
            words = "100 × ({0:.6g} − {1:.6g}) / {1:.6g}"
            yield Calculation(abs(100 * (a - b) / b), words, (a, b), keys, beside)
    yield Calculation(
        abs(first.value - second.value), _MINUS, (first.value, second.value), keys, beside, is_exact=True
    )


def _shares_of_states(found: Quantities) -> Iterator[Calculation]:
    for counts in states_of(found):
        whole = counts.total()
        for text, count in sorted(counts.items()):
            keys = read(text.replace("_", " ")).keys
            yield Calculation(100 * count / whole, "100 × {:g} / {:g}", (count, whole), keys, _NOTHING)


def _shares_of_aggregates(aggregates: Sequence[Calculation]) -> Iterator[Calculation]:
    sums = [one for one in aggregates if one.is_exact and one.words.startswith("the sum")][:_AGGREGATES]
    for first, second in combinations(sums, 2):
        keys = first.keys | second.keys
        for a, b in ((first.value, second.value), (second.value, first.value)):
            if b:
                yield Calculation(100 * a / b, "100 × {:.6g} / {:.6g}", (a, b), keys, _NOTHING)
                yield Calculation(
                    abs(100 * (a - b) / b), "100 × ({0:.6g} − {1:.6g}) / {1:.6g}", (a, b), keys, _NOTHING
                )


def _second_sums(aggregates: Sequence[Calculation], found: Quantities) -> Iterator[Calculation]:
    """Sums against each other, and against single figures such as a budget."""
    sums = [one for one in aggregates if one.is_exact and one.words.startswith("the sum")][:_AGGREGATES]
    for first, second in combinations(sums, 2):
        keys = first.keys | second.keys
        a, b = first.value, second.value
        yield Calculation(abs(a - b), _MINUS, (max(a, b), min(a, b)), keys, _NOTHING, is_exact=True)
        yield Calculation(a + b, _PLUS, (a, b), keys, _NOTHING, is_exact=True)
    if len(found.numbers) <= 2 * _ALL:
        for total in sums:
            for one in found.numbers:
                a, b, keys = total.value, one.value, total.keys | one.keys
                yield Calculation(abs(a - b), _MINUS, (max(a, b), min(a, b)), keys, _NOTHING, is_exact=True)
                yield Calculation(abs(a + b), _PLUS, (a, b), keys, _NOTHING, is_exact=True)


def _spans(found: Quantities) -> Iterator[Calculation]:
    """Times between two moments, in seconds, and days between two dates."""
    for early, late in combinations(found.datetimes, 2):
        yield Calculation(late - early, "{:g} seconds between two moments", (late - early,), _NOTHING, _NOTHING)
    for early, late in combinations(found.clocks, 2):
        for seconds in (late - early, DAY - (late - early)):
            words = "{:g}:{:02g} to {:g}:{:02g}"
            figures = (early // 3_600, early // 60 % 60, late // 3_600, late // 60 % 60)
            yield Calculation(seconds, words, figures, _NOTHING, _NOTHING)
    for first, last in combinations(found.days, 2):
        days = last - first
        yield Calculation(days * DAY, "{:g} days between two dates", (days,), _NOTHING, _NOTHING)
        yield Calculation((days + 1) * DAY, "{:g} days, both dates counted", (days + 1,), _NOTHING, _NOTHING)

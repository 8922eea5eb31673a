"""All figures that follow from the quantities of results by one step of arithmetic, in the order of their values."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, chain, combinations, product
from operator import itemgetter
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from msgspec import Struct

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


_Step: TypeAlias = Callable[[Quantity, Quantity, float], Calculation]
_Origin: TypeAlias = Calculation | tuple[_Step, Quantity, Quantity]


class Collected:
    """Values with what they come from and how often; of most only the value is worked out, until one is asked for."""

    def __init__(self, calculations: Iterable[Calculation] = ()) -> None:
        self.values: list[float] = []
        self.origins: list[_Origin] = []
        self.times: list[int] = []
        self.add(calculations)

    def add(self, calculations: Iterable[Calculation]) -> None:
        """Add calculations that are worked out."""
        for one in calculations:
            self.values.append(one.value)
            self.origins.append(one)
            self.times.append(1)


class Calculations:
    """Calculations in the order of their values."""

    def __init__(self, collected: Collected) -> None:
        values, origins, times = collected.values, collected.origins, collected.times
        order = sorted(range(len(values)), key=values.__getitem__)
        self._values = [values[index] for index in order]
        self._origins = [origins[index] for index in order]
        self._before = [0, *accumulate(times[index] for index in order)]

    def between(self, low: float, high: float) -> list[Calculation]:
        """Those whose value is in a range, equal ones once."""
        first, last = bisect_left(self._values, low), bisect_right(self._values, high)
        if first == last:
            return []
        near = [
            origin if isinstance(origin, Calculation) else origin[0](origin[1], origin[2], value)
            for value, origin in zip(self._values[first:last], self._origins[first:last], strict=True)
        ]
        return sorted(near, key=itemgetter(0, 1, 2))

    def count(self, low: float, high: float) -> int:
        """How many values are in a range."""
        return self._before[bisect_right(self._values, high)] - self._before[bisect_left(self._values, low)]

    def values(self, low: float, high: float) -> list[float]:
        """The values in a range, those of equal calculations once."""
        return self._values[bisect_left(self._values, low) : bisect_right(self._values, high)]


class _Pair(NamedTuple):
    """Two numbers that are tried with each other, and how many pairs of records have just these."""

    first: Quantity
    second: Quantity
    times: int


class FollowingFigures(Struct, frozen=True, dict=True):  # a dict for the cached properties
    """What is stated, and what follows from it: figures, shares in percent, and times in seconds; each when asked."""

    found: Quantities

    @cached_property
    def stated(self) -> Calculations:
        """The numbers themselves."""
        return Calculations(Collected(_stated(self.found.numbers)))

    @cached_property
    def figures(self) -> Calculations:
        """Sums, differences, products, quotients, counts."""
        collected = Collected([*self._aggregates, *_counts(self.found)])
        _add_sums(self._pairs, collected)
        collected.add(_with_shares(self._pairs))
        _add_second_sums(self._aggregates, self.found, collected)
        return Calculations(collected)

    @cached_property
    def shares(self) -> Calculations:
        """Parts of a whole and changes, in percent."""
        found = self.found
        of_aggregates = _shares_of_aggregates(self._aggregates)
        of_pairs = (share for pair in self._pairs for _ in range(pair.times) for share in _shares(pair))
        return Calculations(Collected([*of_pairs, *_shares_of_states(found), *of_aggregates]))

    @cached_property
    def spans(self) -> Calculations:
        """Times between moments."""
        return Calculations(Collected(_spans(self.found)))

    @cached_property
    def _aggregates(self) -> list[Calculation]:
        return list(_aggregates(self.found))

    @cached_property
    def _pairs(self) -> list[_Pair]:
        return _pairs_of(self.found)


_PLUS, _MINUS, _TIMES, _OVER = "{:.6g} + {:.6g}", "{:.6g} − {:.6g}", "{:.6g} × {:.6g}", "{:.6g} / {:.6g}"
_NOTHING: Final = frozenset[str]()
_RATE_KEYS: Final = keys_of(
    ["rate", "share", "pct", "percent", "percentage", "vat", "tax", "discount", "probability", "ratio"]
)


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


def _pairs_of(found: Quantities) -> list[_Pair]:
    """The numbers that are tried with each other: of one key, of one record, and all where they are few.

    Results say the same again and again: what is alike in all that a calculation shows is calculated with once.
    """
    columns = [values[:_ROWS] for values in found.columns.values()]
    column_of = {id(one): number for number, values in enumerate(columns) for one in values}
    numbers: dict[tuple[object, ...], int] = {}
    alike: list[Quantity] = []
    number_of: dict[int, int] = {}
    for one in chain(found.numbers, *columns):
        number = numbers.setdefault((one.value, one.keys, one.beside, one.unit), len(alike))
        if number == len(alike):
            alike.append(one)
        number_of[id(one)] = number
    times: Counter[tuple[int, int]] = Counter()
    for values in columns:
        times.update(combinations([number_of[id(one)] for one in values], 2))
    records: dict[int, list[Quantity]] = {}
    for one in found.numbers:
        records.setdefault(one.record, []).append(one)
    for values in records.values():
        times.update(_not_of_one_column(values, column_of, number_of))
    if len(found.numbers) <= _ALL:
        elsewhere = {id(one): one.record for one in found.numbers}
        times.update(_not_of_one_column(found.numbers, column_of, number_of, elsewhere))
    return [_Pair(alike[first], alike[second], count) for (first, second), count in times.items()]


def _not_of_one_column(
    values: Sequence[Quantity],
    column_of: Mapping[int, int],
    number_of: Mapping[int, int],
    record_of: Mapping[int, int] = MappingProxyType({}),
) -> Iterator[tuple[int, int]]:
    """The pairs of some numbers that are no pair of a column, nor of a record, where that is asked."""
    for first, second in combinations(map(id, values), 2):
        column = column_of.get(first)
        if column is not None and column == column_of.get(second):
            continue
        if record_of and record_of[first] == record_of[second]:
            continue
        yield number_of[first], number_of[second]


def _with_shares(pairs: Sequence[_Pair]) -> Iterator[Calculation]:
    """Figures with or without a share of them, such as a tax."""
    numbers = {id(one): one for pair in pairs for one in (pair.first, pair.second)}
    rates = {number: rate for number, one in numbers.items() if (rate := _rate(one))}
    for pair in pairs if rates else ():
        for base, share in ((pair.first, pair.second), (pair.second, pair.first)):
            rate = rates.get(id(share))
            for _ in range(pair.times) if rate else ():
                yield from _with_share(base, share, rate or 0.0)


def _with_share(base: Quantity, share: Quantity, rate: float) -> Iterator[Calculation]:
    keys = base.keys | share.keys
    for sign, words in ((1, "{:.6g} + {:g} %"), (-1, "{:.6g} − {:g} %")):
        result = abs(base.value) * (1 + sign * rate)
        yield Calculation(result, words, (base.value, 100 * rate), keys, base.beside)


def _rate(one: Quantity) -> float | None:
    """A quantity as a share of one, where it is such a share."""
    is_percent = any(dimension == "percent" for dimension, _factor in one.unit)
    rate = one.value / 100 if is_percent else one.value
    return rate if 0 < rate < 1 and (is_percent or not _RATE_KEYS.isdisjoint(one.keys)) else None


def _plus(first: Quantity, second: Quantity, value: float) -> Calculation:
    return _step(first, second, value, _PLUS, (first.value, second.value))


def _minus(first: Quantity, second: Quantity, value: float) -> Calculation:
    a, b = first.value, second.value
    return _step(first, second, value, _MINUS, (max(a, b), min(a, b)))


def _times(first: Quantity, second: Quantity, value: float) -> Calculation:
    return _step(first, second, value, _TIMES, (first.value, second.value))


def _over(first: Quantity, second: Quantity, value: float) -> Calculation:
    return _step(first, second, value, _OVER, (first.value, second.value), is_exact=False)


def _step(
    first: Quantity,
    second: Quantity,
    value: float,
    words: str,
    figures: tuple[float, float],
    *,
    is_exact: bool = True,
) -> Calculation:
    keys, beside = first.keys | second.keys, first.beside | second.beside
    return Calculation(value, words, figures, keys, beside, is_exact)


def _add_sums(pairs: Iterable[_Pair], collected: Collected) -> None:
    """What two numbers make by each of the four operations."""
    values, origins, times = collected.values, collected.origins, collected.times
    for first, second, count in pairs:
        a, b = first.value, second.value
        values += (abs(a + b), abs(a - b), abs(a * b))
        origins += ((_plus, first, second), (_minus, first, second), (_times, first, second))
        times += (count, count, count)
        for over, under in ((first, second), (second, first)):
            if under.value:
                values.append(abs(over.value / under.value))
                origins.append((_over, over, under))
                times.append(count)


def _shares(pair: _Pair) -> Iterator[Calculation]:
    first, second = pair.first, pair.second
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


def _add_second_sums(aggregates: Sequence[Calculation], found: Quantities, collected: Collected) -> None:
    """Sums against each other, and against single figures such as a budget."""
    sums = [
        Quantity(one.value, "", one.keys, _NOTHING, (), 0)
        for one in aggregates
        if one.is_exact and one.words.startswith("the sum")
    ][:_AGGREGATES]
    pairs = list(combinations(sums, 2))
    if len(found.numbers) <= 2 * _ALL:
        pairs += product(sums, found.numbers)
    for first, second in pairs:
        collected.values += (abs(first.value - second.value), abs(first.value + second.value))
        collected.origins += ((_minus_alone, first, second), (_plus_alone, first, second))
        collected.times += (1, 1)


def _plus_alone(first: Quantity, second: Quantity, value: float) -> Calculation:
    """A sum that the words beside its figures do not name."""
    return _plus(first, second, value)._replace(beside=_NOTHING)


def _minus_alone(first: Quantity, second: Quantity, value: float) -> Calculation:
    """A difference that the words beside its figures do not name."""
    return _minus(first, second, value)._replace(beside=_NOTHING)


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

"""All figures that follow from the quantities of results by one step of arithmetic, in the order of their values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import chain, combinations, groupby, product
from operator import add, attrgetter, mul, sub, truediv
from typing import Final, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.engine.grounding.facts.reading import read
from trace_inspector.engine.grounding.rules.ordered_values import Block, Calculation, Calculations, made
from trace_inspector.engine.grounding.rules.quantities import DAY, Quantities, Quantity, states_of
from trace_inspector.engine.grounding.text.words import keys_of

_ALL: Final = 16  # numbers that are tried with each other whatever their keys are
_TRIPLES: Final = 7
_ROWS: Final = 14  # of a column, whose values are tried in pairs
_AGGREGATES: Final = 12

_value_of: Final = attrgetter("value")
_record_of: Final = attrgetter("record")
_label_of: Final = attrgetter("label")
_kind_of: Final = attrgetter("value", "keys", "beside", "unit")  # all that a calculation shows
_Step: TypeAlias = Callable[[Quantity, Quantity, float], Calculation]


class _Pairs(NamedTuple):
    """Numbers that are tried with each other, and how many pairs of records have just these."""

    first: Sequence[Quantity]
    second: Sequence[Quantity]
    times: Sequence[int]
    numbers: Sequence[Quantity] = ()  # all that the pairs are of


class FollowingFigures(Struct, frozen=True, dict=True):  # a dict for the cached properties
    """What is stated, and what follows from it: figures, shares in percent, and times in seconds; each when asked."""

    found: Quantities

    @cached_property
    def stated(self) -> Calculations:
        """The numbers themselves."""
        return Calculations([_stated(self.found.numbers)])

    @cached_property
    def figures(self) -> Calculations:
        """Sums, differences, products, quotients, counts."""
        aggregates = self._aggregates
        return Calculations(
            [
                Block(
                    [one.value for one in aggregates],
                    [1] * len(aggregates),
                    lambda index, _: aggregates[index].made(),
                ),
                _sums_of_three(self.found),
                _counts(self.found),
                *_sums(self._pairs),
                made(list(_with_shares(self._pairs))),
                *_second_sums(aggregates, self.found),
            ]
        )

    @cached_property
    def shares(self) -> Calculations:
        """Parts of a whole and changes, in percent."""
        pairs = self._pairs
        of_pairs = [
            share
            for first, second, times in zip(pairs.first, pairs.second, pairs.times, strict=True)
            for _ in range(times)
            for share in _shares(first, second)
        ]
        rest = [*_shares_of_states(self.found), *_shares_of_aggregates(self._aggregates)]
        return Calculations([made(of_pairs), made(rest)])

    @cached_property
    def spans(self) -> Calculations:
        """Times between moments."""
        return Calculations([made(list(_spans(self.found)))])

    @cached_property
    def _aggregates(self) -> list[_Aggregate]:
        return _aggregates(self.found)

    @cached_property
    def _pairs(self) -> _Pairs:
        return _pairs_of(self.found)


_PLUS, _MINUS, _TIMES, _OVER = "{:.6g} + {:.6g}", "{:.6g} − {:.6g}", "{:.6g} × {:.6g}", "{:.6g} / {:.6g}"
_SUM, _MEAN, _PRODUCTS = "sum", "mean", "the sum of {:g} products"
_NOTHING: Final = frozenset[str]()
_RATE_KEYS: Final = keys_of(
    ["rate", "share", "pct", "percent", "percentage", "vat", "tax", "discount", "probability", "ratio"]
)


def _stated(numbers: Sequence[Quantity]) -> Block:
    def make(index: int, value: float) -> Calculation:
        one = numbers[index]
        return Calculation(value, "{:.6g}", (one.value,), one.keys, one.beside)

    return Block(list(map(abs, map(_value_of, numbers))), [1] * len(numbers), make)


class _Aggregate(Struct, frozen=True, gc=False):
    """A sum, a mean or a sum of products of some values of a key; `keys` name them all."""

    value: float
    operation: str
    values: Sequence[Quantity]
    keys: frozenset[str]
    state: str = ""

    @property
    def is_sum(self) -> bool:
        """Whether it is the sum of a column, or of products."""
        return self.operation in (_SUM, _PRODUCTS)

    def made(self) -> Calculation:
        """The calculation in words."""
        count = len(self.values)
        if self.operation == _PRODUCTS:
            return Calculation(self.value, _PRODUCTS, (count,), self.keys, _NOTHING, is_exact=True)
        of_state = f" of {self.state[:20]}".replace("{", "").replace("}", "") if self.state else ""
        beside = frozenset.intersection(*(one.beside for one in self.values))
        words = f"the {self.operation} of {{:g}} values{of_state}"
        return Calculation(self.value, words, (count,), self.keys, beside, is_exact=self.operation == _SUM)


def _aggregates(found: Quantities) -> list[_Aggregate]:
    """Sums and means of the values of a key, of all records or of those with one state; products summed."""
    aggregates: list[_Aggregate] = []
    for label, values in found.columns.items():
        if len(values) < 2:
            continue
        aggregates += _of_column(values, "")
        for other, more in found.columns.items() if len(values) <= _ROWS else ():
            if label < other and len(values) == len(more):
                pairs = list(zip(values, more, strict=True))
                if all(first.record == second.record for first, second in pairs):
                    total = sum(first.value * second.value for first, second in pairs)
                    aggregates.append(_Aggregate(abs(total), _PRODUCTS, values, values[0].keys | more[0].keys))
    for (label, _key, state), members in found.groups.items():
        if 1 < len(members) < len(found.columns.get(label, ())):
            aggregates += _of_column(members, state)
    return aggregates


def _sums_of_three(found: Quantities) -> Block:
    """Three values of a key, where it has few."""
    threes = [three for few in found.columns.values() if len(few) <= _TRIPLES for three in combinations(few, 3)]

    def make(index: int, value: float) -> Calculation:
        first, second, third = threes[index]
        figures = (first.value, second.value, third.value)
        return Calculation(value, "{:.6g} + {:.6g} + {:.6g}", figures, first.keys, is_exact=True)

    return Block([abs(sum(map(_value_of, three))) for three in threes], [1] * len(threes), make)


def _of_column(values: Sequence[Quantity], state: str) -> tuple[_Aggregate, _Aggregate]:
    total, keys = abs(sum(map(_value_of, values))), values[0].keys
    mean = _Aggregate(total / len(values), _MEAN, values, keys, state)
    return _Aggregate(total, _SUM, values, keys, state), mean


def _counts(found: Quantities) -> Block:
    """How many records there are, how many have a state, and how many have another one."""
    values = [float(size) for size in found.sizes if size > 1]
    sizes = len(values)
    states: list[tuple[str, int, int]] = []
    for counts in states_of(found):
        whole = counts.total()
        for text, count in sorted(counts.items()):
            states.append((text, count, whole))
            values += (float(count), float(whole - count))

    def make(index: int, value: float) -> Calculation:
        if index < sizes:
            return Calculation(value, "all {:g} records", (value,), _NOTHING, _NOTHING, is_exact=True)
        state, is_rest = divmod(index - sizes, 2)
        text, count, whole = states[state]
        words = "{1:g} − {0:g} records" if is_rest else "{:g} of {:g} records"
        keys = read(text.replace("_", " ")).keys
        return Calculation(value, words, (count, whole), keys, _NOTHING, is_exact=True)

    return Block(values, [1] * len(values), make)


def _pairs_of(found: Quantities) -> _Pairs:
    """The numbers that are tried with each other: of one key, of one record, and all where they are few.

    Results say the same again and again: what is alike in all that a calculation shows is calculated with once.
    """
    columns = [values[:_ROWS] for values in found.columns.values()]
    each = list({id(one): one for one in chain(found.numbers, *columns)}.values())
    known: dict[object, int] = {}
    numbers = [known.setdefault(kind, len(known)) for kind in map(_kind_of, each)]
    number_of = dict(zip(map(id, each), numbers, strict=True))
    first_of = dict(zip(reversed(numbers), reversed(each), strict=True))
    alike = [first_of[number] for number in range(len(known))]

    def numbered(values: Iterable[Quantity]) -> Iterator[int]:
        return map(number_of.__getitem__, map(id, values))

    def apart(values: Sequence[Quantity], record_of: Mapping[int, int]) -> list[tuple[int, int]]:
        column_of = {id(one): number for number, column in enumerate(columns) for one in column}
        return _not_of_one_column(values, column_of, number_of, record_of)

    tried: list[tuple[int, int]] = []
    for column in columns:
        tried += combinations(numbered(column), 2)
    for _record, of_record in groupby(found.numbers, _record_of):
        values = list(of_record)
        labels = set(map(_label_of, values))
        if len(labels) == len(values) and "" not in labels:  # each of another column, as in most records
            tried += combinations(numbered(values), 2)
        elif len(values) > 1:
            tried += apart(values, {})
    if len(found.numbers) <= _ALL:
        tried += apart(found.numbers, {id(one): one.record for one in found.numbers})
    counted = Counter(tried)
    first, second = [alike[one] for one, _other in counted], [alike[other] for _one, other in counted]
    return _Pairs(first, second, list(counted.values()), alike)


def _not_of_one_column(
    values: Sequence[Quantity],
    column_of: Mapping[int, int],
    number_of: Mapping[int, int],
    record_of: Mapping[int, int],
) -> list[tuple[int, int]]:
    """The pairs of some numbers that are no pair of a column, nor of a record, where that is asked."""
    places = [
        (column_of.get(identity, -1 - place), record_of.get(identity, -1 - place), number_of[identity])
        for place, identity in enumerate(map(id, values))  # what has no column or record is alone in its own
    ]
    return [
        (first, second)
        for (column, record, first), (other, another, second) in combinations(places, 2)
        if column != other and record != another
    ]


def _with_shares(pairs: _Pairs) -> Iterator[Calculation]:
    """Figures with or without a share of them, such as a tax."""
    rates = {id(one): rate for one in pairs.numbers if (rate := _rate(one))}
    for first, second, times in zip(pairs.first, pairs.second, pairs.times, strict=True) if rates else ():
        for base, share in ((first, second), (second, first)):
            rate = rates.get(id(share))
            for _ in range(times) if rate else ():
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


def _sums(pairs: _Pairs) -> Iterator[Block]:
    """What two numbers make by each of the four operations."""
    first, second, times = list(map(_value_of, pairs.first)), list(map(_value_of, pairs.second)), pairs.times
    for operation, step in ((add, _plus), (sub, _minus), (mul, _times)):
        yield Block(list(map(abs, map(operation, first, second))), times, partial(_of_pair, pairs, step))
    # Each by the other, in turn, but nothing by nought.
    overs = list(chain.from_iterable(zip(first, second, strict=True)))
    unders = list(chain.from_iterable(zip(second, first, strict=True)))
    sides: Sequence[int] = range(len(unders)) if all(unders) else [n for n, under in enumerate(unders) if under]

    def quotient(index: int, value: float) -> Calculation:
        number, is_turned = divmod(sides[index], 2)
        one, other = pairs.first[number], pairs.second[number]
        return _over(other, one, value) if is_turned else _over(one, other, value)

    twice = list(chain.from_iterable(zip(times, times, strict=True)))
    if len(sides) < len(unders):
        overs, unders, twice = [[values[side] for side in sides] for values in (overs, unders, twice)]
    yield Block(list(map(abs, map(truediv, overs, unders))), twice, quotient)


def _of_pair(pairs: _Pairs, step: _Step, index: int, value: float) -> Calculation:
    return step(pairs.first[index], pairs.second[index], value)


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


def _shares_of_aggregates(aggregates: Sequence[_Aggregate]) -> Iterator[Calculation]:
    for first, second in combinations([one for one in aggregates if one.is_sum][:_AGGREGATES], 2):
        keys = first.keys | second.keys
        for a, b in ((first.value, second.value), (second.value, first.value)):
            if b:
                yield Calculation(100 * a / b, "100 × {:.6g} / {:.6g}", (a, b), keys, _NOTHING)
                yield Calculation(
                    abs(100 * (a - b) / b), "100 × ({0:.6g} − {1:.6g}) / {1:.6g}", (a, b), keys, _NOTHING
                )


def _second_sums(aggregates: Sequence[_Aggregate], found: Quantities) -> Iterator[Block]:
    """Sums against each other, and against single figures such as a budget."""
    sums = [
        Quantity(one.value, "", one.keys, _NOTHING, (), 0)
        for one in [one for one in aggregates if one.is_sum][:_AGGREGATES]
    ]
    twos = list(combinations(sums, 2))
    if len(found.numbers) <= 2 * _ALL:
        twos += product(sums, found.numbers)
    pairs = _Pairs([one for one, _other in twos], [other for _one, other in twos], [1] * len(twos))
    first, second, times = list(map(_value_of, pairs.first)), list(map(_value_of, pairs.second)), pairs.times
    for operation, step in ((sub, _minus_alone), (add, _plus_alone)):
        yield Block(list(map(abs, map(operation, first, second))), times, partial(_of_pair, pairs, step))


def _plus_alone(first: Quantity, second: Quantity, value: float) -> Calculation:
    """A sum that the words beside its figures do not name."""
    return replace(_plus(first, second, value), beside=_NOTHING)


def _minus_alone(first: Quantity, second: Quantity, value: float) -> Calculation:
    """A difference that the words beside its figures do not name."""
    return replace(_minus(first, second, value), beside=_NOTHING)


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

"""Whether a figure that stands nowhere follows from figures that do, by a step of arithmetic or two.

Agents calculate more often rightly than wrongly. A figure that is a sum, a difference, a product, a share or a
conversion of what the newest results state is no sign of an invented one. The more results a search tries, the more
figures it meets by chance: a calculation counts where the sentence names what it calculates with, or where so few of
its results are near that an invented figure would hardly be among them.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from functools import cached_property
from typing import Final, NamedTuple

from msgspec import Struct

from trace_inspector.engine.grounding.evidence.evidence import Evidence, Origin
from trace_inspector.engine.grounding.facts.claim import Claim
from trace_inspector.engine.grounding.facts.fact import Amount, Fact, FactKind
from trace_inspector.engine.grounding.facts.reading import read
from trace_inspector.engine.grounding.rules.calculated import FollowingFigures
from trace_inspector.engine.grounding.rules.ordered_values import Calculations
from trace_inspector.engine.grounding.rules.quantities import DAY, Quantities, Quantity, quantities_of
from trace_inspector.engine.grounding.text.units import measures

_ASKED: Final = 6  # numbers of the user's words and of the sentence
_NAMED: Final = 8  # figures that the sentence names, for a second step
_RELATED: Final = 1.3  # results within this factor are near
_BY_CHANCE: Final = 0.2
_BY_CHANCE_NAMED: Final = 0.4
# How many of the next smaller period a period has, by words that ask for it: 10 a month for 120 a year.
_PERIODS: Final = {
    "month": 1 / 12, "monthly": 1 / 12, "year": 12.0, "yearly": 12.0, "annually": 12.0, "annual": 12.0, "week": 7.0,
    "weekly": 7.0, "monat": 1 / 12, "jahr": 12.0, "mois": 1 / 12, "an": 12.0, "mes": 1 / 12, "ano": 12.0,
}  # fmt: skip
_MONTH: Final = 2_629_746.0
_LONGEST: Final = 50 * 365 * DAY  # between two moments
_MOMENTS_OF_A_SEARCH: Final = 150.0
_EXACTLY: Final = 1e-9
_ROUNDED: Final = 0.025  # how far from what it follows from a figure is rounded
_ABOUT: Final = 0.05
_CROWDED: Final = 300  # results near a value with which nothing is sure
_SECONDS: Final = (0.001, 1.0, 60.0, 3_600.0, 86_400.0)
# What one figure may be in another unit of its dimension.
_FACTORS: Final = {
    "length": (1_000.0, 100.0, 1.609344, 0.3048, 2.54),
    "mass": (1_000.0, 2.20462262),
    "volume": (1_000.0, 3.785411784),
    "data": (1_000.0, 1_024.0, 1_000_000.0, 1_048_576.0),
    "energy": (1_000.0,),
    "power": (1_000.0,),
    "speed": (1.609344, 3.6),
}


class Derivation(NamedTuple):
    """The calculation of a figure in words, and how many such results would be near an invented figure."""

    words: str
    is_named: bool
    by_chance: float

    @property
    def is_likely(self) -> bool:
        """Whether the figure follows so rather than by chance."""
        return self.by_chance <= (_BY_CHANCE_NAMED if self.is_named else _BY_CHANCE)


class _Pool(Struct, frozen=True):
    passages: int
    found: Quantities
    asked: tuple[Quantity, ...]
    following: FollowingFigures


def derive(fact: Fact, claim: Claim, evidence: Evidence) -> Derivation | None:
    """The likeliest calculation that gives a figure, as "12 + 30 = 42"; None where there is none."""
    if fact.kind in (FactKind.DATE, FactKind.TIME):
        return _moment_later(fact, _pool_of(evidence).found)
    amount = fact.amount
    if amount is None or fact.kind is not FactKind.NUMBER:
        return None
    pool = _pool_of(evidence)
    best: Derivation | None = None
    for value in filter(None, amount.values):
        search = _Search(abs(value), amount, claim, pool)
        for derivation in search.results():
            if best is None or (derivation.is_likely, -derivation.by_chance) > (best.is_likely, -best.by_chance):
                best = derivation
            # What is found later in a search is as likely met by chance, or more.
            tried = derivation.by_chance
            if tried >= best.by_chance and (best.is_likely or tried > _BY_CHANCE_NAMED):
                break
    return best


def _moment_later(fact: Fact, found: Quantities) -> Derivation | None:
    """A date or a time that is so long before or after a stated one."""
    moments = dict(_moments(found))
    key = next((key for key in fact.keys if key in moments), "")
    if not key:
        return None
    return Derivation(moments[key], is_named=True, by_chance=len(moments) / _MOMENTS_OF_A_SEARCH)


def _moments(found: Quantities) -> Iterator[tuple[str, str]]:
    """The keys of moments that follow, each with its calculation."""
    for one in found.numbers:
        seconds = next((factor for dimension, factor in one.unit if dimension == "time"), 0.0) * one.value
        if not 0 < seconds < _LONGEST:
            continue
        for sign, mark in ((1, "+"), (-1, "−")):
            for clock in found.clocks if seconds < DAY else ():
                minute = int(clock + sign * seconds) % DAY // 60
                key = f"time:{minute // 60:02}:{minute % 60:02}"
                yield key, f"{clock // 3_600}:{clock // 60 % 60:02} {mark} {seconds / 60:g} minutes"
            for day in found.days if seconds >= DAY else ():
                yield from _dates(day, sign * seconds / DAY, f"{date.fromordinal(day)} {mark} {one.value:g}")


def _dates(day: int, days: float, words: str) -> Iterator[tuple[str, str]]:
    """The date so many days later, the day before it, and where the days are whole months the same day of a month."""
    start, months = date.fromordinal(day), round(days * DAY / _MONTH)
    dates = [date.fromordinal(day + int(days))]
    if months and abs(days * DAY / _MONTH - months) < _EXACTLY:
        year, month = divmod(start.year * 12 + start.month - 1 + months, 12)
        dates = [date(year, month + 1, min(28, start.day))]
    for each in (dates[0], date.fromordinal(dates[0].toordinal() - 1)):
        yield f"date:{each}", words
        yield f"day:{each:%m-%d}", words
        yield f"month:{each:%Y-%m}", words


class _Search:
    """Looks for calculations that give one value."""

    def __init__(self, value: float, amount: Amount, claim: Claim, pool: _Pool) -> None:
        self._value, self._amount, self._claim, self._pool = value, amount, claim, pool
        self._half = min(amount.step * 0.5000001, value * _ROUNDED)
        # A search has many results: "about" is a narrower word here than beside a figure that stands there.
        self._ranges = [
            sorted((value * max(least, 1 - _ABOUT), value * min(most, 1 + _ABOUT))) for least, most in claim.bounds
        ]
        self._grain = _granularity(value, amount.step)
        self._slots = max(1.0, value * (_RELATED - 1 / _RELATED) / self._grain)
        self._tried: list[tuple[Calculations, float, float]] = []  # what is not yet counted among the hits
        self._hit: set[int] = set()
        self._is_crowded = False
        self._dimension = amount.unit[0][0] if amount.unit else ""
        self._is_measured = measures(amount.unit)
        self._seconds = next((factor for dimension, factor in amount.unit if dimension == "time"), 0.0)

    def results(self) -> Iterator[Derivation]:
        """In one step, then in two; each knows how much was tried before it."""
        is_share = self._dimension == "percent"
        if self._seconds:
            yield from self._among(self._pool.following.spans, self._seconds)
        if is_share:
            yield from self._among(self._pool.following.shares, 1.0)
            return
        yield from self._among(self._pool.following.figures, 1.0)
        for factor, words in self._conversions():
            yield from self._among(self._pool.following.figures, factor, words)
            yield from self._among(self._pool.following.stated, factor, words)
        yield from self._scaled()
        yield from self._shifted()

    def _among(self, results: Calculations, factor: float, words: str = "") -> Iterator[Derivation]:
        """Calculations whose result times `factor`, in its own unit, is the value."""
        wanted = self._value * factor
        self._tried.append((results, wanted, factor))
        half = self._half * abs(factor)
        near = results.between(wanted - half, wanted + half)
        for low, high in self._ranges:
            near += results.between(low * factor, high * factor)
        exactly = _EXACTLY * max(1.0, wanted)
        for one in near:
            if one.is_exact and not words and not self._ranges and abs(one.value - wanted) > exactly:
                continue
            if self._is_measured and one.words.endswith("records"):
                continue  # three records are no three hours
            is_named = not self._claim.keys.isdisjoint(one.keys) or not self._claim.keys.isdisjoint(one.beside)
            shown = f"{one.words.format(*one.figures)} = {one.value:.6g}{words}"
            yield Derivation(shown, is_named, self._by_chance())

    def _by_chance(self) -> float:
        """How probable it is that an invented figure is met; what was tried is counted when something was found."""
        for results, wanted, factor in self._tried:
            if not self._is_crowded:
                self._count(results, wanted, factor)
        self._tried.clear()
        return 1.0 if self._is_crowded else min(1.0, len(self._hit) / self._slots)

    def _count(self, results: Calculations, wanted: float, factor: float) -> None:
        """Note which figures, of those that an author might have invented instead, the results would bear out."""
        low, high = wanted / _RELATED, wanted * _RELATED
        self._is_crowded = results.count(low, high) > _CROWDED
        if self._is_crowded:
            return
        shift, grain, half = self._value - wanted / factor, self._grain, self._half
        for value in dict.fromkeys(results.values(low, high)):
            claimed = value / factor + shift
            slot = round(claimed / grain)
            if abs(claimed - slot * grain) <= half:
                self._hit.add(slot)

    def _conversions(self) -> Iterator[tuple[float, str]]:
        if self._seconds:
            for native in _SECONDS:
                if native != self._seconds:
                    yield self._seconds / native, ", in another unit"
        if self._pool.found.has_cents and (self._dimension.startswith("money") or not self._amount.unit):
            yield 100.0, " cents"
        for factor in _FACTORS.get(self._dimension, ()):
            yield factor, f", divided by {factor:g}"
            yield 1 / factor, f", times {factor:g}"

    def _scaled(self) -> Iterator[Derivation]:
        """A stated figure times a number of the user's words or of the sentence, also as 24 for 8."""
        numbers = [
            fact.amount.values[0]
            for fact in self._claim.facts
            if fact.amount and fact.amount.values[0] != self._value
        ]
        numbers += [one.value for one in self._pool.asked]
        numbers += [number for word, number in _PERIODS.items() if word in self._claim.folded]
        cents = self._pool.found.has_cents
        for number in list(dict.fromkeys(numbers))[:_ASKED]:
            if number in (0, 1):
                continue
            for results in (self._pool.following.stated, self._pool.following.figures):
                # A sum that nothing in the sentence names, times a number that stands in it, is any number.
                is_second = results is self._pool.following.figures
                for one in self._among(results, 1 / number, f", times {number:g}"):
                    if one.is_named or not is_second:
                        yield one
                if cents:
                    yield from self._among(results, 100 / number, f", times {number:g}, in cents")
            for stated in self._named[:4]:
                if stated.value:
                    words = f", times {number:g} / {stated.value:g}"
                    yield from self._among(self._pool.following.stated, stated.value / number, words)

    def _shifted(self) -> Iterator[Derivation]:
        """A calculation and a figure more that the sentence names."""
        for stated in self._named:
            wanted, step = self._value, stated.value
            for sign, words in ((1, "−"), (-1, "+")):
                target = wanted + sign * step
                if target <= 0:
                    continue
                self._tried.append((self._pool.following.figures, target, 1.0))
                for one in self._pool.following.figures.between(target - _EXACTLY * 100, target + _EXACTLY * 100):
                    if not self._claim.keys.isdisjoint(one.keys):
                        shown = f"{one.words.format(*one.figures)} {words} {step:.6g} = {wanted:.6g}"
                        yield Derivation(shown, is_named=True, by_chance=self._by_chance())

    @cached_property
    def _named(self) -> list[Quantity]:
        keys = self._claim.keys
        return [one for one in self._pool.found.numbers if not keys.isdisjoint(one.keys)][:_NAMED]


def _granularity(value: float, step: float) -> float:
    """How finely an invented figure of this size is chosen: 33,600 is one of the hundreds."""
    grain = step
    while grain < value / 100 and abs(value / (grain * 10) - round(value / (grain * 10))) < _EXACTLY:
        grain *= 10
    return grain


_NOTHING: Final = frozenset[str]()


def _pool_of(evidence: Evidence) -> _Pool:
    pool = evidence.recall(_Pool)
    if pool is None or pool.passages != len(evidence.passages):
        found = quantities_of(evidence)
        pool = _Pool(len(evidence.passages), found, tuple(_asked(evidence)), FollowingFigures(found))
        evidence.keep(pool)
    return pool


def _asked(evidence: Evidence) -> Iterator[Quantity]:
    """Numbers of the user's words, the newest first."""
    for number in range(len(evidence.passages) - 1, -1, -1):
        if evidence.sources[number].origin is Origin.USER:
            for fact in read(evidence.passages[number].text[:2_000]).facts[:_ASKED]:
                if fact.amount and not fact.keys:
                    yield Quantity(fact.amount.values[0], "", _NOTHING, _NOTHING, fact.amount.unit, 0)
            return

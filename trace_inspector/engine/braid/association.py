"""How a feature of runs goes with failing: exact tests within cases, Holm's correction, a spectrum-based score."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TypeAlias

from msgspec import Struct

from trace_inspector.engine.repeats.significance import is_noise

_TIES = 1 + 1e-7  # what is equally likely is equal but for rounding, as in SciPy
_NEVER = 1e-40
_FACTORIALS = [0.0]

# Of one group of runs: failing and passing ones with the feature, failing and passing ones without it.
Table: TypeAlias = tuple[int, int, int, int]
# Of one group of runs: those with the feature, those that fail, all.
_Margins: TypeAlias = tuple[int, int, int]


class Strata(Struct, frozen=True):
    """The runs in groups within which outcomes may be exchanged, as bits.

    A case that both passed and failed is a group of its own. Cases that always came out alike are one group together,
    in which each counts once (`units`, with whether it failed): its repeats tell nothing of each other. Where runs
    are parted by something else, these are several groups.
    """

    failing: int
    everything: int
    groups: tuple[int, ...]
    units: tuple[tuple[tuple[int, bool], ...], ...] = ()

    @classmethod
    def of(cls, outcomes: Iterable[tuple[object, bool]]) -> Strata:
        """The groups of runs, given as (its case, whether it failed)."""
        runs: dict[object, int] = defaultdict(int)
        failing = everything = 0
        for index, (case, failed) in enumerate(outcomes):
            runs[case] |= 1 << index
            everything |= 1 << index
            failing |= failed << index
        groups, units, single = [], [], 0
        for own in runs.values():
            if 0 < (own & failing).bit_count() < own.bit_count():
                groups.append(own)
            elif own.bit_count() > 1:
                units.append((own, bool(own & failing)))
            else:
                single |= own
        if not units and single:
            groups.append(single)
        elif units:
            units += [(run, bool(run & failing)) for run in bits(single)]
        return cls(failing, everything, tuple(groups), (tuple(units),) if units else ())

    def parted(self, runs: int) -> Strata:
        """The same, where outcomes may be exchanged only among these runs, and among the others."""
        groups = [own for group in self.groups for own in (group & runs, group & ~runs) if own]
        units: list[tuple[tuple[int, bool], ...]] = []
        for group in self.units:
            within = [2 * (own & runs).bit_count() > own.bit_count() for own, _failed in group]
            parts = [
                tuple(unit for unit, is_in in zip(group, within, strict=True) if is_in is side)
                for side in (True, False)
            ]
            units += parts
        return Strata(self.failing, self.everything, tuple(groups), tuple(filter(None, units)))

    def tables(self, of: int, held: int) -> tuple[Table, ...]:
        """The groups that tell something of a feature that the runs `held` have, of runs where it can be asked."""
        found = [self._table(group & of, held) for group in self.groups]
        for units in self.units:
            cells = [0, 0, 0, 0]
            for runs, failed in units:
                asked = (runs & of).bit_count()
                if asked:
                    has = 2 * (runs & of & held).bit_count() > asked
                    cells[2 * (not has) + (not failed)] += 1
            found.append((cells[0], cells[1], cells[2], cells[3]))
        return tuple(table for table in found if _tells(table))

    def _table(self, asked: int, held: int) -> Table:
        has = asked & held
        failing, failing_held = (asked & self.failing).bit_count(), (has & self.failing).bit_count()
        count = has.bit_count()
        return (
            failing_held,
            count - failing_held,
            failing - failing_held,
            asked.bit_count() - count - failing + failing_held,
        )


def bits(runs: int) -> Iterable[int]:
    """Each set bit by itself."""
    while runs:
        lowest = runs & -runs
        yield lowest
        runs ^= lowest


def _tells(table: Table) -> bool:
    a, b, c, d = table
    return (a + b) * (c + d) * (a + c) * (b + d) > 0


def exact_chance(tables: Sequence[Table]) -> float:
    """Fisher's exact test, two-sided; of several groups the exact conditional test of the sum over all of them."""
    if not tables:
        return 1.0
    lowest, likelihoods = _sums(tuple(sorted((a + b, a + c, a + b + c + d) for a, b, c, d in tables)))
    observed = sum(table[0] for table in tables) - lowest
    return _no_likelier(likelihoods, likelihoods[observed]) if 0 <= observed < len(likelihoods) else _NEVER


@lru_cache(maxsize=50_000)
def smallest_chance(held: int, asked: int, failing: int, everything: int) -> float:
    """What the test could come to at best where `held` of `asked` runs have a feature, of all of which some fail."""
    low, high = max(0, asked + failing - everything), min(asked, failing)
    chances = [1.0]
    for even in (held, asked - held):  # exactly those with the feature fail, or exactly the others
        failing_asked = min(max(even, low), high)
        _lowest, likelihoods = _hypergeometric(held, failing_asked, asked)
        chances += [_no_likelier(likelihoods, end) for end in (likelihoods[0], likelihoods[-1])]
    return min(chances)


@lru_cache(maxsize=2_000)
def _sums(margins: tuple[_Margins, ...]) -> tuple[int, tuple[float, ...]]:
    """How likely each number of failing runs with the feature is, from the lowest number on."""
    if len(margins) == 1:
        lowest, single = _hypergeometric(*margins[0])
        return lowest, tuple(single)
    lowest = 0
    likelihoods: tuple[float, ...] = (1.0,)
    for group, times in sorted(Counter(margins).items()):  # of hundreds of cases most are alike
        low, own = _times(group, times)
        lowest, likelihoods = _trimmed(lowest + low, _convolved(likelihoods, own))
    return lowest, likelihoods


@lru_cache(maxsize=5_000)
def _times(group: _Margins, times: int) -> tuple[int, tuple[float, ...]]:
    """The same of several groups that are alike."""
    if times == 1:
        lowest, likelihoods = _hypergeometric(*group)
        return lowest, tuple(likelihoods)
    (low, half), (other, rest) = _times(group, times // 2), _times(group, times - times // 2)
    return _trimmed(low + other, _convolved(half, rest))


def _trimmed(lowest: int, likelihoods: Sequence[float]) -> tuple[int, tuple[float, ...]]:
    """Without both ends that nobody will ever see."""
    first, last = 0, len(likelihoods)
    while likelihoods[first] < _NEVER:
        first += 1
    while likelihoods[last - 1] < _NEVER:
        last -= 1
    return lowest + first, tuple(likelihoods[first:last])


def _no_likelier(likelihoods: Sequence[float], observed: float) -> float:
    bound = observed * _TIES
    return min(1.0, math.fsum(likelihood for likelihood in likelihoods if likelihood <= bound))


def _hypergeometric(held: int, failing: int, everything: int) -> tuple[int, list[float]]:
    low, high = max(0, held + failing - everything), min(held, failing)
    log = _log_factorials(everything)
    scale = log[held] + log[everything - held] + log[failing] + log[everything - failing] - log[everything]
    return low, [
        math.exp(scale - log[k] - log[held - k] - log[failing - k] - log[everything - held - failing + k])
        for k in range(low, high + 1)
    ]


def _log_factorials(highest: int) -> list[float]:
    while len(_FACTORIALS) <= highest:
        _FACTORIALS.append(_FACTORIALS[-1] + math.log(len(_FACTORIALS)))
    return _FACTORIALS


def _convolved(left: Sequence[float], right: Sequence[float]) -> Sequence[float]:
    sums = [0.0] * (len(left) + len(right) - 1)
    for i, first in enumerate(left):
        for j, second in enumerate(right):
            sums[i + j] += first * second
    return sums


def worth_testing(smallest: Sequence[float]) -> frozenset[int]:
    """The indexes of features that are worth a test (Tarone's method).

    A feature of which even the most uneven split would not be significant among as many tests as there are tells
    nothing however it came out, and would only make the others' correction stricter. The choice looks at how many
    runs have a feature and how many fail, never at which do: the correction stays exact.
    """
    order = sorted(range(len(smallest)), key=smallest.__getitem__)
    chosen = 0
    for count, index in enumerate(order, 1):
        if is_noise(smallest[index] * count):
            break
        chosen = count
    while 0 < chosen < len(order) and smallest[order[chosen - 1]] == smallest[order[chosen]]:
        chosen -= 1  # of equal ones all or none
    return frozenset(order[:chosen])


def holm_adjusted(chances: Sequence[float]) -> list[float]:
    """Each chance after Holm's correction, which is compared with 0.05 itself."""
    adjusted = [1.0] * len(chances)
    highest = 0.0
    for rank, index in enumerate(sorted(range(len(chances)), key=chances.__getitem__)):
        highest = max(highest, min(1.0, chances[index] * (len(chances) - rank)))
        adjusted[index] = highest
    return adjusted


def ochiai(failing_held: int, passing_held: int, failing: int) -> float:
    """Ochiai's coefficient: how alike having the feature and failing are, from 0 to 1."""
    product = failing * (failing_held + passing_held)
    return failing_held / math.sqrt(product) if product else 0.0

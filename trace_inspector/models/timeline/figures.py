"""Latencies of a conversation: all values of turns, model calls and tools, their percentiles, a value's rank."""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Sequence

from msgspec import Struct

PERCENTS = (50, 90, 99)


def percentile(ordered: Sequence[float], percent: int) -> float:
    """The percentile by nearest rank, which is always a measured value."""
    if not ordered:
        return math.nan
    rank = -(-percent * len(ordered) // 100)  # rounded up, without floating numbers in between
    return ordered[max(0, rank - 1)]


class Values(Struct, frozen=True):
    """The durations of one kind of work, in ascending order."""

    ordered: Sequence[float] = ()

    @property
    def percentiles(self) -> tuple[float, ...]:
        """The percentiles of PERCENTS."""
        return tuple(percentile(self.ordered, percent) for percent in PERCENTS)

    def slower_than(self, value: float) -> int:
        """The whole percentage of the other values that are smaller; 0 when there is no other."""
        others = len(self.ordered) - 1
        return math.floor(100 * bisect_left(self.ordered, value) / others) if others > 0 else 0

    @property
    def greatest(self) -> float:
        """The largest, 0 when there is none."""
        return self.ordered[-1] if self.ordered else 0.0


def values_of(durations_s: Iterable[float]) -> Values:
    """The values without negative ones, which are errors of clocks."""
    ordered = array("d", sorted(durations_s))
    return Values(ordered[bisect_left(ordered, 0.0) :])

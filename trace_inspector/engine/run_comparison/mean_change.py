"""How sure the change of a mean is: an interval where scores vary, else an exact test."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

from trace_inspector.engine.repeats.significance import (
    Interval,
    fisher_test,
    is_alike,
    mean_interval,
    sign_test,
    welch_interval,
)

Pairs: TypeAlias = Sequence[
    tuple[Sequence[float], Sequence[float]]
]  # of each case what its repeats gave, in both runs


def change_interval(pairs: Pairs, most: float | None = None) -> Interval | None:
    """The interval of the mean change over cases; of one case over its repeats. No change is greater than `most`."""
    interval = welch_interval(*pairs[0]) if len(pairs) == 1 else mean_interval(changes(pairs))
    if interval is None or most is None:
        return interval
    return Interval(max(-most, interval.low), min(most, interval.high))


def change_chance(pairs: Pairs) -> Fraction | None:
    """How likely changes so much of one sign are by chance; None where nothing changed.

    Over cases the exact sign test. Of one case whose repeats gave one score each before and after Fisher's test.
    """
    differences = changes(pairs)
    up, down = sum(change > 0 for change in differences), sum(change < 0 for change in differences)
    if not up and not down:
        return None
    if len(pairs) == 1 and all(is_alike(min(side), max(side)) for side in pairs[0]):
        before, after = map(len, pairs[0])
        return fisher_test(before, before, 0, after)
    return sign_test(up, down)


def changes(pairs: Pairs) -> list[float]:
    """By how much the mean of each case changed; what only rounding tells apart is 0."""
    means = [(statistics.fmean(before), statistics.fmean(after)) for before, after in pairs]
    return [0.0 if is_alike(before, after) else after - before for before, after in means]


def most_change(pairs: Pairs, bounds: tuple[float, float] | None) -> float | None:
    """How far a mean can change where every score keeps within bounds; None where there are none, or one does not."""
    if bounds is None or not all(
        bounds[0] <= score <= bounds[1] for pair in pairs for side in pair for score in side
    ):
        return None
    return bounds[1] - bounds[0]

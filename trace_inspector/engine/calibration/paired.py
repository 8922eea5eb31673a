"""Before and after on the same outputs: a judge that was changed, or two runs of the same cases."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable

from msgspec import Struct

from trace_inspector.engine.calibration.estimate import Estimate
from trace_inspector.engine.repeats.significance import CONFIDENCE, as_float, sign_test, student_quantile

_CLUSTERED = "clustered standard error (Liang and Zeger), Student’s t"
_SIMPLE = "standard error of the mean, Student’s t"


class Rejudged(Struct, frozen=True):
    """The same labelled outputs, judged twice. `chance` is McNemar's exact test, two-sided."""

    both_right: int
    only_before: int  # right before, wrong now
    only_after: int
    both_wrong: int
    chance: float


def rejudged(outputs: Iterable[tuple[bool, bool]]) -> Rejudged:
    """Compare two judgings of outputs, each given as (whether it was right before, whether it is right now)."""
    counts: dict[tuple[bool, bool], int] = defaultdict(int)
    for right in outputs:
        counts[right] += 1
    only_before, only_after = counts[True, False], counts[False, True]
    chance = as_float(sign_test(only_before, only_after))
    return Rejudged(
        counts[True, True], only_before, only_after, counts[False, False], 1.0 if chance is None else chance
    )


def clustered_mean(values: Iterable[tuple[str, float]]) -> Estimate:
    """The mean of values such as paired differences, each with its cluster; values of one cluster are alike.

    What is not finite is left out: one such value would make every figure so.
    """
    clusters: dict[str, list[float]] = defaultdict(list)
    for cluster, value in values:
        if math.isfinite(value):
            clusters[cluster].append(value)
    number = sum(map(len, clusters.values()))
    if not number:
        return Estimate.refused("there are no values")
    mean = math.fsum(value for own in clusters.values() for value in own) / number
    groups = len(clusters)
    if groups < 2:
        return Estimate(mean, reason="all values are of one case, so that nothing is known of others")
    squares = math.fsum(math.fsum(value - mean for value in own) ** 2 for own in clusters.values())
    if squares == 0:
        return Estimate(mean, reason="all values are the same, which tells nothing of how others vary")
    error = math.sqrt(groups / (groups - 1) * squares) / number
    half = student_quantile(0.5 + CONFIDENCE / 2, groups - 1) * error
    return Estimate(mean, mean - half, mean + half, _CLUSTERED if groups < number else _SIMPLE)

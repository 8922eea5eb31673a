"""The share of labelled outputs that show a failure mode, with its interval, and how two readings differ."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping

from msgspec import Struct

from trace_inspector.core.review.failure_modes import ModeCount, Output, Reading
from trace_inspector.engine.calibration.counts import Counts
from trace_inspector.engine.calibration.estimate import Estimate, share

MOVER = "MOVER of the intervals of both shares"


class ModeRate(Struct, frozen=True):
    """A mode, and its share of the labelled outputs."""

    counted: ModeCount
    share: Estimate


class ModeChange(Struct, frozen=True):
    """A mode in two readings, and the difference of its shares: later minus earlier."""

    name: str
    before: ModeRate
    after: ModeRate
    difference: Estimate

    @property
    def is_told(self) -> bool:
        """Whether the interval of the difference leaves out 0."""
        low, high = self.difference.low, self.difference.high
        return low is not None and high is not None and (low > 0 or high < 0)


def rates(read: Reading) -> tuple[ModeRate, ...]:
    """Every mode, the most frequent first."""
    sizes = Counter(output.cluster for output in read.outputs)
    return tuple(ModeRate(counted, _share(counted.outputs, sizes)) for counted in read.modes)


def failure_rate(read: Reading) -> Estimate:
    """The share of all failures."""
    return _share(read.failures, Counter(output.cluster for output in read.outputs))


def _share(outputs: Iterable[Output], sizes: Mapping[str, int]) -> Estimate:
    """The share of outputs, of cases of these sizes. In the counts they are one cell, the rest another."""
    hits = Counter(output.cluster for output in outputs)
    clusters = Counter(Counts(fp=size) for size in sizes.values())
    for cluster, count in hits.items():
        clusters[Counts(fp=sizes[cluster])] -= 1
        clusters[Counts(tp=count, fp=sizes[cluster] - count)] += 1
    return share(+clusters, lambda counts: counts.tp, lambda counts: counts.tp + counts.fp, "10--")


def changes(before: Reading, after: Reading) -> tuple[ModeChange, ...]:
    """Every mode of either reading: first those of which the difference is no chance, then the greatest."""
    found = []
    for key, mode in {each.mode.key: each.mode for each in (*after.modes, *before.modes)}.items():
        first, second = (_rate_of(read, key, ModeCount(mode, ())) for read in (before, after))
        found.append(ModeChange(mode.name, first, second, difference(first.share, second.share)))
    return tuple(sorted(found, key=lambda change: (not change.is_told, -abs(change.difference.value or 0.0))))


def _rate_of(read: Reading, key: str, none: ModeCount) -> ModeRate:
    counted = next((each for each in read.modes if each.mode.key == key), none)
    return ModeRate(counted, _share(counted.outputs, Counter(output.cluster for output in read.outputs)))


def difference(before: Estimate, after: Estimate) -> Estimate:
    """The difference of two shares of outputs that have nothing to do with each other."""
    if before.value is None or after.value is None:
        return Estimate.refused("nothing was labelled on one side")
    value = after.value - before.value
    if before.low is None or before.high is None or after.low is None or after.high is None:
        return Estimate(value, reason=before.reason or after.reason)
    low = value - math.hypot(after.value - after.low, before.high - before.value)
    high = value + math.hypot(after.high - after.value, before.value - before.low)
    return Estimate(value, max(-1.0, low), min(1.0, high), MOVER)

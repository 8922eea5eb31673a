"""Verdicts of a judge beside the labels of people, counted. What is counted as positive is a failure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct


class Counts(Struct, frozen=True):
    """A confusion matrix, and the verdicts on outputs that nobody labelled. Positive is *fail*."""

    tp: int = 0  # the judge said fail, and people did
    fp: int = 0  # the judge said fail, people said pass
    fn: int = 0  # the judge said pass, people said fail
    tn: int = 0
    other_failed: int = 0  # verdicts on outputs without a label
    other_passed: int = 0

    @property
    def cells(self) -> tuple[int, int, int, int]:
        """The four cells, in the order tp, fp, fn, tn."""
        return self.tp, self.fp, self.fn, self.tn

    @property
    def labelled(self) -> int:
        """How many outputs have both a label and a verdict."""
        return self.tp + self.fp + self.fn + self.tn

    @property
    def failing(self) -> int:
        """How many outputs failed for people."""
        return self.tp + self.fn

    @property
    def passing(self) -> int:
        """How many outputs passed for people."""
        return self.fp + self.tn

    @property
    def judged(self) -> int:
        """How many outputs have a verdict."""
        return self.labelled + self.other_failed + self.other_passed

    @property
    def judged_failed(self) -> int:
        """How many outputs the judge failed."""
        return self.tp + self.fp + self.other_failed

    @property
    def agreeing(self) -> int:
        """How many labelled outputs judge and people say the same of."""
        return self.tp + self.tn


Clusters: TypeAlias = Mapping[Counts, int]  # how many clusters have these counts: of a million most are alike


def total(clusters: Clusters) -> Counts:
    """The counts of all clusters together."""
    sums = [0] * 6
    for cluster, times in clusters.items():
        for place, count in enumerate((*cluster.cells, cluster.other_failed, cluster.other_passed)):
            sums[place] += count * times
    return Counts(*sums)


def counted(outputs: Iterable[tuple[str, bool, bool | None]]) -> Clusters:
    """The counts of each cluster, of outputs as (cluster, whether the judge failed it, whether people did).

    None instead of what people said is an output without a label.
    """
    clusters: dict[str, list[int]] = {}
    for cluster, judge, people in outputs:
        cells = clusters.setdefault(cluster, [0] * 6)
        if people is None:
            cells[4 if judge else 5] += 1
        else:
            cells[(0 if people else 1) if judge else (2 if people else 3)] += 1
    return Counter(Counts(*cells) for cells in clusters.values())


def design_effect(clusters: Clusters, influence: Sequence[float]) -> float:
    """How many times larger the variance of an estimate is than if outputs of one cluster were independent.

    `influence` is what one output of each of the six cells adds to the estimate, to first order. At least 1: that
    outputs of a cluster are less alike than by chance is never relied upon.
    """
    alone = together = 0.0
    filled = 0
    several = False
    for cluster, times in clusters.items():
        cells = (*cluster.cells, cluster.other_failed, cluster.other_passed)
        own = [(count, weight) for count, weight in zip(cells, influence, strict=True) if count and weight]
        filled += times * bool(own)
        several = several or sum(count for count, _weight in own) > 1
        alone += times * sum(count * weight * weight for count, weight in own)
        together += times * sum(count * weight for count, weight in own) ** 2
    if not several or filled < 2:
        return 1.0
    return max(1.0, together / alone * filled / (filled - 1))


def is_clustered(clusters: Clusters) -> bool:
    """Whether any cluster has several labelled outputs."""
    return any(cluster.labelled > 1 for cluster in clusters)

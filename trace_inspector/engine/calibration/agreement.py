"""How far a judge and people agree: shares of the confusion matrix, Cohen's κ and Gwet's AC1."""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct

from trace_inspector.engine.calibration.counts import Clusters, Counts, is_clustered, total
from trace_inspector.engine.calibration.estimate import Estimate, Z, exact_interval, share
from trace_inspector.engine.repeats.significance import CONFIDENCE, student_quantile

NO_DISAGREEMENT = "exact interval of the agreement, as every label says the same of the agreement"
_FLEISS = "large samples (Fleiss, Cohen and Everitt)"
_GWET = "linearised, Student’s t (Gwet)"
_CLUSTERED = "linearised, outputs of one case summed, Student’s t"
_ONE_CASE = "all labels are of one case, so that nothing is known of others"


class Agreement(Struct, frozen=True):
    """All figures of a judge against people, each with its interval."""

    counts: Counts
    sensitivity: Estimate  # of the failures, how many the judge finds
    specificity: Estimate  # of the good outputs, how many it leaves alone
    precision: Estimate  # of what it fails, how much is a failure
    accuracy: Estimate
    base_rate: float | None  # the share of the larger class, which a judge gets that always says the same
    kappa: Estimate
    ac1: Estimate


def agreement(clusters: Clusters) -> Agreement:
    """The figures of labelled outputs, counted by cluster (a case)."""
    counts = total(clusters)
    number = counts.labelled
    return Agreement(
        counts,
        share(clusters, lambda each: each.tp, lambda each: each.failing, "1-0-"),
        share(clusters, lambda each: each.tn, lambda each: each.passing, "-0-1"),
        share(clusters, lambda each: each.tp, lambda each: each.tp + each.fp, "10--"),
        share(clusters, lambda each: each.agreeing, lambda each: each.labelled, "1001"),
        max(counts.failing, counts.passing) / number if number else None,
        kappa(clusters),
        ac1(clusters),
    )


def kappa(clusters: Clusters) -> Estimate:
    """Cohen's κ. Where a side always says the same there is no interval: κ is 0 then, whatever the other says."""
    counts = total(clusters)
    number = counts.labelled
    if not number:
        return Estimate.refused("there are no labels")
    agreed = counts.agreeing / number
    judge, people = (counts.tp + counts.fp) / number, counts.failing / number
    expected = judge * people + (1 - judge) * (1 - people)
    if {judge, people} in ({0.0}, {1.0}):
        return Estimate.refused("judge and people both say the same of every output")
    value = (agreed - expected) / (1 - expected)
    for share_failed, who in ((people, "people say"), (judge, "the judge says")):
        if share_failed in (0.0, 1.0):
            return Estimate(value, reason=f"one class only: {who} the same of every output")
    influence = [
        ((same - agreed) - (1 - value) * (by_people + by_judge - 2 * expected)) / (1 - expected)
        for same, by_people, by_judge in (
            (1, people, judge),
            (0, people, 1 - judge),
            (0, 1 - people, judge),
            (1, 1 - people, 1 - judge),
        )
    ]
    return _linearised(clusters, value, influence, expected, small_sample=False)


def ac1(clusters: Clusters) -> Estimate:
    """Gwet's AC1, which does not collapse where nearly all outputs pass, as κ does."""
    counts = total(clusters)
    number = counts.labelled
    if not number:
        return Estimate.refused("there are no labels")
    agreed = counts.agreeing / number
    failed = (counts.tp + counts.fp + counts.failing) / (2 * number)
    expected = 2 * failed * (1 - failed)
    value = (agreed - expected) / (1 - expected)
    influence = [
        (same - expected) / (1 - expected) - 2 * (1 - value) * (chance - expected) / (1 - expected) - value
        for same, chance in ((1, 1 - failed), (0, 0.5), (0, 0.5), (1, failed))
    ]
    return _linearised(clusters, value, influence, expected, small_sample=True)


def _linearised(
    clusters: Clusters, value: float, influence: Sequence[float], expected: float, *, small_sample: bool
) -> Estimate:
    """An interval by what each output adds to the figure, summed within clusters."""
    labelled = {cluster: times for cluster, times in clusters.items() if cluster.labelled}
    counts = total(labelled)
    number, agreeing = counts.labelled, counts.agreeing
    clustered = is_clustered(labelled)
    groups = sum(labelled.values())
    if groups < 2:
        return Estimate(value, reason=_ONE_CASE if clustered else "a single label gives no interval")
    if agreeing in (0, number):
        # Then every output adds the same, which is no variation: the interval would be a point after two labels.
        found = exact_interval(groups if agreeing else 0, groups)
        low, high = ((bound - expected) / (1 - expected) for bound in (found.low, found.high))
        return Estimate(value, max(-1.0, low), min(1.0, max(high, value)), NO_DISAGREEMENT)
    squares = sum(
        times * sum(count * each for count, each in zip(cluster.cells, influence, strict=True)) ** 2
        for cluster, times in labelled.items()
    )
    if clustered or small_sample:
        squares *= groups / (groups - 1)
    quantile = student_quantile(0.5 + CONFIDENCE / 2, groups - 1) if clustered or small_sample else Z
    half = quantile * math.sqrt(squares) / number
    method = _CLUSTERED if clustered else _GWET if small_sample else _FLEISS
    return Estimate(value, max(-1.0, value - half), min(1.0, value + half), method)

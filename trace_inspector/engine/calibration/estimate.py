"""An estimate with its interval, and intervals of shares."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable

from msgspec import Struct

from trace_inspector.engine.calibration.counts import Clusters, Counts, design_effect, is_clustered, total
from trace_inspector.engine.repeats.significance import CONFIDENCE, Interval, beta_share, student_quantile

Z = statistics.NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)
EXACT = "Clopper–Pearson (exact)"
KORN_GRAUBARD = "Korn–Graubard (Clopper–Pearson with the effective number, outputs of one case being alike)"
_TAIL = (1 - CONFIDENCE) / 2
_STEPS = 200


class Estimate(Struct, frozen=True):
    """A figure with its 95 % interval and how that was made; None with the reason where there is none."""

    value: float | None
    low: float | None = None
    high: float | None = None
    method: str = ""  # of the interval
    reason: str = ""

    @classmethod
    def refused(cls, reason: str) -> Estimate:
        """No figure, and why."""
        return cls(None, reason=reason)


def beta_quantile(share: float, a: float, b: float) -> float:
    """The value below which that share of the beta distribution lies: Newton's steps, halved where they leave."""
    low, high = 0.0, 1.0
    guess = a / (a + b)
    scale = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    for _ in range(_STEPS):
        off = beta_share(guess, a, b) - share
        low, high = (guess, high) if off < 0 else (low, guess)
        slope = math.exp(scale + (a - 1) * math.log(guess) + (b - 1) * math.log1p(-guess))
        step = guess - off / slope if slope > 0 else -1.0
        following = step if low < step < high else (low + high) / 2
        if following in (low, high) or math.isclose(following, guess, rel_tol=1e-15):
            return following
        guess = following
    return guess


def exact_interval(count: float, of: float) -> Interval:
    """Clopper and Pearson's interval of a share, which covers at least 95 %; also of fractional numbers."""
    low = beta_quantile(_TAIL, count, of - count + 1) if count > 0 else 0.0
    high = beta_quantile(1 - _TAIL, count + 1, of - count) if count < of else 1.0
    return Interval(low, high)


def share(clusters: Clusters, hits: Callable[[Counts], int], of: Callable[[Counts], int], cells: str) -> Estimate:
    """A share of labelled outputs with its interval, such as the share of failures that the judge finds.

    `cells` says for tp, fp, fn, tn whether an output of the cell is a hit ("1"), none ("0"), or not meant ("-").
    """
    counts = total(clusters)
    count, number = hits(counts), of(counts)
    if not number:
        return Estimate.refused("no labelled output is of the kind that this is a share of")
    value = count / number
    meant = {cluster: times for cluster, times in clusters.items() if of(cluster)}
    groups = sum(meant.values())
    if not any(of(cluster) > 1 for cluster in meant):
        found = exact_interval(count, number)
        return Estimate(value, found.low, found.high, EXACT)
    if groups < 2:
        return Estimate(value, reason="all are of one case, so that nothing is known of others")
    if 0 < count < number:
        influence = [0.0 if cell == "-" else int(cell) - value for cell in cells] + [0.0, 0.0]
        effective = number / design_effect(meant, influence)
    else:
        effective = float(groups)  # outputs that are all alike do not tell how alike those of one case are
    effective *= (Z / student_quantile(0.5 + CONFIDENCE / 2, groups - 1)) ** 2
    found = exact_interval(value * effective, effective)
    return Estimate(value, found.low, found.high, KORN_GRAUBARD)


def normal_quantile(clusters: Clusters) -> float:
    """The normal distribution's 97.5 %, or Student's where cases are clusters, as few of them tell little."""
    labelled = sum(times for cluster, times in clusters.items() if cluster.labelled)
    if not is_clustered(clusters) or labelled < 2:
        return Z
    return student_quantile(0.5 + CONFIDENCE / 2, labelled - 1)

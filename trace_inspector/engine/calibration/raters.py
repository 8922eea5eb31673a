"""Agreement between people: Krippendorff's α, which allows any number of raters and missing labels."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable

from msgspec import Struct

from trace_inspector.engine.calibration.estimate import Estimate, exact_interval
from trace_inspector.engine.repeats.significance import CONFIDENCE, student_quantile

_GWET = "linearised, Student’s t (Gwet)"
_CLUSTERED = "linearised, outputs of one case summed, Student’s t"
_EXACT = "exact interval of the outputs without disagreement"


class Rated(Struct, frozen=True):
    """One output as people rated it."""

    cluster: str
    failed: int  # how many raters said fail
    passed: int

    @property
    def raters(self) -> int:
        """How many rated it."""
        return self.failed + self.passed


def alpha(outputs: Iterable[Rated]) -> Estimate:
    """Krippendorff's nominal α of the outputs that two or more people rated."""
    kinds = Counter(output for output in outputs if output.raters > 1)
    number = sum(kinds.values())
    if not number:
        return Estimate.refused("no output was labelled by two people")
    failed = sum(kind.failed * times for kind, times in kinds.items())
    ratings = sum(kind.raters * times for kind, times in kinds.items())
    if failed in (0, ratings):
        return Estimate.refused("one class only: everybody says the same of every output")
    disagreement = sum(kind.failed * kind.passed / (kind.raters - 1) * times for kind, times in kinds.items())
    value = 1 - (ratings - 1) * disagreement / (failed * (ratings - failed))
    return _interval(kinds, value, failed / ratings)


def _interval(kinds: Counter[Rated], value: float, failed: float) -> Estimate:
    """Gwet's linearised variance of α, each output's part summed within its cluster."""
    number = sum(kinds.values())
    ratings = sum(kind.raters * times for kind, times in kinds.items())
    mean = ratings / number
    expected = failed**2 + (1 - failed) ** 2
    alike = {kind: _pairs_alike(kind) / (mean * (kind.raters - 1)) for kind in kinds}
    observed = sum(alike[kind] * times for kind, times in kinds.items()) / number
    agreed = (1 - 1 / ratings) * observed + 1 / ratings
    plain = (observed - expected) / (1 - expected)
    sums: dict[str, float] = defaultdict(float)
    squares = 0.0
    for kind, times in kinds.items():
        off = (kind.raters - mean) / mean
        own_agreed = (alike[kind] - agreed * off - expected) / (1 - expected)
        own_expected = (kind.failed * failed + kind.passed * (1 - failed)) / mean - expected * off
        own = own_agreed - 2 * (1 - plain) * (own_expected - expected) / (1 - expected) - plain
        sums[kind.cluster] += own * times
        squares += own * own * times
    clustered = len(sums) < number
    groups = len(sums) if clustered else number
    if groups < 2:
        return Estimate(value, reason="all are of one case, so that nothing is known of others")
    if not any(kind.failed and kind.passed for kind in kinds):
        low = exact_interval(groups, groups).low
        return Estimate(value, max(-1.0, (low - expected) / (1 - expected)), 1.0, _EXACT)
    if clustered:
        squares = sum(each * each for each in sums.values())
    error = math.sqrt(groups / (groups - 1) * squares) / number
    half = student_quantile(0.5 + CONFIDENCE / 2, groups - 1) * error
    return Estimate(value, max(-1.0, value - half), min(1.0, value + half), _CLUSTERED if clustered else _GWET)


def _pairs_alike(kind: Rated) -> int:
    return kind.failed * (kind.failed - 1) + kind.passed * (kind.passed - 1)

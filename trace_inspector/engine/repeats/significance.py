"""Statistical significance: exact tests and intervals, without a library that takes seconds to import."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct

_STEPS = 200
_TERMS = 20_000
_TINY = 1e-300
_NOISE = 1e-9  # rounding errors of sums of floats
CONFIDENCE = 0.95
_SIGNIFICANT = Fraction(1, 20)  # significant below this probability; the float 1 − 0.95 is greater


class Interval(Struct, frozen=True):
    """Where a figure lies with 95 % confidence."""

    low: float
    high: float


def is_alike(left: float, right: float) -> bool:
    """Whether two figures differ by no more than rounding."""
    return math.isclose(left, right, rel_tol=_NOISE, abs_tol=_NOISE)


def is_noise(chance: Fraction | float) -> bool:
    """Whether a result with this probability is not significant; 1 in 20 is not."""
    return chance >= _SIGNIFICANT


def as_float(chance: Fraction | None) -> float | None:
    """A likelihood as reports write it; what decides anything stays exact."""
    return None if chance is None else float(chance)


def holm(chances: Sequence[Fraction | float]) -> frozenset[int]:
    """The indexes of significant tests among several, by Holm's correction for testing many at once."""
    significant: list[int] = []
    for index in sorted(range(len(chances)), key=chances.__getitem__):
        if is_noise(chances[index] * (len(chances) - len(significant))):
            break
        significant.append(index)
    return frozenset(significant)


def passes_at_least_once(runs: int, passed: int, k: int) -> float:
    """pass@k: the chance that of k of these runs at least one passes."""
    choices = math.comb(runs, k)
    return (choices - math.comb(runs - passed, k)) / choices  # in integers: 1 − x would round below pass^k


def passes_always(runs: int, passed: int, k: int) -> float:
    """pass^k: the chance that k of these runs pass all."""
    return math.comb(passed, k) / math.comb(runs, k)


def share_interval(passed: int, of: int) -> Interval:
    """Wilson's interval of a share, which is valid for few cases too, and stays within 0 to 1."""
    z = statistics.NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)
    share, spread = passed / of, z * z / of
    middle = (share + spread / 2) / (1 + spread)
    half = z / (1 + spread) * math.sqrt(share * (1 - share) / of + spread / (4 * of))
    return Interval(max(0.0, middle - half) if passed else 0.0, min(1.0, middle + half) if passed < of else 1.0)


def sign_test(improved: int, regressed: int) -> Fraction:
    """McNemar's exact test: the probability of a count at least this uneven if nothing changed."""
    count = improved + regressed
    tail = sum(math.comb(count, count_below) for count_below in range(min(improved, regressed) + 1))
    return min(Fraction(1), Fraction(2 * tail, 1 << count))


def fisher_test(passed: int, of: int, passed_then: int, of_then: int) -> Fraction:
    """Fisher's exact test: the probability of a split at least this uneven if both sides pass equally often."""
    total = passed + passed_then
    ways = [math.comb(of, here) * math.comb(of_then, total - here) for here in range(min(of, total) + 1)]
    return Fraction(sum(way for way in ways if way <= ways[passed]), sum(ways))


def welch_interval(base: Sequence[float], new: Sequence[float]) -> Interval | None:
    """Welch's interval of the difference of two means; None for fewer than two on a side, or where none differ."""
    if len(base) < 2 or len(new) < 2 or all(is_alike(min(side), max(side)) for side in (base, new)):
        return None
    parts = [(statistics.variance(side) / len(side), len(side) - 1) for side in (base, new)]
    spread = sum(part for part, _freedom in parts)
    freedom = spread**2 / sum(part**2 / own for part, own in parts)
    half = student_quantile(0.5 + CONFIDENCE / 2, freedom) * math.sqrt(spread)
    change = statistics.fmean(new) - statistics.fmean(base)
    return Interval(change - half, change + half)


def mean_interval(changes: Sequence[float]) -> Interval | None:
    """Student's interval of the mean of paired changes; None for fewer than two, or where none differ."""
    count = len(changes)
    if count < 2 or is_alike(min(changes), max(changes)):  # equal values give no estimate of the variation
        return None
    mean = statistics.fmean(changes)
    half = student_quantile(0.5 + CONFIDENCE / 2, count - 1) * statistics.stdev(changes) / math.sqrt(count)
    return Interval(mean - half, mean + half)


def student_quantile(share: float, freedom: float) -> float:
    """The value below which that share of Student's distribution lies; of shares from one half on."""
    low, high = 0.0, 1.0
    while student_share(high, freedom) < share:
        high *= 2
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if student_share(middle, freedom) < share else (low, middle)
    return high


def student_share(value: float, freedom: float) -> float:
    """The share of Student's distribution that lies below a value that is not negative."""
    return 1.0 - beta_share(freedom / (freedom + value * value), freedom / 2, 0.5) / 2


def beta_share(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function, by its continued fraction (Lentz's method).

    The larger a and b, the more terms it takes: about the square root of the larger one.
    """
    if x <= 0.0 or x >= 1.0:
        return min(1.0, max(0.0, x))
    if x > (a + 1) / (a + b + 2):
        return 1.0 - beta_share(1.0 - x, b, a)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)) / a
    c, d = 1.0, 1.0 / _away(1.0 - (a + b) * x / (a + 1))
    fraction = d
    for m in range(1, _TERMS):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1.0 / _away(1.0 + term * d)
            c = _away(1.0 + term / c)
            fraction *= c * d
        if abs(c * d - 1.0) < 1e-15:
            break
    return front * fraction


def _away(value: float) -> float:
    return value if abs(value) > _TINY else _TINY

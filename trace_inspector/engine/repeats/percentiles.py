"""Percentiles by the nearest-rank method, which gives a measured value."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

SHARES = (50, 90, 99)


def percentiles(ordered: Sequence[float]) -> Iterator[tuple[int, float]]:
    """Each percentage with its value, for values in ascending order; nothing for none."""
    for share in SHARES if ordered else ():
        yield share, ordered[max(0, math.ceil(len(ordered) * share / 100) - 1)]

"""Percentiles by the nearest rank: a value that was really measured."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

SHARES = (50, 90, 99)


def percentiles(ordered: Sequence[float]) -> Iterator[tuple[int, float]]:
    """Each share with its value, of values in ascending order; nothing of none."""
    for share in SHARES if ordered else ():
        yield share, ordered[max(0, math.ceil(len(ordered) * share / 100) - 1)]

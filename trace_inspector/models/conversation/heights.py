"""A list of many heights: where each begins and which one is at a position, in microseconds for a million."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate

_CHUNK = 256  # both the sums and the heights of one chunk are added up by a loop in C


class Heights:
    """Most heights are estimates; each is replaced by the measured one when its item becomes visible."""

    def __init__(self, count: int = 0, each_px: float = 0.0) -> None:
        self._values = array("d", [each_px]) * count
        self._sums: array[float] = array("d")
        self._sum_up(0)

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, index: int) -> float:
        return self._values[index]

    def __setitem__(self, index: int, height_px: float) -> None:
        self._sums[index // _CHUNK] += height_px - self._values[index]
        self._values[index] = height_px

    def extend(self, count: int, each_px: float) -> None:
        """Add heights at the end, with the same estimate."""
        before = len(self._values)
        self._values.extend(array("d", [each_px]) * count)
        self._sum_up(before // _CHUNK)

    def replace(self, first: int, end: int, heights_px: Iterable[float]) -> None:
        """Replace some heights by others."""
        self._values[first:end] = array("d", heights_px)
        self._sum_up(first // _CHUNK)

    @property
    def total_px(self) -> float:
        """The sum of all heights."""
        return sum(self._sums)

    def top_px(self, index: int) -> float:
        """Where the item of that index begins."""
        chunk = index // _CHUNK
        return sum(self._sums[:chunk]) + sum(self._values[chunk * _CHUNK : index])

    def index_at(self, place_px: float) -> int:
        """The index at a position; the first or the last for positions outside."""
        ends = list(accumulate(self._sums))
        chunk = min(bisect_right(ends, place_px), max(len(ends) - 1, 0))
        rest_px = place_px - (ends[chunk - 1] if chunk else 0.0)
        inside = list(accumulate(self._values[chunk * _CHUNK : (chunk + 1) * _CHUNK]))
        return chunk * _CHUNK + min(bisect_right(inside, rest_px), max(len(inside) - 1, 0))

    def _sum_up(self, chunk: int) -> None:
        del self._sums[chunk:]
        starts = range(chunk * _CHUNK, len(self._values), _CHUNK)
        self._sums.extend(array("d", [sum(self._values[start : start + _CHUNK]) for start in starts]))

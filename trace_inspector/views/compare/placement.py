"""Which rows are in sight, and where: heights are measured as rows come into sight, and guessed before."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate

from trace_inspector.views.compare.shapes import Scene

FAR = 3.0  # screens; beyond them a place is reached by guesses


@dataclass(frozen=True, slots=True)
class Placed:
    """A row in sight. `place` is its position among the rows that are shown."""

    place: int
    top_px: float
    height_px: float
    scene: Scene

    @property
    def bottom_px(self) -> float:
        """Where it ends."""
        return self.top_px + self.height_px


class Placement:
    """What is above the view's top edge by one row, the anchor; scrolling moves it."""

    def __init__(self, guesses: array[float], measure: Callable[[int], tuple[Scene, float]]) -> None:
        self.heights = guesses
        self._measure = measure
        self._sums: list[float] | None = None
        self.anchor = 0
        self.offset_px = 0.0  # of the anchor's top edge, never above 0
        self.seen: list[Placed] = []

    @property
    def total_px(self) -> float:
        """How high all rows are, as far as known."""
        return self.sums[-1] if self.heights else 0.0

    @property
    def sums(self) -> list[float]:
        """Where each row ends."""
        if self._sums is None:
            self._sums = list(accumulate(self.heights))
        return self._sums

    def top_px(self, place: int) -> float:
        """Where a row begins, counted from the first."""
        return self.sums[place - 1] if place else 0.0

    @property
    def value_px(self) -> float:
        """How far the view is scrolled."""
        return self.top_px(self.anchor) - self.offset_px if self.heights else 0.0

    def show(self, value_px: float) -> None:
        """Scroll there, by what is known of heights."""
        if self.heights:
            self.anchor = min(bisect_right(self.sums, max(value_px, 0.0)), len(self.heights) - 1)
            self.offset_px = min(0.0, self.top_px(self.anchor) - value_px)

    def move(self, px: float) -> None:
        """Scroll by some pixels, exactly."""
        self.offset_px -= px

    def reveal(self, place: int, high_px: float) -> None:
        """Scroll no more than is needed to see a row, its beginning first."""
        here = next((one for one in self.seen if one.place == place), None)
        if here is not None and here.top_px >= 0 and here.bottom_px <= high_px:
            return
        height = self._height(place)[1]
        above = place < (self.seen[0].place if self.seen else 0) or (here is not None and here.top_px < 0)
        self.anchor = place
        self.offset_px = 0.0 if above or height > high_px else high_px - height

    def lay_out(self, high_px: float) -> list[Placed]:
        """The rows in sight; at the ends no room is left empty."""
        if not self.heights:
            self.seen = []
            return []
        self.anchor = min(max(self.anchor, 0), len(self.heights) - 1)
        placed = self._fill(high_px)
        if placed[-1].bottom_px < high_px and placed[-1].place == len(self.heights) - 1:
            self.offset_px += high_px - placed[-1].bottom_px
            placed = self._fill(high_px)
        if placed[0].top_px > 0:
            self.anchor, self.offset_px = placed[0].place, 0.0
            placed = self._fill(high_px)
        self.seen = [one for one in placed if one.bottom_px > 0 and one.top_px < high_px] or placed[:1]
        self.anchor, self.offset_px = self.seen[0].place, self.seen[0].top_px
        return self.seen

    def _fill(self, high_px: float) -> list[Placed]:
        placed: list[Placed] = []
        place, top = self.anchor, self.offset_px
        while place < len(self.heights) and (top < high_px or not placed):
            scene, height = self._height(place)
            placed.append(Placed(place, top, height, scene))
            top += height
            place += 1
        above: list[Placed] = []
        place, top = self.anchor - 1, self.offset_px
        while place >= 0 and top > 0:
            scene, height = self._height(place)
            top -= height
            above.append(Placed(place, top, height, scene))
            place -= 1
        return [*reversed(above), *placed]

    def _height(self, place: int) -> tuple[Scene, float]:
        scene, height = self._measure(place)
        if self.heights[place] != height:
            self.heights[place] = height
            self._sums = None
        return scene, height

"""The time axis of a whole trace: when there was work, and which long pauses between are folded."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate

from msgspec import Struct

FOLD_PX = 28.0
FOLD_FROM_S = 2.0
FOLD_SHARE = 0.05  # of all work: shorter pauses take less room than their fold
FOLDS_SHARE = 0.3  # of the width, at most, when the whole trace is to be seen
LEAST_SPAN_S = 0.001
GREATEST_PX = 1e12  # beyond it floating numbers lose pixels
GREATEST_PX_PER_S = 4e6  # a microsecond is 4 px


class Axis(Struct, frozen=True):
    """Intervals of time, in order, that are drawn to scale, and the folds between them."""

    begins_s: tuple[float, ...] = (0.0,)
    ends_s: tuple[float, ...] = (1.0,)
    before_s: tuple[float, ...] = (0.0,)  # how much time is drawn left of each interval

    @property
    def start_s(self) -> float:
        """Where the axis begins."""
        return self.begins_s[0]

    @property
    def end_s(self) -> float:
        """Where it ends."""
        return self.ends_s[-1]

    @property
    def drawn_s(self) -> float:
        """How much time is drawn to scale."""
        return self.before_s[-1] + self.ends_s[-1] - self.begins_s[-1]

    @property
    def folds(self) -> int:
        """How many pauses are folded."""
        return len(self.begins_s) - 1

    @property
    def idle_s(self) -> float:
        """The total duration of the folded pauses."""
        return self.end_s - self.start_s - self.drawn_s


def make_axis(busy_s: Iterable[tuple[float, float]], *, fold: bool) -> Axis:
    """The axis for these times of work, which may overlap and be in any order."""
    merged: list[list[float]] = []
    for begin_s, end_s in sorted(busy_s):
        if merged and begin_s <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end_s)
        else:
            merged.append([begin_s, end_s])
    if not merged:
        return Axis()
    work_s = sum(end_s - begin_s for begin_s, end_s in merged)
    least_s = max(FOLD_FROM_S, FOLD_SHARE * work_s)
    kept = merged[:1]
    for begin_s, end_s in merged[1:]:
        if fold and begin_s - kept[-1][1] > least_s:
            kept.append([begin_s, end_s])
        else:
            kept[-1][1] = end_s
    if sum(end_s - begin_s for begin_s, end_s in kept) < LEAST_SPAN_S:  # also for moments with pauses between
        kept[-1][1] = kept[-1][0] + LEAST_SPAN_S
    before_s = accumulate((end_s - begin_s for begin_s, end_s in kept[:-1]), initial=0.0)
    return Axis(tuple(span[0] for span in kept), tuple(span[1] for span in kept), tuple(before_s))


class Scale(Struct, frozen=True):
    """The x of each moment in a view. `left_px` is how far the view is scrolled from the beginning of the axis."""

    axis: Axis
    width_px: float
    px_per_s: float
    fold_px: float
    left_px: float = 0.0

    def x(self, time_s: float) -> float:
        """The x of a moment, 0 at the left edge of the view."""
        axis = self.axis
        index = max(0, bisect_right(axis.begins_s, time_s) - 1)
        begin_s, end_s = axis.begins_s[index], axis.ends_s[index]
        drawn_s = axis.before_s[index] + min(time_s, end_s) - begin_s
        x = drawn_s * self.px_per_s + index * self.fold_px - self.left_px
        if time_s > end_s and index + 1 < len(axis.begins_s):
            x += self.fold_px * (time_s - end_s) / (axis.begins_s[index + 1] - end_s)
        elif time_s > end_s:
            x += (time_s - end_s) * self.px_per_s
        return x

    def time_s(self, x: float) -> float:
        """The moment at x."""
        axis = self.axis
        target = x + self.left_px
        index = bisect_right(range(len(axis.begins_s)), target, key=self._begin_px) - 1
        index = max(0, index)
        inside_s = (target - self._begin_px(index)) / self.px_per_s
        length_s = axis.ends_s[index] - axis.begins_s[index]
        if inside_s <= length_s or index + 1 == len(axis.begins_s):
            return axis.begins_s[index] + inside_s
        share = (target - self._begin_px(index) - length_s * self.px_per_s) / self.fold_px if self.fold_px else 0.0
        return axis.ends_s[index] + share * (axis.begins_s[index + 1] - axis.ends_s[index])

    @property
    def total_px(self) -> float:
        """The width of the whole axis."""
        return self.axis.drawn_s * self.px_per_s + self.axis.folds * self.fold_px

    def folds(self) -> Sequence[tuple[float, float, float]]:
        """The folds in view: left edge, width, and how long each is, in seconds."""
        axis = self.axis
        first = bisect_right(range(len(axis.begins_s)), self.left_px, key=self._begin_px) - 1
        in_view = []
        for index in range(max(0, first), axis.folds):
            left = self._begin_px(index + 1) - self.fold_px - self.left_px
            if left > self.width_px:
                break
            if left + self.fold_px >= 0:
                in_view.append((left, self.fold_px, axis.begins_s[index + 1] - axis.ends_s[index]))
        return in_view

    # Other views of the same axis

    def fitted(self) -> Scale:
        """The whole axis."""
        return fit(self.axis, self.width_px)

    def zoomed(self, factor: float, x: float) -> Scale:
        """Zoomed in or out; the moment at x stays where it is."""
        return self.at_px_per_s(self.px_per_s * factor, self.time_s(x), x)

    def at_px_per_s(self, px_per_s: float, time_s: float, x: float) -> Scale:
        """Zoomed to that scale, within bounds, with a moment at x."""
        whole = fit(self.axis, self.width_px)
        most = max(whole.px_per_s, min(GREATEST_PX_PER_S, GREATEST_PX / self.axis.drawn_s))
        px_per_s = min(most, max(whole.px_per_s, px_per_s))
        fold_px = min(FOLD_PX, whole.fold_px * px_per_s / whole.px_per_s)
        made = Scale(self.axis, self.width_px, px_per_s, fold_px)
        return made.moved_to(made.x(time_s) - x)

    def moved_to(self, left_px: float) -> Scale:
        """Scrolled, within the axis."""
        left_px = max(0.0, min(left_px, self.total_px - self.width_px))
        return Scale(self.axis, self.width_px, self.px_per_s, self.fold_px, left_px)

    def showing(self, begin_s: float, end_s: float, margin_px: float = 24.0) -> Scale:
        """Zoomed to an interval, with a margin on both sides."""
        at_begin, at_end = self._drawn_s(begin_s), self._drawn_s(end_s)
        folds = bisect_right(self.axis.begins_s, end_s) - bisect_right(self.axis.begins_s, begin_s)
        room = max(20.0, self.width_px - 2 * margin_px - folds * FOLD_PX)
        px_per_s = room / max(LEAST_SPAN_S / 1000, at_end - at_begin)
        return self.at_px_per_s(px_per_s, begin_s, margin_px)

    def with_width(self, width_px: float) -> Scale:
        """The same beginning and scale with another width."""
        whole = fit(self.axis, self.width_px)
        if self.px_per_s <= whole.px_per_s * (1 + 1e-9):
            return fit(self.axis, width_px)
        return fit(self.axis, width_px).at_px_per_s(self.px_per_s, self.time_s(0.0), 0.0)

    def on(self, axis: Axis) -> Scale:
        """The same view of an axis that has grown, or has other folds."""
        whole = fit(self.axis, self.width_px)
        if self.px_per_s <= whole.px_per_s * (1 + 1e-9):
            return fit(axis, self.width_px)
        return fit(axis, self.width_px).at_px_per_s(self.px_per_s, self.time_s(0.0), 0.0)

    def _begin_px(self, index: int) -> float:
        return self.axis.before_s[index] * self.px_per_s + index * self.fold_px

    def _drawn_s(self, time_s: float) -> float:
        axis = self.axis
        index = max(0, bisect_right(axis.begins_s, time_s) - 1)
        return axis.before_s[index] + min(time_s, axis.ends_s[index]) - axis.begins_s[index]


def fit(axis: Axis, width_px: float) -> Scale:
    """The whole axis on that width."""
    width_px = max(1.0, width_px)
    fold_px = min(FOLD_PX, FOLDS_SHARE * width_px / axis.folds) if axis.folds else 0.0
    px_per_s = (width_px - axis.folds * fold_px) / axis.drawn_s
    return Scale(axis, width_px, px_per_s, fold_px)


def tick_step_s(px_per_s: float, least_px: float) -> float:
    """The distance of ticks: 1, 2 or 5 times a power of ten, or round numbers of minutes, hours and days."""
    least_s = least_px / px_per_s
    if least_s > _LONG_STEPS_S[-1]:
        return _LONG_STEPS_S[-1] * _round_up(least_s / _LONG_STEPS_S[-1])
    for step_s in _LONG_STEPS_S:
        if step_s >= least_s >= 30:
            return step_s
    return _round_up(max(least_s, 1e-7))


_LONG_STEPS_S = (60, 120, 300, 600, 1_800, 3_600, 7_200, 21_600, 43_200, 86_400)


def _round_up(least: float) -> float:
    """The next of 1, 2 and 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= least)


def tick_text(seconds: float, step_s: float) -> str:
    """The label of a tick, as exact as the distance of ticks."""
    if step_s >= 86_400:
        return f"{seconds / 86_400:,.0f} d"
    if step_s >= 3_600:
        return f"{seconds / 3_600:g} h"
    if step_s >= 60:
        return f"{seconds / 60:g} min"
    if step_s >= 1:
        return f"{seconds:,.0f} s"
    if step_s >= 1e-3:
        places = max(1, -_exponent(step_s))
        return f"{seconds:.{places}f} s"
    return f"{seconds * 1000:.{max(0, -_exponent(step_s) - 3)}f} ms"


def _exponent(step_s: float) -> int:
    power, exponent = 1.0, 0
    while power > step_s * 1.000001:
        power, exponent = power / 10, exponent - 1
    return exponent

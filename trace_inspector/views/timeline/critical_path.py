"""Paints the critical path over the lanes: a line under each of its bars, a joint to the next."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from PySide6.QtCore import QLineF, QRectF
from PySide6.QtGui import QPainter, QPen

from trace_inspector.core.rows.timing import NOWHERE, Work
from trace_inspector.models.timeline.timeline import Timeline
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.timeline.brush import ROW_PX

LINE_PX = 2.0
JOINT_PX = 1.5
_UNDER_PX = 21.0  # from the top of a lane
_LOOKED_FAR = 500  # lanes above and below the view, for joints that pass through it


class TimelinePath:
    """The part of the path in view: that of the visible lanes, however long the whole is."""

    def __init__(self, theme: Theme, timeline: Timeline) -> None:
        self._theme = theme
        self._timeline = timeline

    def paint(self, painter: QPainter, head: int, lanes: range, clock: QRectF, top: float) -> None:
        """The path of the turn of these lanes; lane 0 is at `top`."""
        work = self._timeline.works[head]
        seen = range(
            max(lanes.start, int(-top // ROW_PX)), min(lanes.stop, int((clock.height() - top) // ROW_PX) + 1)
        )
        ink = self._theme.color("text")
        joints: list[QLineF] = []
        for index in sorted(set(self._stretches(work, lanes, seen))):
            left, right = self._x(work.path_begin_s[index], clock), self._x(work.path_end_s[index], clock)
            y = self._y(head, work.path[index], top)
            painter.fillRect(QRectF(left, y - LINE_PX / 2, max(LINE_PX, right - left), LINE_PX), ink)
            begun = (begin for begin in (index, index + 1) if 0 < begin < len(work.path))
            joints.extend(line for begin in begun for line in self._joint(head, work, begin, clock, top))
        painter.setPen(QPen(ink, JOINT_PX))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.drawLines(joints)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)

    def _stretches(self, work: Work, lanes: range, seen: range) -> Iterator[int]:
        """Those of the lanes in view, and the nearest above and below."""
        yield from (index for lane in seen if (index := self._stretch(work, lane)) != NOWHERE)
        above = range(seen.start - 1, max(lanes.start, seen.start - _LOOKED_FAR) - 1, -1)
        below = range(seen.stop, min(lanes.stop, seen.stop + _LOOKED_FAR))
        for way in (above, below):
            indexes = (index for lane in way if (index := self._stretch(work, lane)) != NOWHERE)
            yield from islice(indexes, 1)

    def _stretch(self, work: Work, lane: int) -> int:
        piece = self._timeline.lanes[lane].piece
        return work.path_at[piece] if piece != NOWHERE else NOWHERE

    def _joint(self, head: int, work: Work, index: int, clock: QRectF, top: float) -> tuple[QLineF, QLineF]:
        """From the end of the stretch before to the start of this one, cut to just outside of the view."""
        x = round(self._x(work.path_begin_s[index], clock)) + 0.5
        ends = (self._y(head, work.path[stretch], top) for stretch in (index - 1, index))
        low, high = (max(-ROW_PX, min(y, clock.height() + ROW_PX)) for y in ends)
        return QLineF(self._x(work.path_end_s[index - 1], clock), low, x, low), QLineF(x, low, x, high)

    def _x(self, moment_s: float, clock: QRectF) -> float:
        return clock.left() + max(-ROW_PX, min(self._timeline.scale.x(moment_s), clock.width() + ROW_PX))

    def _y(self, head: int, piece: int, top: float) -> float:
        return top + self._timeline.lanes.number_of(head, piece) * ROW_PX + _UNDER_PX

"""Paints the critical path over the lanes: a line under each of its bars, a joint to the next."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QPainter, QPen

from trace_inspector.models.timeline import Timeline
from trace_inspector.views.look import Look
from trace_inspector.views.timeline.brush import ROW_PX

LINE_PX = 2.0
JOINT_PX = 1.5
_UNDER_PX = 21.0  # from the top of a lane


class Path:
    """What of the path lies in view. Stretches narrower than a pixel are drawn as one."""

    def __init__(self, look: Look, timeline: Timeline) -> None:
        self._look = look
        self._timeline = timeline

    def paint(self, painter: QPainter, head: int, left: float, offset: float, height: float) -> None:
        """The path of one turn; lane 0 stands at `offset`, and the view is that high."""
        timeline = self._timeline
        work, scale = timeline.works[head], timeline.scale
        first = max(0, bisect_right(work.path_end_s, scale.time_s(0.0)) - 1)
        last = bisect_left(work.path_begin_s, scale.time_s(scale.width_px))
        ink = self._look.color("text")
        joints: list[QLineF] = []
        before: tuple[float, float] | None = None
        at = first
        while at <= min(last, len(work.path) - 1):
            y = offset + timeline.lanes.number_of(head, work.path[at]) * ROW_PX + _UNDER_PX
            from_x = left + scale.x(work.path_begin_s[at])
            to_x = left + scale.x(work.path_end_s[at])
            if 0 <= y <= height:
                box = QRectF(from_x, y - LINE_PX / 2, max(LINE_PX, to_x - from_x), LINE_PX)
                painter.fillRect(box.intersected(QRectF(left, 0, scale.width_px, height)), ink)
            if before is not None and before[1] != y and left <= from_x <= left + scale.width_px:
                low, high = sorted((max(-ROW_PX, min(before[1], height)), max(-ROW_PX, min(y, height))))
                if high >= 0 and low <= height:
                    joints.append(QLineF(QPointF(round(from_x), low), QPointF(round(from_x), high)))
            before = (to_x, y)
            at = max(at + 1, bisect_left(work.path_end_s, scale.time_s(from_x - left + 0.5)))
        painter.setPen(QPen(ink, JOINT_PX))
        painter.drawLines(joints)

"""Each criterion before and after, and the interval in which its change lies: a ring where that holds 0.

Scores from 0 to 1 are drawn to one scale. What has another range is drawn to its own: a count beside them would
flatten them all.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from trace_inspector.models.run_pair_words import change_text, mean_text
from trace_inspector.views.lettering import Lettering
from trace_inspector.views.look import Look
from trace_inspector.work.run_pair_lines import CriterionChange

ROW_PX = 24
COUNT_PX, MEANS_PX, DELTA_PX, LEAST_PX = 32, 84, 48, 56
DOT_PX = 7.0
GAP_PX = 8


class CriteriaChart(QWidget):
    """One row for each criterion. Every figure stands in words too."""

    def __init__(self, look: Look, criteria: Sequence[CriterionChange]) -> None:
        super().__init__()
        self._look = look
        self._letters = Lettering(look)
        self._criteria = tuple(criteria)
        self.score_reach = _reach([one for one in criteria if one.is_score])
        self.has_others = not all(one.is_score for one in criteria)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("; ".join(map(_words, criteria)))
        look.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """As high as its rows, the head, the scale and what is to know of it."""
        return QSize(320, self._row_px * (len(self._criteria) + 2 + self.has_others))

    def reach(self, one: CriterionChange) -> float:
        """Which change stands at the edge of the lane."""
        return self.score_reach if one.is_score else _reach([one])

    @property
    def _row_px(self) -> int:
        return self._look.row(ROW_PX)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Head, rows, scale."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_words(painter, 0, ("Criterion", "n", "Mean", "Delta"), ink="text2")
            lane = self._boxes(0)[3]
            if lane.width() >= LEAST_PX:
                self._letters.left(painter, lane, "Change, 95 %", "secondary", "text2")
                middle = lane.center().x()
                painter.setPen(QPen(self._look.color("border2"), 1))
                high = self._row_px
                painter.drawLine(QPointF(middle, high), QPointF(middle, high * (len(self._criteria) + 1)))
            for at, one in enumerate(self._criteria, 1):
                means = f"{mean_text(one.base)}  {mean_text(one.new)}"
                self._paint_words(painter, at, (one.metric, f"{one.cases:,}", means, change_text(one.base, one.new)))
                if lane.width() >= LEAST_PX:
                    self._paint_change(painter, self._boxes(at)[3], one)
            self._paint_scale(painter, self._boxes(len(self._criteria) + 1)[3])

    def _boxes(self, row: int) -> tuple[QRectF, QRectF, QRectF, QRectF, QRectF]:
        """Name, count, means, lane of the change, change."""
        top, high, width = row * self._row_px, self._row_px, self.width()
        lane_px = max(0.0, min(160.0, (width - COUNT_PX - MEANS_PX - DELTA_PX) * 0.42))
        delta = QRectF(width - DELTA_PX, top, DELTA_PX, high)
        lane = QRectF(delta.left() - lane_px, top, lane_px - GAP_PX, high)
        means = QRectF(lane.left() - MEANS_PX - GAP_PX, top, MEANS_PX, high)
        count = QRectF(means.left() - COUNT_PX, top, COUNT_PX - GAP_PX, high)
        return QRectF(0, top, count.left() - GAP_PX, high), count, means, lane, delta

    def _paint_words(self, painter: QPainter, row: int, words: Sequence[str], ink: str = "") -> None:
        name, count, means, _lane, delta = self._boxes(row)
        font = "body" if row else "secondary"
        shown = self._letters.metrics(font).elidedText(words[0], Qt.TextElideMode.ElideMiddle, name.width())
        self._letters.left(painter, name, shown, font, ink or "text")
        for box, text, own in ((count, words[1], "text2"), (means, words[2], "text"), (delta, words[3], "text")):
            figure = "number" if row else "secondary"
            sure = row > 0 and box is delta and _sure(self._criteria[row - 1])
            self._letters.right(painter, box, text, "number_strong" if sure else figure, ink or (sure or own))

    def _paint_change(self, painter: QPainter, lane: QRectF, one: CriterionChange) -> None:
        ink = self._look.color(_sure(one) or "text2")
        painter.setPen(QPen(ink, 1.5))
        middle = lane.center().y()
        if one.low is not None and one.high is not None:
            left, right = self._at(lane, one, one.low), self._at(lane, one, one.high)
            painter.drawLine(QPointF(left, middle), QPointF(right, middle))
            for end in (left, right):
                painter.drawLine(QPointF(end, middle - 4), QPointF(end, middle + 4))
        at, half = self._at(lane, one, one.new - one.base), DOT_PX / 2
        if _sure(one):  # the shape tells the way, for who does not see the colours
            way = half if one.new < one.base else -half
            painter.setBrush(ink)
            painter.drawPolygon(
                [QPointF(at - half, middle - way), QPointF(at + half, middle - way), QPointF(at, middle + way)]
            )
        else:
            painter.setBrush(self._look.color("base"))
            painter.drawEllipse(QPointF(at, middle), half, half)

    def _paint_scale(self, painter: QPainter, lane: QRectF) -> None:
        words = "Triangle: the interval leaves out 0. Ring: within noise."
        room = QRectF(0, lane.top(), lane.left() - GAP_PX, lane.height())
        self._letters.left(painter, room, words, "caption", "text2")
        if lane.width() < LEAST_PX:
            return
        if self.has_others:
            below = QRectF(0, lane.bottom(), self.width(), lane.height())
            words = "The scale is of scores from 0 to 1; others have their own."
            self._letters.left(painter, below, words, "caption", "text2")
        if all(not one.is_score for one in self._criteria):
            return
        reach = f"{self.score_reach:.2g}"
        self._letters.left(painter, lane, f"\N{MINUS SIGN}{reach}", "caption", "text2")
        self._letters.right(painter, lane, f"+{reach}", "caption", "text2")

    def _at(self, lane: QRectF, one: CriterionChange, change: float) -> float:
        share = max(-1.0, min(1.0, change / self.reach(one))) if math.isfinite(change) else 0.0
        return lane.center().x() + share * (lane.width() / 2 - DOT_PX)


def _reach(criteria: Sequence[CriterionChange]) -> float:
    ends = [abs(end) for one in criteria for end in (one.low, one.high, one.new - one.base) if end is not None]
    return max((end for end in ends if math.isfinite(end)), default=0.0) or 1.0


def _sure(one: CriterionChange) -> str:
    """The ink of a change whose interval leaves out 0; "" within noise. Of a count nobody says what is better."""
    if one.low is None or one.high is None or one.low <= 0.0 <= one.high:
        return ""
    if not one.is_score:
        return "text"
    return "passed" if one.low > 0.0 else "fail"


def _words(one: CriterionChange) -> str:
    told = f"{one.metric}: {mean_text(one.base)} to {mean_text(one.new)}, {change_text(one.base, one.new)}"
    if one.low is not None and one.high is not None:
        told += f", with 95 % from {change_text(0.0, one.low)} to {change_text(0.0, one.high)}"
    return f"{told}, over {one.cases:,}"

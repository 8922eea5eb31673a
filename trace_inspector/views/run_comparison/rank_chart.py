"""The percentiles of one figure in both runs: a ring for the baseline, a diamond for the candidate, and figures."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from trace_inspector.models.runs.run_pair_words import rank_text, rank_title
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.work.runs.comparison_messages import RankChange

ROW_PX = 18
NAME_PX, FIGURE_PX, LEAST_PX = 36, 60, 60
MARK_PX = 8.0
GAP_PX = 10


class RankChart(QWidget):
    """One row for each percentile, from 0 at the left to the greatest of both runs."""

    def __init__(self, theme: Theme, change: RankChange) -> None:
        super().__init__()
        self._theme = theme
        self._text_painter = TextPainter(theme)
        self._change = change
        self._base, self._new = dict(change.base), dict(change.new)
        self._ranks = sorted({*self._base, *self._new})
        self._most = max((*self._base.values(), *self._new.values()), default=0.0) or 1.0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        texts = (f"p{rank} {self._text(self._base, rank)} to {self._text(self._new, rank)}" for rank in self._ranks)
        self.setAccessibleName(f"{rank_title(change)}: {', '.join(texts)}")
        theme.changed.connect(self.updateGeometry)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """As high as its rows."""
        return QSize(280, self._theme.row(ROW_PX) * len(self._ranks))

    def minimumSizeHint(self) -> QSize:
        """Without room for marks, only the figures."""
        return QSize(NAME_PX + 2 * FIGURE_PX, self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Row by row."""
        high = self._theme.row(ROW_PX)
        lane_px = self.width() - NAME_PX - 2 * FIGURE_PX - GAP_PX
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for index, rank in enumerate(self._ranks):
                row = QRectF(0, index * high, self.width(), high)
                self._text_painter.left(painter, row, f"p{rank}", "secondary", "text2")
                right = self.width()
                for values, ink in ((self._new, "candidate"), (self._base, "baseline")):
                    box = QRectF(right - FIGURE_PX, row.top(), FIGURE_PX, high)
                    self._text_painter.right(painter, box, self._text(values, rank), "number", ink)
                    right -= FIGURE_PX
                if lane_px >= LEAST_PX:
                    self._paint_marks(painter, QRectF(NAME_PX, row.top(), lane_px, high), rank)

    def _paint_marks(self, painter: QPainter, lane: QRectF, rank: int) -> None:
        middle = lane.center().y()
        painter.setPen(QPen(self._theme.color("border2"), 1))
        painter.drawLine(QPointF(lane.left(), middle), QPointF(lane.right(), middle))
        xs = {
            ink: lane.left() + MARK_PX / 2 + max(0.0, values[rank]) / self._most * (lane.width() - MARK_PX)
            for ink, values in (("baseline", self._base), ("candidate", self._new))
            if rank in values and math.isfinite(values[rank])
        }
        if len(xs) > 1:
            painter.setPen(QPen(self._theme.color("text2"), 2))
            painter.drawLine(QPointF(xs["baseline"], middle), QPointF(xs["candidate"], middle))
        if "candidate" in xs:
            paint_diamond(painter, self._theme, xs["candidate"], middle)
        if "baseline" in xs:
            paint_ring(painter, self._theme, xs["baseline"], middle)

    def _text(self, values: dict[int, float], rank: int) -> str:
        return rank_text(self._change.name, values.get(rank))


class RankLegend(QWidget):
    """What the marks mean."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._text_painter = TextPainter(theme)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.updateGeometry)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """One line."""
        words = sum(self._text_painter.width(word, "secondary") for word in ("baseline", "candidate"))
        return QSize(round(words + 2 * (MARK_PX + 6) + 14), self._theme.row(ROW_PX))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Mark and word, twice."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            left, middle = 0.0, self.height() / 2
            for paint, word in ((paint_ring, "baseline"), (paint_diamond, "candidate")):
                paint(painter, self._theme, left + MARK_PX / 2, middle)
                box = QRectF(left + MARK_PX + 6, 0, self.width(), self.height())
                left = box.left() + self._text_painter.left(painter, box, word, "secondary", "text2") + 14


def paint_ring(painter: QPainter, theme: Theme, x: float, y: float) -> None:
    """The baseline's mark. It is hollow, so that a diamond shows through it."""
    painter.setPen(QPen(theme.color("baseline"), 2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(QPointF(x, y), MARK_PX / 2 - 0.5, MARK_PX / 2 - 0.5)


def paint_diamond(painter: QPainter, theme: Theme, x: float, y: float) -> None:
    """The candidate's mark."""
    half = MARK_PX / 2
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("candidate"))
    painter.drawPolygon([QPointF(x - half, y), QPointF(x, y - half), QPointF(x + half, y), QPointF(x, y + half)])

"""Figures with their intervals on one scale from 0 to 1, and what each says."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from trace_inspector.models.base.tips import plain_tip
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter

ROW_PX, WORDS_PX = 24, 20
NAME_PX, VALUE_PX, INTERVAL_PX = 112, 52, 116
LANE_MOST_PX, LANE_USUAL_PX, LEAST_PX = 240, 90, 60  # below the least there is no lane
MEANS_PX = 240  # what the words need beside the figures; else they stand below them
DOT_PX = 7.0
GAP_PX = 10


class FigureRow(Struct, frozen=True):
    """A figure: its name and texts, its place on the scale, and a mark there to compare it with."""

    name: str
    value: str
    interval: str
    means: str
    place: float | None = None
    low: float | None = None
    high: float | None = None
    beside: float | None = None
    ink: str = "text"  # of the name


class FigureChart(QWidget):
    """One row a figure; where there is little room the words stand below it."""

    def __init__(self, theme: Theme, rows: Sequence[FigureRow]) -> None:
        super().__init__()
        self._theme = theme
        self._text_painter = TextPainter(theme)
        self._rows = tuple(rows)
        self._means_px = MEANS_PX if any(row.means for row in rows) else 0
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName("; ".join(map(_words, rows)))
        theme.changed.connect(self.updateGeometry)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """All rows, where their words have room beside them: how high it is besides depends on the width."""
        return QSize(360, self._theme.row(ROW_PX) * len(self._rows))

    def heightForWidth(self, width: int) -> int:
        """Words below their figures take an extra line."""
        return self._item_px(width) * len(self._rows)

    def tip(self, y: float) -> str:
        """The whole row in words."""
        index = int(y // self._item_px(self.width()))
        return plain_tip(_words(self._rows[index])) if 0 <= index < len(self._rows) else ""

    def event(self, event: QEvent) -> bool:
        """Tips are made when they are asked for."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.tip(event.pos().y()), self)
            return True
        return super().event(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Name, value, lane, interval, words."""
        item_px, grown = self._item_px(self.width()), self._theme.grown
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for index, row in enumerate(self._rows):
                top, high = index * item_px, self._theme.row(ROW_PX)
                name = QRectF(0, top, grown(NAME_PX), high)
                value = QRectF(name.right(), top, grown(VALUE_PX), high)
                lane = QRectF(value.right() + GAP_PX, top, self._lane_px(self.width()), high)
                interval = QRectF(lane.right() + GAP_PX, top, grown(INTERVAL_PX), high)
                self._text_painter.left(painter, name, row.name, "body", row.ink)
                self._text_painter.right(painter, value, row.value, "number_strong", "text")
                self._text_painter.left(painter, interval, row.interval, "number", "text2")
                if lane.width() >= LEAST_PX:
                    self._paint_lane(painter, lane, row)
                means = QRectF(interval.right() + GAP_PX, top, self.width() - interval.right() - GAP_PX, high)
                if self._is_stacked(self.width()):
                    left = grown(NAME_PX)
                    means = QRectF(left, top + high - 3, self.width() - left, self._theme.row(WORDS_PX))
                self._text_painter.left(painter, means, row.means, "secondary", "text2")

    def _paint_lane(self, painter: QPainter, lane: QRectF, row: FigureRow) -> None:
        middle = lane.center().y()
        painter.setPen(QPen(self._theme.color("grid"), 1))
        painter.drawLine(QPointF(lane.left(), middle), QPointF(lane.right(), middle))
        for end in (lane.left(), lane.right()):
            painter.drawLine(QPointF(end, middle - 5), QPointF(end, middle + 5))
        if row.beside is not None:
            x = _x(lane, row.beside)
            painter.setPen(QPen(self._theme.color("text3"), 1, Qt.PenStyle.DotLine))
            painter.drawLine(QPointF(x, middle - 8), QPointF(x, middle + 8))
        if row.low is not None and row.high is not None:
            left, right = _x(lane, row.low), _x(lane, row.high)
            painter.setPen(QPen(self._theme.color("text2"), 1.5))
            painter.drawLine(QPointF(left, middle), QPointF(right, middle))
            for end in (left, right):
                painter.drawLine(QPointF(end, middle - 4), QPointF(end, middle + 4))
        if row.place is not None:
            painter.setPen(QPen(self._theme.color("text"), 1.5))
            painter.setBrush(self._theme.color("text" if row.low is not None else "base"))
            painter.drawEllipse(QPointF(_x(lane, row.place), middle), DOT_PX / 2, DOT_PX / 2)

    def _figures_px(self) -> int:
        return sum(map(self._theme.grown, (NAME_PX, VALUE_PX, INTERVAL_PX))) + 3 * GAP_PX

    def _is_stacked(self, width: int) -> bool:
        return self._means_px > 0 and width < self._figures_px() + LANE_USUAL_PX + self._theme.grown(self._means_px)

    def _lane_px(self, width: int) -> float:
        others = self._figures_px() + (0 if self._is_stacked(width) else self._theme.grown(self._means_px))
        return float(min(LANE_MOST_PX, max(width - others, 0)))

    def _item_px(self, width: int) -> int:
        return self._theme.row(ROW_PX) + (self._theme.row(WORDS_PX) if self._is_stacked(width) else 0)


def _x(lane: QRectF, share: float) -> float:
    return lane.left() + DOT_PX + min(1.0, max(0.0, share)) * (lane.width() - 2 * DOT_PX)


def _words(row: FigureRow) -> str:
    words = ", ".join(filter(None, (f"{row.name} {row.value}", row.interval)))
    return f"{words}: {row.means}" if row.means else words

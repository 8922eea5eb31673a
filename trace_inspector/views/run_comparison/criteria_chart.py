"""Each criterion before and after, and the interval in which its change lies: a ring where that holds 0.

Scores from 0 to 1 share one scale. Figures of another range have their own: a count on the same scale would
flatten them all. Where names are longer than the room beside the figures, they are drawn above them.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from trace_inspector.models.base.tips import plain_tip
from trace_inspector.models.runs.run_pair_words import SURE, change_text, mean_text
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.work.runs.comparison_messages import CriterionChange

ROW_PX, NAME_ROW_PX = 24, 20
COUNT_PX, MEANS_PX, DELTA_PX = 32, 84, 48
LANE_PX, LEAST_PX = (110, 220), 56  # of the lane: as far as there is room; below the least it is left out
DOT_PX = 7.0
GAP_PX = 8


class Sign(enum.Enum):
    """The sign at a change, and its meaning."""

    SURE = "Triangle: the interval excludes 0, or p < 0.05."
    NOISE = "Ring: within noise."
    OPEN = "Square: no interval, because there is one case or all changed alike."


class CriteriaChart(QWidget):
    """One row for each criterion. Every figure is also given in words."""

    def __init__(self, theme: Theme, criteria: Sequence[CriterionChange]) -> None:
        super().__init__()
        self._theme = theme
        self._text_painter = TextPainter(theme)
        self._criteria = tuple(criteria)
        self.score_reach = _reach([change for change in criteria if change.is_score])
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName("; ".join(map(_words, criteria)))
        theme.changed.connect(self.updateGeometry)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """As high as its head, its rows and the scale."""
        return QSize(320, self.heightForWidth(320))

    def heightForWidth(self, width: int) -> int:
        """Names above their figures take an extra line."""
        return self._row_px * 2 + self._item_px(width) * len(self._criteria)

    def is_stacked(self, width: int) -> bool:
        """Whether names are drawn above their figures."""
        room = width - self._figures_px - LANE_PX[0] - GAP_PX
        return any(self._text_painter.width(change.metric, "body") > room for change in self._criteria)

    def reach(self, change: CriterionChange) -> float:
        """The change at the edge of the lane."""
        return self.score_reach if change.is_score else _reach([change])

    def tip(self, y: float) -> str:
        """The whole name and all figures of that row."""
        index = int((y - self._row_px) // self._item_px(self.width()))
        return plain_tip(_words(self._criteria[index])) if 0 <= index < len(self._criteria) else ""

    def event(self, event: QEvent) -> bool:
        """Tips are made when they are asked for."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.tip(event.pos().y()), self)
            return True
        return super().event(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Head, rows, scale."""
        item_px, stacked = self._item_px(self.width()), self.is_stacked(self.width())
        end = self._row_px + item_px * len(self._criteria)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            name, *figures = self._boxes(0)
            lane = figures[2]
            self._paint_heading(painter, name, "Criterion")
            self._paint_figures(painter, figures, ("n", "Mean", "Delta"), "secondary", ("text2",) * 3)
            if lane.width() >= LEAST_PX:
                self._paint_heading(painter, lane, "Change, 95 %")
                painter.setPen(QPen(self._theme.color("border2"), 1))
                middle = lane.center().x()
                painter.drawLine(QPointF(middle, self._row_px), QPointF(middle, end))
            for index, change in enumerate(self._criteria):
                top = self._row_px + index * item_px
                name, *figures = self._boxes(top + item_px - self._row_px)
                if stacked:
                    name = QRectF(0, top, self.width(), self._theme.row(NAME_ROW_PX))
                self._paint_criterion(painter, name, figures, change)
            self._paint_scale(painter, self._boxes(end)[3])

    @property
    def _row_px(self) -> int:
        return self._theme.row(ROW_PX)

    @property
    def _figures_px(self) -> int:
        return sum(map(self._theme.grown, (COUNT_PX, MEANS_PX, DELTA_PX)))

    def _item_px(self, width: int) -> int:
        return self._row_px + (self._theme.row(NAME_ROW_PX) if self.is_stacked(width) else 0)

    def _boxes(self, top: float) -> list[QRectF]:
        """Name, count, means, lane of the change, change."""
        high, width, grown = self._row_px, self.width(), self._theme.grown
        least, most = LANE_PX
        room = width - self._figures_px
        lane_px = max(0.0, min(most, room - GAP_PX, max(least, room * 0.42)))
        delta = QRectF(width - grown(DELTA_PX), top, grown(DELTA_PX), high)
        lane = QRectF(delta.left() - lane_px, top, lane_px - GAP_PX, high)
        means = QRectF(lane.left() - grown(MEANS_PX) - GAP_PX, top, grown(MEANS_PX), high)
        count = QRectF(means.left() - grown(COUNT_PX), top, grown(COUNT_PX) - GAP_PX, high)
        return [QRectF(0, top, count.left() - GAP_PX, high), count, means, lane, delta]

    def _paint_criterion(
        self, painter: QPainter, name: QRectF, figures: Sequence[QRectF], change: CriterionChange
    ) -> None:
        shown = self._text_painter.metrics("body").elidedText(
            change.metric, Qt.TextElideMode.ElideMiddle, name.width()
        )
        self._text_painter.left(painter, name, shown, "body", "text")
        texts = (
            f"{change.cases:,}",
            f"{mean_text(change.base)}  {mean_text(change.new)}",
            change_text(change.base, change.new),
        )
        is_sure = sign_of(change) is Sign.SURE
        inks = ("text2", "text", _ink(change) if is_sure else "text")
        self._paint_figures(painter, figures, texts, "number", inks, strong=is_sure)
        lane = figures[2]
        if lane.width() >= LEAST_PX:
            self._paint_interval(painter, lane, change)
            self._paint_sign(
                painter, QPointF(self._x(lane, change, change.new - change.base), lane.center().y()), change
            )

    def _paint_heading(self, painter: QPainter, box: QRectF, words: str) -> None:
        """The name of a column, where it has room."""
        if self._text_painter.width(words, "secondary") <= box.width():
            self._text_painter.left(painter, box, words, "secondary", "text2")

    def _paint_figures(
        self, painter: QPainter, boxes: Sequence[QRectF], texts: Sequence[str], font: str, inks: Sequence[str],
        *, strong: bool = False,
    ) -> None:  # fmt: skip
        count, means, _lane, delta = boxes
        fonts = (font, font, f"{font}_strong" if strong else font)
        for box, text, own, ink in zip((count, means, delta), texts, fonts, inks, strict=True):
            self._text_painter.right(painter, box, text, own, ink)

    def _paint_interval(self, painter: QPainter, lane: QRectF, change: CriterionChange) -> None:
        if change.low is None or change.high is None:
            return
        painter.setPen(QPen(self._theme.color(_ink(change)), 1.5))
        left, right, middle = (
            self._x(lane, change, change.low),
            self._x(lane, change, change.high),
            lane.center().y(),
        )
        painter.drawLine(QPointF(left, middle), QPointF(right, middle))
        for end in (left, right):
            painter.drawLine(QPointF(end, middle - 4), QPointF(end, middle + 4))

    def _paint_sign(self, painter: QPainter, center: QPointF, change: CriterionChange) -> None:
        """The shape shows the direction without relying on colours."""
        sign, ink, half = sign_of(change), self._theme.color(_ink(change)), DOT_PX / 2
        painter.setPen(QPen(ink, 1.5))
        painter.setBrush(self._theme.color("base") if sign is Sign.NOISE else ink)
        if sign is Sign.NOISE:
            painter.drawEllipse(center, half, half)
        elif sign is Sign.OPEN:
            painter.drawRect(QRectF(center.x() - half + 0.5, center.y() - half + 0.5, DOT_PX - 1, DOT_PX - 1))
        else:
            way = half if change.new < change.base else -half
            corners = (QPointF(-half, -way), QPointF(half, -way), QPointF(0, way))
            painter.drawPolygon([center + corner for corner in corners])

    def _paint_scale(self, painter: QPainter, lane: QRectF) -> None:
        if lane.width() < LEAST_PX or not any(change.is_score for change in self._criteria):
            return
        reach = f"{self.score_reach:.2g}"
        low, high = f"\N{MINUS SIGN}{reach}", f"+{reach}"
        if (
            self._text_painter.width(low, "caption") + GAP_PX + self._text_painter.width(high, "caption")
            > lane.width()
        ):
            self._text_painter.right(painter, lane, f"±{reach}", "caption", "text2")
            return
        self._text_painter.left(painter, lane, low, "caption", "text2")
        self._text_painter.right(painter, lane, high, "caption", "text2")

    def _x(self, lane: QRectF, change: CriterionChange, difference: float) -> float:
        share = max(-1.0, min(1.0, difference / self.reach(change))) if math.isfinite(difference) else 0.0
        return lane.center().x() + share * (lane.width() / 2 - DOT_PX)


def sign_of(change: CriterionChange) -> Sign:
    """Whether its interval excludes 0; without one, whether an exact test finds it significant."""
    if change.low is None or change.high is None:
        return Sign.SURE if change.chance is not None and change.chance < SURE else Sign.OPEN
    return Sign.NOISE if change.low <= 0.0 <= change.high else Sign.SURE


def legend(criteria: Sequence[CriterionChange]) -> str:
    """What the signs mean that are there, and which scale is shown."""
    there = {sign_of(change) for change in criteria}
    sentences = [sign.value for sign in Sign if sign in there]
    if not all(change.is_score for change in criteria):
        sentences.append("The scale is of scores from 0 to 1; others have their own.")
    return " ".join(sentences)


def _reach(criteria: Sequence[CriterionChange]) -> float:
    ends = [
        abs(end)
        for change in criteria
        for end in (change.low, change.high, change.new - change.base)
        if end is not None
    ]
    return max((end for end in ends if math.isfinite(end)), default=0.0) or 1.0


def _ink(change: CriterionChange) -> str:
    """Red and green are for significant changes of scores; for a count, neither direction is better."""
    if sign_of(change) is Sign.NOISE or change.new == change.base:
        return "text2"
    if sign_of(change) is Sign.OPEN or not change.is_score:
        return "text"
    return "passed" if change.new > change.base else "fail"


def _words(change: CriterionChange) -> str:
    base, new = change.base, change.new
    text = f"{change.metric}: {mean_text(base)} to {mean_text(new)}, {change_text(base, new)}"
    if change.low is not None and change.high is not None:
        text += f", with 95 % from {change_text(0.0, change.low)} to {change_text(0.0, change.high)}"
    else:
        text += ", no interval" + (f", p = {change.chance:.2g} by chance" if change.chance is not None else "")
    return f"{text}, over {change.cases:,} case{'' if change.cases == 1 else 's'}"

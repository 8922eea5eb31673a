"""The percentile strip: all latencies of turns, model calls and tools, and the position of the current one."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import groupby

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from trace_inspector.core.translatable import N_
from trace_inspector.models.base.counting import counted
from trace_inspector.models.base.figures import seconds_text
from trace_inspector.models.base.translation import tr
from trace_inspector.models.timeline.conversation_totals import KINDS
from trace_inspector.models.timeline.figures import PERCENTS, Values
from trace_inspector.models.timeline.timeline import Timeline
from trace_inspector.models.timeline.words import point, standing
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.views.timeline.brush import PADDING_PX

STRIP_PX = 76
_RUG_TOP, _RUG_PX = 32.0, 16.0
_WORDS_TOP = 52.0
_NAMES = {"turn": "Turn", "model": N_("Model call"), "tool": N_("Tool call")}
_NOUNS = {"turn": "turn", "model": "call", "tool": "call"}


class TimelineStrip(QWidget):
    """No red here: slow is not failed."""

    def __init__(self, theme: Theme, timeline: Timeline) -> None:
        super().__init__()
        self._theme = theme
        self._timeline = timeline
        self._text_painter = TextPainter(theme)
        self.setFixedHeight(STRIP_PX)
        timeline.grown.connect(self._refresh)
        timeline.moved.connect(self._refresh)
        theme.changed.connect(self.update)

    def _refresh(self) -> None:
        self.setAccessibleName(". ".join(spoken(self._timeline, kind) for kind in KINDS))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Three rug plots in a row."""
        theme, width = self._theme, self.width() / len(KINDS)
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.color("base"))
            for index, kind in enumerate(KINDS):
                cell = QRectF(index * width, 0, width, STRIP_PX)
                self._paint_rug(painter, kind, cell.adjusted(PADDING_PX + 4, 0, -PADDING_PX - 4, 0))
                if index:
                    painter.fillRect(QRectF(round(cell.left()), 10, 1, STRIP_PX - 20), theme.color("border"))
            painter.fillRect(QRectF(0, STRIP_PX - 1, self.width(), 1), theme.color("border"))

    def _paint_rug(self, painter: QPainter, kind: str, box: QRectF) -> None:
        values, current = self._timeline.sums.values[kind], point(self._timeline, kind)
        self._paint_head(painter, kind, values, QRectF(box.left(), 6, box.width(), 20))
        rug = QRectF(box.left(), _RUG_TOP, box.width(), _RUG_PX)
        painter.fillRect(rug, self._theme.color("raised"))
        if not values.ordered:
            self._text_painter.left(painter, rug.adjusted(6, 0, 0, 0), tr("none recorded"), "caption", "text3")
            return
        scale = values.greatest or 1.0
        self._paint_values(painter, values.ordered, scale, rug)
        self._paint_percentiles(painter, values, scale, rug)
        if current is not None:
            x, y = rug.left() + rug.width() * min(1.0, max(0.0, current[1]) / scale), rug.top() - 1
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(self._theme.color("base"))
            painter.setBrush(self._theme.color("accent"))
            painter.drawPolygon([QPointF(x - 4.5, y), QPointF(x, y - 4.5), QPointF(x + 4.5, y), QPointF(x, y + 4.5)])
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)

    def _paint_head(self, painter: QPainter, kind: str, values: Values, room: QRectF) -> None:
        left = self._text_painter.left(painter, room, tr(_NAMES[kind]), "secondary_strong", "text") + 8
        room = room.adjusted(left, 0, 0, 0)
        count = counted(len(values.ordered), _NOUNS[kind])
        if self._text_painter.width(count, "secondary") > room.width():
            return
        left = self._text_painter.left(painter, room, count, "secondary", "text2") + 16
        room = room.adjusted(left, 0, 0, 0)
        fitting = (
            text
            for text in standing(self._timeline, kind)
            if self._text_painter.width(text, "secondary") <= room.width()
        )
        words = next(fitting, "")
        if words:
            self._text_painter.right(painter, room, words, "secondary", "text2")

    def _paint_values(self, painter: QPainter, ordered: Sequence[float], scale: float, rug: QRectF) -> None:
        """One line a pixel; the more values share it, the darker."""
        inks = [self._theme.color(name) for name in ("border2", "control", "text2")]
        index, width = 0, rug.width()
        while index < len(ordered):
            x = int(ordered[index] / scale * (width - 1))
            following = max(index + 1, bisect_left(ordered, (x + 1) / (width - 1) * scale))
            ink = inks[min(2, (following - index).bit_length() - 1)]
            painter.fillRect(QRectF(rug.left() + x, rug.top() + 2, 1, rug.height() - 4), ink)
            index = following

    def _paint_percentiles(self, painter: QPainter, values: Values, scale: float, rug: QRectF) -> None:
        free_from = rug.left()
        self._text_painter.left(painter, QRectF(rug.left(), _WORDS_TOP, 20, 16), "0", "caption", "text3")
        free_from += 14
        most = seconds_text(scale)
        ends = rug.right() - self._text_painter.width(most, "caption") - 10
        for value, same in groupby(zip(values.percentiles, PERCENTS, strict=True), key=lambda pair: pair[0]):
            x = rug.left() + rug.width() * value / scale
            painter.fillRect(QRectF(round(x) - 1, rug.top() - 3, 2, rug.height() + 6), self._theme.color("text"))
            name, figure = " ".join(f"p{percent}" for _value, percent in same) + " ", seconds_text(value)
            width = self._text_painter.width(name, "caption") + self._text_painter.width(figure, "caption_strong")
            left = min(max(free_from, x - width + 8), rug.right() - width)
            if left < free_from:
                continue
            used = self._text_painter.left(painter, QRectF(left, _WORDS_TOP, width + 2, 16), name, "caption", "text2")
            room = QRectF(left + used, _WORDS_TOP, width - used + 2, 16)
            self._text_painter.left(painter, room, figure, "caption_strong", "text")
            free_from = left + width + 12
        if free_from <= ends + 10:
            room = QRectF(rug.right() - 80, _WORDS_TOP, 80, 16)
            self._text_painter.right(painter, room, most, "caption", "text3")


def spoken(timeline: Timeline, kind: str) -> str:
    """A rug plot in words."""
    values = timeline.sums.values[kind]
    head = f"{tr(_NAMES[kind])}: {counted(len(values.ordered), _NOUNS[kind])}"
    if not values.ordered:
        return head
    figures = ", ".join(f"p{p} {seconds_text(v)}" for p, v in zip(PERCENTS, values.percentiles, strict=True))
    words = standing(timeline, kind)
    return f"{head}, {figures}" + (f"; {words[0]}" if words else "")

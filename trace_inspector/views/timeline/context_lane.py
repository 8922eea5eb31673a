"""The footer: the length of each model call's prompt, and the part of it that came from the cache."""

from __future__ import annotations

import math
from bisect import bisect_left

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from trace_inspector.models.base.figures import count_text
from trace_inspector.models.base.translation import tr
from trace_inspector.models.timeline.timeline import Timeline
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.views.timeline.brush import PADDING_PX

_HEAD_PX = 20.0
_FOOT_PX = 12.0
_CACHED = 0.36  # of the colour of uncached tokens
_WORDS_PX = 40.0
_WORDS_FROM_PX = 12.0
_APART_FROM_PX = 4.0
_SWATCH_PX = 10.0


class ContextLane(QWidget):
    """Bars under the model calls in view, all on the scale of the longest prompt of the trace."""

    def __init__(self, theme: Theme, timeline: Timeline, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._timeline = timeline
        self._text_painter = TextPainter(theme)
        self.labels_px = 0
        self.setAccessibleName(tr("Context size: prompt tokens of each model call"))
        timeline.changed.connect(self.update)
        theme.changed.connect(self.update)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Words, bars, the base line."""
        theme, left = self._theme, float(self.labels_px)
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.color("base"))
            painter.fillRect(QRectF(0, 0, self.width(), 1), theme.color("border"))
            painter.save()
            painter.setClipRect(QRectF(left, 1, self.width() - left, self.height() - 1))
            base = self.height() - _FOOT_PX
            painter.fillRect(QRectF(left, base, self.width() - left, 1), theme.color("border2"))
            if self._timeline.sums.most_prompt > 0:
                self._paint_bars(painter, left, base)
            painter.restore()
            self._paint_words(painter, left)
            painter.fillRect(QRectF(left - 1, 0, 1, self.height()), theme.color("border"))

    def _paint_bars(self, painter: QPainter, left: float, base: float) -> None:
        """A bar for each call; calls that are narrower than a pixel share one, that of the first."""
        scale, most = self._timeline.scale, self._timeline.sums.most_prompt
        prompts = self._timeline.sums.prompts
        index = max(0, bisect_left(prompts.begin_s, scale.time_s(0.0)) - 1)
        whole: list[QRectF] = []
        kept: list[QRectF] = []
        free_from = -math.inf
        while index < len(prompts.begin_s):
            x = scale.x(prompts.begin_s[index])
            if x > scale.width_px:
                break
            width = max(1.0, scale.x(prompts.end_s[index]) - x)
            width -= width >= _APART_FROM_PX  # one pixel between a call and the next
            height = max(1.0, (base - _HEAD_PX) * prompts.tokens[index] / most)
            cached = height * min(1.0, prompts.cached[index] / max(1, prompts.tokens[index]))
            whole.append(QRectF(left + x, base - height, width, height - cached))
            kept.append(QRectF(left + x, base - cached, width, cached))
            seen = max(0.0, x)
            if width >= _WORDS_FROM_PX and seen >= free_from and x + width > seen:
                room = QRectF(left + seen + 1, base - height - 17, _WORDS_PX, 16)
                words = count_text(prompts.tokens[index])
                free_from = seen + 6 + self._text_painter.left(painter, room, words, "caption", "text2")
            index = max(index + 1, bisect_left(prompts.begin_s, scale.time_s(x + 1.0)))
        painter.setPen(Qt.PenStyle.NoPen)
        for ink, boxes in ((self._theme.color("model"), whole), (self._quiet(), kept)):
            painter.setBrush(ink)
            painter.drawRects(boxes)

    def _quiet(self) -> QColor:
        ink, base = self._theme.color("model"), self._theme.color("base")
        pairs = ((ink.red(), base.red()), (ink.green(), base.green()), (ink.blue(), base.blue()))
        return QColor(*(round(_CACHED * channel + (1 - _CACHED) * other) for channel, other in pairs))

    def _paint_words(self, painter: QPainter, left: float) -> None:
        room = QRectF(PADDING_PX, 8, left - 2 * PADDING_PX, 18)
        self._text_painter.left(painter, room, tr("Context size"), "secondary_strong", "text")
        room.translate(0, 18)
        ways = [tr("prompt tokens of each model call"), tr("prompt tokens"), ""]  # the first that has room
        if self._timeline.sums.most_prompt <= 0:
            ways = [tr("no prompt tokens are recorded"), tr("none recorded"), ""]
        words = next(way for way in ways if not way or self._text_painter.width(way, "caption") <= room.width())
        self._text_painter.left(painter, room, words, "caption", "text2")
        if self.height() < 76 or self._timeline.sums.most_prompt <= 0:
            return
        room.translate(0, 20)
        for ink, name in ((self._theme.color("model"), tr("new")), (self._quiet(), tr("from cache"))):
            middle = room.center().y()
            painter.fillRect(QRectF(room.left(), middle - _SWATCH_PX / 2, _SWATCH_PX, _SWATCH_PX), ink)
            room.setLeft(room.left() + _SWATCH_PX + 5)
            room.setLeft(room.left() + self._text_painter.left(painter, room, name, "caption", "text2") + 12)

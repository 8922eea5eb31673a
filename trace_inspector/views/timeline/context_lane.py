"""The footer: how long the prompt of each model call was, and how much of it came from the cache."""

from __future__ import annotations

from bisect import bisect_left

from PySide6.QtCore import QCoreApplication, QRectF
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from trace_inspector.core.timing import NO_COUNT, Work
from trace_inspector.models.figures import count_text
from trace_inspector.models.timeline import Timeline
from trace_inspector.views.lettering import Lettering
from trace_inspector.views.look import Look
from trace_inspector.views.timeline.brush import PADDING_PX

_HEAD_PX = 20.0
_FOOT_PX = 12.0
_CACHED = 0.36  # of the colour of what is new
_WORDS_PX = 40.0
_SWATCH_PX = 10.0


class ContextLane(QWidget):
    """Bars under the model calls in view, all on the scale of the longest prompt of the trace."""

    def __init__(self, look: Look, timeline: Timeline, parent: QWidget) -> None:
        super().__init__(parent)
        self._look = look
        self._timeline = timeline
        self._letters = Lettering(look)
        self.labels_px = 0
        self.setAccessibleName(_tr("Context size: prompt tokens of each model call"))
        timeline.changed.connect(self.update)
        look.changed.connect(self.update)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Words, bars, the line they stand on."""
        look, left = self._look, float(self.labels_px)
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), look.color("base"))
            painter.fillRect(QRectF(0, 0, self.width(), 1), look.color("border"))
            painter.save()
            painter.setClipRect(QRectF(left, 1, self.width() - left, self.height() - 1))
            base = self.height() - _FOOT_PX
            painter.fillRect(QRectF(left, base, self.width() - left, 1), look.color("border2"))
            if self._timeline.sums.most_prompt > 0:
                for head in self._timeline.heads_in(self._timeline.scale, 0.5):
                    self._paint_turn(painter, self._timeline.works[head], left, base)
            painter.restore()
            self._paint_words(painter, left)
            painter.fillRect(QRectF(left - 1, 0, 1, self.height()), look.color("border"))

    def _paint_turn(self, painter: QPainter, work: Work, left: float, base: float) -> None:
        scale = self._timeline.scale
        begins_at = scale.time_s(0.0)
        at = max(0, bisect_left(work.prompts, begins_at, key=lambda piece: work.begin_s[piece]) - 1)
        free_from = -1e9
        while at < len(work.prompts):
            piece = work.prompts[at]
            x = scale.x(work.begin_s[piece])
            if x > scale.width_px:
                return
            width = max(1.0, scale.x(work.stop_s(piece)) - x)
            if x + width >= 0:
                top = self._paint_bar(painter, work, piece, QRectF(left + x, 0, width, base))
                seen = max(0.0, x)
                if seen >= free_from and x + width - seen >= 12:
                    words = count_text(work.prompt[piece])
                    room = QRectF(left + seen + 1, top - 17, _WORDS_PX, 16)
                    free_from = seen + 6 + self._letters.left(painter, room, words, "caption", "text2")
            following_s = scale.time_s(x + 1.0)
            at = max(at + 1, bisect_left(work.prompts, following_s, key=lambda one: work.begin_s[one]))

    def _paint_bar(self, painter: QPainter, work: Work, piece: int, box: QRectF) -> float:
        """New above cached; gives where it ends at the top."""
        room = box.height() - _HEAD_PX
        prompt, cached = work.prompt[piece], work.cached[piece]
        height = max(1.0, room * prompt / self._timeline.sums.most_prompt)
        top = box.bottom() - height
        painter.fillRect(QRectF(box.left(), top, box.width(), height), self._look.color("model"))
        if cached != NO_COUNT and cached > 0:
            kept = height * min(1.0, cached / max(1, prompt))
            painter.fillRect(QRectF(box.left(), box.bottom() - kept, box.width(), kept), self._quiet())
        return top

    def _quiet(self) -> QColor:
        ink, base = self._look.color("model"), self._look.color("base")
        pairs = ((ink.red(), base.red()), (ink.green(), base.green()), (ink.blue(), base.blue()))
        return QColor(*(round(_CACHED * one + (1 - _CACHED) * other) for one, other in pairs))

    def _paint_words(self, painter: QPainter, left: float) -> None:
        room = QRectF(PADDING_PX, 8, left - 2 * PADDING_PX, 18)
        self._letters.left(painter, room, _tr("Context size"), "secondary_strong", "text")
        room.translate(0, 18)
        words = _tr("prompt tokens of each model call")
        if self._timeline.sums.most_prompt <= 0:
            words = _tr("no prompt tokens are recorded")
        self._letters.left(painter, room, words, "caption", "text2")
        if self.height() < 76 or self._timeline.sums.most_prompt <= 0:
            return
        room.translate(0, 20)
        for ink, name in ((self._look.color("model"), _tr("new")), (self._quiet(), _tr("from cache"))):
            middle = room.center().y()
            painter.fillRect(QRectF(room.left(), middle - _SWATCH_PX / 2, _SWATCH_PX, _SWATCH_PX), ink)
            room.setLeft(room.left() + _SWATCH_PX + 5)
            room.setLeft(room.left() + self._letters.left(painter, room, name, "caption", "text2") + 12)


def _tr(text: str) -> str:
    return QCoreApplication.translate("Timeline", text)

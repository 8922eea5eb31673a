"""The ruler: every turn counts from its own start; the selection has a bracket with its duration."""

from __future__ import annotations

import math
from collections.abc import Iterator

from msgspec import Struct
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from trace_inspector.models.base.figures import seconds_text
from trace_inspector.models.base.translation import tr
from trace_inspector.models.timeline.axis import tick_step_s, tick_text
from trace_inspector.models.timeline.timeline import Timeline
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.views.timeline.brush import PADDING_PX, RULER_PX, hatch

LEAST_TICK_PX = 72.0
_ARROW_PX = 4.0


class Tick(Struct, frozen=True):
    """A tick on the ruler. The first of a turn has its name."""

    x: float
    text: str
    is_start: bool = False


def ticks(timeline: Timeline) -> Iterator[Tick]:
    """The visible ticks: the start of each turn there is room for, and its seconds up to the next turn."""
    scale = timeline.scale
    step_s = tick_step_s(scale.px_per_s, LEAST_TICK_PX)
    heads = list(timeline.heads_in(scale, LEAST_TICK_PX))
    free_from = -math.inf
    for index, head in enumerate(heads):
        work = timeline.works[head]
        x = scale.x(work.start_s)
        yield Tick(x, timeline.name(head), is_start=True)
        free_from = x + LEAST_TICK_PX
        next_s = timeline.works[heads[index + 1]].start_s if index + 1 < len(heads) else math.inf
        until_s = min(next_s, work.end_s, scale.time_s(scale.width_px))
        count = max(1, math.floor((scale.time_s(0.0) - work.start_s) / step_s))
        while work.start_s + count * step_s <= until_s:
            x = scale.x(work.start_s + count * step_s)
            yield Tick(x, tick_text(count * step_s, step_s) if x >= free_from else "")
            count += 1


class Ruler(QWidget):
    """Above the lanes; has the heads of the label column, too."""

    def __init__(self, theme: Theme, timeline: Timeline, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._timeline = timeline
        self._text_painter = TextPainter(theme)
        self.labels_px = 0
        self.setFixedHeight(RULER_PX)
        timeline.changed.connect(self.update)
        theme.changed.connect(self.update)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Heads, ticks, the bracket."""
        theme, left = self._theme, float(self.labels_px)
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.color("raised"))
            lanes = QRectF(left, 0, self.width() - left, self.height())
            painter.save()
            painter.setClipRect(lanes)
            for fold_left, width, _idle_s in self._timeline.scale.folds():
                hatch(painter, theme, QRectF(left + fold_left, 0, width, self.height()))
            bracket = self._bracket()
            for tick in ticks(self._timeline):
                self._paint_tick(painter, tick, left, bracket)
            if bracket is not None:
                self._paint_bracket(painter, left, *bracket)
            painter.restore()
            painter.fillRect(QRectF(0, self.height() - 1, self.width(), 1), theme.color("border"))
            painter.fillRect(QRectF(left - 1, 0, 1, self.height()), theme.color("border"))
            room = QRectF(PADDING_PX, 0, left - 2 * PADDING_PX, RULER_PX)
            self._text_painter.left(painter, room, tr("Span"), "secondary", "text2")
            self._text_painter.right(painter, room, tr("Detail"), "secondary", "text2")

    def _bracket(self) -> tuple[float, float, str] | None:
        timeline = self._timeline
        times_s = timeline.times_of(timeline.current)
        work = timeline.works.get(timeline.current.head)
        if times_s is None or work is None:
            return None
        left, right = (timeline.scale.x(moment_s) for moment_s in times_s)
        begin_s, end_s = (moment_s - work.start_s for moment_s in times_s)
        length, begin, end = seconds_text(end_s - begin_s), seconds_text(begin_s), seconds_text(end_s)
        return left, right, tr("{0}, from {1} to {2}").format(length, begin, end)

    def _paint_tick(
        self, painter: QPainter, tick: Tick, left: float, bracket: tuple[float, float, str] | None
    ) -> None:
        x = left + tick.x
        painter.fillRect(QRectF(round(x), RULER_PX - 6, 1, 5), self._theme.color("border2"))
        words = max(60.0, self._text_painter.width(bracket[2], "caption_strong") + 24) if bracket else 0.0
        covered = bracket is not None and bracket[0] - 40 < tick.x < max(bracket[1], bracket[0] + words)
        if covered or not tick.text:
            return
        font = "caption_strong" if tick.is_start else "caption"
        width = self._text_painter.width(tick.text, font)
        room = QRectF(x + 4 if tick.is_start else x - width, 0, width + 1, RULER_PX - 4)
        if left <= room.left() and room.right() <= self.width():
            self._text_painter.left(painter, room, tick.text, font, "text2")

    def _paint_bracket(self, painter: QPainter, left: float, begin: float, end: float, words: str) -> None:
        width = self._timeline.scale.width_px
        if end < 0 or begin > width:
            return
        ink = self._theme.color("accent")
        painter.setPen(QPen(ink, 1.2))
        y = RULER_PX / 2 + 0.5
        from_x, to_x = left + begin, left + end
        for x in (from_x, to_x):
            painter.drawLine(QLineF(round(x) + 0.5, 4, round(x) + 0.5, RULER_PX))
        text_px = self._text_painter.width(words, "caption_strong") + 16
        seen = max(from_x, left), min(to_x, left + width)
        inside = seen[1] - seen[0] >= text_px + 24
        if inside:
            middle = (seen[0] + seen[1]) / 2
            painter.drawLine(QLineF(from_x, y, middle - text_px / 2, y))
            painter.drawLine(QLineF(middle + text_px / 2, y, to_x, y))
            room = QRectF(middle - text_px / 2 + 8, 0, text_px, RULER_PX)
        else:
            painter.drawLine(QLineF(from_x, y, to_x, y))
            after = to_x + 8 if to_x + 8 + text_px < left + width else from_x - text_px
            room = QRectF(after, 0, text_px, RULER_PX)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if to_x - from_x > 4 * _ARROW_PX:
            for tip, way in ((from_x + 1, 1), (to_x - 1, -1)):
                back = tip + way * _ARROW_PX
                painter.drawPolyline([QPointF(back, y - 3), QPointF(tip, y), QPointF(back, y + 3)])
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        self._text_painter.left(painter, room, words, "caption_strong", "accent")

"""The whole trace in a strip: turns, model calls and tools merged per pixel, and the frame around what is in view."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QWidget

from trace_inspector.models.base.figures import seconds_text
from trace_inspector.models.base.translation import tr
from trace_inspector.models.timeline.axis import Scale
from trace_inspector.models.timeline.timeline import Timeline
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.views.timeline.brush import MINIMAP_PX, PADDING_PX, hatch

HANDLE_PX = (6.0, 14.0)
_TURN_Y, _MODEL_Y, _TOOL_Y = 9.0, 16.0, 22.0
_LINES = (("agent", _TURN_Y, 3.0), ("model", _MODEL_Y, 4.0), ("tool", _TOOL_Y, 4.0))
_FRAME = (4.0, 36.0)
_GRIP_PX = 7.0


class Minimap(QWidget):
    """Drag the frame to move, a handle to zoom, click elsewhere to go there. Keys are those of the lanes."""

    def __init__(self, theme: Theme, timeline: Timeline, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._timeline = timeline
        self._text_painter = TextPainter(theme)
        self._drawn: QPixmap | None = None
        self._drawn_for: tuple[object, ...] = ()
        self._grip = ""
        self._from_x = 0.0
        self.labels_px = 0
        self.setFixedHeight(MINIMAP_PX)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Whole trace"))
        self.setMouseTracking(True)
        timeline.changed.connect(self.update)
        timeline.grown.connect(self._forget)
        theme.changed.connect(self._forget)

    @property
    def whole(self) -> Scale:
        """The scale of the whole trace on this strip."""
        return self._timeline.scale.fitted()

    def frame(self) -> tuple[float, float]:
        """The range of the view, in pixels of the strip."""
        scale, whole = self._timeline.scale, self.whole
        left, right = whole.x(scale.time_s(0.0)), whole.x(scale.time_s(scale.width_px))
        right = min(right, whole.width_px)
        return max(0.0, min(left, whole.width_px - 8)), max(left + 8, right)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The same as in the lanes."""
        event.ignore()
        parent = self.parentWidget()
        if parent is not None:
            parent.keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The frame shows the focus."""
        super().focusInEvent(event)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Words, strip, frame."""
        theme, left = self._theme, float(self.labels_px)
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.color("window"))
            painter.drawPixmap(QPointF(left, 0), self._strip())
            self._paint_words(painter, left)
            painter.setClipRect(QRectF(left - 4, 0, self.width() - left + 4, self.height()))
            self._paint_selection(painter, left)
            self._paint_frame(painter, left)
            painter.setClipping(False)
            painter.fillRect(QRectF(0, self.height() - 1, self.width(), 1), theme.color("border"))
            painter.fillRect(QRectF(left - 1, 0, 1, self.height()), theme.color("border"))

    def _paint_words(self, painter: QPainter, left: float) -> None:
        axis = self._timeline.scale.axis
        room = QRectF(PADDING_PX, 0, left - 2 * PADDING_PX, MINIMAP_PX)
        room.setLeft(
            room.left() + self._text_painter.left(painter, room, tr("Whole trace"), "secondary_strong", "text") + 8
        )
        length, idle = seconds_text(axis.end_s - axis.start_s), seconds_text(axis.idle_s)
        folded = [tr("{0}, of which {1} idle, folded"), tr("{0}, {1} idle")] if axis.folds else []
        ways = [*(words.format(length, idle) for words in folded), length, ""]  # the first that has room
        words = next(way for way in ways if not way or self._text_painter.width(way, "secondary") <= room.width())
        self._text_painter.left(painter, room, words, "secondary", "text2")

    def _paint_frame(self, painter: QPainter, left: float) -> None:
        begin, end = self.frame()
        top, height = _FRAME
        theme = self._theme
        painter.setPen(QPen(theme.color("accent"), 2 if self.hasFocus() else 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(QRectF(left + begin, top, end - begin, height))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(theme.color("base"))
        width, tall = HANDLE_PX
        for x in (max(begin, width / 2), min(end, self.whole.width_px - width / 2 - 1)):  # whole at both ends, too
            box = QRectF(left + x - width / 2, top + (height - tall) / 2, width, tall)
            painter.drawRoundedRect(box, 2, 2)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)

    def _paint_selection(self, painter: QPainter, left: float) -> None:
        times_s = self._timeline.times_of(self._timeline.current)
        if times_s is None:
            return
        begin, end = (self.whole.x(moment_s) for moment_s in times_s)
        painter.fillRect(QRectF(left + begin, _TOOL_Y + 8, max(2.0, end - begin), 2), self._theme.color("accent"))

    # The strip

    def _forget(self) -> None:
        self._drawn = None
        self.update()

    def _strip(self) -> QPixmap:
        """Drawn again only for another time axis, another width or other turns."""
        whole, ratio = self.whole, self.devicePixelRatioF()
        key = (whole.axis, whole.width_px, ratio)
        if self._drawn is None or self._drawn_for != key:
            pixmap = QPixmap(QSize(max(1, round(whole.width_px * ratio)), round(MINIMAP_PX * ratio)))
            pixmap.setDevicePixelRatio(ratio)
            pixmap.fill(self._theme.color("base"))
            with QPainter(pixmap) as painter:
                self._draw(painter, whole)
            self._drawn, self._drawn_for = pixmap, key
        return self._drawn

    def _draw(self, painter: QPainter, whole: Scale) -> None:
        for left, width, _idle_s in whole.folds():
            if width >= 2:
                hatch(painter, self._theme, QRectF(left, 0, width, MINIMAP_PX))
        for head in self._timeline.heads_in(whole, 0.5):
            work = self._timeline.works[head]
            bounds = (work.start_s, work.end_s)
            for (ink, y, height), spans_s in zip(_LINES, (bounds, work.model_s, work.tool_s), strict=True):
                self._draw_line(painter, whole, spans_s, ink, QRectF(0, y, 0, height))

    def _draw_line(self, painter: QPainter, whole: Scale, spans_s: Sequence[float], ink: str, line: QRectF) -> None:
        """Spans as they are, or one a pixel where they are narrower."""
        colour, index = self._theme.color(ink), 0
        while index < len(spans_s):
            begin, end = whole.x(spans_s[index]), whole.x(spans_s[index + 1])
            painter.fillRect(QRectF(begin, line.y(), max(1.0, end - begin), line.height()), colour)
            following = bisect_right(spans_s, whole.time_s(max(begin + 1.0, end)))
            index = max(index + 2, following - following % 2)

    # Mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A handle, the frame, or somewhere else."""
        x = event.position().x() - self.labels_px
        begin, end = self.frame()
        grips = (("begin", abs(x - begin)), ("end", abs(x - end)))
        name, distance = min(grips, key=lambda grip: grip[1])
        if distance <= _GRIP_PX:
            self._grip = name
        elif begin < x < end:
            self._grip = "frame"
        else:
            self._grip = "frame"
            self._move_to(x)
        self._from_x = x

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag what was pressed."""
        x = event.position().x() - self.labels_px
        if not self._grip:
            self._point(x)
            return
        timeline, whole = self._timeline, self.whole
        begin, end = self.frame()
        if self._grip == "frame":
            self._move_to((begin + end) / 2 + x - self._from_x)
        else:
            begin, end = (x, end) if self._grip == "begin" else (begin, x)
            begin, end = max(0.0, begin), min(whole.width_px, end)
            if end - begin >= 2:
                timeline.look_at(timeline.scale.showing(whole.time_s(begin), whole.time_s(end), 0.0))
        self._from_x = x

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        """End the drag."""
        self._grip = ""

    def _move_to(self, x: float) -> None:
        scale = self._timeline.scale
        middle_s = self.whole.time_s(x)
        self._timeline.look_at(scale.moved_to(scale.left_px + scale.x(middle_s) - scale.width_px / 2))

    def _point(self, x: float) -> None:
        near = any(abs(x - edge) <= _GRIP_PX for edge in self.frame())
        self.setCursor(Qt.CursorShape.SizeHorCursor if near else Qt.CursorShape.ArrowCursor)

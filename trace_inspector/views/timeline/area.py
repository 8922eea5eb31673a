"""The lanes in view, painted on one widget, with minimap and ruler over them; mouse, wheel and keys."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QToolTip

from trace_inspector.core.rows.timing import NOWHERE
from trace_inspector.models.base.figures import seconds_text
from trace_inspector.models.base.translation import tr
from trace_inspector.models.timeline.lanes import LaneKind
from trace_inspector.models.timeline.timeline import Timeline
from trace_inspector.models.timeline.words import described
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.views.timeline.bars import Bars
from trace_inspector.views.timeline.brush import LABELS_PX, MINIMAP_PX, NARROW_LABELS_PX, ROW_PX, RULER_PX, hatch
from trace_inspector.views.timeline.context_lane import ContextLane
from trace_inspector.views.timeline.critical_path import TimelinePath
from trace_inspector.views.timeline.labels import Labels
from trace_inspector.views.timeline.minimap import Minimap
from trace_inspector.views.timeline.ruler import Ruler, ticks

ZOOM = 1.25
PAN_SHARE = 0.1
ROOMY_PX = 760
DRAG_FROM_PX = 4
RAIL_PX = 2
_CONTEXT_PX = ((620, 140), (430, 96), (340, 64))  # above this height of the view, this height


class TimelineArea(QAbstractScrollArea):
    """One widget of the viewport's size paints the visible part. `entered` on Enter: show it in the tree."""

    entered = Signal()

    def __init__(self, theme: Theme, timeline: Timeline) -> None:
        super().__init__()
        self._theme = theme
        self._timeline = timeline
        self._text_painter = TextPainter(theme)
        self._labels = Labels(theme, timeline)
        self._bars = Bars(theme, timeline)
        self._path = TimelinePath(theme, timeline)
        self.ruler = Ruler(theme, timeline, self)
        self.minimap = Minimap(theme, timeline, self)
        self.context = ContextLane(theme, timeline, self)
        self._pressed: QPointF | None = None
        self._dragged = False
        self.labels_px = LABELS_PX
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.verticalScrollBar().setSingleStep(ROW_PX)
        self.viewport().setMouseTracking(True)
        timeline.changed.connect(self.viewport().update)
        timeline.grown.connect(self._lay_out)
        timeline.moved.connect(self._reveal)
        timeline.moved.connect(self._describe)
        theme.changed.connect(self.viewport().update)

    # Painting

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Backgrounds, folds, lanes, path, selection."""
        view, timeline = QRectF(self.viewport().rect()), self._timeline
        top = -float(self.verticalScrollBar().value())
        first = int(-top // ROW_PX)
        last = min(len(timeline.lanes) - 1, int((-top + view.height()) // ROW_PX))
        with QPainter(self.viewport()) as painter:
            painter.fillRect(view, self._theme.color("base"))
            self._paint_grounds(painter, top, first, last)
            clock = QRectF(self.labels_px, 0, view.width() - self.labels_px, view.height())
            painter.save()
            painter.setClipRect(clock)
            self._paint_grid(painter, clock)
            for number in range(first, last + 1):
                self._bars.paint(painter, timeline.lanes[number], clock.left(), top + number * ROW_PX)
            if timeline.shows_path:
                self._paint_paths(painter, first, last, clock, top)
            self._paint_selection(painter, clock, top)
            painter.restore()
            for number in range(first, last + 1):
                box = QRectF(0, top + number * ROW_PX, self.labels_px, ROW_PX)
                self._labels.paint(painter, timeline.lanes[number], box)
            painter.fillRect(QRectF(self.labels_px - 1, 0, 1, view.height()), self._theme.color("border"))
            if self.hasFocus() and timeline.lane < 0:  # else the current lane shows the focus
                painter.setPen(QPen(self._theme.color("accent"), 2))
                painter.drawRect(view.adjusted(1, 1, -1, -1))

    def _paint_grounds(self, painter: QPainter, top: float, first: int, last: int) -> None:
        theme, width = self._theme, self.viewport().width()
        for number in range(first, last + 1):
            box = QRectF(0, top + number * ROW_PX, width, ROW_PX)
            if self._timeline.lanes[number].kind is LaneKind.TURN:
                painter.fillRect(box, theme.color("raised"))
                painter.fillRect(QRectF(0, box.top(), width, 1), theme.color("border"))
            if number == self._timeline.lane:
                painter.fillRect(box, theme.color("sel" if self.hasFocus() else "sel_idle"))
                painter.fillRect(QRectF(0, box.top(), RAIL_PX, ROW_PX), theme.color("accent"))

    def _paint_grid(self, painter: QPainter, clock: QRectF) -> None:
        ink = self._theme.color("grid")
        for tick in ticks(self._timeline):
            painter.fillRect(QRectF(round(clock.left() + tick.x), 0, 1, clock.height()), ink)
        for left, width, idle_s in self._timeline.scale.folds():
            box = QRectF(clock.left() + left, 0, width, clock.height())
            hatch(painter, self._theme, box)
            if width >= 20:
                self._paint_idle(painter, box, seconds_text(idle_s))

    def _paint_idle(self, painter: QPainter, box: QRectF, length: str) -> None:
        words = tr("{0} idle").format(length)
        width = self._text_painter.width(words, "caption") + 16
        painter.save()
        painter.translate(box.center().x(), max(width / 2 + 8, box.height() * 0.62))
        painter.rotate(-90)
        tag = QRectF(-width / 2, -9.5, width, 19)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.color("border2"), 1))
        painter.setBrush(self._theme.color("raised"))
        painter.drawRoundedRect(tag, 4, 4)
        self._text_painter.left(painter, tag.adjusted(8, 0, -7, 0), words, "caption", "text2")
        painter.restore()

    def _paint_paths(self, painter: QPainter, first: int, last: int, clock: QRectF, top: float) -> None:
        for head, begin, end in self._timeline.lanes.heads_between(first, last):
            if self._timeline.lanes.is_open(head) and head in self._timeline.works:
                self._path.paint(painter, head, range(begin + 1, end), clock, top)

    def _paint_selection(self, painter: QPainter, clock: QRectF, top: float) -> None:
        timeline, lane = self._timeline, self._timeline.lane
        box = self._bars.box(timeline.current, clock.left(), top + lane * ROW_PX) if lane >= 0 else None
        if box is None:
            return
        ink = self._theme.color("accent")
        for x in (box.left(), box.right()):
            painter.fillRect(QRectF(round(x), 0, 1, max(0.0, box.top())), ink)
        painter.setPen(QPen(ink, 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(box.adjusted(-1, -1, 1, 1))

    def _describe(self) -> None:
        """Describe the current item to screen readers."""
        timeline = self._timeline
        words = described(timeline, timeline.current) if timeline.lane >= 0 else ""
        self.setAccessibleDescription(words.replace("\n", ". "))

    # Layout

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width needs another scale; a low view has no context lane."""
        super().resizeEvent(event)
        context_px = next((px for from_px, px in _CONTEXT_PX if self.height() >= from_px), 0)
        head_px = MINIMAP_PX + RULER_PX
        self.setViewportMargins(0, head_px, 0, context_px)
        width = self.viewport().width()
        self.labels_px = LABELS_PX if width >= ROOMY_PX else min(NARROW_LABELS_PX, width // 3)
        for part in (self.minimap, self.ruler, self.context):
            part.labels_px = self.labels_px
        self.minimap.setGeometry(0, 0, width, MINIMAP_PX)
        self.ruler.setGeometry(0, MINIMAP_PX, width, RULER_PX)
        self.context.setGeometry(0, self.height() - context_px, width, context_px)
        self.context.setVisible(context_px > 0)
        self._timeline.set_width(width - self.labels_px)
        self._lay_out()

    def _lay_out(self) -> None:
        bar = self.verticalScrollBar()
        bar.setPageStep(self.viewport().height())
        bar.setRange(0, max(0, len(self._timeline.lanes) * ROW_PX - self.viewport().height()))
        self.viewport().update()

    def _reveal(self) -> None:
        """Where the current lane is out of sight, scroll to its turn, or as far as the lane itself needs."""
        timeline, bar, height = self._timeline, self.verticalScrollBar(), self.viewport().height()
        lane = timeline.lane
        top = lane * ROW_PX
        if lane < 0 or bar.value() <= top <= bar.value() + height - ROW_PX:
            return
        turn = timeline.lanes.number_of(timeline.current.head) * ROW_PX
        bar.setValue(turn if top + ROW_PX <= turn + height else top - height // 3)

    # Mouse

    def viewportEvent(self, event: QEvent) -> bool:
        """Tooltips are made when they are asked for; two fingers zoom."""
        if isinstance(event, QNativeGestureEvent) and event.gestureType() is Qt.NativeGestureType.ZoomNativeGesture:
            scale = self._timeline.scale
            self._timeline.look_at(scale.zoomed(1 + event.value(), event.position().x() - self.labels_px))
            return True
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.tip(event.pos()), self.viewport())
            return True
        return super().viewportEvent(event)

    def tip(self, position: QPoint) -> str:
        """What is under the mouse, with the trace's text escaped: Qt would guess markup in it."""
        number = self._lane_at(position.y())
        if number < 0:
            return ""
        words = described(self._timeline, self._timeline.lanes[number])
        return f"<div style='white-space: pre'>{escape(words)}</div>"

    def wheelEvent(self, event: QWheelEvent) -> None:
        """As in Perfetto: zoom with Ctrl, sideways with Shift, else up and down."""
        across, along = event.angleDelta().x(), event.angleDelta().y()
        scale = self._timeline.scale
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._timeline.look_at(scale.zoomed(ZOOM ** (along / 120), event.position().x() - self.labels_px))
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier or abs(across) > abs(along):
            self._timeline.look_at(scale.moved_to(scale.left_px - (across or along)))
        else:
            super().wheelEvent(event)
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click selects when the button is released; until then it may become a drag. For a menu it selects now."""
        if event.button() is Qt.MouseButton.RightButton and (number := self._lane_at(event.position().y())) >= 0:
            self._timeline.select_lane(number)
        if event.button() is Qt.MouseButton.LeftButton:
            self._pressed, self._dragged = event.position(), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Dragging moves the clock, and the lanes."""
        if self._pressed is None or self._pressed.x() < self.labels_px:
            return
        moved = event.position() - self._pressed
        if not self._dragged and moved.manhattanLength() < DRAG_FROM_PX:
            return
        self._dragged = True
        self._pressed = event.position()
        scale = self._timeline.scale
        self._timeline.look_at(scale.moved_to(scale.left_px - moved.x()))
        self.verticalScrollBar().setValue(self.verticalScrollBar().value() - round(moved.y()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Select the lane, or fold its turn at the arrow."""
        pressed, self._pressed = self._pressed, None
        if pressed is None or self._dragged:
            return
        number = self._lane_at(event.position().y())
        if number < 0:
            return
        lane = self._timeline.lanes[number]
        if lane.kind is LaneKind.TURN and event.position().x() < 28:
            self._timeline.toggle(lane.head)
        else:
            self._timeline.select_lane(number)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Zoom to what is under the mouse."""
        if self._lane_at(event.position().y()) >= 0 and event.position().x() >= self.labels_px:
            self._timeline.fit_current()

    def _lane_at(self, y: float) -> int:
        number = int((y + self.verticalScrollBar().value()) // ROW_PX)
        return number if 0 <= number < len(self._timeline.lanes) else -1

    # Keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Everything the mouse can do."""
        doing = _KEYS.get(Qt.Key(event.key()))
        plain = not event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
        if doing is None or not plain:
            super().keyPressEvent(event)
        else:
            doing(self)

    def _zoom(self, factor: float) -> None:
        """Around what is current while it is in view, else around the middle."""
        timeline = self._timeline
        times_s = timeline.times_of(timeline.current)
        x = timeline.scale.width_px / 2
        if times_s is not None:
            middle = timeline.scale.x(sum(times_s) / 2)
            x = middle if 0 <= middle <= timeline.scale.width_px else x
        timeline.look_at(timeline.scale.zoomed(factor, x))

    def _pan(self, way: int) -> None:
        scale = self._timeline.scale
        self._timeline.look_at(scale.moved_to(scale.left_px + way * PAN_SHARE * scale.width_px))

    def _page(self) -> int:
        return max(1, self.viewport().height() // ROW_PX - 1)

    def _toggle(self) -> None:
        if self._timeline.current.head != NOWHERE:
            self._timeline.toggle(self._timeline.current.head)


_KEYS = {
    Qt.Key.Key_Up: lambda area: area._timeline.step(-1),
    Qt.Key.Key_Down: lambda area: area._timeline.step(1),
    Qt.Key.Key_PageUp: lambda area: area._timeline.step(-area._page()),
    Qt.Key.Key_PageDown: lambda area: area._timeline.step(area._page()),
    Qt.Key.Key_Home: lambda area: area._timeline.step(-len(area._timeline.lanes)),
    Qt.Key.Key_End: lambda area: area._timeline.step(len(area._timeline.lanes)),
    Qt.Key.Key_Left: lambda area: area._pan(-1),
    Qt.Key.Key_Right: lambda area: area._pan(1),
    Qt.Key.Key_Plus: lambda area: area._zoom(ZOOM),
    Qt.Key.Key_Equal: lambda area: area._zoom(ZOOM),
    Qt.Key.Key_Minus: lambda area: area._zoom(1 / ZOOM),
    Qt.Key.Key_0: lambda area: area._timeline.look_at(area._timeline.scale.fitted()),
    Qt.Key.Key_F: lambda area: area._timeline.fit_turn(),
    Qt.Key.Key_Z: lambda area: area._timeline.fit_current(),
    Qt.Key.Key_Space: lambda area: area._toggle(),
    Qt.Key.Key_Return: lambda area: area.entered.emit(),
    Qt.Key.Key_Enter: lambda area: area.entered.emit(),
}

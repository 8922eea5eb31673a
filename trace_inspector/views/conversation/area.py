"""A scrolled area of items: painted, so that a hundred thousand of them cost no more than those in sight."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QFocusEvent, QHelpEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QFrame, QToolTip

from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.conversation.conversation import Conversation, Spot
from trace_inspector.models.conversation.section import Key
from trace_inspector.views.appearance.appearance import Look
from trace_inspector.views.conversation.marking import Marking
from trace_inspector.views.conversation.placement import FAR, Placed, Placement
from trace_inspector.views.conversation.scene import Brushwork
from trace_inspector.views.conversation.scenes import Run, Scenes
from trace_inspector.views.conversation.sentences import Answers

WHEEL_PX = 20
RAIL_PX = 2


class ItemArea(QAbstractScrollArea):
    """Lays out and paints what is in sight of one conversation, with the current item and selected text marked."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._brush = Brushwork(look)
        self._scenes: Scenes | None = None
        self._placement: Placement | None = None
        self._marking: Marking | None = None
        self._current: Key | None = None
        self._placed = False
        self._value = 0  # of the scroll bar; Qt's own idea of it misses what is set without a signal
        self._answers = Answers(look, self.viewport())
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # One that comes and goes would wrap every text anew.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.verticalScrollBar().setSingleStep(WHEEL_PX)
        look.changed.connect(self.forget)

    def show_conversation(self, conversation: Conversation | None, file: OpenFile | None, run: Run) -> None:
        """Another case or trace, from its beginning."""
        self._scenes = self._placement = self._marking = self._current = None
        self._answers.watch.hide()
        self._answers.put([])
        if conversation is not None and file is not None:
            self._scenes = Scenes(self._look, conversation, file, run)
            self._placement = Placement(conversation, self._scenes.scene)
            self._marking = Marking(self._scenes)
        self._moved()

    def forget(self) -> None:
        """Verdicts or the look changed: everything in sight is laid out again."""
        if self._scenes is not None:
            self._scenes.forget()
        self._moved()

    def items_changed(self) -> None:
        """Items came or went."""
        if self._placement is not None:
            self._placement.lose()
        self._moved()

    @property
    def current(self) -> Key | None:
        """The item that keys work on."""
        return self._current

    def seen(self) -> list[Placed]:
        """The items in sight, from top to bottom."""
        self._place()
        return self._placement.seen if self._placement else []

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width wraps elsewhere."""
        super().resizeEvent(event)
        self._moved()

    def scrollContentsBy(self, _dx: int, _dy: int) -> None:  # noqa: N802
        """The scroll bar moved: near places are reached exactly, the ends for certain, others by estimates."""
        bar, placement = self.verticalScrollBar(), self._placement
        if placement is None or self._scenes is None:
            return
        moved, self._value = bar.value() - self._value, bar.value()
        far = abs(moved) > FAR * self._high()
        if far and bar.value() >= bar.maximum():
            self._show_last()
        elif far and bar.value() <= 0:
            placement.show(Spot(0, 0), 0.0)
        else:
            placement.move(moved, self._high())
        self._answers.watch.hide()
        self._moved()

    def viewportEvent(self, event: QEvent) -> bool:
        """The whole of what is cut short, and the name behind initials."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            words = self.tip(QPointF(event.pos()))
            # Qt guesses whether a text is markup: this is, and nothing of the trace in it.
            shown = f"<div>{escape(words)}</div>" if words else ""
            QToolTip.showText(event.globalPos(), shown, self.viewport())
            return True
        return super().viewportEvent(event)

    def tip(self, point: QPointF) -> str:
        """What rests under the mouse and is not wholly seen."""
        one = self._under(point)
        return self._brush.hidden(one.scene, point - QPointF(0, one.top_px)) if one else ""

    def paintEvent(self, event: QPaintEvent) -> None:
        """The items in sight."""
        placed = self.seen()
        with QPainter(self.viewport()) as painter:
            painter.fillRect(event.rect(), self._look.color("base"))
            for one in placed:
                if one.bottom_px >= event.rect().top() and one.top_px <= event.rect().bottom():
                    self._paint(painter, one)

    def _paint(self, painter: QPainter, one: Placed) -> None:
        wide, high = self.viewport().width(), self._high()
        if self._current is not None and one.key[:2] == self._current[:2]:
            box = QRectF(0, one.top_px - 4, wide, one.scene.height_px)
            painter.fillRect(box, self._look.color("accent_soft" if self._has_focus() else "sel_idle"))
            painter.fillRect(QRectF(0, box.top(), RAIL_PX, box.height()), self._look.color("accent"))
        painter.save()
        painter.translate(0, one.top_px)
        marked = self._marking.within(one) if self._marking else (0, 0)
        self._brush.paint(painter, one.scene, QRectF(0, -one.top_px, wide, high), marked)
        painter.restore()

    def _has_focus(self) -> bool:
        inside = QApplication.focusWidget()
        return self.hasFocus() or (inside is not None and self.isAncestorOf(inside))

    def _moved(self) -> None:
        self._placed = False
        self.viewport().update()

    def _place(self) -> None:
        """Lay out what is in sight, once until something moves."""
        if self._placed or self._placement is None or self._scenes is None:
            return
        self._placed = True
        self._scenes.set_width(self.viewport().width())
        seen = self._placement.lay_out(self._high())
        bar, high = self.verticalScrollBar(), self._high()
        blocked = bar.blockSignals(True)  # noqa: FBT003 - Qt's own name for it
        bar.setPageStep(high)
        bar.setRange(0, max(0, int(self._scenes.conversation.heights.total_px) - high))
        bar.setValue(round(self._placement.value_px))
        self._value = bar.value()
        bar.blockSignals(blocked)
        self._answers.put([(one.key, one.top_px, one.scene) for one in seen])

    def _high(self) -> int:
        return max(self.viewport().height(), 1)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The current item shows that the keyboard is here."""
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """It is elsewhere."""
        super().focusOutEvent(event)
        self.viewport().update()

    def _show_last(self) -> None:
        if self._scenes is not None and self._placement is not None:
            last = self._scenes.conversation.last()
            self._placement.show(last, self._high() - self._placement.measured(last).height_px)

    def _scroll(self, px: float) -> None:
        if self._placement is not None:
            self._placement.move(px, self._high())
            self._moved()

    def _reveal(self, spot: Spot) -> None:
        """Scroll no more than is needed to see an item, its beginning first."""
        if self._placement is None:
            return
        self.seen()
        self._placement.reveal(spot, self._high())
        self._moved()

    def _under(self, point: QPointF) -> Placed | None:
        return next((one for one in self.seen() if one.top_px <= point.y() < one.bottom_px), None)

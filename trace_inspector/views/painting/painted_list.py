"""A scrolled list of rows of any height: painted, so that a hundred thousand cost no more than the visible ones."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Generic

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QFocusEvent,
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QFrame, QMenu, QToolTip

from trace_inspector.models.base.tips import plain_tip
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.views.painting.row_layout import ClickArea, Layout, Measures, RowLayout
from trace_inspector.views.painting.shapes import Canvas, full_text
from trace_inspector.views.painting.visible_range import FAR, Position, VisibleRange, VisibleRow

WHEEL_PX = 20
RAIL_PX = 2
OVERLAP_PX = 40  # of two pages
_KEYPAD = Qt.KeyboardModifier.KeypadModifier
_Key = QKeySequence.StandardKey


class PaintedList(QAbstractScrollArea, Generic[Position, Layout]):
    """Lays out and paints what is visible. What rows look like and what keys do to them is up to each list."""

    scrolled = Signal()

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self._theme = theme
        self._measures = Measures(theme, TextPainter(theme))
        self._range: VisibleRange[Position, Layout] | None = None
        self._is_laid_out = False
        self._value = 0  # of the scroll bar; Qt's own idea of it misses what is set without a signal
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # One that comes and goes would wrap every text anew.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.verticalScrollBar().setSingleStep(WHEEL_PX)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(name)
        self.viewport().setMouseTracking(True)
        theme.changed.connect(self.forget)

    # What each list has of its own

    @abstractmethod
    def forget(self) -> None:
        """What rows show, or the theme, changed: everything visible is laid out again."""

    @abstractmethod
    def copied(self) -> str:
        """What is copied."""

    @abstractmethod
    def _step(self, step: int) -> None:
        """To the next (1) or previous (-1) row."""

    @abstractmethod
    def _step_page(self, step: int) -> None:
        """A page further (1) or back (-1)."""

    @abstractmethod
    def _go_to_end(self, *, first: bool) -> None:
        """To the first row, or to the last."""

    @abstractmethod
    def _step_inside(self, step: int) -> None:
        """Deeper into the current row (1), or out again (-1)."""

    @abstractmethod
    def _toggle(self) -> None:
        """Fold or unfold the current row."""

    def _before_layout(self) -> None:
        """Rows are about to be laid out at the width of now."""

    def _after_layout(self, rows: Sequence[VisibleRow[Position, Layout]]) -> None:
        """These rows are visible: widgets among them are moved to their places."""

    def _paint_ground(self, painter: QPainter) -> None:
        """What lies behind all rows."""

    @abstractmethod
    def _paint_row(self, painter: QPainter, row: VisibleRow[Position, Layout]) -> None:
        """One row."""

    # Layout

    def visible_rows(self) -> list[VisibleRow[Position, Layout]]:
        """The visible rows, from top to bottom."""
        self._lay_out()
        return self._range.rows if self._range is not None else []

    def _lay_out(self) -> None:
        """Lay out what is visible, once until something moves."""
        if self._is_laid_out or self._range is None:
            return
        self._is_laid_out = True
        self._before_layout()
        rows = self._range.lay_out(self._view_px)
        bar, view_px = self.verticalScrollBar(), self._view_px
        blocked = bar.blockSignals(True)  # noqa: FBT003 - Qt's own name for it
        bar.setPageStep(view_px)
        bar.setRange(0, max(0, int(self._range.total_px) - view_px))
        bar.setValue(round(self._range.value_px))
        self._value = bar.value()
        bar.blockSignals(blocked)
        self._after_layout(rows)

    def _relayout(self) -> None:
        """Something moved."""
        self._is_laid_out = False
        self.viewport().update()
        self.scrolled.emit()

    @property
    def _view_px(self) -> int:
        return max(self.viewport().height(), 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width wraps elsewhere."""
        super().resizeEvent(event)
        self._relayout()

    # Scrolling

    def scrollContentsBy(self, _dx: int, _dy: int) -> None:  # noqa: N802
        """The scroll bar moved: near places are reached exactly, the ends for certain, others by estimates."""
        bar, visible = self.verticalScrollBar(), self._range
        if visible is None:
            return
        moved_px, self._value = bar.value() - self._value, bar.value()
        far = abs(moved_px) > FAR * self._view_px
        if far and bar.value() >= bar.maximum():
            visible.show_last(self._view_px)
        elif far and bar.value() <= 0:
            visible.show_first()
        else:
            visible.move(moved_px, self._view_px)
        self._relayout()

    def _scroll(self, px: float) -> None:
        if self._range is not None:
            self._range.move(px, self._view_px)
            self._relayout()

    def _scroll_page(self, step: int) -> list[VisibleRow[Position, Layout]]:
        """A page down (1) or up (-1); gives what is visible then."""
        self._scroll(step * (self._view_px - OVERLAP_PX))
        return self.visible_rows()

    def _reveal(self, position: Position) -> None:
        """Scroll no more than is needed to see a row, its beginning first."""
        if self._range is not None:
            self.visible_rows()
            self._range.reveal(position, self._view_px)
            self._relayout()

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """The visible rows."""
        rows = self.visible_rows()
        with QPainter(self.viewport()) as painter:
            painter.fillRect(event.rect(), self._theme.color("base"))
            self._paint_ground(painter)
            for row in rows:
                if row.bottom_px >= event.rect().top() and row.top_px <= event.rect().bottom():
                    self._paint_row(painter, row)

    def _paint_layout(self, painter: QPainter, layout: RowLayout, top_px: float) -> None:
        """What a row looks like, at that height of the view."""
        painter.save()
        painter.translate(0, top_px)
        visible_box = QRectF(0, -top_px, self.viewport().width(), self._view_px)
        layout.draw(Canvas(painter, self._theme, self._measures.letters, visible_box))
        painter.restore()

    @property
    def _has_focus(self) -> bool:
        """Whether the keyboard is here, or in a widget among the rows."""
        focused = QApplication.focusWidget()
        return self.hasFocus() or (focused is not None and self.isAncestorOf(focused))

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The current row shows that the keyboard is here."""
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """It is elsewhere."""
        super().focusOutEvent(event)
        self.viewport().update()

    # Keys and speech

    def event(self, event: QEvent) -> bool:
        """Copying is for what is current here, not for the tree's rows."""
        is_override = event.type() is QEvent.Type.ShortcutOverride
        if is_override and isinstance(event, QKeyEvent) and any(map(event.matches, self._shortcuts())):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """From row to row, and what else the list does."""
        run = next((run for shortcut, run in self._shortcuts().items() if event.matches(shortcut)), None)
        if run is None and not event.modifiers() & ~_KEYPAD:
            run = self._keys().get(Qt.Key(event.key()))
        if run is not None:
            run()
        else:
            super().keyPressEvent(event)

    def _shortcuts(self) -> dict[_Key, Callable[[], object]]:
        return {_Key.Copy: self._copy}

    def _keys(self) -> dict[Qt.Key, Callable[[], object]]:
        return {
            Qt.Key.Key_Down: lambda: self._step(1),
            Qt.Key.Key_Up: lambda: self._step(-1),
            Qt.Key.Key_PageDown: lambda: self._step_page(1),
            Qt.Key.Key_PageUp: lambda: self._step_page(-1),
            Qt.Key.Key_Home: lambda: self._go_to_end(first=True),
            Qt.Key.Key_End: lambda: self._go_to_end(first=False),
            Qt.Key.Key_Right: lambda: self._step_inside(1),
            Qt.Key.Key_Left: lambda: self._step_inside(-1),
            **dict.fromkeys((Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space), self._toggle),
        }

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.copied())

    def _describe(self, text: str) -> None:
        """What screen readers say of the current row; at once, where the keyboard is here."""
        if text != self.accessibleDescription():
            self.setAccessibleDescription(text)
            if self.hasFocus() and QAccessible.isActive():
                QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, text))

    # The mouse

    def viewportEvent(self, event: QEvent) -> bool:
        """The whole of what is cut short, and what an abbreviation stands for."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), plain_tip(self.tip(QPointF(event.pos()))), self.viewport())
            return True
        return super().viewportEvent(event)

    def tip(self, point: QPointF) -> str:
        """What rests under the mouse and is not wholly visible."""
        row = self._row_at(point)
        return full_text(row.layout.shapes, point - QPointF(0, row.top_px), self._measures.letters) if row else ""

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show what a click would do."""
        self.viewport().setCursor(self._cursor_at(event.position()))

    def _cursor_at(self, point: QPointF) -> Qt.CursorShape:
        on_area = self._click_area_at(point) is not None
        return Qt.CursorShape.PointingHandCursor if on_area else Qt.CursorShape.ArrowCursor

    def _row_at(self, point: QPointF) -> VisibleRow[Position, Layout] | None:
        return next((row for row in self.visible_rows() if row.top_px <= point.y() < row.bottom_px), None)

    def _click_area_at(self, point: QPointF) -> ClickArea | None:
        row = self._row_at(point)
        return row.layout.click_area(point - QPointF(0, row.top_px)) if row else None

    def _new_menu(self) -> QMenu:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        return menu

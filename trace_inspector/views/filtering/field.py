"""The filter field of the tool bar: applied while one types, with completions, explained errors and a history."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QRectF, Qt, QTimer
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QWidget

from trace_inspector.models.base.selection import Selection
from trace_inspector.models.base.translation import tr
from trace_inspector.models.search.filter_language import Completion, completions
from trace_inspector.models.search.name_completion import OccurringNames
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.views.filtering.popup import FilterPopup
from trace_inspector.views.filtering.words import count_words
from trace_inspector.views.window_context.desk import Desk

WIDTH_PX, LEAST_PX = 280, 180
CROSS_PX = 20
GAP_PX = 8
HEIGHT_PX = 28
WAIT_MS = 60  # until what was typed is applied
_WAVE_PX = 2


class FilterField(QLineEdit):
    """Keeps the focus while the popup is open. Up and Down move in the popup, the history, and into the view."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._filtering = desk.workspace.filtering
        self._names = OccurringNames(desk.workspace.files)
        self._text_painter = TextPainter(desk.theme)
        self._history_index = 0  # back in the history; 0 is what is being typed
        self._typed = ""
        self._count = ""
        self.setPlaceholderText(tr("Filter cases, tools, text…"))
        self.setAccessibleName(tr("Filter"))
        self.setToolTip(tr("Filter (Ctrl+L)"))
        self.setFixedHeight(HEIGHT_PX)
        self.setMinimumWidth(LEAST_PX)
        self.setMaximumWidth(WIDTH_PX)
        self.setFont(desk.theme.fonts.secondary)
        self.setEnabled(False)
        self._clear = _Cross(desk.theme, self)
        self._clear.setAccessibleName(tr("Clear filter"))
        self._clear.setToolTip(tr("Clear filter (Esc)"))
        self._clear.clicked.connect(self.drop)
        self.popup = FilterPopup(desk.theme, self, desk.window)
        self._soon = QTimer(self, singleShot=True, interval=WAIT_MS)
        self._soon.timeout.connect(self._apply)
        self.textEdited.connect(self._edited)
        self._filtering.changed.connect(self._follow)
        workspace = desk.workspace
        for signal in (workspace.files.added, workspace.files.closed):
            signal.connect(self._follow)
        workspace.selection.changed.connect(self._front)
        self._follow()

    def focus(self) -> None:
        """Begin to type: the text is selected, and an empty field shows what can be typed."""
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.selectAll()
        if not self.text():
            self._offer()

    def drop(self) -> None:
        """No filter."""
        self._filtering.remember()
        self._put("")
        self._apply()

    # Keys

    def event(self, event: QEvent) -> bool:
        """Escape and Tab are for the field while it has a use for them."""
        if isinstance(event, QKeyEvent):
            mine = event.key() == Qt.Key.Key_Escape or (event.key() == Qt.Key.Key_Tab and self.popup.model.offered)
            if event.type() is QEvent.Type.ShortcutOverride and mine:
                event.accept()
                return True
            if event.type() is QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Tab and self._take_first():
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows, Enter and Escape; everything else is text."""
        handle = {
            Qt.Key.Key_Down: self._down,
            Qt.Key.Key_Up: self._up,
            Qt.Key.Key_Escape: self._escape,
            Qt.Key.Key_Return: self._enter,
            Qt.Key.Key_Enter: self._enter,
        }.get(Qt.Key(event.key()))
        if handle is None:
            super().keyPressEvent(event)
        else:
            handle()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """What was typed is applied and remembered."""
        super().focusOutEvent(event)
        self.popup.show_completions("", ())
        if self._soon.isActive():
            self._apply()
        self._filtering.remember()

    def _down(self) -> None:
        if self.popup.model.offered:
            self.popup.move_by(1)
        elif self._history_index:
            self._recall(self._history_index - 1)
        else:
            self._enter()

    def _up(self) -> None:
        if self.popup.chosen is not None:
            self.popup.move_by(-1)
        else:
            self._recall(self._history_index + 1)

    def _escape(self) -> None:
        if self.popup.model.offered and self.text():
            self.popup.show_completions(self.popup.error.text(), ())
        elif self.text():
            self.drop()
        else:
            self._desk.take_focus()

    def _enter(self) -> None:
        if self.popup.chosen is not None:
            self._take(self.popup.chosen)
            return
        self._apply()
        if self._filtering.wrong is None:
            self._desk.take_focus()

    def _recall(self, index: int) -> None:
        if not self._history_index:
            self._typed = self.text()
        remembered = [text for text in self._filtering.remembered if text != self._typed]
        if 0 <= index <= len(remembered):
            self._history_index = index
            self._put(remembered[-index] if index else self._typed)
            self._apply()

    # Completing

    def _offer(self) -> None:
        wrong = self._filtering.wrong if self._filtering.text == self.text() else None
        self.popup.show_completions(
            wrong.sentence if wrong else "",
            completions(self.text(), self.cursorPosition(), self._names.of, self._filtering.counts),
        )

    def _take_first(self) -> bool:
        offered = self.popup.model.offered
        if offered:
            self._take(self.popup.chosen or offered[0])
        return bool(offered)

    def _take(self, completion: Completion) -> None:
        text, cursor = self.text(), self.cursorPosition()
        self.setText(text[: completion.position] + completion.text + text[cursor:])
        self.setCursorPosition(completion.position + len(completion.text))
        self._edited()

    # Applying

    def _edited(self) -> None:
        self._history_index = 0
        self._soon.start()
        self._offer()
        self.update()

    def _put(self, text: str) -> None:
        self.setText(text)
        self.popup.show_completions("", ())

    def _apply(self) -> None:
        self._soon.stop()
        self._filtering.set_text(self.text())
        if self.hasFocus() and (self._filtering.wrong is not None or self.popup.error.text()):
            self._offer()
        self.update()

    def _front(self, selection: Selection | None) -> None:
        if selection is not None:
            self._filtering.bring_to_front(selection.file)
        self._follow()

    def _follow(self) -> None:
        """What the filter shows of the file in front, at the right end."""
        self.setEnabled(bool(self._desk.workspace.files))
        if self._filtering.text != self.text() and not self._soon.isActive() and not self._history_index:
            self._put(self._filtering.text)
        selection = self._desk.workspace.selection.value
        showing = self._filtering.showing(selection.file) if selection else None
        count = count_words(showing) if showing else ""
        if count != self._count or self._clear.isHidden() is bool(self.text()):
            self._count = count
            self._clear.setVisible(bool(self.text()))
            self._make_room()
            self.update()

    # Painting

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The button stays at the right end."""
        super().resizeEvent(event)
        self._make_room()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The text, the magnifier before it, the count behind it, a wave under what cannot be read."""
        super().paintEvent(event)
        theme = self._desk.theme
        with QPainter(self) as painter:
            middle = self.height() / 2
            theme.icons.paint(painter, "search", theme.tokens.text2, 8, middle, 14)
            if self._count:
                room = QRectF(0, 0, self._count_right, self.height())
                self._text_painter.right(painter, room, self._count, "secondary", "text2")
            if self._filtering.wrong is not None and self._filtering.text == self.text():
                self._paint_wave(painter, self._filtering.wrong.position)

    def _paint_wave(self, painter: QPainter, position: int) -> None:
        text = self.text()
        position = min(position, max(len(text) - 1, 0))
        end = text.find(" ", position + 1)
        measure = self.fontMetrics().horizontalAdvance
        begin = self.cursorRect().center().x() - measure(text[: self.cursorPosition()])  # where the text begins
        left = begin + measure(text[:position])
        right = begin + measure(text[:end] if end >= 0 else text)
        left, right = max(left, 28), min(max(right, left + 8), self.width() - self.textMargins().right())
        bottom = self.height() - 6
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._desk.theme.color("warn"), 1.5))
        for number, x in enumerate(range(left, right, _WAVE_PX)):
            high, low = (bottom - 2, bottom) if number % 2 else (bottom, bottom - 2)
            painter.drawLine(x, high, x + _WAVE_PX, low)

    def _make_room(self) -> None:
        self._clear.setGeometry(self.width() - 24, (self.height() - CROSS_PX) // 2, CROSS_PX, CROSS_PX)
        count = math.ceil(self._text_painter.width(self._count, "secondary")) + GAP_PX if self._count else 0
        self.setTextMargins(20, 0, count + self.width() - self._count_right, 0)

    @property
    def _count_right(self) -> int:
        """Where the count ends."""
        return self._clear.x() - 4 if self._clear.isVisible() else self.width() - 8


class _Cross(QAbstractButton):
    """The small × in the field: a tool button would take the tool bar's height."""

    def __init__(self, theme: Theme, field: QWidget) -> None:
        super().__init__(field)
        self._theme = theme
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        theme.changed.connect(self.update)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The cross, and a ring while it has the focus."""
        with QPainter(self) as painter:
            tokens, middle = self._theme.tokens, self.height() / 2
            self._theme.icons.paint(painter, "x", tokens.text if self.underMouse() else tokens.text2, 4, middle, 12)
            if self.hasFocus():
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(QPen(self._theme.color("accent"), 2))
                painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)

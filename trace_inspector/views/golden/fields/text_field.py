"""A text field of the Golden tab that grows. It never changes its text while somebody types."""

from __future__ import annotations

import math
from collections.abc import Callable

from PySide6.QtCore import QEvent, QMimeData, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QInputMethodEvent,
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
    QTextCursor,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy

from trace_inspector.models.golden.newline_style import with_line_ends
from trace_inspector.models.golden.values import MOST_CHARS
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.golden.fields.typing_state import Find, Typing, Write
from trace_inspector.views.golden.fields.validation import ENTER, half, set_wrong, too_long, unless

LEAST_LINES, MOST_LINES = 2, 14
MARGIN_PX = 6
LONG_LINE = 20_000  # chars; longer ones are wrapped anywhere: Qt takes seconds to look for words where there are none
_WORDS, _ANYWHERE = QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere, QTextOption.WrapMode.WrapAnywhere


class GoldenText(QPlainTextEdit):
    """Plain text as high as its lines, up to a bound. Tab goes on; Ctrl+Enter commits, Esc restores."""

    grown = Signal()

    def __init__(
        self, theme: Theme, name: str, write: Write, find: Find, changed: Callable[[], object], font: str = "body",
        least: int = LEAST_LINES,
    ) -> None:  # fmt: skip
        super().__init__()
        self._least = least
        self._most = MOST_CHARS * 2 if font == "data" else MOST_CHARS  # values are written with their indentation
        self.setObjectName("golden-text")
        self.setAccessibleName(name)
        self.setFont(getattr(theme.fonts, font))
        self.setTabChangesFocus(True)
        self.setUndoRedoEnabled(False)
        self.setWordWrapMode(_WORDS)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(MARGIN_PX)
        self._changed = changed
        self._putting = False
        self._was = ""  # with the line ends of the golden
        self._typing = Typing(unless(self._why_not, write), find, self.toPlainText, self._put, self._mark)
        self.textChanged.connect(self._typed)
        self._grow()

    @property
    def problem(self) -> str:
        """Why the text was not written."""
        return self._typing.problem

    @property
    def golden_text(self) -> str:
        """The golden's text, even where the field has another one that was not written."""
        return self._typing.now

    def show_text(self, text: str, *, busy: bool) -> None:
        """Show the golden's present text."""
        self._typing.show(text, busy=busy, focused=self.hasFocus())
        self._mark()

    def go_to_end(self) -> None:
        """Move the cursor to where typing continues."""
        self.moveCursor(QTextCursor.MoveOperation.End)

    def forget(self) -> None:
        """Reset: the field shows something else from now on."""
        self._typing.forget()

    def event(self, event: QEvent) -> bool:
        """Undo and redo are the window's; Esc is the field's while there is something to restore."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if self._typing.takes_key(event):
                event.accept()
                return True
            if self._typing.is_step(event) or event.key() == Qt.Key.Key_Escape:
                event.ignore()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+Enter commits, Esc restores, all else is text."""
        control = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if event.key() in ENTER and control:
            self._typing.end()
            self._mark()
        elif event.matches(QKeySequence.StandardKey.InsertLineSeparator):
            self.insertPlainText("\n")  # Qt would put in a separator that looks the same and is another character
        elif event.key() == Qt.Key.Key_Escape or self._typing.is_step(event):
            if self._typing.takes_key(event):
                self._typing.restore()
                self._mark()
            else:
                event.ignore()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Typing from now on is one step of undo."""
        super().focusInEvent(event)
        if not self.problem:
            self._typing.begin()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Valid text is shown as the golden has it."""
        super().focusOutEvent(event)
        self._typing.end()
        self._mark()

    def insertFromMimeData(self, source: QMimeData) -> None:
        """What is pasted or dropped, unless it is too long: that is refused before Qt lays it out."""
        text = source.text()
        if self._has_room(text):
            if _has_long_line(text):
                self.setWordWrapMode(_ANYWHERE)
            super().insertFromMimeData(source)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """What an input method inserts, unless it is too long: then the composed text is dropped, too."""
        super().inputMethodEvent(event if self._has_room(event.commitString()) else QInputMethodEvent())

    def toPlainText(self) -> str:  # noqa: N802
        """The text with the line ends of the golden. Qt would also make plain spaces of those that do not break."""
        return with_line_ends(self.document().toRawText(), self._was)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The page scrolls, unless all of the text is in sight only here."""
        if self.verticalScrollBar().maximum() and self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Other lines at another width."""
        super().resizeEvent(event)
        self._grow()

    def sizeHint(self) -> QSize:
        """As high as it has grown."""
        return QSize(200, self.height())

    def _has_room(self, text: str) -> bool:
        """Whether a text may replace the selection; else show why not."""
        cursor = self.textCursor()
        remaining = self._count - (cursor.selectionEnd() - cursor.selectionStart())
        fits = remaining + len(text) <= self._most
        if not fits:
            self._typing.set_problem(too_long())
            self._mark()
        return fits

    @property
    def _count(self) -> int:
        """The length of the text as Qt counts: half of a character is one, too."""
        return self.document().characterCount() - 1

    def _why_not(self, text: str) -> str:
        """Why the text cannot be written. Qt passes half of a character on to Python as nothing."""
        if len(text) > self._most:
            return too_long()
        return half() if len(self.document().toRawText().encode("utf-16-le")) != 2 * self._count else ""

    def _typed(self) -> None:
        self._was = self.toPlainText()
        wrap = _ANYWHERE if _has_long_line(self._was) else _WORDS
        if wrap is not self.wordWrapMode():
            self.setWordWrapMode(wrap)
        self._grow()
        if not self._putting:
            self._typing.typed()
            self._mark()

    def _put(self, text: str) -> None:
        if text == self.toPlainText():
            return
        self._was = text
        self._putting = True
        cursor, position = self.textCursor(), self.textCursor().position()
        if _has_long_line(text):
            self.setWordWrapMode(_ANYWHERE)
        self.setPlainText(text)
        cursor = self.textCursor()
        cursor.setPosition(min(position, self.document().characterCount() - 1))
        self.setTextCursor(cursor)
        self._putting = False

    def _grow(self) -> None:
        lines = min(max(self._lines(), self._least), MOST_LINES)
        height = math.ceil(lines * self.fontMetrics().lineSpacing()) + 2 * MARGIN_PX + 8
        if height != self.height():
            self.setFixedHeight(height)
            self._fits()
            self.grown.emit()

    def _lines(self) -> int:
        """The lines as they are laid out; the first blocks decide, because more than the bound is never shown."""
        block, lines = self.document().begin(), 0
        while block.isValid() and lines < MOST_LINES:
            self.blockBoundingRect(block)  # which lays it out
            lines += max(1, block.layout().lineCount())
            block = block.next()
        return lines

    def _fits(self) -> None:
        bars = Qt.ScrollBarPolicy
        whole = self._lines() < MOST_LINES
        self.setVerticalScrollBarPolicy(bars.ScrollBarAlwaysOff if whole else bars.ScrollBarAsNeeded)

    def _mark(self) -> None:
        set_wrong(self, bool(self.problem))
        self._changed()


def _has_long_line(text: str) -> bool:
    return len(text) > LONG_LINE and max(map(len, text.split("\n"))) > LONG_LINE

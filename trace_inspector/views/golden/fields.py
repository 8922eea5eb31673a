"""Fields of the Golden tab: a line, and a text that grows. They never change what they show while somebody types."""

from __future__ import annotations

import math
from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEvent, QMimeData, QRegularExpression, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QInputMethodEvent,
    QKeyEvent,
    QKeySequence,
    QRegularExpressionValidator,
    QResizeEvent,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QSizePolicy, QWidget

from trace_inspector.models.golden_values import MOST_CHARS
from trace_inspector.views.golden.typing_state import Typing, Write, Written
from trace_inspector.views.look import Look

LINE_PX = 26
LEAST_LINES, MOST_LINES = 2, 14
MARGIN_PX = 6
LONG_LINE = 20_000  # chars; longer ones are wrapped anywhere: Qt takes seconds to look for words where there are none
_WORDS, _ANYWHERE = QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere, QTextOption.WrapMode.WrapAnywhere
# Whole characters, at most so many: Qt itself does not take what does not match, and half of a character never does.
_WHOLE = QRegularExpression(rf"(?s)\A(?:.{{1,{MOST_CHARS // 10}}}+){{0,10}}+\z")
_PARAGRAPH = "\u2029"  # where Qt has a line end
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class GoldenLine(QLineEdit):
    """One line. `write` is given each text as it is typed; `told` hears when what is wrong with it changed."""

    def __init__(self, look: Look, name: str, write: Write, told: Callable[[], object], font: str = "data") -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setFont(getattr(look.fonts, font))
        self.setFixedHeight(max(LINE_PX, self.fontMetrics().height() + 10))
        self.setMaxLength(1_000_000)
        self.setValidator(QRegularExpressionValidator(_WHOLE, self))
        self._told = told
        self._putting = False
        self._typing = Typing(_unless(self._why_not, write), self.text, self._put)
        self.textEdited.connect(self._typed)
        self.inputRejected.connect(self._refuse_input)

    @property
    def problem(self) -> str:
        """Why what stands here was not written."""
        return self._typing.problem

    @property
    def said(self) -> str:
        """What the golden says, whatever stands here that was not written."""
        return self._typing.now

    def show_text(self, text: str, *, busy: bool) -> None:
        """What the golden says now."""
        self._typing.show(text, busy=busy, focused=self.hasFocus())
        self._mark()

    def refuse(self, problem: str) -> None:
        """What stands here was written and not taken."""
        self._typing.refuse(problem)
        self._mark()

    def forget(self) -> None:
        """It is about something else from now on."""
        self._typing.forget()

    def event(self, event: QEvent) -> bool:
        """Undo and redo are the window's; Esc is the field's while there is something to restore."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if self._typing.wants(event):
                event.accept()
                return True
            if self._typing.is_step(event) or event.key() == Qt.Key.Key_Escape:
                event.ignore()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter commits, Esc restores."""
        if event.key() in _ENTER:
            self._typing.end()
            self._mark()
        elif event.key() == Qt.Key.Key_Escape or self._typing.is_step(event):
            if self._typing.wants(event):
                self._typing.restore()
                self._mark()
            else:
                event.ignore()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """What is typed from now on is one step."""
        super().focusInEvent(event)
        if not self.problem:
            self._typing.begin()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """What is fine shows as the golden has it."""
        super().focusOutEvent(event)
        self._typing.end()
        self._mark()

    def _typed(self) -> None:
        self._typing.typed()
        self._mark()

    def _why_not(self, text: str) -> str:
        """Why what stands here cannot be written, as when the golden says more than Qt would let anybody type."""
        if self.hasAcceptableInput():
            return ""
        return too_long() if len(text) > MOST_CHARS else _half()

    def _refuse_input(self) -> None:
        if not self._putting:
            self._typing.tell(
                _tr("That was not put in: it is too long, or has half of a character, as of a cut emoji.")
            )
            self._mark()

    def _put(self, text: str) -> None:
        at = self.cursorPosition()
        self._putting = True
        self.setText(text)
        self._putting = False
        self.setCursorPosition(min(at, len(text)) if self.hasFocus() else 0)

    def _mark(self) -> None:
        set_wrong(self, bool(self.problem))
        self._told()


class GoldenText(QPlainTextEdit):
    """Plain text as high as its lines, up to a bound. Tab goes on; Ctrl+Enter commits, Esc restores."""

    grown = Signal()

    def __init__(
        self, look: Look, name: str, write: Write, told: Callable[[], object] = lambda: None, font: str = "body",
        least: int = LEAST_LINES,
    ) -> None:  # fmt: skip
        super().__init__()
        self._least = least
        self._most = MOST_CHARS * 2 if font == "data" else MOST_CHARS  # values are written with their indentation
        self.setObjectName("golden-text")
        self.setAccessibleName(name)
        self.setFont(getattr(look.fonts, font))
        self.setTabChangesFocus(True)
        self.setUndoRedoEnabled(False)
        self.setWordWrapMode(_WORDS)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(MARGIN_PX)
        self._told = told
        self._putting = False
        self._newline = "\n"
        self._typing = Typing(_unless(self._why_not, write), self.toPlainText, self._put)
        self.textChanged.connect(self._typed)
        self._grow()

    @property
    def problem(self) -> str:
        """Why what stands here was not written."""
        return self._typing.problem

    @property
    def said(self) -> str:
        """What the golden says, whatever stands here that was not written."""
        return self._typing.now

    def show_text(self, text: str, *, busy: bool) -> None:
        """What the golden says now."""
        self._typing.show(text, busy=busy, focused=self.hasFocus())
        self._mark()

    def refuse(self, problem: str) -> None:
        """What stands here was written and not taken."""
        self._typing.refuse(problem)
        self._mark()

    def forget(self) -> None:
        """It is about something else from now on."""
        self._typing.forget()

    def event(self, event: QEvent) -> bool:
        """Undo and redo are the window's; Esc is the field's while there is something to restore."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if self._typing.wants(event):
                event.accept()
                return True
            if self._typing.is_step(event) or event.key() == Qt.Key.Key_Escape:
                event.ignore()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+Enter commits, Esc restores, all else is text."""
        control = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if event.key() in _ENTER and control:
            self._typing.end()
            self._mark()
        elif event.matches(QKeySequence.StandardKey.InsertLineSeparator):
            self.insertPlainText("\n")  # Qt would put in a separator that looks the same and is another character
        elif event.key() == Qt.Key.Key_Escape or self._typing.is_step(event):
            if self._typing.wants(event):
                self._typing.restore()
                self._mark()
            else:
                event.ignore()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """What is typed from now on is one step."""
        super().focusInEvent(event)
        if not self.problem:
            self._typing.begin()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """What is fine shows as the golden has it."""
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
        """What an input method puts in, unless it is too long: then what was being composed goes, too."""
        super().inputMethodEvent(event if self._has_room(event.commitString()) else QInputMethodEvent())

    def toPlainText(self) -> str:  # noqa: N802
        """The text with the line ends of the golden. Qt would also make plain spaces of those that do not break."""
        return self.document().toRawText().replace(_PARAGRAPH, self._newline)

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
        """Whether a text may take the place of what is selected; else that is said."""
        cursor = self.textCursor()
        left = self._count - (cursor.selectionEnd() - cursor.selectionStart())
        fits = left + len(text) <= self._most
        if not fits:
            self._typing.tell(too_long())
            self._mark()
        return fits

    @property
    def _count(self) -> int:
        """How long the text is, as Qt counts: half a character is one, too."""
        return self.document().characterCount() - 1

    def _why_not(self, text: str) -> str:
        """Why what stands here cannot be written. Of half a character Python is told nothing at all."""
        if len(text) > self._most:
            return too_long()
        return _half() if len(self.document().toRawText().encode("utf-16-le")) != 2 * self._count else ""

    def _typed(self) -> None:
        wrap = _ANYWHERE if _has_long_line(self.toPlainText()) else _WORDS
        if wrap is not self.wordWrapMode():
            self.setWordWrapMode(wrap)
        self._grow()
        if not self._putting:
            self._typing.typed()
            self._mark()

    def _put(self, text: str) -> None:
        self._newline = _newline(text)
        if text == self.toPlainText():
            return
        self._putting = True
        cursor, at = self.textCursor(), self.textCursor().position()
        if _has_long_line(text):
            self.setWordWrapMode(_ANYWHERE)
        self.setPlainText(text)
        cursor = self.textCursor()
        cursor.setPosition(min(at, self.document().characterCount() - 1))
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
        self._told()


def set_wrong(field: QWidget, wrong: bool) -> None:
    """A red frame, or none."""
    if bool(field.property("wrong")) != wrong:
        field.setProperty("wrong", wrong)
        field.style().unpolish(field)
        field.style().polish(field)
        field.update()


def too_long() -> str:
    """Why a text is not taken."""
    return _tr("That is too long to be edited here. Edit the file by hand.")


def _half() -> str:
    return _tr("Half of a character stands here, as of a cut emoji. Nothing is written until it is whole or deleted.")


def _unless(why_not: Callable[[str], str], write: Write) -> Write:
    """Writes what can be written."""

    def checked(text: str, step: str) -> Written:
        problem = why_not(text)
        return Written(problem=problem) if problem else write(text, step)

    return checked


def _newline(text: str) -> str:
    """The line end of a text; a field has one for all of it."""
    crlf = text.count("\r\n")
    return "\r\n" if crlf and crlf == text.count("\n") else "\n"


def _has_long_line(text: str) -> bool:
    return len(text) > LONG_LINE and max(map(len, text.split("\n"))) > LONG_LINE


def _tr(text: str) -> str:
    return QCoreApplication.translate("Golden", text)

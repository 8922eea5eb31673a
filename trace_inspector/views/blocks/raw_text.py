"""Lines of a document as they are, read-only, with their numbers and one place in them highlighted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QKeySequence, QPainter, QPaintEvent, QResizeEvent, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from trace_inspector.models.base.translation import tr
from trace_inspector.views.appearance.appearance import Theme

if TYPE_CHECKING:
    from trace_inspector.documents.editing.places import Excerpt

LONG_LINE_CHARS = 2_000
GUTTER_PADDING_PX = 12


class RawText(QPlainTextEdit):
    """The lines, with their numbers in the file at the left."""

    find_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._first_line = 1
        self._value: tuple[int, int] = (0, 0)
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setFont(theme.fonts.data)
        self.setAccessibleName(tr("Document text"))
        self._numbers = _Numbers(self)
        self.updateRequest.connect(self._scrolled)
        theme.changed.connect(self._tint)

    def show_excerpt(self, excerpt: Excerpt) -> None:
        """Show lines and mark the value in them."""
        self._first_line = excerpt.first_line
        longest = max((len(line) for line in excerpt.lines), default=0)
        wrap = (
            QPlainTextEdit.LineWrapMode.WidgetWidth
            if longest > LONG_LINE_CHARS
            else QPlainTextEdit.LineWrapMode.NoWrap
        )
        self.setLineWrapMode(wrap)
        self.setPlainText("\n".join(excerpt.lines))
        self._value = (self._position(excerpt.start), self._position(excerpt.end))
        self._tint()
        cursor = self.textCursor()
        cursor.setPosition(self._value[0])
        self.setTextCursor(cursor)
        self.centerCursor()
        self.horizontalScrollBar().setValue(0)
        self._make_room()

    def marked(self) -> str:
        """The highlighted text."""
        return self._cursor().selectedText().replace("\u2029", "\n")

    def event(self, event: QEvent) -> bool:
        """Ctrl+F finds in this text while it has the focus, before the window looks in the whole file."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _finds(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+F; all else as in every text."""
        if _finds(event):
            self.find_requested.emit()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The line numbers are as high as the text."""
        super().resizeEvent(event)
        self._make_room()

    def paint_numbers(self, event: QPaintEvent) -> None:
        """Numbers of the lines in sight; those of the value stand out."""
        with QPainter(self._numbers) as painter:
            tokens = self._theme.tokens
            painter.fillRect(event.rect(), QColor(tokens.raised))
            painter.setFont(self.font())
            document = self.document()
            first, last = (document.findBlock(position).blockNumber() for position in self._value)
            block = self.firstVisibleBlock()
            top = self.blockBoundingGeometry(block).translated(self.contentOffset()).top()
            while block.isValid() and top <= event.rect().bottom():
                height = self.blockBoundingRect(block).height()
                inside = first <= block.blockNumber() <= last
                painter.setPen(QColor(tokens.text if inside else tokens.text3))
                box = QRect(0, round(top), self._numbers.width() - 8, self.fontMetrics().height())
                painter.drawText(box, int(Qt.AlignmentFlag.AlignRight), str(self._first_line + block.blockNumber()))
                top += height
                block = block.next()

    def number_width(self) -> int:
        """Room for the largest number."""
        digits = len(str(self._first_line + self.blockCount()))
        return self.fontMetrics().horizontalAdvance("9") * max(digits, 3) + GUTTER_PADDING_PX + 8

    def _position(self, place: tuple[int, int]) -> int:
        block = self.document().findBlockByNumber(place[0])
        # Qt counts UTF-16 units, an excerpt characters.
        return block.position() + len(block.text()[: place[1]].encode("utf-16-le", "surrogatepass")) // 2

    def _cursor(self) -> QTextCursor:
        cursor = QTextCursor(self.document())
        cursor.setPosition(self._value[0])
        cursor.setPosition(self._value[1], QTextCursor.MoveMode.KeepAnchor)
        return cursor

    def _tint(self) -> None:
        mark = QTextEdit.ExtraSelection()
        mark.cursor = self._cursor()
        mark.format.setBackground(self._theme.color("accent_soft"))
        self.setExtraSelections([mark])

    def _make_room(self) -> None:
        self.setViewportMargins(self.number_width() + 4, 0, 0, 0)
        inside = self.contentsRect()
        self._numbers.setGeometry(inside.left(), inside.top(), self.number_width(), inside.height())

    def _scrolled(self, rect: QRect, dy: int) -> None:
        if dy:
            self._numbers.scroll(0, dy)
        else:
            self._numbers.update(0, rect.y(), self._numbers.width(), rect.height())


class _Numbers(QWidget):
    def __init__(self, text: RawText) -> None:
        super().__init__(text)
        self._text = text

    def sizeHint(self) -> QSize:
        """As wide as the largest number."""
        return QSize(self._text.number_width(), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The text knows its lines."""
        self._text.paint_numbers(event)


def _finds(event: QKeyEvent) -> bool:
    return QKeySequence(event.keyCombination()).toString() == "Ctrl+F"

"""A piece of plain text laid out at a width: lines to draw, and offsets in it for the mouse."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QTextCharFormat, QTextLayout, QTextLine, QTextOption

from trace_inspector.models.conversation.text import visible

FormatRange = QTextLayout.FormatRange
LINE_PX = 20
LEAST_PX = 40
TAB_SPACES = 4
_LINE_END = "\N{LINE SEPARATOR}"  # lets one layout hold many lines: a layout for each costs ten times as much


class TextLayout:
    """Some thousand characters at most. Offsets count characters of the text as it was given."""

    def __init__(self, text: str, font: QFont, width_px: float) -> None:
        self.text = text
        metrics = QFontMetricsF(font)
        self.line_px = max(LINE_PX, math.ceil(metrics.height()) + 2)
        self._wide = any(ord(char) > 0xFFFF for char in text) if not text.isascii() else False
        self._layout = QTextLayout(visible(text).replace("\n", _LINE_END), font)
        option = QTextOption()
        option.setTabStopDistance(TAB_SPACES * metrics.horizontalAdvance(" "))
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self._layout.setTextOption(option)
        self._layout.setCacheEnabled(True)
        self._layout.beginLayout()
        top, widest = 0.0, 0.0
        while (line := self._layout.createLine()).isValid():
            line.setLineWidth(max(width_px, LEAST_PX))
            line.setPosition(QPointF(0, top + (self.line_px - line.height()) / 2))
            widest = max(widest, line.naturalTextWidth())
            top += self.line_px
        self._layout.endLayout()
        self.height_px = max(top, self.line_px)
        self.natural_px = math.ceil(widest)

    def draw(self, painter: QPainter, origin: QPointF, visible: QRectF, ranges: Sequence[FormatRange] = ()) -> None:
        """The lines that are visible, some characters in a format of their own. The painter's pen is the ink."""
        self._layout.draw(painter, origin, ranges, visible)

    def format_range(self, start: int, end: int, text_format: QTextCharFormat) -> FormatRange:
        """A format for some of the characters."""
        formatted = FormatRange()
        formatted.start = self.utf16_offset(start)
        formatted.length = self.utf16_offset(end) - formatted.start
        formatted.format = text_format
        return formatted

    def line_of(self, offset: int) -> QTextLine:
        """The line that a character is on."""
        return self._layout.lineForTextPosition(self.utf16_offset(offset))

    def offset_at(self, point: QPointF) -> int:
        """The character nearest to a point."""
        number = min(max(int(point.y() // self.line_px), 0), self._layout.lineCount() - 1)
        return self._characters(self._layout.lineAt(number).xToCursor(point.x()))

    def word_at(self, offset: int) -> tuple[int, int]:
        """The word, or the run of other characters, around a character."""
        text = self.text
        start = end = min(offset, len(text))
        while start > 0 and _of_word(text[start - 1]):
            start -= 1
        while end < len(text) and _of_word(text[end]):
            end += 1
        return start, end

    def utf16_offset(self, offset: int) -> int:
        """Qt counts halves of the characters beyond the basic plane."""
        return offset if not self._wide else len(self.text[:offset].encode("utf-16-le", "surrogatepass")) // 2

    def _characters(self, units: int) -> int:
        if not self._wide:
            return units
        before = self.text.encode("utf-16-le", "surrogatepass")[: units * 2]
        return len(before.decode("utf-16-le", "replace"))


def _of_word(char: str) -> bool:
    return char.isalnum() or char in "_-'’"

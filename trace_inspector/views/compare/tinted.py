"""A text laid out at a width, with the stretches tinted that the other side does not have."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QTextCharFormat, QTextLayout, QTextOption

from trace_inspector.models.conversation.text import visible
from trace_inspector.views.appearance.appearance import Look

LINE_PX = 20
LEAST_PX = 40
CARET_PX = 3
_LINE_END = "\N{LINE SEPARATOR}"


class Tinted:
    """`apart` are the stretches to tint; an empty one is a place where the other side has more."""

    def __init__(self, text: str, font: QFont, width_px: float, apart: Sequence[tuple[int, int]] = ()) -> None:
        self.text = text
        self.apart = tuple(apart)
        metrics = QFontMetricsF(font)
        self.line_px = max(LINE_PX, math.ceil(metrics.height()) + 2)
        self._layout = QTextLayout(visible(text).replace("\n", _LINE_END), font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self._layout.setTextOption(option)
        self._layout.setCacheEnabled(True)
        self._layout.beginLayout()
        top = widest = 0.0
        while (line := self._layout.createLine()).isValid():
            line.setLineWidth(max(width_px, LEAST_PX))
            line.setPosition(QPointF(0, top + (self.line_px - line.height()) / 2))
            widest = max(widest, line.naturalTextWidth())
            top += self.line_px
        self._layout.endLayout()
        self.height_px = max(top, self.line_px)
        self.natural_px = math.ceil(widest)

    def draw(
        self, painter: QPainter, at: QPointF, look: Look, ink: str, fill: str, *, dim: bool, seen: QRectF
    ) -> None:
        """The text in one ink; tinted, or where it is dimmed underlined with dots."""
        ranges = []
        for start, end in self.apart:
            if end > start:
                ranges.append(self._range(start, end, look, f"{fill}_fill", dim=dim))
        painter.setPen(look.color("text3" if dim else ink))
        self._layout.draw(painter, at, ranges, seen)
        if not dim:
            for start, end in self.apart:
                if end == start:
                    self._draw_caret(painter, at, self._units(start), look, fill)

    def _range(self, start: int, end: int, look: Look, fill: str, *, dim: bool) -> QTextLayout.FormatRange:
        made = QTextLayout.FormatRange()
        made.start = self._units(start)
        made.length = self._units(end) - made.start
        dressed = QTextCharFormat()
        if dim:
            dressed.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DotLine)
            dressed.setUnderlineColor(look.color("text3"))
        else:
            dressed.setBackground(look.color(fill))
        made.format = dressed
        return made

    def _draw_caret(self, painter: QPainter, at: QPointF, where: int, look: Look, fill: str) -> None:
        line = self._layout.lineForTextPosition(where)
        if line.isValid():
            x = float(_x(line.cursorToX(where)))
            box = QRectF(at.x() + x - 1, at.y() + line.y() + 1, CARET_PX, line.height() - 2)
            painter.fillRect(box, look.color(fill))

    def _units(self, offset: int) -> int:
        """Qt counts halves of the characters beyond the basic plane."""
        if self.text.isascii():
            return offset
        return len(self.text[:offset].encode("utf-16-le", "surrogatepass")) // 2


def _x(found: object) -> float:
    """Qt's answer is a number, or a number and a position, by its version."""
    value = found[0] if isinstance(found, tuple) else found
    return value if isinstance(value, float) else 0.0

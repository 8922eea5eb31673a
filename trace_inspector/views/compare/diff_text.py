"""A text laid out at a width, with the stretches tinted that the other side does not have."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFont, QTextCharFormat

from trace_inspector.views.painting.shapes import Canvas
from trace_inspector.views.painting.text_layout import TextLayout

CARET_PX = 3


class DiffText(TextLayout):
    """`apart` are the stretches to tint; an empty one is a place where the other side has more."""

    def __init__(self, text: str, font: QFont, width_px: float, apart: Sequence[tuple[int, int]] = ()) -> None:
        super().__init__(text, font, width_px)
        self.apart = tuple(apart)

    def draw_diff(self, canvas: Canvas, origin: QPointF, ink: str, fill: str, *, dim: bool) -> None:
        """The text in one ink; tinted, or where it is dimmed underlined with dots."""
        text_format = QTextCharFormat()
        if dim:
            text_format.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DotLine)
            text_format.setUnderlineColor(canvas.theme.color("text3"))
        else:
            text_format.setBackground(canvas.theme.color(f"{fill}_fill"))
        ranges = [self.format_range(start, end, text_format) for start, end in self.apart if end > start]
        canvas.painter.setPen(canvas.theme.color("text3" if dim else ink))
        self.draw(canvas.painter, origin, canvas.visible_box, ranges)
        for start, end in self.apart:
            if end == start and not dim:
                self._draw_caret(canvas, origin, start, fill)

    def _draw_caret(self, canvas: Canvas, origin: QPointF, offset: int, fill: str) -> None:
        line = self.line_of(offset)
        if line.isValid():
            x = _x(line.cursorToX(self.utf16_offset(offset)))
            box = QRectF(origin.x() + x - 1, origin.y() + line.y() + 1, CARET_PX, line.height() - 2)
            canvas.painter.fillRect(box, canvas.theme.color(fill))


def _x(position: object) -> float:
    """Qt's answer is a number, or a number and a position, by its version."""
    value = position[0] if isinstance(position, tuple) else position
    return value if isinstance(value, float) else 0.0

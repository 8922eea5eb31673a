"""What an item of the conversation looks like once it is laid out: its own text, and the answer among its shapes."""

from __future__ import annotations

import enum

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QTextCharFormat

from trace_inspector.models.conversation.items import Item
from trace_inspector.models.conversation.section import Key
from trace_inspector.views.painting.row_layout import RowLayout
from trace_inspector.views.painting.shapes import Canvas
from trace_inspector.views.painting.text_layout import TextLayout


class Prose(Struct, frozen=True):
    """The item's text and where it stands. `start` is where it begins in the whole of a text shown in pieces."""

    layout: TextLayout
    origin: QPointF
    ink: str = "text"
    start: int = 0

    @property
    def box(self) -> QRectF:
        """The room it takes."""
        return QRectF(self.origin.x(), self.origin.y(), max(self.layout.natural_px, 1), self.layout.height_px)

    def draw(self, canvas: Canvas, selected: tuple[int, int]) -> None:
        """The lines that are visible; `selected` are the characters of this piece that are marked."""
        ranges = []
        if selected[1] > selected[0]:
            text_format = QTextCharFormat()
            text_format.setBackground(canvas.theme.color("sel"))
            ranges.append(self.layout.format_range(*selected, text_format))
        canvas.painter.setPen(canvas.theme.color(self.ink))
        self.layout.draw(canvas.painter, self.origin, canvas.visible_box, ranges)


class ItemAction(enum.Enum):
    """What a click does."""

    TOGGLE = "toggle"
    SHOW_ALL = "show all"
    SHOW_LESS = "show less"


class ItemLayout(RowLayout, kw_only=True):
    """An item laid out at a width."""

    key: Key
    item: Item
    prose: Prose | None = None
    selected: tuple[int, int] = (0, 0)  # characters of this piece of the text
    answer: QRectF | None = None  # where the sentences of an answer stand, which is a widget of its own
    answer_text: str = ""
    answer_start: int = 0

    def texts(self) -> list[str]:
        """All that it says, in the order of drawing."""
        return [*RowLayout.texts(self), self.prose.layout.text if self.prose else self.answer_text]

    def draw(self, canvas: Canvas) -> None:
        """Its shapes, and over them its text."""
        RowLayout.draw(self, canvas)
        if self.prose is not None:
            self.prose.draw(canvas, self.selected)

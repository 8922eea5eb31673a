"""What a row of the comparison looks like once it is laid out: its own shapes, and what a click on it does."""

from __future__ import annotations

import enum

from msgspec import Struct, field
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QPainter, QPen, QPixmap

from trace_inspector.views.compare.diff_text import DiffText
from trace_inspector.views.painting.row_layout import RowLayout
from trace_inspector.views.painting.shapes import Canvas, Frame, Picture

PATH_FONT = "data_strong"


class SideText(Struct, frozen=True):
    """Text of one side, tinted where it differs."""

    layout: DiffText
    origin: QPointF
    side: str  # the colour of its side
    ink: str = "text"
    dim: bool = False
    struck: bool = False

    @property
    def text(self) -> str:
        """What it says."""
        return self.layout.text

    def draw(self, canvas: Canvas) -> None:
        """Its visible lines; struck out where the argument is ignored."""
        self.layout.draw_diff(canvas, self.origin, self.ink, self.side, dim=self.dim)
        if self.struck:
            canvas.painter.setPen(QPen(canvas.theme.color("text3"), 1))
            middle = QPointF(self.origin.x(), self.origin.y() + self.layout.line_px / 2)
            canvas.painter.drawLine(middle, middle + QPointF(self.layout.natural_px, 0))


class Gap(Struct, frozen=True):
    """A side that has nothing here, and a word for it."""

    box: QRectF
    text: str

    def draw(self, canvas: Canvas) -> None:
        """Hatched, the word in the middle."""
        painter, theme = canvas.painter, canvas.theme
        painter.save()
        painter.setBrush(QBrush(theme.color("border"), Qt.BrushStyle.BDiagPattern))
        pen = QPen(theme.color("border2"), 1)
        pen.setDashPattern([3, 3])
        painter.setPen(pen)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.drawRoundedRect(self.box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        width = canvas.letters.width(self.text, "secondary") + 16
        center = self.box.adjusted(0.5, 0.5, -0.5, -0.5).center()
        room = QRectF(center.x() - width / 2, center.y() - 9, width, 18)
        painter.fillRect(room, theme.color("base"))
        painter.setPen(theme.color("text2"))
        painter.setFont(theme.fonts.secondary)
        painter.drawText(room, int(Qt.AlignmentFlag.AlignCenter), self.text)
        painter.restore()


class PaintedButton(Struct, frozen=True):
    """A small button that is painted: its keys do the same."""

    box: QRectF
    text: str

    def draw(self, canvas: Canvas) -> None:
        """A frame and the text."""
        painter, theme = canvas.painter, canvas.theme
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.color("border2"), 1))
        painter.setBrush(theme.color("base"))
        painter.drawRoundedRect(self.box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.setPen(theme.color("text"))
        painter.setFont(theme.fonts.caption)
        painter.drawText(self.box, int(Qt.AlignmentFlag.AlignCenter), self.text)
        painter.restore()


class RelationMark(Struct, frozen=True):
    """A mark in the gutter; framed where it tells of a difference."""

    box: QRectF
    mark: str
    framed: bool

    def draw(self, canvas: Canvas) -> None:
        """The mark in the middle of its box."""
        if self.framed:
            Frame(self.box, "base", "border2", 4).draw(canvas)
        Picture(self.mark, self.box.center().x() - 7, self.box.center().y(), 14).draw(canvas)


class RowAction(enum.Enum):
    """What a click does."""

    FOLD = "fold"
    TAKE = "take"
    TAKE_VALUE = "take one argument"
    RESULT = "show the result"
    SHOW_ALL = "show all rows"


class CompareRowLayout(RowLayout):
    """A row laid out at a width."""

    head_px: float = 0.0  # of the banner above the row itself
    value_boxes: list[QRectF] = field(default_factory=list)  # the lines of the arguments
    # Each argument as each side has it, laid out once for all sides.
    value_texts: list[list[DiffText]] = field(default_factory=list)
    pixmap: QPixmap | None = None

    def value_at(self, y: float) -> int:
        """The argument at that height, or -1."""
        return next((index for index, box in enumerate(self.value_boxes) if box.top() <= y < box.bottom()), -1)

    def picture(self, canvas: Canvas, width_px: int, scale: float) -> QPixmap:
        """The row as a picture, painted once: scrolling only puts it elsewhere."""
        if self.pixmap is None or self.pixmap.devicePixelRatio() != scale:
            self.pixmap = QPixmap(round(width_px * scale), round(self.height_px * scale) + 1)
            self.pixmap.setDevicePixelRatio(scale)
            self.pixmap.fill(Qt.GlobalColor.transparent)
            with QPainter(self.pixmap) as painter:
                visible_box = QRectF(0, 0, width_px, self.height_px)
                self.draw(Canvas(painter, canvas.theme, canvas.letters, visible_box))
        return self.pixmap

"""Puts pictures, chips and texts on one line, from the left and from the right; what has no room is left out."""

from __future__ import annotations

from PySide6.QtCore import QRectF

from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.views.painting.shapes import Chip, Picture, Shape, TextLine
from trace_inspector.views.widgets.controls import TagKind

GAP_PX = 8
CHIP_PX = 24
CHIP_HIGH_PX = 16


class LineLayout:
    """Adds shapes to a list; the line's free room shrinks from both sides."""

    def __init__(self, shapes: list[Shape], letters: TextPainter, box: QRectF) -> None:
        self._shapes = shapes
        self._letters = letters
        self._left, self._right = box.left(), box.right()
        self._top, self._high = box.top(), box.height()

    @property
    def room_px(self) -> float:
        """How much of it is free."""
        return self._right - self._left

    @property
    def left_px(self) -> float:
        """Where the next thing from the left begins."""
        return self._left

    def picture(self, name: str, ink: str = "", size_px: int = 14) -> None:
        """An icon, or a mark, from the left."""
        if name:
            middle = self._top + self._high / 2
            self._shapes.append(Picture(name, self._left, middle, size_px, ink))
            self._left += size_px + 6

    def picture_right(self, name: str, size_px: int) -> None:
        """A mark from the right."""
        if not name:
            return
        self._right -= size_px
        self._shapes.append(Picture(name, self._right, self._top + self._high / 2, size_px))
        self._right -= 4

    def chip(self, text: str, kind: TagKind = TagKind.THIN, *, strong: bool = True, full: str = "") -> None:
        """Initials or a remark in a frame, from the left; `full` is what it stands for."""
        if text:
            font = "caption_strong" if strong else "caption"
            width = max(CHIP_PX, self._letters.width(text, font) + 10)
            if width > self.room_px:
                return
            top = self._top + (self._high - CHIP_HIGH_PX) / 2
            self._shapes.append(Chip(QRectF(self._left, top, width, CHIP_HIGH_PX), text, kind, strong, full))
            self._left += width + GAP_PX

    def chip_right(self, text: str) -> None:
        """A remark in a dashed frame, from the right."""
        width = self._letters.width(text, "caption") + 10
        if text and width <= self.room_px:
            self._right -= width
            top = self._top + (self._high - CHIP_HIGH_PX) / 2
            box = QRectF(self._right, top, width, CHIP_HIGH_PX)
            self._shapes.append(Chip(box, text, TagKind.DASHED, strong=False))
            self._right -= GAP_PX

    def text(self, text: str, font: str, ink: str) -> None:
        """Text from the left, elided where the room ends."""
        if text and self.room_px > GAP_PX:
            width = min(self._letters.width(text, font) + 1, self.room_px)
            self._shapes.append(TextLine(QRectF(self._left, self._top, width, self._high), text, font, ink))
            self._left += width + GAP_PX

    def text_right(self, text: str, font: str, ink: str, gap_px: float = GAP_PX) -> None:
        """Text from the right, left out where it has no room."""
        width = self._letters.width(text, font) + 1
        if text and width <= self.room_px:
            self._right -= width
            box = QRectF(self._right, self._top, width, self._high)
            self._shapes.append(TextLine(box, text, font, ink, right=True))
            self._right -= gap_px

    def skip(self, px: float) -> None:
        """Leave some room free on the left."""
        self._left += px

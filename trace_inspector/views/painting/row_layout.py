"""What a row of a painted list looks like once it is laid out, and what measures while rows are laid out."""

from __future__ import annotations

import enum
import math
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from msgspec import Struct, field
from PySide6.QtCore import QPointF, QRectF

from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.views.painting.line_layout import LineLayout
from trace_inspector.views.painting.shapes import Canvas, HasText, Shape

Key = TypeVar("Key", bound=Hashable)
Layout = TypeVar("Layout", bound="RowLayout")


class ClickArea(Struct, frozen=True):
    """A place that answers to a click; `index` is the part of the row that it is about."""

    box: QRectF
    action: enum.Enum
    index: int = -1


class RowLayout(Struct):
    """A row laid out at a width; places count from its own top."""

    height_px: float = 0.0
    shapes: list[Shape] = field(default_factory=list)
    click_areas: list[ClickArea] = field(default_factory=list)

    def texts(self) -> list[str]:
        """All that it says, in the order of drawing."""
        return [shape.text for shape in self.shapes if isinstance(shape, HasText)]

    def draw(self, canvas: Canvas) -> None:
        """Its shapes; the painter stands at its top."""
        for shape in self.shapes:
            shape.draw(canvas)

    def click_area(self, point: QPointF) -> ClickArea | None:
        """What a click there is for; of two, the one that was laid out later."""
        return next((area for area in reversed(self.click_areas) if area.box.contains(point)), None)


class Measures(Struct, frozen=True):
    """How large texts are in the theme of now."""

    theme: Theme
    letters: TextPainter

    def row_px(self, least_px: int) -> float:
        """The height of a row of one line in the theme's usual font."""
        return float(self.theme.row(least_px))

    def height_px(self, usual_px: float, font: str) -> float:
        """The height of a line: as drawn, and more where the font needs it."""
        return max(usual_px, math.ceil(self.letters.metrics(font).height()) + 8.0)

    def line(self, layout: RowLayout, box: QRectF) -> LineLayout:
        """A line to put things on."""
        return LineLayout(layout.shapes, self.letters, box)


class LayoutCache(Generic[Key, Layout]):
    """The layouts that were asked for last, at one width."""

    def __init__(self, lay_out: Callable[[Key], Layout], size: int) -> None:
        self._lay_out = lay_out
        self._size = size
        self._layouts: OrderedDict[Key, Layout] = OrderedDict()
        self.width_px = 0

    def __getitem__(self, key: Key) -> Layout:
        layout = self._layouts.get(key)
        if layout is None:
            layout = self._layouts[key] = self._lay_out(key)
            if len(self._layouts) > self._size:
                self._layouts.popitem(last=False)
        self._layouts.move_to_end(key)
        return layout

    def set_width(self, width_px: int) -> None:
        """Another width wraps elsewhere."""
        if width_px != self.width_px:
            self.width_px = width_px
            self.clear()

    def forget(self, is_outdated: Callable[[Key], bool]) -> None:
        """Lay some out again when they are next asked for."""
        for key in [key for key in self._layouts if is_outdated(key)]:
            del self._layouts[key]

    def clear(self) -> None:
        """Lay all out again."""
        self._layouts.clear()

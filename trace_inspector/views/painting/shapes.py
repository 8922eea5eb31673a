"""Shapes that painted lists are put together from, and how each of them is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from functools import singledispatchmethod

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QPainter, QPen

from trace_inspector.views.appearance.appearance import Look
from trace_inspector.views.appearance.text_painter import Lettering
from trace_inspector.views.painting.passage import Passage
from trace_inspector.views.widgets.controls import TagKind, paint_tag


@dataclass(frozen=True, slots=True)
class Frame:
    """A bubble, a card, a well; without a radius only a fill. Open where it goes on in the item before or behind."""

    box: QRectF
    fill: str = ""
    line: str = ""
    radius: float = 6
    dashed: bool = False
    open_top: bool = False
    open_bottom: bool = False


@dataclass(frozen=True, slots=True)
class Words:
    """One line of text, elided where its box ends."""

    box: QRectF
    text: str
    font: str
    ink: str
    right: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """An icon, or a mark when it has no ink."""

    name: str
    left: float
    middle: float
    size_px: int
    ink: str = ""


@dataclass(frozen=True, slots=True)
class Chip:
    """An agent's initials, or a small remark in a frame."""

    box: QRectF
    text: str
    kind: TagKind = TagKind.THIN
    strong: bool = True


@dataclass(frozen=True, slots=True)
class Wrapped:
    """A short text on several lines that is not to be selected."""

    passage: Passage
    at: QPointF

    @property
    def text(self) -> str:
        """What it says."""
        return self.passage.text


ShapeOf = Frame | Words | Picture | Chip | Wrapped


class ShapeBrush:
    """Paints one shape after the other."""

    def __init__(self, look: Look) -> None:
        self._look = look
        self._letters = Lettering(look)

    def draw(self, painter: QPainter, shape: ShapeOf) -> None:
        """A shape where it stands."""
        self._shape(shape, painter)

    @singledispatchmethod
    def _shape(self, shape: ShapeOf, painter: QPainter) -> None:  # noqa: ARG002 - told to the others
        raise TypeError(type(shape))

    @_shape.register
    def _frame(self, shape: Frame, painter: QPainter) -> None:
        if not shape.radius:
            painter.fillRect(shape.box, self._look.color(shape.fill))
            return
        painter.save()
        painter.setClipRect(shape.box, Qt.ClipOperation.IntersectClip)
        box = shape.box.adjusted(0.5, -9 if shape.open_top else 0.5, -0.5, 9 if shape.open_bottom else -0.5)
        painter.setBrush(QBrush(self._look.color(shape.fill)) if shape.fill else Qt.BrushStyle.NoBrush)
        pen = QPen(self._look.color(shape.line), 1) if shape.line else QPen(Qt.PenStyle.NoPen)
        if shape.dashed:
            pen.setDashPattern([3, 3])
        painter.setPen(pen)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.drawRoundedRect(box, shape.radius, shape.radius)
        painter.restore()

    @_shape.register
    def _words(self, shape: Words, painter: QPainter) -> None:
        write = self._letters.right if shape.right else self._letters.left
        write(painter, shape.box, shape.text, shape.font, shape.ink)

    @_shape.register
    def _wrapped(self, shape: Wrapped, painter: QPainter) -> None:
        painter.setPen(self._look.color("text"))
        room = QRectF(shape.at.x(), shape.at.y(), 1e6, shape.passage.height_px)
        shape.passage.draw(painter, shape.at, room, (0, 0), self._look.color("sel"))

    @_shape.register
    def _picture(self, shape: Picture, painter: QPainter) -> None:
        icons, tokens = self._look.icons, self._look.tokens
        if shape.ink:
            icons.paint(painter, shape.name, getattr(tokens, shape.ink), shape.left, shape.middle, shape.size_px)
        else:
            icons.paint_mark(painter, shape.name, tokens, shape.left, shape.middle, shape.size_px)

    @_shape.register
    def _chip(self, shape: Chip, painter: QPainter) -> None:
        fonts = self._look.fonts
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = fonts.caption_strong if shape.strong else fonts.caption
        paint_tag(painter, shape.box, shape.text, shape.kind, self._look, font)
        painter.restore()

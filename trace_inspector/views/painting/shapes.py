"""Shapes that painted lists are put together from, each of which draws itself."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, runtime_checkable

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QPainter, QPen

from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.views.painting.text_layout import TextLayout
from trace_inspector.views.widgets.controls import TagKind, paint_tag


class Canvas(Struct, frozen=True):
    """What shapes draw on and with. Lines of long texts outside of `visible_box` need not be drawn."""

    painter: QPainter
    theme: Theme
    letters: TextPainter
    visible_box: QRectF


class Shape(Protocol):
    """Something to draw; places count from the top of its row."""

    def draw(self, canvas: Canvas) -> None:
        """Draw it where it stands."""


@runtime_checkable
class HasText(Protocol):
    """A shape that can be read."""

    @property
    def text(self) -> str:
        """All of it, also where it is drawn shorter."""


class Frame(Struct, frozen=True):
    """A bubble, a card, a well; without a radius only a fill. Open where it goes on in the row before or behind."""

    box: QRectF
    fill: str = ""
    line: str = ""
    radius: float = 6
    dashed: bool = False
    open_top: bool = False
    open_bottom: bool = False

    def draw(self, canvas: Canvas) -> None:
        """Fill and outline."""
        painter, theme = canvas.painter, canvas.theme
        if not self.radius:
            painter.fillRect(self.box, theme.color(self.fill))
            return
        painter.save()
        painter.setClipRect(self.box, Qt.ClipOperation.IntersectClip)
        box = self.box.adjusted(0.5, -9 if self.open_top else 0.5, -0.5, 9 if self.open_bottom else -0.5)
        painter.setBrush(QBrush(theme.color(self.fill)) if self.fill else Qt.BrushStyle.NoBrush)
        pen = QPen(theme.color(self.line), 1) if self.line else QPen(Qt.PenStyle.NoPen)
        if self.dashed:
            pen.setDashPattern([3, 3])
        painter.setPen(pen)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.drawRoundedRect(box, self.radius, self.radius)
        painter.restore()


class TextLine(Struct, frozen=True):
    """One line of text, elided where its box ends; with `elide_left` its beginning goes, for ends that tell more."""

    box: QRectF
    text: str
    font: str
    ink: str
    right: bool = False
    elide_left: bool = False

    def draw(self, canvas: Canvas) -> None:
        """From the left edge, or up to the right one."""
        letters, text = canvas.letters, self.text
        if self.elide_left:
            text = letters.metrics(self.font).elidedText(text, Qt.TextElideMode.ElideLeft, self.box.width())
        write = letters.right if self.right else letters.left
        write(canvas.painter, self.box, text, self.font, self.ink)


class Picture(Struct, frozen=True):
    """An icon, or a mark when it has no ink."""

    name: str
    left: float
    middle: float
    size_px: int
    ink: str = ""

    def draw(self, canvas: Canvas) -> None:
        """In the colours of the theme."""
        icons, tokens = canvas.theme.icons, canvas.theme.tokens
        if self.ink:
            ink = getattr(tokens, self.ink)
            icons.paint(canvas.painter, self.name, ink, self.left, self.middle, self.size_px)
        else:
            icons.paint_mark(canvas.painter, self.name, tokens, self.left, self.middle, self.size_px)


class Chip(Struct, frozen=True):
    """An agent's initials, or a small remark in a frame. `full` is what an abbreviation stands for."""

    box: QRectF
    text: str
    kind: TagKind = TagKind.THIN
    strong: bool = True
    full: str = ""

    def draw(self, canvas: Canvas) -> None:
        """A tag as anywhere else in the window."""
        painter, fonts = canvas.painter, canvas.theme.fonts
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = fonts.caption_strong if self.strong else fonts.caption
        paint_tag(painter, self.box, self.text, self.kind, canvas.theme, font)
        painter.restore()


class WrappedText(Struct, frozen=True):
    """A short text on several lines that is not to be selected."""

    layout: TextLayout
    origin: QPointF

    @property
    def text(self) -> str:
        """What it says."""
        return self.layout.text

    def draw(self, canvas: Canvas) -> None:
        """All of its lines."""
        canvas.painter.setPen(canvas.theme.color("text"))
        room = QRectF(self.origin.x(), self.origin.y(), 1e6, self.layout.height_px)
        self.layout.draw(canvas.painter, self.origin, room)


def full_text(shapes: Iterable[Shape], point: QPointF, letters: TextPainter) -> str:
    """The whole of a text that is cut short at a point, or what the abbreviation there stands for."""
    for shape in shapes:
        if isinstance(shape, Chip) and shape.full and shape.box.contains(point):
            return shape.full
        if isinstance(shape, TextLine) and shape.box.contains(point):
            return shape.text if letters.width(shape.text, shape.font) > shape.box.width() else ""
    return ""

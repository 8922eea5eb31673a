"""What a row of the comparison looks like once it is laid out: shapes to paint, and places that answer to a click."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import singledispatchmethod

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QPainter, QPen, QPixmap

from trace_inspector.views.appearance.appearance import Look
from trace_inspector.views.appearance.text_painter import Lettering
from trace_inspector.views.compare.tinted import Tinted
from trace_inspector.views.painting.shapes import Chip, Frame, Picture, ShapeBrush, Words


@dataclass(frozen=True, slots=True)
class Text:
    """Words of one side, tinted where they differ."""

    tinted: Tinted
    at: QPointF
    side: str  # the colour of its side
    ink: str = "text"
    dim: bool = False
    struck: bool = False


@dataclass(frozen=True, slots=True)
class Gap:
    """A side that has nothing here, and a word for it."""

    box: QRectF
    words: str


@dataclass(frozen=True, slots=True)
class Press:
    """A small button that is painted: its keys do the same."""

    box: QRectF
    words: str


@dataclass(frozen=True, slots=True)
class Boxed:
    """A mark in the gutter; framed where it tells of a difference."""

    box: QRectF
    mark: str
    framed: bool


@dataclass(frozen=True, slots=True)
class Path:
    """The name of an argument on one line. Its end says which one it is: without room its beginning goes."""

    box: QRectF
    text: str
    ink: str


PATH_FONT = "data_strong"
Shape = Frame | Words | Picture | Chip | Text | Gap | Press | Boxed | Path


class Act(enum.Enum):
    """What a click does."""

    FOLD = "fold"
    TAKE = "take"
    TAKE_VALUE = "take one argument"
    RESULT = "show the result"


@dataclass(frozen=True, slots=True)
class Zone:
    """A place that answers to a click; `value` is the argument it is about."""

    box: QRectF
    act: Act
    value: int = -1


@dataclass(slots=True)
class Scene:
    """A row laid out at a width; places count from its own top."""

    height_px: float = 0.0
    head_px: float = 0.0  # of the banner above the row itself
    shapes: list[Shape] = field(default_factory=list)
    zones: list[Zone] = field(default_factory=list)
    values: list[QRectF] = field(default_factory=list)  # the lines of the arguments
    told: list[list[Tinted]] = field(default_factory=list)  # each argument as each side has it, laid out once for all
    drawn: QPixmap | None = None

    def texts(self) -> list[str]:
        """All that it says, in the order of drawing."""
        told = []
        for shape in self.shapes:
            if isinstance(shape, Words | Chip | Path):
                told.append(shape.text)
            elif isinstance(shape, Text):
                told.append(shape.tinted.text)
            elif isinstance(shape, Gap | Press):
                told.append(shape.words)
        return told


class Brush:
    """Paints scenes."""

    def __init__(self, look: Look) -> None:
        self._look = look
        self._letters = Lettering(look)
        self._work = ShapeBrush(look)

    def paint(self, painter: QPainter, scene: Scene, seen: QRectF) -> None:
        """A row; the painter stands at its top."""
        for shape in scene.shapes:
            if isinstance(shape, Text):
                self._text(painter, shape, seen)
            else:
                self._shape(shape, painter)

    def hidden(self, shapes: Iterable[object], point: QPointF) -> str:
        """The whole of a text that is cut short at a point."""
        for shape in shapes:
            if isinstance(shape, Words | Path) and shape.box.contains(point):
                font = shape.font if isinstance(shape, Words) else PATH_FONT
                return shape.text if self._letters.width(shape.text, font) > shape.box.width() else ""
        return ""

    def _text(self, painter: QPainter, shape: Text, seen: QRectF) -> None:
        shape.tinted.draw(painter, shape.at, self._look, shape.ink, shape.side, dim=shape.dim, seen=seen)
        if shape.struck:
            painter.setPen(QPen(self._look.color("text3"), 1))
            middle = shape.at.y() + shape.tinted.line_px / 2
            painter.drawLine(shape.at + QPointF(0, middle - shape.at.y()), QPointF(
                shape.at.x() + shape.tinted.natural_px, middle
            ))  # fmt: skip

    @singledispatchmethod
    def _shape(self, shape: Frame | Words | Picture | Chip, painter: QPainter) -> None:
        self._work.draw(painter, shape)

    @_shape.register
    def _gap(self, shape: Gap, painter: QPainter) -> None:
        painter.save()
        box = shape.box.adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setBrush(QBrush(self._look.color("border"), Qt.BrushStyle.BDiagPattern))
        pen = QPen(self._look.color("border2"), 1)
        pen.setDashPattern([3, 3])
        painter.setPen(pen)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.drawRoundedRect(box, 4, 4)
        width = self._letters.width(shape.words, "secondary") + 16
        words = QRectF(box.center().x() - width / 2, box.center().y() - 9, width, 18)
        painter.fillRect(words, self._look.color("base"))
        painter.setPen(self._look.color("text2"))
        painter.setFont(self._look.fonts.secondary)
        painter.drawText(words, int(Qt.AlignmentFlag.AlignCenter), shape.words)
        painter.restore()

    @_shape.register
    def _path(self, shape: Path, painter: QPainter) -> None:
        metrics = self._letters.metrics(PATH_FONT)
        seen = metrics.elidedText(shape.text, Qt.TextElideMode.ElideLeft, shape.box.width())
        self._letters.left(painter, shape.box, seen, PATH_FONT, shape.ink)

    @_shape.register
    def _press(self, shape: Press, painter: QPainter) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._look.color("border2"), 1))
        painter.setBrush(self._look.color("base"))
        painter.drawRoundedRect(shape.box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.setPen(self._look.color("text"))
        painter.setFont(self._look.fonts.caption)
        painter.drawText(shape.box, int(Qt.AlignmentFlag.AlignCenter), shape.words)
        painter.restore()

    @_shape.register
    def _boxed(self, shape: Boxed, painter: QPainter) -> None:
        box = shape.box
        if shape.framed:
            self._work.draw(painter, Frame(box, "base", "border2", 4))
        self._work.draw(painter, Picture(shape.mark, box.center().x() - 7, box.center().y(), 14))

"""What an item looks like once it is laid out: shapes to paint, its text, and the places that answer to a click."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from trace_inspector.models.conversation.items import Item
from trace_inspector.views.painting.passage import Passage
from trace_inspector.views.painting.shapes import Chip, ShapeBrush, ShapeOf, Words, Wrapped


@dataclass(frozen=True, slots=True)
class Prose:
    """The item's text and where it stands. `start` is where it begins in the whole of a text shown in pieces."""

    passage: Passage
    at: QPointF
    ink: str = "text"
    start: int = 0

    @property
    def box(self) -> QRectF:
        """The room it takes."""
        return QRectF(self.at.x(), self.at.y(), max(self.passage.natural_px, 1), self.passage.height_px)


class Act(enum.Enum):
    """What a click does."""

    TOGGLE = "toggle"
    SHOW_ALL = "show all"
    SHOW_LESS = "show less"


@dataclass(frozen=True, slots=True)
class Zone:
    """A place that answers to a click."""

    box: QRectF
    act: Act


@dataclass(slots=True)
class Scene:
    """An item laid out at a width; places count from its own top."""

    item: Item
    height_px: float = 0.0
    shapes: list[ShapeOf] = field(default_factory=list)
    prose: Prose | None = None
    zones: list[Zone] = field(default_factory=list)
    answer: QRectF | None = None  # where the sentences of an answer stand, which is a widget of its own
    answer_text: str = ""
    answer_start: int = 0

    def texts(self) -> list[str]:
        """All that it says, in the order of drawing."""
        told = [shape.text for shape in self.shapes if isinstance(shape, Words | Chip | Wrapped)]
        return [*told, self.prose.passage.text if self.prose else self.answer_text]


class Brushwork(ShapeBrush):
    """Paints scenes."""

    def paint(self, painter: QPainter, scene: Scene, seen: QRectF, marked: tuple[int, int]) -> None:
        """An item; the painter stands at its top."""
        for shape in scene.shapes:
            self._shape(shape, painter)
        prose = scene.prose
        if prose is not None:
            painter.setPen(self._look.color(prose.ink))
            prose.passage.draw(painter, prose.at, seen, marked, self._look.color("sel"))

    def hidden(self, scene: Scene, point: QPointF) -> str:
        """The whole of a text that is cut short at a point, or the name that initials there stand for."""
        for shape in scene.shapes:
            if isinstance(shape, Chip) and shape.strong and shape.box.contains(point):
                return scene.item.author
            if isinstance(shape, Words) and shape.box.contains(point):
                cut = self._letters.width(shape.text, shape.font) > shape.box.width()
                return shape.text if cut else ""
        return ""

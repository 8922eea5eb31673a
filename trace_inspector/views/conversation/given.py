"""What an item is laid out from, and what the laying out shares: the column, how much of a text shows, its link."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF

from trace_inspector.models.base.translation import tr
from trace_inspector.models.conversation.conversation import Fold
from trace_inspector.models.conversation.items import Item
from trace_inspector.models.conversation.text import head_of, told_size
from trace_inspector.views.appearance.appearance import Look
from trace_inspector.views.appearance.text_painter import Lettering
from trace_inspector.views.conversation.scene import Act, Scene, Zone
from trace_inspector.views.painting.line import Line
from trace_inspector.views.painting.shapes import Words

WIDEST_PX, BUBBLE_PX = 880.0, 720.0
SIDE_PX, NARROW_SIDE_PX, NARROW_PX = 24.0, 12.0, 640.0
PAD_PX = 12.0
BELOW_PX = 8.0
_LINK_PX = 24.0


@dataclass(frozen=True, slots=True)
class Given:
    """An item with what decides how much of it shows. `text` is a piece of a text shown whole."""

    item: Item
    fold: Fold
    width_px: float
    text: str | None = None
    start: int = 0
    piece: int = 0
    last: bool = True  # of the pieces
    joined: bool = False  # the next item hangs below it

    @property
    def begins(self) -> bool:
        """Whether it is a whole item or the first piece of one."""
        return not self.piece

    def shown(self) -> tuple[str, bool]:
        """The text to show now, and whether there is more of it."""
        if self.text is not None:
            return self.text, False
        if self.fold is Fold.FOLDED and self.item.foldable:
            return "", False
        return head_of(self.item.value)

    def link(self, *, more: bool) -> str:
        """The words below a text that show more or less of it."""
        if more:
            return tr("Show all {0}").format(told_size(self.item.value))
        return tr("Show less") if self.text is not None and self.last else ""


@dataclass(frozen=True, slots=True)
class Tools:
    """What to measure with."""

    look: Look
    letters: Lettering

    def high(self, usual_px: float, font: str) -> float:
        """The height of a line: as drawn, and more where the font needs it."""
        return max(usual_px, math.ceil(self.letters.metrics(font).height()) + 8.0)

    def line(self, scene: Scene, left: float, top: float, wide: float, high: float) -> Line:
        """A line to put things on."""
        return Line(scene, self.letters, QRectF(left, top, wide, high))

    def put_link(self, scene: Scene, at: QPointF, words: str, act: Act) -> float:
        """Words that can be clicked; gives how high they are."""
        high = self.high(_LINK_PX, "secondary") if words else 0.0
        if words:
            box = QRectF(at.x(), at.y(), self.letters.width(words, "secondary") + 2, high)
            scene.shapes.append(Words(box, words, "secondary", "accent"))
            scene.zones.append(Zone(box, act))
        return high


def column(width_px: float) -> tuple[float, float]:
    """Where the column of a view stands: left edge and width."""
    side = SIDE_PX if width_px > NARROW_PX else NARROW_SIDE_PX
    wide = min(WIDEST_PX, width_px - 2 * side)
    return (width_px - wide) / 2, wide


def link_act(given: Given) -> Act:
    """What the link below a text does."""
    return Act.SHOW_LESS if given.text is not None else Act.SHOW_ALL

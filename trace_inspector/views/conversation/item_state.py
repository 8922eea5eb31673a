"""What an item is laid out from, and what all kinds of items share: the column, the link below a text."""

from __future__ import annotations

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF

from trace_inspector.models.base.translation import tr
from trace_inspector.models.conversation.conversation import Fold
from trace_inspector.models.conversation.items import Item
from trace_inspector.models.conversation.text import head_of, value_size_text
from trace_inspector.views.conversation.item_layout import ItemAction, ItemLayout
from trace_inspector.views.painting.row_layout import ClickArea, Measures
from trace_inspector.views.painting.shapes import TextLine

WIDEST_PX, BUBBLE_PX = 880.0, 720.0
SIDE_PX, NARROW_SIDE_PX, NARROW_PX = 24.0, 12.0, 640.0
PAD_PX = 12.0
BELOW_PX = 8.0
_LINK_PX = 24.0


class ItemState(Struct, frozen=True):
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
            return tr("Show all {0}").format(value_size_text(self.item.value))
        return tr("Show less") if self.text is not None and self.last else ""


def put_link(measures: Measures, layout: ItemLayout, corner: QPointF, text: str, action: ItemAction) -> float:
    """A text that can be clicked; gives its height."""
    height_px = measures.height_px(_LINK_PX, "secondary") if text else 0.0
    if text:
        box = QRectF(corner.x(), corner.y(), measures.letters.width(text, "secondary") + 2, height_px)
        layout.shapes.append(TextLine(box, text, "secondary", "accent"))
        layout.click_areas.append(ClickArea(box, action))
    return height_px


def column(width_px: float) -> tuple[float, float]:
    """Where the column of a view stands: left edge and width."""
    side = SIDE_PX if width_px > NARROW_PX else NARROW_SIDE_PX
    wide = min(WIDEST_PX, width_px - 2 * side)
    return (width_px - wide) / 2, wide


def link_action(state: ItemState) -> ItemAction:
    """What the link below a text does."""
    return ItemAction.SHOW_LESS if state.text is not None else ItemAction.SHOW_ALL

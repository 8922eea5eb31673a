"""The items of one conversation laid out at one width; those that were visible lately are kept."""

from __future__ import annotations

from collections.abc import Callable

from trace_inspector.core.rows.rows import Kind
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.conversation.conversation import Conversation, Fold, Spot
from trace_inspector.models.conversation.items import Item, Shape, describe
from trace_inspector.models.conversation.section import Key
from trace_inspector.models.evaluation.current_run import CurrentRun
from trace_inspector.views.conversation.bubbles import bubble
from trace_inspector.views.conversation.cards import card, handing_over, note
from trace_inspector.views.conversation.headers import head, turn
from trace_inspector.views.conversation.item_layout import ItemLayout
from trace_inspector.views.conversation.item_state import ItemState
from trace_inspector.views.painting.row_layout import LayoutCache, Measures

CACHE_SIZE = 400

Run = Callable[[], CurrentRun | None]

_LAY_OUT: dict[Shape, Callable[[Measures, ItemState, ItemLayout], None]] = {
    Shape.HEAD: head,
    Shape.TURN: turn,
    Shape.BUBBLE: bubble,
    Shape.CARD: card,
    Shape.TUCKED: card,
    Shape.NOTE: note,
    Shape.LINE: handing_over,
}


class ItemSource:
    """Lays items out, with what a run says of them and as much of each as is unfolded."""

    def __init__(self, measures: Measures, conversation: Conversation, file: OpenFile, run: Run) -> None:
        self.conversation = conversation
        self._file, self._run = file, run
        self._measures = measures
        self.layouts = LayoutCache(self._lay_out, CACHE_SIZE)

    def item(self, key: Key) -> Item:
        """What an item says."""
        return describe(self._file, self._run(), key)

    def fold(self, key: Key, item: Item) -> Fold:
        """How much of it shows."""
        return self.conversation.fold(key, item.usual if item.usual is not None else Fold.HEAD)

    def _lay_out(self, key: Key) -> ItemLayout:
        state = self._state(key)
        layout = ItemLayout(key=key, item=state.item)
        _LAY_OUT[state.item.shape](self._measures, state, layout)
        return layout

    def _state(self, key: Key) -> ItemState:
        item, table = self.item(key), self._file.table
        fold, width = self.fold(key, item), float(self.layouts.width_px)
        joined = table.kind(key.row) is Kind.CALL and bool(table.visible_children(key.row))
        text = self.conversation.text(key)
        if text is None:
            return ItemState(item, fold, width, joined=joined)
        last = text.done and key.piece == text.pieces - 1
        return ItemState(item, fold, width, text.piece(key.piece), text.start(key.piece), key.piece, last, joined)

    def measured(self, spot: Spot) -> tuple[ItemLayout, float]:
        """An item laid out, and its height."""
        layout = self.layouts[self.conversation.key(spot)]
        return layout, layout.height_px

    def find(self, layout: ItemLayout | None) -> Spot:
        """Where an item stands now; the head, where it is gone."""
        spot = self.conversation.spot(layout.key) if layout is not None else None
        return spot or Spot(0, 0)

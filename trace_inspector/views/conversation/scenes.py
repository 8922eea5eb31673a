"""The items of one conversation laid out at one width; those that were in sight lately are kept."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from trace_inspector.core.rows.rows import Kind
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.conversation.conversation import Conversation, Fold
from trace_inspector.models.conversation.items import Item, Shape, describe
from trace_inspector.models.conversation.section import Key
from trace_inspector.models.evaluation.current_run import CurrentRun
from trace_inspector.views.appearance.appearance import Look
from trace_inspector.views.appearance.text_painter import Lettering
from trace_inspector.views.conversation.bubbles import bubble
from trace_inspector.views.conversation.cards import card, handing_over, note
from trace_inspector.views.conversation.given import Given, Tools
from trace_inspector.views.conversation.headers import head, turn
from trace_inspector.views.conversation.scene import Scene

KEPT = 400

Run = Callable[[], CurrentRun | None]

_ARRANGE: dict[Shape, Callable[[Tools, Given, Scene], None]] = {
    Shape.HEAD: head,
    Shape.TURN: turn,
    Shape.BUBBLE: bubble,
    Shape.CARD: card,
    Shape.TUCKED: card,
    Shape.NOTE: note,
    Shape.LINE: handing_over,
}


class Arranger:
    """Makes scenes in one look."""

    def __init__(self, look: Look) -> None:
        self._tools = Tools(look, Lettering(look))

    def scene(self, given: Given) -> Scene:
        """The item laid out."""
        scene = Scene(given.item)
        _ARRANGE[given.item.shape](self._tools, given, scene)
        return scene


class Scenes:
    """What is drawn of each item."""

    def __init__(self, look: Look, conversation: Conversation, file: OpenFile, run: Run) -> None:
        self.conversation = conversation
        self._file, self._run = file, run
        self._arranger = Arranger(look)
        self._kept: OrderedDict[Key, Scene] = OrderedDict()
        self._width = 0

    def set_width(self, width_px: int) -> None:
        """Another width wraps elsewhere."""
        if width_px != self._width:
            self._width = width_px
            self._kept.clear()

    def forget(self, *keys: Key) -> None:
        """Lay these out again, or all of them."""
        if not keys:
            self._kept.clear()
        for key in keys:
            self._kept.pop(key, None)

    def forget_pieces(self, key: Key) -> None:
        """Lay out all pieces of an item again."""
        self.forget(*[known for known in self._kept if known[:2] == key[:2]])

    def item(self, key: Key) -> Item:
        """What an item says."""
        return describe(self._file, self._run(), key)

    def fold(self, key: Key, item: Item) -> Fold:
        """How much of it shows."""
        return self.conversation.fold(key, item.usual if item.usual is not None else Fold.HEAD)

    def scene(self, key: Key) -> Scene:
        """How an item looks."""
        known = self._kept.get(key)
        if known is None:
            known = self._kept[key] = self._arranger.scene(self._given(key))
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return known

    def _given(self, key: Key) -> Given:
        item, table = self.item(key), self._file.table
        fold, width = self.fold(key, item), float(self._width)
        joined = table.kind(key.row) is Kind.CALL and bool(table.visible_children(key.row))
        text = self.conversation.text(key)
        if text is None:
            return Given(item, fold, width, joined=joined)
        last = text.done and key.piece == text.pieces - 1
        return Given(item, fold, width, text.piece(key.piece), text.start(key.piece), key.piece, last, joined)

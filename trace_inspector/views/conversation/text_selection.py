"""Selecting characters of a text with the mouse, also across the pieces of a long one."""

from __future__ import annotations

from PySide6.QtCore import QPointF

from trace_inspector.models.conversation.conversation import Spot
from trace_inspector.models.conversation.section import Key
from trace_inspector.views.conversation.item_layout import ItemLayout
from trace_inspector.views.conversation.item_source import ItemSource
from trace_inspector.views.painting.visible_range import VisibleRow

NEAR_PX = 4

VisibleItem = VisibleRow[Spot, ItemLayout]


class TextSelection:
    """The selected characters of one item. Offsets count in the whole of its text."""

    def __init__(self, source: ItemSource) -> None:
        self._source = source
        self._key: Key | None = None
        self._from = self._to = 0
        self._pressed = False

    @property
    def pressed(self) -> bool:
        """Whether the mouse is selecting just now."""
        return self._pressed

    def clear(self) -> None:
        """Nothing is selected."""
        self._key, self._pressed = None, False

    def press(self, item: VisibleItem, point: QPointF) -> None:
        """Begin at a point of the view, if there is text."""
        self.clear()
        offset = offset_at(item, point)
        if offset is not None:
            self._key, self._from, self._to, self._pressed = item.layout.key, offset, offset, True

    def move(self, item: VisibleItem, point: QPointF) -> bool:
        """Select as far as that point; true when something changed."""
        offset = offset_at(item, point, anywhere=True)
        if not self._pressed or self._key is None or item.layout.key[:2] != self._key[:2] or offset is None:
            return False
        self._to = offset
        return True

    def release(self) -> None:
        """The selection is made."""
        self._pressed = False

    def word(self, item: VisibleItem, point: QPointF) -> bool:
        """Select the word at a point; false when there is no text."""
        offset, prose = offset_at(item, point), item.layout.prose
        if offset is None or prose is None:
            return False
        first, last = prose.layout.word_at(offset - prose.start)
        self._key, self._from, self._to = item.layout.key, first + prose.start, last + prose.start
        return True

    def all_of(self, key: Key) -> None:
        """Select all that an item's text shows."""
        self._key, self._from, self._to = key, 0, len(self._whole(key))

    def within(self, item: VisibleItem) -> tuple[int, int]:
        """Which characters of a piece in sight are selected."""
        prose = item.layout.prose
        if self._key is None or prose is None or self._key[:2] != item.layout.key[:2]:
            return 0, 0
        first, last = sorted((self._from, self._to))
        length = len(prose.layout.text)
        return max(0, min(first - prose.start, length)), max(0, min(last - prose.start, length))

    def text(self) -> str:
        """The selected characters as they stand in the file."""
        if self._key is None:
            return ""
        return self._whole(self._key)[min(self._from, self._to) : max(self._from, self._to)]

    def _whole(self, key: Key) -> str:
        text = self._source.conversation.text(key)
        if text is not None:
            return "".join(text.raw(number) for number in range(text.pieces))
        prose = self._source.layouts[key._replace(piece=0)].prose
        return prose.layout.text if prose else ""


def offset_at(item: VisibleItem, point: QPointF, *, anywhere: bool = False) -> int | None:
    """The character of an item's text at a point of the view, None beside the text."""
    prose = item.layout.prose
    inside = point - QPointF(0, item.top_px)
    near = NEAR_PX
    if prose is None or not (anywhere or prose.box.adjusted(-near, -near, near, near).contains(inside)):
        return None
    return prose.start + prose.layout.offset_at(inside - prose.origin)

"""The items of one section of a conversation: which they are, and how high."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from itertools import repeat
from typing import NamedTuple

from trace_inspector.models.conversation.heights import Heights

ITEM_PX, PIECE_PX = 60.0, 900.0  # estimates until they are measured


class Key(NamedTuple):
    """Identifies an item: its row, its index in the row, and the index of its piece in a text that is shown whole."""

    row: int
    part: int = 0
    piece: int = 0


class Section:
    """The items of the head or of a turn, with their heights. Plain columns: a turn may have 100,000 items."""

    def __init__(self) -> None:
        self.heights = Heights()
        self._rows = array("q")
        self._parts = array("i")
        self._pieces = array("i")

    def __len__(self) -> int:
        return len(self._rows)

    def key(self, index: int) -> Key:
        """The key of the item at an index."""
        return Key(self._rows[index], self._parts[index], self._pieces[index])

    def add(self, rows: Iterable[int], part: int = 0) -> None:
        """Some more items at the end."""
        self._rows.extend(rows)
        more = len(self._rows) - len(self._parts)
        self._parts.extend(array("i", [part]) * more)
        self._pieces.extend(array("i", [0]) * more)
        self.heights.extend(more, ITEM_PX)

    def find(self, key: Key) -> int:
        """The index of a key; else of the first item of its row, -1 when there is no such row."""
        try:
            first = index = self._rows.index(key.row)
        except ValueError:
            return -1
        while index < len(self._rows) and self._rows[index] == key.row:
            if self.key(index) == key:
                return index
            index += 1
        return first

    def set_pieces(self, first: Key, count: int) -> None:
        """Split an item into that many pieces, if it is in this section."""
        start = end = self.find(first)
        if start < 0 or self.key(start) != first:
            return
        while end < len(self._rows) and self.key(end)[:2] == first[:2]:
            end += 1
        present = end - start
        if count > present:
            more = count - present
            self._rows[end:end] = array("q", [first.row]) * more
            self._parts[end:end] = array("i", [first.part]) * more
            self._pieces[end:end] = array("i", range(present, count))
            self.heights.replace(end, end, repeat(PIECE_PX, more))
        elif count < present:
            for column in (self._rows, self._parts, self._pieces):
                del column[start + count : end]
            self.heights.replace(start + count, end, ())

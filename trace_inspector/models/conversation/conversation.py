"""One case or trace in reading order: sections, listed when they become visible, and their items.

Section 0 is the head, every other one a turn. Items have keys, by which they are found again when rows arrive.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from typing import NamedTuple

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.rows.rows import Flag, Kind
from trace_inspector.core.trace.trace import Turn
from trace_inspector.models.base.row_table import TOP, RowTable
from trace_inspector.models.conversation.heights import Heights
from trace_inspector.models.conversation.section import Key, Section
from trace_inspector.models.conversation.text import LongText
from trace_inspector.models.conversation.unplaced_items import before_first_turn, non_text_parts, system_prompts

HEAD_PX, TURN_PX = 64.0, 480.0  # estimates until a section is listed
_TURNS = frozenset({Kind.TURN, Kind.MISSING_TURN})
# The kinds of rows that have items. Spans have none; rows of other kinds only contain some of these.
_TELLING = (
    Kind.USER, Kind.TEXT, Kind.THOUGHT, Kind.CALL, Kind.RESULT, Kind.TRANSFER, Kind.MEDIA, Kind.CODE, Kind.STATE,
    Kind.UNKNOWN, Kind.ANSWER, Kind.MISSING_CALL,
)  # fmt: skip
_TOLD = tuple(kind in _TELLING for kind in Kind)  # by number: to look an enum up by its hash takes far longer
_CALL, _ANSWER = Kind.CALL, Kind.ANSWER


class Spot(NamedTuple):
    """The position of an item now."""

    section: int
    item: int


class Fold(enum.IntEnum):
    """How much of an item's text shows."""

    FOLDED = 0
    HEAD = 1
    WHOLE = 2


class Conversation:
    """Watches the table for turns that arrive and for ghosts; `changed` is called after each such change."""

    def __init__(self, table: RowTable, top: int, changed: Callable[[], None]) -> None:
        self.table = table
        self.top = top
        self._changed = changed
        self._listed: Sequence[int] = ()
        self._stale = True  # turns are listed again on demand only: a run moves ghosts many times in between
        self._is_partial = False  # whether turns are missing, or left out by a filter
        self._coming = -1
        self._sections: dict[int, Section] = {}  # by row, because numbers of sections change with ghosts
        self._folds: dict[Key, Fold] = {}
        self._texts: dict[Key, LongText] = {}
        self._heights = Heights()
        table.watchers.append(self)

    def close(self) -> None:
        """Stop watching the table."""
        self.table.watchers.remove(self)

    # Sections and items

    def __len__(self) -> int:
        return len(self._turns) + 1

    def row(self, section: int) -> int:
        """The row of the head or of the turn."""
        return self._turns[section - 1] if section else self.top

    def section(self, number: int) -> Section:
        """Its items, listed when they are first asked for."""
        self._fresh()
        row = self.row(number)
        listed = self._sections.get(row)
        if listed is None:
            listed = self._sections[row] = self._listed_items(number)
            self.heights[number] = listed.heights.total_px
        return listed

    def key(self, spot: Spot) -> Key:
        """The key of an item."""
        return self.section(spot.section).key(spot.item)

    def spot(self, key: Key) -> Spot | None:
        """The position of an item, or of an item of its row; None when its row is not part of the conversation."""
        number = self._section_of(key.row)
        if number < 0:
            return None
        index = self.section(number).find(key)
        if index >= 0 or key.row == self.row(number):
            return Spot(number, max(index, 0))
        indexes = [self.section(number).find(Key(child)) for child in self.table.visible_children(key.row)[:1]]
        return Spot(number, indexes[0]) if indexes and indexes[0] >= 0 else self.spot(Key(self.table.parent(key.row)))

    def step(self, spot: Spot, step: int) -> Spot | None:
        """The next (1) or previous (-1) item; None at the ends."""
        item, section = spot.item + step, spot.section
        if 0 <= item < len(self.section(section)):
            return Spot(section, item)
        section += step
        if not 0 <= section < len(self):
            return None
        return Spot(section, 0 if step > 0 else len(self.section(section)) - 1)

    def last(self) -> Spot:
        """The last item of all."""
        section = len(self) - 1
        return Spot(section, len(self.section(section)) - 1)

    # Heights

    @property
    def heights(self) -> Heights:
        """Of the sections."""
        self._fresh()
        return self._heights

    def top_px(self, spot: Spot) -> float:
        """Where an item begins, as far as heights are known."""
        inside = self.section(spot.section).heights.top_px(spot.item)
        return self.heights.top_px(spot.section) + inside

    def at_px(self, place_px: float) -> Spot:
        """The item at a height."""
        number = self.heights.index_at(place_px)
        inside = place_px - self.heights.top_px(number)
        return Spot(number, self.section(number).heights.index_at(inside))

    def measured(self, spot: Spot, height_px: float) -> None:
        """Take over the height of an item that was laid out."""
        section = self.section(spot.section)
        if section.heights[spot.item] != height_px:
            section.heights[spot.item] = height_px
            self.heights[spot.section] = section.heights.total_px

    # Folding

    def fold(self, key: Key, usual: Fold) -> Fold:
        """How much of the item is shown; `usual` unless a person folded it."""
        return self._folds.get(key._replace(piece=0), usual)

    def set_fold(self, key: Key, fold: Fold, text: LongText | None = None) -> None:
        """Show more or less of an item. To show all of it, give `text`, whose pieces become items of their own."""
        first = key._replace(piece=0)
        self._folds[first] = fold
        self._texts.pop(first, None)
        if text is not None:
            self._texts[first] = text
        self._set_pieces(first, text.pieces if text is not None else 1)

    def text(self, key: Key) -> LongText | None:
        """The text that is shown whole, piece by piece."""
        return self._texts.get(key._replace(piece=0))

    @property
    def cutting(self) -> bool:
        """Whether a text that is shown whole is not cut into pieces to its end yet."""
        return any(not text.done for text in self._texts.values())

    def go_on(self, budget_s: float) -> list[Key]:
        """Cut more pieces of such texts; returns the keys of the pieces that were the last ones before."""
        ends = []
        for first, text in self._texts.items():
            if not text.done:
                ends.append(first._replace(piece=text.pieces - 1))
                text.go_on(budget_s)
                self._set_pieces(first, text.pieces)
        return ends

    def _set_pieces(self, first: Key, pieces: int) -> None:
        number = self._section_of(first.row)
        if number < 0:
            return
        section = self.section(number)
        section.set_pieces(first, pieces)
        self.heights[number] = section.heights.total_px

    # Rows that arrive

    def rows_coming(self, parent: int, first: int, last: int) -> None:  # noqa: ARG002
        """Rows are about to be added: turns, missing ones, or what belongs to a turn."""
        if parent == self.top:
            self._coming = first
        elif parent != TOP and self.table.top_of(parent) == self.top:
            turn = self.table.turn_of(parent)
            self._sections.pop(turn if turn != TOP else self.top, None)  # or an agent of the head
            self._coming = max(self._coming, 0)

    def rows_came(self) -> None:
        """They are there."""
        coming, self._coming = self._coming, -1
        if coming < 0:
            return
        shown = self.table.visible_children(self.top)
        ghost = self._is_partial or coming >= len(shown) or self.table.ghost(shown[coming]) is not None
        if self._stale or ghost:
            self._stale = True
        else:
            self._listed = self.table.turns(self.top)
            self._heights.extend(len(self._listed) + 1 - len(self._heights), TURN_PX)
        self._changed()

    def layout_changing(self) -> None:
        """Rows are about to be added, removed or moved."""

    def layout_changed(self) -> None:
        """They have."""
        self._stale = True
        self._changed()

    @property
    def _turns(self) -> Sequence[int]:
        self._fresh()
        return self._listed

    def _fresh(self) -> None:
        """List the turns again, with missing ones in their places; measured heights are kept."""
        if not self._stale:
            return
        self._stale = False
        table, heights = self.table, {}
        for number, row in enumerate((self.top, *self._listed)[: len(self._heights)] if self._sections else ()):
            if row in self._sections:
                heights[row] = self._heights[number]
        self._sections.clear()
        turns, shown = table.turns(self.top), table.visible_children(self.top)
        ghosts = len(shown) != len(turns) and any(table.ghost(row) is not None for row in shown)
        self._is_partial = ghosts or table.visible.filtered
        self._listed = [row for row in shown if table.kind(row) in _TURNS] if self._is_partial else turns
        self._heights = Heights(len(self._listed) + 1, TURN_PX)
        self._heights[0] = HEAD_PX
        for number, row in enumerate((self.top, *self._listed) if heights else ()):
            if row in heights:
                self._heights[number] = heights[row]

    def _section_of(self, row: int) -> int:
        """The number of the section of an item's row, -1 when the row is not part of the conversation."""
        if row == self.top:
            return 0
        if not self.table.has(row) or self.table.top_of(row) != self.top:
            return -1
        turn = self.table.turn_of(row)
        return self._turns.index(turn) + 1 if turn in self._turns else 0

    def _listed_items(self, number: int) -> Section:
        table, row, section = self.table, self.row(number), Section()
        section.add((row,))
        body = table.body(row) if table.ghost(row) is None else None
        parts = (
            len(before_first_turn(body))
            if isinstance(body, Case)
            else len(body.user)
            if isinstance(body, Turn)
            else 0
        )
        for part in range(1, parts + 1):
            section.add((row,), part)
        if not number:
            section.add(system_prompts(table, row))
        if number and isinstance(body, Turn):
            waiting: list[int] = []
            self._add_below(row, section, waiting, len(non_text_parts(body)))
            section.add(waiting)
        for first, text in self._texts.items():
            section.set_pieces(first, text.pieces)
        return section

    def _add_below(self, row: int, section: Section, waiting: list[int], unspoken_parts: int) -> None:
        """List the items below a row. Most rows have one item: these are collected in a list and added together."""
        table = self.table
        for child in table.visible_children(row):
            kind = table.kind(child)
            if not _TOLD[kind]:
                self._add_below(child, section, waiting, unspoken_parts)
                continue
            waiting.append(child)
            if kind is _CALL and not table.flag(child) & Flag.TRANSFER:
                waiting.extend(table.visible_children(child))
            elif kind is _ANSWER and unspoken_parts:
                section.add(waiting)
                waiting.clear()
                for part in range(1, unspoken_parts + 1):
                    section.add((child,), part)

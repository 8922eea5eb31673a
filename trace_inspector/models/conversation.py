"""One case or trace in the order in which it is read: sections, opened when they come into sight, and their items.

Section 0 is the head, every other one a turn. An item is known by its key, and found again by it when rows arrive.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Sequence
from itertools import repeat
from typing import NamedTuple

from trace_inspector.core.golden import Case, Scenario
from trace_inspector.core.parts import Part, Text
from trace_inspector.core.rows import Flag, Kind
from trace_inspector.core.trace import Event, Turn
from trace_inspector.models.conversation_heights import Heights
from trace_inspector.models.conversation_text import LongText
from trace_inspector.models.row_table import TOP, RowTable

HEAD_PX, TURN_PX, ITEM_PX, PIECE_PX = 64.0, 480.0, 60.0, 900.0
_TURNS = frozenset({Kind.TURN, Kind.MISSING_TURN})
# What items stand for. Spans are not told; rows of other kinds only hold some of these.
_TOLD = frozenset(
    {
        Kind.USER, Kind.TEXT, Kind.THOUGHT, Kind.CALL, Kind.RESULT, Kind.TRANSFER, Kind.MEDIA, Kind.CODE, Kind.STATE,
        Kind.UNKNOWN, Kind.ANSWER, Kind.MISSING_CALL,
    }
)  # fmt: skip


class Key(NamedTuple):
    """An item: its row, the how-manieth item of that row, and of a text shown whole the how-manieth piece."""

    row: int
    part: int = 0
    piece: int = 0


class Spot(NamedTuple):
    """Where an item stands now."""

    section: int
    item: int


class Fold(enum.IntEnum):
    """How much of an item's text shows."""

    FOLDED = 0
    HEAD = 1
    WHOLE = 2


class Section:
    """The items of the head or of a turn, with their heights."""

    def __init__(self, keys: Sequence[Key]) -> None:
        self.keys = list(keys)
        self.heights = Heights(len(self.keys), ITEM_PX)

    def find(self, key: Key) -> int:
        """The item of that key, the first of its row when there is none, -1 when there is no such row."""
        if key in self.keys:
            return self.keys.index(key)
        return next((at for at, known in enumerate(self.keys) if known.row == key.row), -1)


class Conversation:
    """Watches the table for turns that arrive and for ghosts; `changed` is called after each such change."""

    def __init__(self, table: RowTable, top: int, changed: Callable[[], None]) -> None:
        self.table = table
        self.top = top
        self._changed = changed
        self._turns: Sequence[int] = ()
        self._haunted = False  # whether turns are missing
        self._coming = -1
        self._sections: dict[int, Section] = {}  # by row: numbers of sections move when ghosts come
        self._folds: dict[Key, Fold] = {}
        self._texts: dict[Key, LongText] = {}
        self.heights = Heights()
        table.watchers.append(self)
        self._list_anew()

    def close(self) -> None:
        """Nobody looks any more."""
        self.table.watchers.remove(self)

    # Sections and items

    def __len__(self) -> int:
        return len(self._turns) + 1

    def row(self, section: int) -> int:
        """The row of the head or of the turn."""
        return self._turns[section - 1] if section else self.top

    def section(self, number: int) -> Section:
        """Its items, listed when they are first asked for."""
        row = self.row(number)
        known = self._sections.get(row)
        if known is None:
            known = self._sections[row] = Section(list(self._keys(number)))
            self.heights[number] = known.heights.total_px
        return known

    def key(self, spot: Spot) -> Key:
        """What stands there."""
        return self.section(spot.section).keys[spot.item]

    def spot(self, key: Key) -> Spot | None:
        """Where that item stands, or what there is of its row; None when its row is not part of the conversation."""
        number = self._section_of(key.row)
        if number < 0:
            return None
        at = self.section(number).find(key)
        if at >= 0 or key.row == self.row(number):
            return Spot(number, max(at, 0))
        held = [self.section(number).find(Key(child)) for child in self.table.visible_children(key.row)[:1]]
        return Spot(number, held[0]) if held and held[0] >= 0 else self.spot(Key(self.table.parent(key.row)))

    def step(self, spot: Spot, step: int) -> Spot | None:
        """The next (1) or previous (-1) item; None at the ends."""
        item, section = spot.item + step, spot.section
        if 0 <= item < len(self.section(section).keys):
            return Spot(section, item)
        section += step
        if not 0 <= section < len(self):
            return None
        return Spot(section, 0 if step > 0 else len(self.section(section).keys) - 1)

    def last(self) -> Spot:
        """The last item of all."""
        section = len(self) - 1
        return Spot(section, len(self.section(section).keys) - 1)

    # Heights

    def top_px(self, spot: Spot) -> float:
        """Where an item begins, as far as heights are known."""
        inside = self.section(spot.section).heights.top_px(spot.item)
        return self.heights.top_px(spot.section) + inside

    def at_px(self, place_px: float) -> Spot:
        """Which item lies at that place."""
        number = self.heights.at(place_px)
        inside = place_px - self.heights.top_px(number)
        return Spot(number, self.section(number).heights.at(inside))

    def measured(self, spot: Spot, height_px: float) -> None:
        """An item was laid out."""
        section = self.section(spot.section)
        if section.heights[spot.item] != height_px:
            section.heights[spot.item] = height_px
            self.heights[spot.section] = section.heights.total_px

    # Folding

    def fold(self, key: Key, usual: Fold) -> Fold:
        """How much of the item shows; `usual` where nobody said otherwise."""
        return self._folds.get(key._replace(piece=0), usual)

    def set_fold(self, key: Key, fold: Fold, text: LongText | None = None) -> None:
        """Show more or less of an item. For all of it `text` is given, whose pieces become items of their own."""
        first = key._replace(piece=0)
        self._folds[first] = fold
        number = self._section_of(key.row)
        self._texts.pop(first, None)
        if number < 0:
            return
        if text is not None and fold is Fold.WHOLE:
            self._texts[first] = text
        self._set_pieces(number, first, text.pieces if text is not None and fold is Fold.WHOLE else 1)

    def text(self, key: Key) -> LongText | None:
        """The text that is shown whole, piece by piece."""
        return self._texts.get(key._replace(piece=0))

    @property
    def cutting(self) -> bool:
        """Whether a text that is to show whole is not cut to its end."""
        return any(not text.done for text in self._texts.values())

    def go_on(self, budget_s: float) -> list[Key]:
        """Cut more pieces of such texts; gives those that were the last ones until now."""
        ends = []
        for first, text in self._texts.items():
            if not text.done:
                ends.append(first._replace(piece=text.pieces - 1))
                text.go_on(budget_s)
                self._set_pieces(self._section_of(first.row), first, text.pieces)
        return ends

    def _set_pieces(self, number: int, first: Key, pieces: int) -> None:
        section = self.section(number)
        start = section.keys.index(first) + 1
        end = start
        while end < len(section.keys) and section.keys[end][:2] == first[:2]:
            end += 1
        known = end - start + 1
        if pieces > known:
            section.keys[end:end] = [Key(first.row, first.part, piece) for piece in range(known, pieces)]
            section.heights.replace(end, end, repeat(PIECE_PX, pieces - known))
        elif pieces < known:
            cut = start + pieces - 1
            del section.keys[cut:end]
            section.heights.replace(cut, end, ())
        self.heights[number] = section.heights.total_px

    # Rows that arrive

    def rows_coming(self, parent: int, first: int, last: int) -> None:  # noqa: ARG002
        """Rows are about to be added: turns, missing ones, or what belongs to a turn."""
        if parent == self.top:
            self._coming = first
        elif parent != TOP and self.table.top_of(parent) == self.top:
            self._sections.pop(self.table.turn_of(parent), None)
            self._coming = max(self._coming, 0)

    def rows_came(self) -> None:
        """They are there."""
        coming, self._coming = self._coming, -1
        if coming < 0:
            return
        shown = self.table.visible_children(self.top)
        if not self._haunted and coming < len(shown) and self.table.ghost(shown[coming]) is None:
            self._turns = self.table.turns(self.top)
            self.heights.extend(len(self) - len(self.heights), TURN_PX)
        else:
            self._list_anew()
        self._changed()

    def layout_changing(self) -> None:
        """Rows are about to come, go or move."""

    def layout_changed(self) -> None:
        """They have."""
        self._sections.clear()
        self._list_anew()
        self._changed()

    def _list_anew(self) -> None:
        """With missing turns in their places, and heights as far as they are known."""
        table = self.table
        heights = {self.row(number): self.heights[number] for number in self._sections_measured()}
        turns, shown = table.turns(self.top), table.visible_children(self.top)
        ghosts = len(shown) != len(turns) and any(table.ghost(row) is not None for row in shown)
        self._haunted = ghosts
        self._turns = [row for row in shown if table.kind(row) in _TURNS] if ghosts else turns
        self.heights = Heights(len(self), TURN_PX)
        self.heights[0] = HEAD_PX
        for number, row in enumerate(self._turns, 1) if heights else ():
            if row in heights:
                self.heights[number] = heights[row]

    def _sections_measured(self) -> Iterator[int]:
        numbers = {self._section_of(row) for row in self._sections}
        return (number for number in numbers if 0 <= number < len(self.heights))

    def _section_of(self, row: int) -> int:
        """The number of the section that an item's row lies in, -1 when it is not part of the conversation."""
        if row == self.top:
            return 0
        if not self.table.has(row) or self.table.top_of(row) != self.top:
            return -1
        turn = self.table.turn_of(row)
        return self._turns.index(turn) + 1 if turn in self._turns else 0

    def _keys(self, number: int) -> Iterator[Key]:
        table, row = self.table, self.row(number)
        yield Key(row)
        body = table.body(row) if table.ghost(row) is None else None
        if isinstance(body, Case):
            yield from (Key(row, part) for part in range(1, len(beforehand(body)) + 1))
        if not number or not isinstance(body, Turn):
            return
        yield from (Key(row, part) for part in range(1, len(body.user) + 1))
        yield from self._below(row, len(unspoken(body)))

    def _below(self, row: int, unspoken_parts: int) -> Iterator[Key]:
        table = self.table
        for child in table.visible_children(row):
            kind = table.kind(child)
            if kind not in _TOLD:
                yield from self._below(child, unspoken_parts)
                continue
            yield Key(child)
            if kind is Kind.ANSWER:
                yield from (Key(child, part) for part in range(1, unspoken_parts + 1))
            elif kind is Kind.CALL and not table.flag(child) & Flag.TRANSFER:
                yield from map(Key, table.visible_children(child))


class Told(NamedTuple):
    """What a scenario says of one thing."""

    what: str
    text: str
    spoken: bool = False  # in the words that the simulated user will say


def beforehand(case: Case) -> list[Told | tuple[Event, Part]]:
    """What stands before the first turn: a simulated user's orders, what was said already, how it begins."""
    said = [(event, part) for event in case.context for part in event.parts]
    told = _scenario(case.scenario) if case.scenario else []
    return [*(one for one in told if not one.spoken), *said, *(one for one in told if one.spoken)]


def _scenario(scenario: Scenario) -> list[Told]:
    persona = scenario.persona
    plays = "\n".join(word for word in (persona.id, persona.description) if word) if persona else ""
    told = (
        Told("plan of the simulated user", scenario.plan),
        Told("whom the simulated user plays", plays),
        Told("the scenario starts with", scenario.starting_prompt, spoken=True),
    )
    return [one for one in told if one.text]


def unspoken(turn: Turn) -> list[Part]:
    """What an answer holds beside words."""
    return [part for part in turn.final_response or () if not isinstance(part, Text)]

"""One file's rows in memory: columns that grow while it loads, children by number, ghosts of what is missing."""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import compress
from typing import Protocol, TypeAlias

from trace_inspector.core.golden import Case, Suite
from trace_inspector.core.parts import Part
from trace_inspector.core.rows import NO_TOKENS, PLAIN_COLUMNS, Flag, Kind, RowBatch
from trace_inspector.core.trace import Agent, Event, Span, Trace, Turn
from trace_inspector.core.unpacking import Lost
from trace_inspector.models import arriving
from trace_inspector.models.bodies import Bodies, Body

TOP = -1  # the parent of top rows
Thing: TypeAlias = Suite | Case | Trace | Turn | Agent | Event | Part | Span | tuple[Part, ...] | Lost | None
_FIRST_GHOST = 1 << 30
_NONE: array[int] = array("i")
# Plain numbers for the columns: arithmetic with enums costs a microsecond each, for every row that arrives.
_KINDS = tuple(Kind)
_CALL, _TURN, _EVENT = int(Kind.CALL), int(Kind.TURN), int(Kind.EVENT)
_PLUMBING = int(Flag.PLUMBING)
_TOPS = frozenset({Kind.CASE, Kind.TRACE})
_TURNS = frozenset({Kind.TURN, Kind.MISSING_TURN})
_AGENTS = frozenset({Kind.AGENTS, Kind.AGENT})
_WHOLE = frozenset({Kind.TURN, Kind.AGENTS})


class Watcher(Protocol):
    """Whoever shows a table and must know before and after its visible rows change."""

    def rows_coming(self, parent: int, first: int, last: int) -> None:
        """Visible children `first` to `last` of that parent are about to appear."""

    def rows_came(self) -> None:
        """They are there."""

    def layout_changing(self) -> None:
        """Visible rows are about to come, go or move all over the table."""

    def layout_changed(self) -> None:
        """They have."""


@dataclass(frozen=True, slots=True)
class Ghost:
    """A row that a golden expects and the trace has not: shown behind its sibling `after`, first when that is -1."""

    kind: Kind
    parent: int
    after: int
    label: str
    golden_index: int


class RowTable:
    """Columns by row number, appended batch by batch. A row's number never changes; ghosts count from far behind."""

    def __init__(self) -> None:
        self.longest_turn_s = 0.0
        self.plumbing_count = 0
        self.tops: list[int] = []  # cases and traces, in file order
        self.watchers: list[Watcher] = []
        self._rows = RowBatch()
        self._turns: dict[int, array[int]] = {}  # case or trace → its turns
        self._calls: dict[int, int] = {}  # case or trace → how many calls
        self._children: dict[int, array[int]] = {TOP: array("i")}
        self._position: array[int] = array("i")  # among all children
        self._plumbed: set[int] = set()  # parents of plumbing
        self._plumbing_hidden = True
        self._ghosts: dict[int, Ghost] = {}
        self._ghost_numbers: dict[Ghost, int] = {}  # of all there ever were: a selected ghost stays selected
        self._haunted: dict[int, dict[int, list[int]]] = {}  # parent → after → ghosts
        self._visible: dict[int, array[int]] = {}  # where the visible children are not simply all
        self._visible_at: dict[int, dict[int, int]] = {}
        self._bodies = Bodies()

    def __len__(self) -> int:
        """How many rows, without ghosts."""
        return len(self._rows.kind)

    def has(self, row: int) -> bool:
        """Whether there is such a row or ghost."""
        return 0 <= row < len(self) or row in self._ghosts

    # Columns

    @property
    def columns(self) -> RowBatch:
        """All columns, for going through them as a whole. To be read only."""
        return self._rows

    def kind(self, row: int) -> Kind:
        """What the row stands for."""
        return self._ghosts[row].kind if row >= _FIRST_GHOST else _KINDS[self._rows.kind[row]]

    def flag(self, row: int) -> Flag:
        """What is special about the row."""
        return Flag(0) if row >= _FIRST_GHOST else Flag(self._rows.flag[row])

    def parent(self, row: int) -> int:
        """The row above, TOP for none."""
        return self._ghosts[row].parent if row >= _FIRST_GHOST else self._rows.parent[row]

    def label(self, row: int) -> str:
        """One line of text."""
        return self._ghosts[row].label if row >= _FIRST_GHOST else self._rows.label[row]

    def place(self, row: int) -> str:
        """The JSON pointer in the file, empty for ghosts."""
        return "" if row >= _FIRST_GHOST else self._rows.place[row]

    def place_around(self, row: int) -> str:
        """The JSON pointer of the row, or of the nearest one above it that stands in the file."""
        while row != TOP and not self.place(row):
            row = self.parent(row)
        return self.place(row) if row != TOP else ""

    def author(self, row: int) -> str:
        """The agent that did it, empty when nobody is named."""
        return "" if row >= _FIRST_GHOST else self._rows.authors[self._rows.author[row]]

    def start_s(self, row: int) -> float | None:
        """When it began, epoch seconds."""
        return None if row >= _FIRST_GHOST else _known(self._rows.start_s[row])

    def duration_s(self, row: int) -> float | None:
        """How long it took; of a case or trace, its turns together."""
        return None if row >= _FIRST_GHOST else _known(self._rows.duration_s[row])

    def tokens(self, row: int) -> int | None:
        """Tokens; of a case or trace, its turns together."""
        count = NO_TOKENS if row >= _FIRST_GHOST else self._rows.tokens[row]
        return None if count == NO_TOKENS else count

    def call_index(self, row: int) -> int:
        """The how-manieth call of its turn a call or result belongs to, -1 for other rows."""
        return -1 if row >= _FIRST_GHOST else self._rows.call[row]

    def address(self, row: int) -> tuple[int, int, int]:
        """The number of the body the row looks into, of the event, and of the part or span there; -1 for none."""
        if row >= _FIRST_GHOST:
            return -1, -1, -1
        return self._rows.body[row], self._rows.event[row], self._rows.part[row]

    # The tree

    def children(self, row: int) -> Sequence[int]:
        """All rows under that one, without ghosts."""
        return self._children.get(row, _NONE)

    def visible_children(self, row: int) -> Sequence[int]:
        """The rows to show under that one: with ghosts, and without plumbing while that is hidden."""
        if row not in self._haunted and not (self._plumbing_hidden and row in self._plumbed):
            return self._children.get(row, _NONE)
        visible = self._visible.get(row)
        if visible is None:
            visible = self._visible[row] = array("i", self._select(row))
        return visible

    def position(self, row: int) -> int:
        """The row's place among the visible children of its parent, -1 while it is hidden."""
        parent = self.parent(row)
        visible = self.visible_children(parent)
        if visible is self._children.get(parent):
            return self._position[row]
        places = self._visible_at.get(parent)
        if places is None:
            places = self._visible_at[parent] = {child: at for at, child in enumerate(visible)}
        return places.get(row, -1)

    def turns(self, top: int) -> Sequence[int]:
        """The turn rows of a case or trace, in order."""
        return self._turns.get(top, _NONE)

    def order_of(self, turn: int) -> int:
        """The how-manieth turn of its case or trace it is, -1 when it is none of the file's."""
        rows = self.turns(self.parent(turn))
        at = bisect_left(rows, turn)
        return at if at < len(rows) and rows[at] == turn else -1

    def calls(self, turn: int) -> Sequence[int]:
        """The call rows of a turn, by the number of the call."""
        kinds = self._rows.kind
        calls = [
            row
            for child in self.children(turn)
            for row in (self.children(child) if kinds[child] == _EVENT else (child,))
            if kinds[row] == _CALL
        ]
        return sorted(calls, key=self.call_index)

    def call_count(self, top: int) -> int:
        """How many calls a case or trace has."""
        return self._calls.get(top, 0)

    def ancestor(self, row: int, kinds: frozenset[Kind]) -> int:
        """The row itself or the nearest one above that is of one of these kinds; -1 when there is none."""
        while row != TOP and self.kind(row) not in kinds:
            row = self.parent(row)
        return row

    def turn_of(self, row: int) -> int:
        """The turn a row belongs to, -1 for none."""
        return self.ancestor(row, _TURNS)

    def top_of(self, row: int) -> int:
        """The case or trace a row belongs to, -1 for none."""
        return self.ancestor(row, _TOPS)

    @property
    def plumbing_hidden(self) -> bool:
        """Whether transport and queue spans are left out of the visible children."""
        return self._plumbing_hidden

    def hide_plumbing(self, hidden: bool) -> None:
        """Leave plumbing out, or show it."""
        if hidden != self._plumbing_hidden:
            with self._new_layout():
                self._plumbing_hidden = hidden

    @contextmanager
    def _new_layout(self) -> Iterator[None]:
        for watcher in self.watchers:
            watcher.layout_changing()
        yield
        self._visible.clear()
        self._visible_at.clear()
        for watcher in self.watchers:
            watcher.layout_changed()

    def row_near(self, place: str) -> int:
        """The row at that JSON pointer, else the nearest one around it, else -1."""
        while place:
            row = self._rows.place.find(place)
            if row >= 0:
                return row
            place = place.rpartition("/")[0]
        return TOP

    # Growing

    def append(self, batch: RowBatch) -> None:
        """Take over a batch as the row writer made it."""
        start = len(self)
        groups = self._take(batch, start)
        for parent, rows in groups.items():
            if parent >= start:
                self._link(parent, rows, arriving.not_plumbing(rows, self._rows.flag))
        for parent, rows in groups.items():
            if parent < start:
                self._link_visibly(parent, rows)

    def clear_ghosts(self) -> None:
        """Take all ghosts away."""
        if self._ghosts:
            with self._new_layout():
                self._ghosts, self._haunted = {}, {}

    def swap_ghosts(self, gone: Sequence[Ghost], come: Sequence[Ghost]) -> None:
        """Take some ghosts away and show others. To add alone is the usual case, and cheap."""
        if gone:
            kept = [ghost for ghost in self._ghosts.values() if ghost not in gone]
            with self._new_layout():
                self._ghosts, self._haunted = {}, {}
                for ghost in (*kept, *come):
                    self._haunt(ghost)
            return
        for ghost in come:
            at = self._position_of_new(ghost)
            for watcher in self.watchers:
                watcher.rows_coming(ghost.parent, at, at)
            self._haunt(ghost)
            self._visible.pop(ghost.parent, None)
            self._visible_at.pop(ghost.parent, None)
            for watcher in self.watchers:
                watcher.rows_came()

    def ghost(self, row: int) -> Ghost | None:
        """The ghost of that number; None for rows of the file."""
        return self._ghosts.get(row)

    def missing_turn(self, top: int, golden_index: int) -> int:
        """The ghost of a golden's turn that a trace has not, TOP when there is none."""
        for row in self.visible_children(top):
            ghost = self._ghosts.get(row)
            if ghost is not None and ghost.golden_index == golden_index:
                return row
        return TOP

    # Bodies

    def use_bodies(self, stored: Sequence[bytes]) -> None:
        """Where the bodies of all rows to come lie; the batches bring none."""
        self._bodies.use(stored)

    def body(self, row: int) -> Body | None:
        """The suite, case, trace, turn or spans that the row looks into; ghosts have none."""
        number = -1 if row >= _FIRST_GHOST else self._rows.body[row]
        if number < 0:
            return None
        return self._bodies[number]

    def thing(self, row: int) -> Thing:
        """What the row itself stands for: a case, a turn, a part, a span; of an answer, its parts."""
        body = self.body(row)
        if isinstance(body, tuple):
            return body[self._rows.part[row]]
        kind, event, part = self.kind(row), self._rows.event[row], self._rows.part[row]
        if kind is Kind.AGENT and isinstance(body, Trace | Turn):
            return body.agents[part]
        if not isinstance(body, Turn) or kind in _WHOLE:
            return body
        if kind is Kind.ANSWER:
            return body.final_response
        if kind is Kind.SPAN:
            return body.spans[part]
        return body.events[event].parts[part] if part >= 0 else body.events[event]

    def event(self, row: int) -> Event | None:
        """The event that a row tells a part of; of an answer the one that gave it, where that is known."""
        body = self.body(row)
        if not isinstance(body, Turn) or self.kind(row) in _AGENTS:
            return None
        at = self._rows.event[row]
        return body.events[at] if at >= 0 else None

    def bodies(self) -> Sequence[bytes]:
        """All bodies as they came, in file order: what an evaluation is given, without reading the file again."""
        return self._bodies.pickled

    def _take(self, batch: RowBatch, start: int) -> dict[int, array[int]]:
        """Append the columns; the new rows by parent, not yet linked."""
        mine = self._rows
        mine.label.extend(batch.label)
        mine.place.extend(batch.place)
        mine.authors.extend(batch.authors)
        self._bodies.extend(batch.bodies)
        for name in PLAIN_COLUMNS:
            getattr(mine, name).extend(getattr(batch, name))
        groups, positions = arriving.siblings(batch.parent, start, self._children)
        self._position.extend(positions)
        self._summarise(batch, start)
        return groups

    def _summarise(self, batch: RowBatch, start: int) -> None:
        """Keep the tops, their turns, and what turns add up to."""
        rows = self._rows
        for row, kind in arriving.adding_up(batch.kind, start):
            if kind == _CALL:
                above = rows.parent[row]
                turn = rows.parent[above] if rows.kind[above] == _EVENT else above
                top = rows.parent[turn]
                self._calls[top] = self._calls.get(top, 0) + 1
            elif kind == _TURN:
                top = rows.parent[row]
                self._turns.setdefault(top, array("i")).append(row)
                self._add_up(row, top)
            else:
                self.tops.append(row)

    def _add_up(self, turn: int, top: int) -> None:
        duration_s, tokens = self.duration_s(turn), self.tokens(turn)
        if duration_s is not None:
            self.longest_turn_s = max(self.longest_turn_s, duration_s)
            self._rows.duration_s[top] = (self.duration_s(top) or 0.0) + duration_s
        if tokens is not None:
            self._rows.tokens[top] = (self.tokens(top) or 0) + tokens

    def _link_visibly(self, parent: int, rows: array[int]) -> None:
        before = len(self.visible_children(parent))
        shown = arriving.not_plumbing(rows, self._rows.flag)
        added = sum(shown) if self._plumbing_hidden else len(rows)
        for watcher in self.watchers if added else ():
            watcher.rows_coming(parent, before, before + added - 1)
        self._link(parent, rows, shown)
        for watcher in self.watchers if added else ():
            watcher.rows_came()

    def _link(self, parent: int, rows: array[int], shown: bytes) -> None:
        plumbing = shown.count(0)
        if plumbing:
            self.plumbing_count += plumbing
            self._plumbed.add(parent)
        visible = self._visible.get(parent)
        if visible is not None and parent not in self._haunted:
            visible.extend(compress(rows, shown))
        else:
            self._visible.pop(parent, None)
        self._visible_at.pop(parent, None)
        known = self._children.get(parent)
        if known is None:
            self._children[parent] = rows
        else:
            known.extend(rows)

    def _haunt(self, ghost: Ghost) -> None:
        row = self._ghost_numbers.setdefault(ghost, _FIRST_GHOST + len(self._ghost_numbers))
        self._ghosts[row] = ghost
        self._haunted.setdefault(ghost.parent, {}).setdefault(ghost.after, []).append(row)

    def _position_of_new(self, ghost: Ghost) -> int:
        """Behind its sibling, or what is shown of those before it, and behind the ghosts that stand there already."""
        visible = self.visible_children(ghost.parent)
        after = ghost.after
        before = sum(1 for row in visible if row < _FIRST_GHOST and row <= after)
        haunted = self._haunted.get(ghost.parent, {})
        return before + sum(len(rows) for sibling, rows in haunted.items() if sibling <= after)

    def _select(self, parent: int) -> Iterable[int]:
        haunted = self._haunted.get(parent, {})
        flags, hidden = self._rows.flag, self._plumbing_hidden
        yield from haunted.get(-1, ())
        for row in self._children.get(parent, _NONE):
            if not (hidden and flags[row] & _PLUMBING):
                yield row
            yield from haunted.get(row, ())


def _known(seconds: float) -> float | None:
    return None if math.isnan(seconds) else seconds

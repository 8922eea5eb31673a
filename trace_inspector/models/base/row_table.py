"""One file's rows in memory: columns that grow while it loads, children by number, and the object of each row."""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import TypeAlias

from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.rows.rows import NO_TOKENS, PLAIN_COLUMNS, Flag, Kind, RowBatch
from trace_inspector.core.rows.safe_unpickle import Unreadable
from trace_inspector.core.trace.long_turn import LongTurn, TurnPart, body_holding
from trace_inspector.core.trace.parts import Part
from trace_inspector.core.trace.trace import Agent, Event, Span, Trace, Turn, Usage, calls_of, turn_usage
from trace_inspector.models.base import bulk_append
from trace_inspector.models.base.bodies import Bodies
from trace_inspector.models.base.moved_places import UnshownEdits
from trace_inspector.models.base.row_details import DetailsByRow, NamedTops
from trace_inspector.models.base.visible_rows import FIRST_GHOST, TOP, Ghost, VisibleRows, Watcher

__all__ = ["TOP", "Ghost", "RowTable", "Thing", "Watcher"]

Whole: TypeAlias = Suite | Case | Trace | Turn | Unreadable
Thing: TypeAlias = Whole | Agent | Event | Part | Span | tuple[Part, ...] | None
_NONE: array[int] = array("i")
# Plain numbers for the columns: arithmetic with enums costs a microsecond each, for every row that arrives.
_KINDS = tuple(Kind)
_CALL, _TURN, _EVENT = int(Kind.CALL), int(Kind.TURN), int(Kind.EVENT)
_STATE, _AGENTS_ROW = int(Kind.STATE), int(Kind.AGENTS)
_AGENTS_TOLD = 500
_TOPS = frozenset({Kind.CASE, Kind.TRACE})
_TURNS = frozenset({Kind.TURN, Kind.MISSING_TURN})
_AGENTS = frozenset({Kind.AGENTS, Kind.AGENT})
_WHOLE = frozenset({Kind.TURN, Kind.AGENTS})


class RowTable:
    """Columns by row number, appended in batches. The number of a row never changes; ghosts have high numbers."""

    def __init__(self) -> None:
        self.longest_turn_s = 0.0
        self.has_starts = self.has_durations = self.has_tokens = False  # whether any row states one
        self.tops: list[int] = []  # cases and traces, in file order
        self.named = NamedTops()  # the same by name and place
        self.details = DetailsByRow()
        self.modes: dict[int, tuple[str, ...]] = {}  # failure modes that people gave to turns
        self.causes: dict[int, tuple[str, ...]] = {}  # what was found to go with failing, of conversations
        self.unshown_edits = UnshownEdits()  # the edits that these rows do not show
        self.watchers: list[Watcher] = []
        self._rows = RowBatch()
        self._turns: dict[int, array[int]] = {}  # case or trace → its turns
        self._calls: dict[int, int] = {}  # case or trace → how many calls
        self._states: dict[int, array[int]] = {}  # case or trace → the rows of what was written to its state
        self._agents: dict[int, int] = {}  # suite, case or trace → the row above its agents
        self._children: dict[int, array[int]] = {TOP: array("i")}
        self._position: array[int] = array("i")  # among all children
        self.visible = VisibleRows(self._rows, self._children, self._position, self.watchers)
        self._bodies = Bodies()

    def __len__(self) -> int:
        """How many rows, without ghosts."""
        return len(self._rows.kind)

    def has(self, row: int) -> bool:
        """Whether there is such a row or ghost."""
        return 0 <= row < len(self) or row in self.visible.ghosts

    # Columns

    @property
    def columns(self) -> RowBatch:
        """All columns, for scanning them as a whole; callers must not change them."""
        return self._rows

    def kind(self, row: int) -> Kind:
        """The kind of the row."""
        return self.visible.ghosts[row].kind if row >= FIRST_GHOST else _KINDS[self._rows.kind[row]]

    def flag(self, row: int) -> Flag:
        """The flags of the row."""
        return Flag(0) if row >= FIRST_GHOST else Flag(self._rows.flag[row])

    def parent(self, row: int) -> int:
        """The row above, TOP for none."""
        return self.visible.ghosts[row].parent if row >= FIRST_GHOST else self._rows.parent[row]

    def label(self, row: int) -> str:
        """One line of text."""
        return self.visible.ghosts[row].label if row >= FIRST_GHOST else self._rows.label[row]

    def name(self, row: int) -> str:
        """The id of a case or trace, by which verdicts name it; its line may show a title instead."""
        return self.details.of(row).id or self.label(row)

    def place(self, row: int) -> str:
        """The JSON pointer in the file, empty for ghosts."""
        return "" if row >= FIRST_GHOST else self._rows.place[row]

    def place_around(self, row: int) -> str:
        """The JSON pointer of the row, or of the nearest row above it that is part of the file."""
        while row != TOP and not self.place(row):
            row = self.parent(row)
        return self.place(row) if row != TOP else ""

    def author(self, row: int) -> str:
        """The name of the agent, empty when the file names none."""
        return "" if row >= FIRST_GHOST else self._rows.authors[self._rows.author[row]]

    def start_s(self, row: int) -> float | None:
        """When it began, epoch seconds."""
        return None if row >= FIRST_GHOST else _unless_nan(self._rows.start_s[row])

    def duration_s(self, row: int) -> float | None:
        """The duration in seconds; for a case or trace, the sum of its turns."""
        return None if row >= FIRST_GHOST else _unless_nan(self._rows.duration_s[row])

    def tokens(self, row: int) -> int | None:
        """The token count; for a case or trace, the sum of its turns."""
        count = NO_TOKENS if row >= FIRST_GHOST else self._rows.tokens[row]
        return None if count == NO_TOKENS else count

    def call_index(self, row: int) -> int:
        """The index of the call in its turn, for a call and its result; -1 for other rows."""
        return -1 if row >= FIRST_GHOST else self._rows.call[row]

    def address(self, row: int) -> tuple[int, int, int]:
        """The numbers of the row's body, of the event in it, and of the part or span in that; -1 for none."""
        if row >= FIRST_GHOST:
            return -1, -1, -1
        return self._rows.body[row], self._rows.event[row], self._rows.part[row]

    # The tree

    def children(self, row: int) -> Sequence[int]:
        """All rows under that one, without ghosts."""
        return self._children.get(row, _NONE)

    def visible_children(self, row: int) -> Sequence[int]:
        """The child rows to show: with ghosts, without hidden plumbing and filtered rows."""
        return self.visible.of(row)

    def position(self, row: int) -> int:
        """The row's place among the visible children of its parent, -1 while it is hidden."""
        return self.visible.position(row, self.parent(row))

    def turns(self, top: int) -> Sequence[int]:
        """The turn rows of a case or trace, in order."""
        return self._turns.get(top, _NONE)

    def order_of(self, turn: int) -> int:
        """The index of a turn in its case or trace, -1 when it is not in the file."""
        rows = self.turns(self.parent(turn))
        index = bisect_left(rows, turn)
        return index if index < len(rows) and rows[index] == turn else -1

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

    def states(self, top: int) -> Sequence[int]:
        """The rows of a case or trace that write to the session state, in order."""
        return self._states.get(top, _NONE)

    def agents(self, top: int, until: int) -> list[Agent]:
        """The agents of a case or trace, then of its suite, as last described up to a row; at most the first ones."""
        above = (self.agents_row(top), self.agents_row(self.parent(top)))
        rows = [row for each in above if each != TOP for row in self.children(each)[:_AGENTS_TOLD]]
        return [thing for row in rows if isinstance(thing := self.thing(self._latest_row(row, until)), Agent)]

    def agents_row(self, top: int) -> int:
        """The parent row of the agents of a suite, case or trace, TOP when it describes none."""
        return self._agents.get(top, TOP)

    def _latest_row(self, agent: int, until: int) -> int:
        later = self.children(agent)
        count = bisect_right(later, until)
        return later[count - 1] if count else agent

    def event_index(self, row: int) -> int:
        """The index of the row's event in its turn, -1 for none."""
        return -1 if row >= FIRST_GHOST else self._rows.event[row]

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
        return self.visible.plumbing_hidden

    @property
    def plumbing_count(self) -> int:
        """How many rows are plumbing."""
        return self.visible.plumbing_count

    def hide_plumbing(self, hidden: bool) -> None:
        """Leave plumbing out, or show it."""
        self.visible.hide_plumbing(hidden)

    def row_near(self, place: str) -> int:
        """The row at that JSON pointer, else the nearest one around it, else -1."""
        while place:
            row = self._rows.place.find(place)
            if row >= 0:
                return row
            place = place.rpartition("/")[0]
        return TOP

    def place_now(self, top: int) -> str | None:
        """The place where the case or trace of a row is now; None when it was deleted."""
        return self.unshown_edits.now(self.place(top))

    def row_again(self, row: int, place: str) -> int:
        """The row of this table for a row of the previous one, by its place; the document keeps its row."""
        if place:
            return self.row_near(place)
        return row if self.has(row) and not self.place(row) else TOP

    # Growing

    def append(self, batch: RowBatch) -> None:
        """Append a batch of the row writer."""
        start = len(self)
        groups = self._take(batch, start)
        for parent, rows in groups.items():
            if parent >= start:
                self.visible.link(parent, rows)
        for parent, rows in groups.items():
            if parent < start:
                self.visible.link_visibly(parent, rows)

    def clear_ghosts(self) -> None:
        """Take all ghosts away."""
        self.visible.clear_ghosts()

    def swap_ghosts(self, gone: Sequence[Ghost], come: Sequence[Ghost]) -> None:
        """Remove some ghosts and show others. Only adding is the usual case, and cheap."""
        self.visible.swap_ghosts(gone, come)

    def ghost(self, row: int) -> Ghost | None:
        """The ghost of that number; None for rows of the file."""
        return self.visible.ghosts.get(row)

    def missing_turn(self, top: int, golden_index: int) -> int:
        """The ghost of a golden's turn that a trace has not, TOP when there is none."""
        for row in self.visible.ghosts_under(top):
            ghost = self.visible.ghosts[row]
            if ghost.golden_index == golden_index:
                return row
        return TOP

    # Bodies

    def use_bodies(self, stored: Sequence[bytes]) -> None:
        """Use stored bodies for all rows: the batches contain none."""
        self._bodies.use(stored)

    def replace_body(self, number: int, body: bytes) -> None:
        """Put a more complete body in the place of one."""
        self._bodies.replace(number, body)

    def body(self, row: int) -> Whole | TurnPart | tuple[Span, ...] | None:
        """The suite, case, trace, turn or spans behind the row, as far as they were stored; ghosts have none.

        For a long turn, its own row has everything but events and spans; its other rows have some of these.
        """
        number = -1 if row >= FIRST_GHOST else self._rows.body[row]
        if number < 0:
            return None
        body = self._bodies[number]
        return body.turn if isinstance(body, LongTurn) else body

    def figures(self, turn: int) -> tuple[int, Usage]:
        """How many calls a turn has, and the tokens of its events together."""
        body = self._bodies[self._rows.body[turn]]
        if isinstance(body, LongTurn):
            return body.calls, body.usage
        return (len(calls_of(body)), turn_usage(body)) if isinstance(body, Turn) else (0, Usage())

    def turn_bodies(self, turn: int) -> Sequence[int]:
        """The numbers of the bodies that a turn is kept in."""
        first = self._rows.body[turn]
        body = self._bodies[first] if self._rows.flag[turn] & Flag.LONG else None
        return range(first, first + 1 + body.parts) if isinstance(body, LongTurn) else (first,)

    def thing(self, row: int) -> Thing:
        """The object of the row: a case, a turn, a part, a span; for an answer, its parts."""
        body = self.body(row)
        if isinstance(body, tuple):
            return body[self._rows.part[row]]
        kind, event, part = self.kind(row), self._rows.event[row], self._rows.part[row]
        if kind is Kind.AGENT and isinstance(body, Suite | Trace | Turn):
            return body.agents[part]
        if isinstance(body, TurnPart):
            index = event - body.first
            return body.spans[part - body.first] if kind is Kind.SPAN else _event_or_part(body.events[index], part)
        if not isinstance(body, Turn) or kind in _WHOLE:
            return body
        if kind is Kind.ANSWER:
            return body.final_response
        if kind is Kind.SPAN:
            return body.spans[part]
        return _event_or_part(body.events[event], part)

    def event(self, row: int) -> Event | None:
        """The event that a row is part of; for an answer the event with the answer, where that is known."""
        number, index = self.address(row)[:2]
        if number < 0 or index < 0 or self.kind(row) in _AGENTS:
            return None
        body = self._bodies[number]
        if isinstance(body, LongTurn):
            body = self._bodies[body_holding(number, index)]
        if isinstance(body, TurnPart):
            return body.events[index - body.first]
        return body.events[index] if isinstance(body, Turn) else None

    def bodies(self) -> Sequence[bytes]:
        """All pickled bodies in file order: an evaluation gets these and does not read the file again."""
        return self._bodies.pickled

    def _take(self, batch: RowBatch, start: int) -> dict[int, array[int]]:
        """Append the columns; the new rows by parent, not yet linked."""
        mine = self._rows
        mine.label.extend(batch.label)
        mine.place.extend(batch.place)
        mine.authors.extend(batch.authors)
        self._bodies.extend(batch.bodies)
        self.has_starts = self.has_starts or any(map(math.isfinite, batch.start_s))
        self.has_durations = self.has_durations or any(map(math.isfinite, batch.duration_s))
        self.has_tokens = self.has_tokens or max(batch.tokens, default=NO_TOKENS) != NO_TOKENS
        for name in PLAIN_COLUMNS:
            getattr(mine, name).extend(getattr(batch, name))
        self.details.take(batch.details, mine.parent)
        groups, positions = bulk_append.siblings(batch.parent, start, self._children)
        self._position.extend(positions)
        self._summarise(batch, start)
        return groups

    def _summarise(self, batch: RowBatch, start: int) -> None:
        """Collect the cases and traces, their turns, and the sums over turns."""
        rows = self._rows
        for row, kind in bulk_append.counted_rows(batch.kind, start):
            if kind == _CALL:
                above = rows.parent[row]
                turn = rows.parent[above] if rows.kind[above] == _EVENT else above
                top = rows.parent[turn]
                self._calls[top] = self._calls.get(top, 0) + 1
            elif kind == _STATE:
                self._states.setdefault(self.top_of(row), array("i")).append(row)
            elif kind == _AGENTS_ROW:
                self._agents[rows.parent[row]] = row
            elif kind == _TURN:
                top = rows.parent[row]
                self._turns.setdefault(top, array("i")).append(row)
                self._add_up(row, top)
            else:
                self.tops.append(row)
                self.named.add(row, self.place(row), self.name(row))

    def _add_up(self, turn: int, top: int) -> None:
        duration_s, tokens = self.duration_s(turn), self.tokens(turn)
        if duration_s is not None:
            self.longest_turn_s = max(self.longest_turn_s, duration_s)
            self._rows.duration_s[top] = (self.duration_s(top) or 0.0) + duration_s
        if tokens is not None:
            self._rows.tokens[top] = (self.tokens(top) or 0) + tokens


def _event_or_part(event: Event, part: int) -> Event | Part:
    return event.parts[part] if part >= 0 else event


def _unless_nan(seconds: float) -> float | None:
    return None if math.isnan(seconds) else seconds

"""One file's rows in memory: columns that grow while it loads, children by number, and what each row stands for."""

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
from trace_inspector.models.base import bulk_append as arriving
from trace_inspector.models.base.bodies import Bodies
from trace_inspector.models.base.moved_places import RowsBehind
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
    """Columns by row number, appended batch by batch. A row's number never changes; ghosts count from far behind."""

    def __init__(self) -> None:
        self.longest_turn_s = 0.0
        self.tops: list[int] = []  # cases and traces, in file order
        self.named = NamedTops()  # the same by name and place
        self.details = DetailsByRow()
        self.behind = RowsBehind()  # the edits that these rows do not show
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
        """All columns, for going through them as a whole. To be read only."""
        return self._rows

    def kind(self, row: int) -> Kind:
        """What the row stands for."""
        return self.visible.ghosts[row].kind if row >= FIRST_GHOST else _KINDS[self._rows.kind[row]]

    def flag(self, row: int) -> Flag:
        """What is special about the row."""
        return Flag(0) if row >= FIRST_GHOST else Flag(self._rows.flag[row])

    def parent(self, row: int) -> int:
        """The row above, TOP for none."""
        return self.visible.ghosts[row].parent if row >= FIRST_GHOST else self._rows.parent[row]

    def label(self, row: int) -> str:
        """One line of text."""
        return self.visible.ghosts[row].label if row >= FIRST_GHOST else self._rows.label[row]

    def name(self, row: int) -> str:
        """What a verdict calls a case or trace: its id, whatever title its line has."""
        return self.details.of(row).id or self.label(row)

    def place(self, row: int) -> str:
        """The JSON pointer in the file, empty for ghosts."""
        return "" if row >= FIRST_GHOST else self._rows.place[row]

    def place_around(self, row: int) -> str:
        """The JSON pointer of the row, or of the nearest one above it that stands in the file."""
        while row != TOP and not self.place(row):
            row = self.parent(row)
        return self.place(row) if row != TOP else ""

    def author(self, row: int) -> str:
        """The agent that did it, empty when nobody is named."""
        return "" if row >= FIRST_GHOST else self._rows.authors[self._rows.author[row]]

    def start_s(self, row: int) -> float | None:
        """When it began, epoch seconds."""
        return None if row >= FIRST_GHOST else _unless_nan(self._rows.start_s[row])

    def duration_s(self, row: int) -> float | None:
        """How long it took; of a case or trace, its turns together."""
        return None if row >= FIRST_GHOST else _unless_nan(self._rows.duration_s[row])

    def tokens(self, row: int) -> int | None:
        """Tokens; of a case or trace, its turns together."""
        count = NO_TOKENS if row >= FIRST_GHOST else self._rows.tokens[row]
        return None if count == NO_TOKENS else count

    def call_index(self, row: int) -> int:
        """The how-manieth call of its turn a call or result belongs to, -1 for other rows."""
        return -1 if row >= FIRST_GHOST else self._rows.call[row]

    def address(self, row: int) -> tuple[int, int, int]:
        """The number of the body the row looks into, of the event, and of the part or span there; -1 for none."""
        if row >= FIRST_GHOST:
            return -1, -1, -1
        return self._rows.body[row], self._rows.event[row], self._rows.part[row]

    # The tree

    def children(self, row: int) -> Sequence[int]:
        """All rows under that one, without ghosts."""
        return self._children.get(row, _NONE)

    def visible_children(self, row: int) -> Sequence[int]:
        """The rows to show under that one: with ghosts, without hidden plumbing, without what a filter leaves out."""
        return self.visible.of(row)

    def position(self, row: int) -> int:
        """The row's place among the visible children of its parent, -1 while it is hidden."""
        return self.visible.position(row, self.parent(row))

    def turns(self, top: int) -> Sequence[int]:
        """The turn rows of a case or trace, in order."""
        return self._turns.get(top, _NONE)

    def order_of(self, turn: int) -> int:
        """The how-manieth turn of its case or trace it is, -1 when it is none of the file's."""
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
        """The rows of a case or trace that say what was written to the session state, in order."""
        return self._states.get(top, _NONE)

    def agents(self, top: int, until: int) -> list[Agent]:
        """The agents of a case or trace, then of its suite, as told of up to a row; of very long lists, the first."""
        above = (self.agents_row(top), self.agents_row(self.parent(top)))
        rows = [row for each in above if each != TOP for row in self.children(each)[:_AGENTS_TOLD]]
        return [thing for row in rows if isinstance(thing := self.thing(self._told_last(row, until)), Agent)]

    def agents_row(self, top: int) -> int:
        """The row above the agents of a suite, case or trace, TOP when it describes none."""
        return self._agents.get(top, TOP)

    def _told_last(self, agent: int, until: int) -> int:
        later = self.children(agent)
        count = bisect_right(later, until)
        return later[count - 1] if count else agent

    def event_index(self, row: int) -> int:
        """The how-manieth event of its turn a row tells of, -1 for none."""
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
        """Where the case or trace of a row stands by now; None when it is gone."""
        return self.behind.now(self.place(top))

    def row_again(self, row: int, place: str) -> int:
        """Where a row of the table before this one stands: at its place, or where it was if it is the document."""
        if place:
            return self.row_near(place)
        return row if self.has(row) and not self.place(row) else TOP

    # Growing

    def append(self, batch: RowBatch) -> None:
        """Take over a batch as the row writer made it."""
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
        """Take some ghosts away and show others. To add alone is the usual case, and cheap."""
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
        """Where the bodies of all rows to come lie; the batches bring none."""
        self._bodies.use(stored)

    def replace_body(self, number: int, body: bytes) -> None:
        """More is known of what some rows look into."""
        self._bodies.replace(number, body)

    def body(self, row: int) -> Whole | TurnPart | tuple[Span, ...] | None:
        """The suite, case, trace, turn or spans that the row looks into, as far as they are kept; ghosts have none.

        Of a long turn its own row gives all but events and spans, and its other rows some of those.
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
        """What the row itself stands for: a case, a turn, a part, a span; of an answer, its parts."""
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
        """The event that a row tells a part of; of an answer the one that gave it, where that is known."""
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
        self.details.take(batch.details, mine.parent)
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

"""The session state of one case or trace at any position: the writes of all events up to there.

Folding starts from the nearest cached state, in slices of time, so that a long trace never blocks the window.
"""

from __future__ import annotations

import time
from bisect import bisect_left, bisect_right, insort
from collections import OrderedDict

from msgspec import Struct

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.trace.trace import Trace
from trace_inspector.core.values.values import JsonObject
from trace_inspector.models.base.row_table import TOP, RowTable

KEPT_EVERY = 256
MOST_KEYS_KEPT = 2_000_000  # in all kept states together; a hostile file has as many keys as writes
RECENT_KEPT = 8
TEMPORARY = "temp:"  # ADK drops such keys at the end of a turn
_WHOLE_TURN = frozenset({Kind.TURN, Kind.SPAN, Kind.MISSING_CALL})


class _Snapshot(Struct, frozen=True):
    """The state after some writes, and the turn of the last of them."""

    state: JsonObject
    turn: int


class SessionState:
    """Writes are numbered in file order; the state after 0 writes is the initial one."""

    def __init__(self, table: RowTable, top: int, start: JsonObject) -> None:
        self._table = table
        self._top = top
        self._kept: dict[int, _Snapshot] = {0: _Snapshot(start, TOP)}
        self._counts = [0]  # numbers of writes after which a state is kept, in order
        self._room = MOST_KEYS_KEPT
        self._recent: OrderedDict[int, _Snapshot] = OrderedDict()

    def span(self, row: int) -> tuple[int, int]:
        """The number of writes before a row, and up to its end."""
        table, writes = self._table, self._table.states(self._top)
        turn = table.turn_of(row)
        if turn == TOP:
            return (0, len(writes)) if row == self._top else (len(writes), len(writes))
        turns = table.turns(self._top)
        index = table.order_of(turn)
        if index < 0:  # the golden's turn that was never reached
            return len(writes), len(writes)
        low = bisect_left(writes, turn)
        high = bisect_left(writes, turns[index + 1]) if index + 1 < len(turns) else len(writes)
        event = table.event_index(row)
        if table.kind(row) in _WHOLE_TURN:
            return low, high
        if event < 0:  # an answer without a known event
            return high, high
        return (
            bisect_left(writes, event, low, high, key=table.event_index),
            bisect_right(writes, event, low, high, key=table.event_index),
        )

    def fold(self, count: int, until_s: float) -> bool:
        """Work on the state after that many writes until that time (monotonic); true when it is complete."""
        writes, table = self._table.states(self._top), self._table
        first = writes_read = self._nearest(count)
        snapshot = self._snapshot(writes_read)
        state, turn = dict(snapshot.state), snapshot.turn
        while writes_read < count and (time.monotonic() < until_s or writes_read == first):
            event, here = table.event(writes[writes_read]), table.turn_of(writes[writes_read])
            state = lasting(state) if here != turn else state
            if event is not None and event.state_delta:
                state.update(event.state_delta)
            writes_read, turn = writes_read + 1, here
            if writes_read % KEPT_EVERY == 0 and writes_read not in self._kept and len(state) <= self._room:
                self._room -= len(state)
                self._kept[writes_read] = _Snapshot(dict(state), turn)
                insort(self._counts, writes_read)
        self._recent[writes_read] = _Snapshot(state, turn)
        self._recent.move_to_end(writes_read)
        if len(self._recent) > RECENT_KEPT:
            self._recent.popitem(last=False)
        return writes_read == count

    def after(self, count: int, turn: int) -> JsonObject:
        """The state after that many writes, which must be folded, as seen by a turn."""
        snapshot = self._snapshot(count)
        return snapshot.state if turn in (snapshot.turn, TOP) or snapshot.turn == TOP else lasting(snapshot.state)

    def _nearest(self, count: int) -> int:
        recent = max((each for each in self._recent if each <= count), default=0)
        return max(recent, self._counts[bisect_right(self._counts, count) - 1])

    def _snapshot(self, count: int) -> _Snapshot:
        return self._recent.get(count) or self._kept[count]


def lasting(state: JsonObject) -> JsonObject:
    """The part of a state that the next turn still has."""
    if not any(name.startswith(TEMPORARY) for name in state):
        return state
    return {name: value for name, value in state.items() if not name.startswith(TEMPORARY)}


def stated_start(thing: object) -> JsonObject | None:
    """The initial state that a case states."""
    return thing.session.state if isinstance(thing, Case) and thing.session is not None else None


def stated_end(thing: object) -> JsonObject | None:
    """The final state that a case or trace states."""
    return thing.final_state if isinstance(thing, Case | Trace) else None

"""Calls that a person paired, and where they are after an edit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from trace_inspector.core.alignment.sequence_alignment import Link
from trace_inspector.core.alignment.turn_alignment import align_calls, align_turns
from trace_inspector.core.trace.trace import Turn, calls_of


@dataclass(frozen=True, slots=True)
class HandCall:
    """In that turn of the first side, its call belongs to that call of another side."""

    turn: int
    side: int
    expected: int
    observed: int

    def contradicts(self, other: HandCall) -> bool:
        """Whether the two cannot be at once."""
        if (self.turn, self.side) != (other.turn, other.side):
            return False
        return self.expected == other.expected or self.observed == other.observed


def pairs_by_hand(given: Sequence[HandCall], turns: Sequence[Turn | None], at: int | None, to: int) -> list[Link]:
    """The calls of a turn of the first side that a person paired with those of another side."""
    left, right = turns[0], turns[to]
    if left is None or right is None or not given:
        return []
    most = len(calls_of(left)), len(calls_of(right))
    return [
        (one.expected, one.observed)
        for one in given
        if (one.turn, one.side) == (at, to) and one.expected < most[0] and one.observed < most[1]
    ]


def followed(given: Sequence[HandCall], before: Sequence[Turn], now: Sequence[Turn]) -> tuple[HandCall, ...]:
    """The same pairs after the first side was edited; without those whose call it has no more."""
    turns = {pair.golden: pair.observed for pair in align_turns(before, now)}
    found = []
    for one in given:
        to = turns.get(one.turn)
        if to is not None:
            calls = align_calls(calls_of(before[one.turn]), calls_of(now[to]))
            at = next((pair.observed for pair in calls if pair.expected == one.expected), None)
            found += [replace(one, turn=to, expected=at)] if at is not None else []
    return tuple(found)

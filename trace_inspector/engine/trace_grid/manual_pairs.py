"""Calls that a person paired, and where they are after an edit."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.alignment.sequence_alignment import Link
from trace_inspector.core.alignment.turn_alignment import align_calls, align_turns
from trace_inspector.core.trace.trace import Turn, calls_of


class HandCall(Struct, frozen=True):
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


def pairs_by_hand(given: Sequence[HandCall], turns: Sequence[Turn | None], first: int | None, to: int) -> list[Link]:
    """The calls of a turn of the first side that a person paired with those of another side."""
    left, right = turns[0], turns[to]
    if left is None or right is None or not given:
        return []
    most = len(calls_of(left)), len(calls_of(right))
    return [
        (pair.expected, pair.observed)
        for pair in given
        if (pair.turn, pair.side) == (first, to) and pair.expected < most[0] and pair.observed < most[1]
    ]


def followed(given: Sequence[HandCall], before: Sequence[Turn], now: Sequence[Turn]) -> tuple[HandCall, ...]:
    """The same pairs after the first side was edited; without those whose call it has no more."""
    turns = {pair.golden: pair.observed for pair in align_turns(before, now)}
    moved = []
    for hand_pair in given:
        to = turns.get(hand_pair.turn)
        if to is not None:
            calls = align_calls(calls_of(before[hand_pair.turn]), calls_of(now[to]))
            expected = next((pair.observed for pair in calls if pair.expected == hand_pair.expected), None)
            moved += [replace(hand_pair, turn=to, expected=expected)] if expected is not None else []
    return tuple(moved)

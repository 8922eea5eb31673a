"""Calls that a person paired, put in the place of what the alignment found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from trace_inspector.core.align import (
    CallPair,
    Match,
    Policy,
    SameCall,
    align_calls,
    align_turns,
    differing_arguments,
    first_divergence,
)
from trace_inspector.core.trace import Turn, calls_of
from trace_inspector.engine.differences.compared import ComparedTurn


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


def with_hand(turn: ComparedTurn, given: Sequence[HandCall], policy: Policy, same: SameCall) -> ComparedTurn:
    """The same turn, its calls paired as a person said; who loses a partner stands alone."""
    pairs = list(turn.pairs)
    for one in given:
        if one.expected < len(turn.left_calls) and one.observed < len(turn.right_calls):
            pairs = _forced(pairs, turn, one, same)
    counts = frozenset(at for at, pair in enumerate(pairs) if pair.counts(policy))
    parting = first_divergence(pairs, policy) if turn.left is not None and turn.right is not None else None
    return replace(turn, pairs=tuple(pairs), counted=counts, parting=parting)


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


def _forced(pairs: Sequence[CallPair], turn: ComparedTurn, one: HandCall, same: SameCall) -> list[CallPair]:
    made: list[CallPair] = []
    for pair in pairs:
        if pair.expected == one.expected:
            made.append(_paired(turn, one, same))
            if pair.observed is not None and pair.observed != one.observed:
                made.append(CallPair(Match.EXTRA, None, pair.observed))
        elif pair.observed == one.observed:
            if pair.expected is not None:
                made.append(CallPair(Match.MISSING, pair.expected, None))
        else:
            made.append(pair)
    return made


def _paired(turn: ComparedTurn, one: HandCall, same: SameCall) -> CallPair:
    expected, observed = turn.left_calls[one.expected], turn.right_calls[one.observed]
    if same(expected, observed):
        return CallPair(Match.SAME, one.expected, one.observed)
    match = Match.ARGUMENTS if expected.name == observed.name else Match.RENAMED
    return CallPair(match, one.expected, one.observed, differing_arguments(expected, observed, same))

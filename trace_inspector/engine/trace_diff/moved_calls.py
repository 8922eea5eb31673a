"""Calls that one side makes in another turn than the other: each is one call that moved."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TypeAlias

from msgspec.structs import replace

from trace_inspector.core.alignment.max_matching import MOST_COMPARISONS, max_matching
from trace_inspector.core.alignment.turn_alignment import CallMatch, Differing, same_call
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.engine.trace_diff.compared_turn import CallElsewhere, ComparedTurn

_Place: TypeAlias = tuple[int, int]  # the index of the turn in the list, the index of the call on its side


def with_moved_calls(turns: Sequence[ComparedTurn], test: Differing | None = None) -> list[ComparedTurn]:
    """The same turns; a call that is missing in one and extra in another is noted in both, and is one that moved.

    How the calls of a turn pair, and what counts there, stays. Calls of turns that one side does not have are not
    looked at: these are told as turns.
    """
    missing, extra = list(_lone(turns, CallMatch.MISSING)), list(_lone(turns, CallMatch.EXTRA))
    gone: dict[int, list[CallElsewhere]] = defaultdict(list)
    come: dict[int, list[CallElsewhere]] = defaultdict(list)
    for (turn, call), (other, other_call) in _paired(turns, missing, extra, test):
        expected, made = turns[turn].left_calls[call], turns[other].right_calls[other_call]
        gone[turn].append(CallElsewhere(call, turns[other].number, other_call, made))
        come[other].append(CallElsewhere(other_call, turns[turn].number, call, expected))
    return [
        replace(compared, gone=tuple(gone[index]), come=tuple(come[index]))
        if index in gone or index in come
        else compared
        for index, compared in enumerate(turns)
    ]


def _lone(turns: Sequence[ComparedTurn], match: CallMatch) -> Iterator[_Place]:
    """The calls that have no counterpart in their turn."""
    for number, turn in enumerate(turns):
        if turn.left is None or turn.right is None:
            continue
        for pair in turn.pairs:
            if pair.match is not match or turn.is_aside(pair) or pair.expected in turn.free:
                continue
            index = pair.expected if match is CallMatch.MISSING else pair.observed
            if index is not None:
                yield number, index


def _paired(
    turns: Sequence[ComparedTurn], missing: Sequence[_Place], extra: Sequence[_Place], test: Differing | None
) -> list[tuple[_Place, _Place]]:
    """As many as are the same call, in different turns; the names of the tools tell first which can be."""

    def expected(index: int) -> ToolCall:
        turn, call = missing[index]
        return turns[turn].left_calls[call]

    def made(index: int) -> ToolCall:
        turn, call = extra[index]
        return turns[turn].right_calls[call]

    def fits(here: Sequence[int], there: Sequence[int], left: int, right: int) -> bool:
        index, to = here[left], there[right]
        if missing[index][0] == extra[to][0]:
            return False
        return same_call(expected(index), made(to)) if test is None else not test(expected(index), made(to))

    pairs_of_places: list[tuple[_Place, _Place]] = []
    by_name: dict[str, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for index in range(len(missing)):
        by_name[expected(index).name][0].append(index)
    for to in range(len(extra)):
        by_name[made(to).name][1].append(to)
    for here, there in by_name.values():
        if not 0 < len(here) * len(there) <= MOST_COMPARISONS:  # of so many nobody sees which one moved
            continue
        pairs = max_matching(len(here), len(there), partial(fits, here, there))
        pairs_of_places += [(missing[here[index]], extra[there[to]]) for index, to in pairs.items()]
    return sorted(pairs_of_places)

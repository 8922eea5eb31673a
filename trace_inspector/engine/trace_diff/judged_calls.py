"""Calls of a turn paired where the golden says of some that they are not judged: these only explain what was done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.alignment.max_matching import max_matching
from trace_inspector.core.alignment.sequence_alignment import Link
from trace_inspector.core.alignment.turn_alignment import (
    WHOLE,
    CallMatch,
    CallPair,
    Differing,
    align_calls,
    how_they_differ,
)
from trace_inspector.core.trace.parts import ToolCall


class Calls(Struct, frozen=True):
    """The calls of both sides, the groups they came in, the test of the rule, and what a person paired.

    Those set `aside` have no counterpart and no difference: they are told alone.
    """

    expected: Sequence[ToolCall]
    observed: Sequence[ToolCall]
    groups: tuple[Sequence[int], Sequence[int]]
    differing: Differing | None = None
    by_hand: Sequence[Link] = ()
    aside: tuple[AbstractSet[int], AbstractSet[int]] = (frozenset(), frozenset())


def align_judged(calls: Calls, free: AbstractSet[int]) -> list[CallPair]:
    """Pair the judged calls as if there were no others; a `free` one has what none of them is, wherever that was."""
    if not free and not any(calls.aside):
        return align_calls(
            calls.expected, calls.observed, groups=calls.groups, differing=calls.differing, by_hand=calls.by_hand
        )
    rows = _judged(calls, free)
    explained = _explained(calls, sorted(free), rows)
    taken = set(explained.values())
    aligned: list[CallPair] = []
    for row in rows:
        if row.observed not in taken:
            aligned.append(row)
        elif row.expected is not None:  # another tool was thought to be in its place
            aligned.append(CallPair(CallMatch.MISSING, row.expected, None))
    for index in sorted(free | calls.aside[0]):
        place = next(
            (n for n, row in enumerate(aligned) if row.expected is not None and row.expected > index), len(aligned)
        )
        alone = CallPair(CallMatch.SAME, index, None)
        aligned.insert(place, alone if index in calls.aside[0] else _free_pair(calls, index, explained.get(index)))
    for to in sorted(calls.aside[1]):
        place = next(
            (n for n, row in enumerate(aligned) if row.observed is not None and row.observed > to), len(aligned)
        )
        aligned.insert(place, CallPair(CallMatch.SAME, None, to))
    return aligned


def _judged(calls: Calls, free: AbstractSet[int]) -> list[CallPair]:
    by_hand = {to for index, to in calls.by_hand if index in free}
    here = [index for index in range(len(calls.expected)) if index not in free and index not in calls.aside[0]]
    there = [to for to in range(len(calls.observed)) if to not in by_hand and to not in calls.aside[1]]
    lefts, rights = ({call: nth for nth, call in enumerate(side)} for side in (here, there))
    rows = align_calls(
        [calls.expected[index] for index in here],
        [calls.observed[to] for to in there],
        groups=(_some(calls.groups[0], here), _some(calls.groups[1], there)),
        differing=calls.differing,
        by_hand=[(lefts[index], rights[to]) for index, to in calls.by_hand if index in lefts and to in rights],
    )
    return [
        replace(
            row,
            expected=None if row.expected is None else here[row.expected],
            observed=None if row.observed is None else there[row.observed],
        )
        for row in rows
    ]


def _some(groups: Sequence[int], chosen: Sequence[int]) -> Sequence[int]:
    return [groups[index] for index in chosen] if groups else ()


def _explained(calls: Calls, free: Sequence[int], rows: Sequence[CallPair]) -> dict[int, int]:
    """What the free calls are: first whatever is just as they say, then whatever is of their tool."""
    pairs = {index: to for index, to in calls.by_hand if index in free}
    by_hand = {index for index, _to in calls.by_hand}
    for wants, fits in ((_AS_EXPECTED, _fits), (_NOT_EXPECTED, _same_tool)):
        loose = [row for row in rows if row.match in wants and row.expected not in by_hand]
        taken = set(pairs.values())
        unpaired = [index for index in free if index not in pairs]
        to_tell = [row.observed for row in loose if row.observed is not None and row.observed not in taken]
        pairs |= _paired(unpaired, to_tell, partial(fits, calls))
    return pairs


def _paired(left: Sequence[int], right: Sequence[int], fits: Callable[[int, int], bool]) -> dict[int, int]:
    pairs = max_matching(len(left), len(right), lambda index, to: fits(left[index], right[to]))
    return {left[index]: right[to] for index, to in pairs.items()}


_NOT_EXPECTED = (CallMatch.EXTRA,)
_AS_EXPECTED = (CallMatch.EXTRA, CallMatch.RENAMED)  # a renamed one is a guess, an equal call is none


def _same_tool(calls: Calls, expected: int, to: int) -> bool:
    return calls.expected[expected].name == calls.observed[to].name


def _fits(calls: Calls, expected: int, to: int) -> bool:
    return _same_tool(calls, expected, to) and not _differing(calls)(calls.expected[expected], calls.observed[to])


def _differing(calls: Calls) -> Callable[[ToolCall, ToolCall], tuple[str, ...]]:
    return calls.differing or how_they_differ


def _free_pair(calls: Calls, expected: int, to: int | None) -> CallPair:
    if to is None:
        return CallPair(CallMatch.MISSING, expected, None)
    if not _same_tool(calls, expected, to):  # by hand
        return CallPair(CallMatch.RENAMED, expected, to)
    names = _differing(calls)(calls.expected[expected], calls.observed[to])
    return CallPair(CallMatch.ARGUMENTS if names else CallMatch.SAME, expected, to, () if names == WHOLE else names)

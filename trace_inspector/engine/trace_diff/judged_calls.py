"""Calls of a turn paired where the golden says of some that they are not judged: these only explain what was done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import partial

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


@dataclass(frozen=True, slots=True)
class Calls:
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
    found: list[CallPair] = []
    for row in rows:
        if row.observed not in taken:
            found.append(row)
        elif row.expected is not None:  # another tool was thought to be in its place
            found.append(CallPair(CallMatch.MISSING, row.expected, None))
    for at in sorted(free | calls.aside[0]):
        place = next((n for n, row in enumerate(found) if row.expected is not None and row.expected > at), len(found))
        alone = CallPair(CallMatch.SAME, at, None)
        found.insert(place, alone if at in calls.aside[0] else _free_pair(calls, at, explained.get(at)))
    for to in sorted(calls.aside[1]):
        place = next((n for n, row in enumerate(found) if row.observed is not None and row.observed > to), len(found))
        found.insert(place, CallPair(CallMatch.SAME, None, to))
    return found


def _judged(calls: Calls, free: AbstractSet[int]) -> list[CallPair]:
    by_hand = {to for at, to in calls.by_hand if at in free}
    here = [at for at in range(len(calls.expected)) if at not in free and at not in calls.aside[0]]
    there = [to for to in range(len(calls.observed)) if to not in by_hand and to not in calls.aside[1]]
    lefts, rights = ({one: nth for nth, one in enumerate(side)} for side in (here, there))
    rows = align_calls(
        [calls.expected[at] for at in here],
        [calls.observed[to] for to in there],
        groups=(_some(calls.groups[0], here), _some(calls.groups[1], there)),
        differing=calls.differing,
        by_hand=[(lefts[at], rights[to]) for at, to in calls.by_hand if at in lefts and to in rights],
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
    return [groups[at] for at in chosen] if groups else ()


def _explained(calls: Calls, free: Sequence[int], rows: Sequence[CallPair]) -> dict[int, int]:
    """What the free calls are: first whatever is just as they say, then whatever is of their tool."""
    found = {at: to for at, to in calls.by_hand if at in free}
    by_hand = {at for at, _to in calls.by_hand}
    for wants, fits in ((_AS_EXPECTED, _fits), (_NOT_EXPECTED, _same_tool)):
        loose = [row for row in rows if row.match in wants and row.expected not in by_hand]
        taken = set(found.values())
        left = [at for at in free if at not in found]
        to_tell = [row.observed for row in loose if row.observed is not None and row.observed not in taken]
        found |= _paired(left, to_tell, partial(fits, calls))
    return found


def _paired(left: Sequence[int], right: Sequence[int], fits: Callable[[int, int], bool]) -> dict[int, int]:
    found = max_matching(len(left), len(right), lambda at, to: fits(left[at], right[to]))
    return {left[at]: right[to] for at, to in found.items()}


_NOT_EXPECTED = (CallMatch.EXTRA,)
_AS_EXPECTED = (CallMatch.EXTRA, CallMatch.RENAMED)  # a renamed one is a guess, an equal call is none


def _same_tool(calls: Calls, at: int, to: int) -> bool:
    return calls.expected[at].name == calls.observed[to].name


def _fits(calls: Calls, at: int, to: int) -> bool:
    return _same_tool(calls, at, to) and not _differing(calls)(calls.expected[at], calls.observed[to])


def _differing(calls: Calls) -> Callable[[ToolCall, ToolCall], tuple[str, ...]]:
    return calls.differing or how_they_differ


def _free_pair(calls: Calls, at: int, to: int | None) -> CallPair:
    if to is None:
        return CallPair(CallMatch.MISSING, at, None)
    if not _same_tool(calls, at, to):  # by hand
        return CallPair(CallMatch.RENAMED, at, to)
    names = _differing(calls)(calls.expected[at], calls.observed[to])
    return CallPair(CallMatch.ARGUMENTS if names else CallMatch.SAME, at, to, () if names == WHOLE else names)

"""Handing over to another agent, by a call or without one as CES does it: to whom on each side, and what differs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.alignment.max_matching import max_matching
from trace_inspector.core.alignment.sequence_alignment import NEVER, increasing, link
from trace_inspector.core.alignment.turn_alignment import Policy
from trace_inspector.core.trace.expectation import Expects
from trace_inspector.core.trace.parts import ToolCall, Transfer
from trace_inspector.core.trace.summary import transfer_target
from trace_inspector.core.trace.trace import Turn, calls_of
from trace_inspector.engine.ces.calls import first_of, parts_of
from trace_inspector.engine.ces.identity import same_name


class HandOver(Struct, frozen=True):
    """A handing over that one side alone has, or that it has at another place."""

    target: str
    place: str
    expected: bool  # whether the first side has it
    counts: bool
    moved: bool = False


class _Made(Struct, frozen=True):
    """One handing over. What a call does is compared as a call, and only looked at for its partner."""

    target: str
    place: str
    by_call: bool
    skipped: bool = False  # it may be done or not
    call: int = -1  # the number of the call that does it, whether or not that is compared as a call


class HandOvers(Struct, frozen=True):
    """What differs, and on each side the numbers of the calls that are no calls to compare: they only hand over."""

    differing: tuple[HandOver, ...] = ()
    left_calls: frozenset[int] = frozenset()
    right_calls: frozenset[int] = frozenset()


def hand_overs(left: Turn, right: Turn, policy: Policy, *, are_calls: bool = True) -> HandOvers:
    """What differs; an unexpected one counts where no others may be made, another order where order does.

    Where they `are_calls`, those that calls do on both sides are left to who compares calls.
    """
    here, there = (_sides(side, are_calls=are_calls) for side in (left, right))
    if not here and not there:
        return HandOvers()
    pairs = _paired(here, there)
    taken = set(pairs.values())
    in_order = set(increasing(sorted(pairs.items())))
    differing: list[HandOver] = []
    for index, hand_over in enumerate(here):
        if hand_over.by_call or hand_over.skipped:
            continue
        if index not in pairs:
            differing.append(HandOver(hand_over.target, hand_over.place, expected=True, counts=True))
        elif (index, pairs[index]) not in in_order and not there[pairs[index]].by_call:
            differing.append(
                HandOver(hand_over.target, hand_over.place, expected=True, counts=policy.wants_order, moved=True)
            )
    for to, hand_over in enumerate(there):
        if to not in taken and not hand_over.by_call:
            differing.append(
                HandOver(hand_over.target, hand_over.place, expected=False, counts=policy is Policy.EXACT)
            )
    met = [(here[index], there[to]) for index, to in pairs.items()]
    return HandOvers(
        tuple(differing),
        _only_handing_over(here, {hand_over.call for hand_over, other in met if not other.by_call}),
        _only_handing_over(there, {other.call for hand_over, other in met if not hand_over.by_call}),
    )


def _only_handing_over(side: Sequence[_Made], met: Set[int]) -> frozenset[int]:
    """The calls that no rule compares as calls, or that the other side does without a call."""
    return frozenset(
        hand_over.call
        for hand_over in side
        if hand_over.call >= 0 and (not hand_over.by_call or hand_over.call in met)
    )


def _sides(turn: Turn, *, are_calls: bool) -> list[_Made]:
    made = list(_of(turn))
    return made if are_calls else [replace(hand_over, by_call=False) for hand_over in made]


def taken(left: Turn, right: Turn) -> list[tuple[str, str]]:
    """To whom the first turn hands over once it does as the second: where it is expected now, or "", and the name.

    What calls do is not touched, nor what may be done or not.
    """
    here, there = list(_of(left)), list(_of(right))
    pairs = {to: expected for expected, to in _paired(here, there).items()}
    observed = [(to, pairs.get(to, -1)) for to, hand_over in enumerate(there) if to in pairs or not hand_over.by_call]
    made = [
        (here[expected].place, here[expected].target) if expected >= 0 else ("", there[to].target)
        for to, expected in observed
    ]
    places = [expected for _to, expected in observed]
    for expected, hand_over in enumerate(here):
        if expected in places or not (hand_over.by_call or hand_over.skipped):
            continue
        before = max((places.index(other) for other in places if 0 <= other < expected), default=-1)
        made.insert(before + 1, (hand_over.place, hand_over.target))
        places.insert(before + 1, expected)
    return made


def _paired(here: Sequence[_Made], there: Sequence[_Made]) -> dict[int, int]:
    """As many as have a counterpart, those that are judged first, and as many of them in order as can be.

    What a call does is better the counterpart of what a call does: the other way round, both would differ.
    """

    def same(row: int, to: int) -> bool:
        return same_name(here[row].target, there[to].target)

    def alike(row: int, to: int) -> bool:
        return here[row].by_call is there[to].by_call and same(row, to)

    def costs(rows: range, columns: range) -> list[list[int]]:
        return [[int(not alike(row, to)) if same(row, to) else NEVER for to in columns] for row in rows]

    size = len(here), len(there)
    lefts, rights = ([(hand_over.target, hand_over.by_call) for hand_over in side] for side in (here, there))
    in_order = dict(link(lefts, rights, costs).links)
    pairs = {row: to for row, to in in_order.items() if not here[row].skipped}
    for fits in (alike, same):
        pairs = max_matching(*size, lambda row, to: not here[row].skipped and fits(row, to), pairs)  # noqa: B023
    matched = set(pairs.values())
    pairs |= {row: to for row, to in in_order.items() if here[row].skipped and to not in matched}
    for fits in (alike, same):
        pairs = max_matching(*size, fits, pairs)
    return pairs


def _of(turn: Turn) -> Iterator[_Made]:
    stated = [expectation for expectation in turn.expectations if expectation.kind is Expects.TRANSFER]
    if stated:
        for expectation in stated:
            stated_part = first_of(expectation.parts, Transfer)
            if stated_part is not None:
                yield _Made(stated_part.target, stated_part.place, by_call=False, skipped=expectation.skipped)
        return
    parts = list(parts_of(turn))
    by_call = [target for part in parts if isinstance(part, ToolCall) and (target := transfer_target(part))]
    numbers = {id(call): number for number, call in enumerate(calls_of(turn))} if by_call else {}
    for part in parts:
        if isinstance(part, ToolCall) and (target := transfer_target(part)):
            yield _Made(target, part.place, by_call=True, call=numbers.get(id(part), -1))
        elif isinstance(part, Transfer):
            tool_target = next((target for target in by_call if same_name(target, part.target)), None)
            if tool_target is None:
                yield _Made(part.target, part.place, by_call=False)
            else:
                by_call.remove(tool_target)  # the call's own doing; a second one is another

"""The first call of a turn that cannot be right any more, while calls before and after it may still come.

Spans come when they end, and in any order: what is there of a turn is a part of its calls. The golden's calls, no
others, in their order, can still be reached as long as those that are there stand among them in that order. A call
of which only its own span is there may get other arguments, and its place among those asked for at once, from the
answer of the model: until then it is only looked for whether the golden has room for a call of its name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from msgspec import Struct

from trace_inspector.core.alignment.max_matching import max_matching
from trace_inspector.core.alignment.sequence_alignment import Order
from trace_inspector.core.alignment.turn_alignment import CallMatch, CallPair, Policy, how_they_differ
from trace_inspector.core.alignment.words import normalised
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.trace.trace import Event, Steps, Turn, calls_of, user_text
from trace_inspector.core.verdict.parting import Parting
from trace_inspector.engine.scoring.call_orders import SameCall
from trace_inspector.engine.scoring.call_sentence import call_sentence
from trace_inspector.engine.scoring.metric import PairedTurn

Differing: TypeAlias = Callable[[ToolCall, ToolCall], tuple[str, ...]]

_MOST_COMPARED = 10_000  # pairs of calls


class MadeCall(Struct, frozen=True):
    """A call that was made so far. `is_told`: the whole answer of the model that asked for it is there."""

    turn: int
    number: int
    call: ToolCall
    is_told: bool


def made_in(turn: Turn) -> list[MadeCall]:
    """The calls of a turn so far."""
    told = [(part, event) for event in turn.events for part in event.parts if isinstance(part, ToolCall)]
    return [MadeCall(turn.index, number, call, _is_whole(event)) for number, (call, event) in enumerate(told)]


def _is_whole(event: Event) -> bool:
    """Whether it is an answer of a model that has ended: some tracers send a span when it begins as well."""
    return event.model is not None and event.duration_s is not None


def is_compared(row: PairedTurn) -> bool:
    """Whether a turn that runs can be told from its golden.

    Which golden it belongs to is known by its user's words alone: what an agent below was asked are other words, and
    may be all that has come so far.
    """
    if row.golden is None or row.golden.steps is Steps.ABSENT or row.observed is None:
        return False
    asked = normalised(user_text(row.observed))
    return bool(asked) and asked == normalised(user_text(row.golden))


def partings_of(rows: Sequence[PairedTurn], same: SameCall, differing: Differing = how_they_differ) -> list[Parting]:
    """Where the turns part from their goldens, of which calls in that order, and no others, are expected.

    `differing` names the arguments that are not as expected.
    """
    found = [
        parting_from(calls_of(row.golden), made_in(row.observed), same, differing)
        for row in rows
        if is_compared(row) and row.golden is not None and row.observed is not None
    ]
    return [parting for parting in found if parting is not None]


def parting_from(
    expected: Sequence[ToolCall], made: Sequence[MadeCall], same: SameCall, differing: Differing = how_they_differ
) -> Parting | None:
    """The first of the calls that no call to come can make one of those expected; None where there is none."""
    if len(expected) * len(made) > _MOST_COMPARED:
        return None
    number, free = _out_of_order(expected, made, same) if all(each.is_told for each in made) else (None, [])
    if number is None:
        number, free = _without_room(expected, made, same)
    if number is None:
        return None
    parted = made[number]
    sentence = call_sentence(
        [_pair(expected, free, parted.call, same, differing)], expected, [parted.call], Policy.EXACT
    )
    return Parting(parted.turn, parted.number, parted.call.place, sentence)


def _out_of_order(
    expected: Sequence[ToolCall], made: Sequence[MadeCall], same: SameCall
) -> tuple[int | None, Sequence[int]]:
    """The first call that those expected do not have behind the ones before it, and which nobody took."""
    taken: list[int] = []
    for number, each in enumerate(made):
        rest = range(taken[-1] + 1 if taken else 0, len(expected))
        place = next((index for index in rest if same(expected[index], each.call)), None)
        if place is None:
            return number, [index for index in range(len(expected)) if index not in taken]
        taken.append(place)
    return None, []


def _without_room(
    expected: Sequence[ToolCall], made: Sequence[MadeCall], same: SameCall
) -> tuple[int | None, Sequence[int]]:
    """The first call for which those before it leave none of the expected ones, and which nobody took."""

    def fits(number: int, index: int) -> bool:
        each = made[number]
        if not each.is_told:
            return each.call.stated_name == expected[index].stated_name
        return same(expected[index], each.call)

    taken = max_matching(len(made), len(expected), fits)
    number = next((number for number in range(len(made)) if number not in taken), None)
    return number, [index for index in range(len(expected)) if index not in taken.values()]


def _pair(
    expected: Sequence[ToolCall], free: Sequence[int], call: ToolCall, same: SameCall, differing: Differing
) -> CallPair:
    """What the call is instead: one of those that nobody took, too late or with other arguments, or none of them."""
    for index in free:
        if same(expected[index], call):
            return CallPair(CallMatch.SAME, index, 0, order=Order.MOVED)
    for index in free:
        if expected[index].stated_name == call.stated_name:
            return CallPair(CallMatch.ARGUMENTS, index, 0, differing(expected[index], call))
    return CallPair(CallMatch.EXTRA, None, 0)

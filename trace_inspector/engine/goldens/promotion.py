"""Promotes a recorded run into an existing golden, as changes, so that the rest of the file keeps its text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.alignment.turn_alignment import CallMatch, CallPair, align_calls, align_turns
from trace_inspector.core.alignment.words import normalised
from trace_inspector.core.errors import EditError
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.golden_change import Calls, ExpectedCall, GoldenChange, Tagged, Turns
from trace_inspector.core.golden.promoted_turn import TRANSFER_TOOL
from trace_inspector.core.golden.promoting import Origin, PromotionChoice, chosen_turns, golden_turns, tags_of
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.trace.trace import Trace, Turn, calls_of, user_text
from trace_inspector.core.values.pointer import resolve, split
from trace_inspector.core.values.values import ABSENT
from trace_inspector.engine.lints.turns import expected


class PromotionChanges(Struct, frozen=True):
    """Changes of a golden, and the indexes of chosen turns whose question no turn of the golden asks."""

    changes: tuple[GoldenChange, ...] = ()
    unmatched: tuple[int, ...] = ()


class PromotionWay(Struct, frozen=True):
    """One entry of WAYS: how chosen turns are promoted."""

    name: str
    title: str
    means: str
    take: Callable[[Case, Trace, PromotionChoice], PromotionChanges]


def appended(case: Case, trace: Trace, choice: PromotionChoice) -> PromotionChanges:
    """Append the chosen turns."""
    new = golden_turns(trace, choice, len(case.turns))
    return PromotionChanges((Turns((*case.turns, *new), recorded=True),) if new else ())


def replaced(case: Case, trace: Trace, choice: PromotionChoice) -> PromotionChanges:
    """Replace the golden's turns that ask the same as the run's."""
    observed = chosen_turns(trace, choice)
    pairs = _pairs(case.turns, observed)
    new = golden_turns(trace, choice)
    kept = tuple(
        replace(new[pairs[index]], index=index) if index in pairs else turn for index, turn in enumerate(case.turns)
    )
    changes = (Turns(kept, recorded=True),) if pairs else ()
    return PromotionChanges(changes, _unmatched(observed, pairs.values()))


def with_calls(case: Case, trace: Trace, choice: PromotionChoice) -> PromotionChanges:
    """Replace only the calls of the golden's turns that ask the same. Words and rubrics stay."""
    observed = chosen_turns(trace, choice)
    pairs = _pairs(case.turns, observed)
    changes: list[GoldenChange] = []
    for golden_index, observed_index in pairs.items():
        turn = case.turns[golden_index]
        before, after = expected(case, turn), _calls(case, turn, _promoted_calls(observed[observed_index], choice))
        if before != after:
            changes.append(Calls(turn.place, tuple(after)))
    return PromotionChanges(tuple(changes), _unmatched(observed, pairs.values()))


WAYS: tuple[PromotionWay, ...] = (
    PromotionWay("append", "Append turns", "The chosen turns are added after those of the golden.", appended),
    PromotionWay(
        "calls",
        "Take the calls",
        "Golden turns with the same question expect the calls of this run from now on.",
        with_calls,
    ),
    PromotionWay(
        "replace",
        "Take whole turns",
        "Golden turns with the same question are replaced by the turns of this run.",
        replaced,
    ),
)


def into_case(
    case: Case, trace: Trace, choice: PromotionChoice, way: str, origin: Origin | None = None
) -> PromotionChanges:
    """The changes of a case, with a tag where the run did not pass."""
    chosen_way = next((candidate for candidate in WAYS if candidate.name == way), None)
    if chosen_way is None:
        raise EditError(
            f"There is no way of promoting “{way}”; there are {', '.join(candidate.name for candidate in WAYS)}."
        )
    if case.scenario is not None:
        raise EditError("This golden is a scenario, which has no turns. Make a new golden of the run.")
    taken = chosen_way.take(case, trace, choice)
    tags = tuple(tag for tag in tags_of(origin or Origin()) if tag not in case.tags)
    if tags and taken.changes:
        return replace(taken, changes=(*taken.changes, Tagged((*case.tags, *tags))))
    return taken


def one_call(case: Case, turn_place: str, call: ToolCall, instead_of: str = "") -> Calls:
    """Expect one call of a run: instead of the call at a place, or after all others."""
    turn = next((turn for turn in case.turns if turn.place == turn_place), None)
    if turn is None:
        raise EditError(f"The turn at “{turn_place}” no longer exists. Select it again.")
    calls = expected(case, turn)
    if not instead_of:
        return Calls(turn_place, (*calls, _new(call)))
    if all(expectation.call.place != instead_of for expectation in calls):
        raise EditError(f"The call at “{instead_of}” no longer exists. Select it again.")
    return Calls(
        turn_place,
        tuple(
            _as_made(expectation, call) if expectation.call.place == instead_of else expectation
            for expectation in calls
        ),
    )


def _pairs(golden: Sequence[Turn], observed: Sequence[Turn]) -> dict[int, int]:
    """Pairs of turns that ask the same, in order."""
    return {
        pair.golden: pair.observed
        for pair in align_turns(golden, observed)
        if pair.golden is not None
        and pair.observed is not None
        and normalised(user_text(golden[pair.golden])) == normalised(user_text(observed[pair.observed]))
    }


def _unmatched(observed: Sequence[Turn], matched: Collection[int]) -> tuple[int, ...]:
    return tuple(turn.index for index, turn in enumerate(observed) if index not in matched)


def _promoted_calls(turn: Turn, choice: PromotionChoice) -> list[ToolCall]:
    return [call for call in calls_of(turn) if call.name != TRANSFER_TOOL or "transfers" in choice.wants]


def _calls(case: Case, turn: Turn, made: Sequence[ToolCall]) -> list[ExpectedCall]:
    """The calls that were made, in order; those already expected keep their place and matchers."""
    already_expected = expected(case, turn)
    pairs = {
        pair.observed: pair for pair in align_calls([call_expected.call for call_expected in already_expected], made)
    }
    return [_merged(already_expected, pairs.get(index), call) for index, call in enumerate(made)]


def _merged(already_expected: Sequence[ExpectedCall], pair: CallPair | None, call: ToolCall) -> ExpectedCall:
    if pair is None or pair.expected is None or pair.match not in (CallMatch.SAME, CallMatch.ARGUMENTS):
        return _new(call)
    stated = already_expected[pair.expected]
    covered = {split(matcher.place)[0] for matcher in stated.matchers if len(split(matcher.place)) == 1}
    if set(pair.differing) <= covered:
        return stated
    return _as_made(stated, call)


def _as_made(stated: ExpectedCall, call: ToolCall) -> ExpectedCall:
    """The expected call with the observed name and arguments; matchers without an argument are dropped."""
    args = {} if call.args is ABSENT and stated.call.args is not ABSENT else call.args
    matchers = tuple(
        matcher for matcher in stated.matchers if args is not ABSENT and resolve(args, matcher.place) is not ABSENT
    )
    return ExpectedCall(replace(stated.call, name=call.name, args=args), matchers)


def _new(call: ToolCall) -> ExpectedCall:
    return ExpectedCall(replace(call, place=""))

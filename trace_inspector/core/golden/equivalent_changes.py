"""Changes of goldens expressed by other changes, for formats that keep the same thing in another place."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from msgspec.structs import replace

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.golden_change import (
    Calls,
    ExpectationWithMatchers,
    Expected,
    ExpectedCall,
    GoldenChange,
    HandsOver,
)
from trace_inspector.core.golden.matcher import Matcher
from trace_inspector.core.golden.promoted_turn import TRANSFER_TOOL
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.parts import Part, ToolCall, Transfer
from trace_inspector.core.trace.trace import Turn, calls_of
from trace_inspector.core.values.value_edits import is_below

_TARGET = "agent_name"


def transfers_as_calls(case: Case, turn: Turn, change: HandsOver) -> Calls:
    """Transfers as calls of the tool by which ADK's agents hand over; other calls stay where they are."""
    targets = deque(change.targets)
    calls: list[ExpectedCall] = []
    for call in calls_of(turn):
        expected = ExpectedCall(call, _matchers(case, call))
        if call.name != TRANSFER_TOOL:
            calls.append(expected)
        elif targets:
            calls.append(_to(expected, targets.popleft()))
    calls += (ExpectedCall(ToolCall(TRANSFER_TOOL, {_TARGET: target})) for target in targets)
    return Calls(change.turn, tuple(calls))


def transfer_targets(turn: Turn) -> tuple[str, ...]:
    """To whom a turn hands over by calls of that tool."""
    arguments = (call.args for call in calls_of(turn) if call.name == TRANSFER_TOOL)
    return tuple(str(args[_TARGET]) for args in arguments if isinstance(args, dict) and _TARGET in args)


def stated_expectations(case: Case, expectations: Sequence[Expectation]) -> tuple[ExpectationWithMatchers, ...]:
    """Expectations of a case with the matchers of their calls: what changes nothing when it is expected again."""
    return tuple(ExpectationWithMatchers(expectation, _rules(case, expectation)) for expectation in expectations)


def with_expected_parts(case: Case, turn: Turn, kind: Expects, parts: Sequence[Part]) -> Expected:
    """What is expected of a turn with these parts as all of one kind; the rest stays where it is."""
    stated = stated_expectations(case, turn.expectations)
    reusable = deque(item for item in stated if item.expectation.kind is kind)
    expected = [_with_part(reusable.popleft(), part) if reusable else _new(kind, part) for part in parts]
    return _expecting(turn, stated, kind, expected)


def with_transfers(case: Case, turn: Turn, hands: Sequence[tuple[str, str]]) -> GoldenChange:
    """A turn that hands over to these agents. Each has the place where it is expected now, or "", and its name.

    What has a place stays as it is stated, also that it is not judged.
    """
    stated = stated_expectations(case, turn.expectations)
    by_place = {part.place: item for item in stated for part in item.expectation.parts if isinstance(part, Transfer)}
    if not by_place:
        return HandsOver(turn.place, tuple(target for _place, target in hands))
    expected = [by_place.get(place) or _new(Expects.TRANSFER, Transfer(target)) for place, target in hands]
    return _expecting(turn, stated, Expects.TRANSFER, expected)


def _expecting(
    turn: Turn, stated: Sequence[ExpectationWithMatchers], kind: Expects, expected: Sequence[ExpectationWithMatchers]
) -> Expected:
    """All of one kind: where that stands now, then behind it, else behind the calls."""
    places = [index for index, item in enumerate(stated) if item.expectation.kind is kind]
    last = places[-1] if places else _behind_calls(stated)
    before = [item if item.expectation.kind is not kind else None for item in stated[: last + 1]]
    remaining = deque(expected)
    here = [remaining.popleft() if item is None and remaining else item for item in before]
    return Expected(turn.place, (*(item for item in here if item is not None), *remaining, *stated[last + 1 :]))


def _behind_calls(stated: Sequence[ExpectationWithMatchers]) -> int:
    """The number of the last call that is expected; -1 where there is none."""
    return max((index for index, item in enumerate(stated) if item.expectation.kind is Expects.CALL), default=-1)


def _new(kind: Expects, part: Part) -> ExpectationWithMatchers:
    return ExpectationWithMatchers(Expectation(kind, (part,)))


def _with_part(item: ExpectationWithMatchers, part: Part) -> ExpectationWithMatchers:
    return replace(item, expectation=replace(item.expectation, parts=(part,)))


def _to(expected: ExpectedCall, target: str) -> ExpectedCall:
    args = expected.call.args if isinstance(expected.call.args, dict) else {}
    if args.get(_TARGET) == target:
        return expected
    return replace(expected, call=replace(expected.call, args={**args, _TARGET: target}))


def _rules(case: Case, expectation: Expectation) -> tuple[Matcher, ...]:
    return tuple(rule for part in expectation.parts if isinstance(part, ToolCall) for rule in _matchers(case, part))


def _matchers(case: Case, call: ToolCall) -> tuple[Matcher, ...]:
    around = f"{call.place}/args"
    return tuple(
        replace(matcher, place=matcher.place[len(around) :])
        for matcher in case.matchers
        if is_below(matcher.place, around)
    )

"""Changes of goldens said by others, for formats that keep the same thing elsewhere."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.golden_change import Calls, Expected, ExpectedCall, GoldenChange, HandsOver, Wanted
from trace_inspector.core.golden.matcher import Matcher
from trace_inspector.core.golden.promoted_turn import TRANSFER_TOOL
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.parts import Part, ToolCall, Transfer
from trace_inspector.core.trace.trace import Turn, calls_of
from trace_inspector.core.values.value_edits import is_below

_TARGET = "agent_name"


def handed_over_by_calls(case: Case, turn: Turn, change: HandsOver) -> Calls:
    """Transfers as calls of the tool by which ADK's agents hand over; other calls stay where they are."""
    left = deque(change.targets)
    calls: list[ExpectedCall] = []
    for call in calls_of(turn):
        one = ExpectedCall(call, _matchers(case, call))
        if call.name != TRANSFER_TOOL:
            calls.append(one)
        elif left:
            calls.append(_to(one, left.popleft()))
    calls += (ExpectedCall(ToolCall(TRANSFER_TOOL, {_TARGET: target})) for target in left)
    return Calls(change.turn, tuple(calls))


def handed_over(turn: Turn) -> tuple[str, ...]:
    """To whom a turn hands over by calls of that tool."""
    held = (call.args for call in calls_of(turn) if call.name == TRANSFER_TOOL)
    return tuple(str(args[_TARGET]) for args in held if isinstance(args, dict) and _TARGET in args)


def as_stated(case: Case, expectations: Sequence[Expectation]) -> tuple[Wanted, ...]:
    """Expectations of a case with the matchers of their calls: what changes nothing when it is expected again."""
    return tuple(Wanted(one, _rules(case, one)) for one in expectations)


def expecting_parts(case: Case, turn: Turn, kind: Expects, parts: Sequence[Part]) -> Expected:
    """What is expected of a turn with these parts as all of one kind; the rest stays where it is."""
    stated = as_stated(case, turn.expectations)
    left = deque(one for one in stated if one.expectation.kind is kind)
    wanted = [_with_part(left.popleft(), part) if left else _new(kind, part) for part in parts]
    return _expecting(turn, stated, kind, wanted)


def handing_over(case: Case, turn: Turn, hands: Sequence[tuple[str, str]]) -> GoldenChange:
    """A turn that hands over to these agents. Each has the place where it is expected now, or "", and its name.

    What has a place stays as it is stated, also that it is not judged.
    """
    stated = as_stated(case, turn.expectations)
    known = {part.place: one for one in stated for part in one.expectation.parts if isinstance(part, Transfer)}
    if not known:
        return HandsOver(turn.place, tuple(target for _place, target in hands))
    wanted = [known.get(place) or _new(Expects.TRANSFER, Transfer(target)) for place, target in hands]
    return _expecting(turn, stated, Expects.TRANSFER, wanted)


def _expecting(turn: Turn, stated: Sequence[Wanted], kind: Expects, wanted: Sequence[Wanted]) -> Expected:
    """All of one kind: where that stands now, then behind it, else behind the calls."""
    places = [at for at, one in enumerate(stated) if one.expectation.kind is kind]
    last = places[-1] if places else _behind_calls(stated)
    before = [one if one.expectation.kind is not kind else None for one in stated[: last + 1]]
    left = deque(wanted)
    here = [left.popleft() if one is None and left else one for one in before]
    return Expected(turn.place, (*(one for one in here if one is not None), *left, *stated[last + 1 :]))


def _behind_calls(stated: Sequence[Wanted]) -> int:
    """The number of the last call that is expected; -1 where there is none."""
    return max((at for at, one in enumerate(stated) if one.expectation.kind is Expects.CALL), default=-1)


def _new(kind: Expects, part: Part) -> Wanted:
    return Wanted(Expectation(kind, (part,)))


def _with_part(one: Wanted, part: Part) -> Wanted:
    return replace(one, expectation=replace(one.expectation, parts=(part,)))


def _to(one: ExpectedCall, target: str) -> ExpectedCall:
    args = one.call.args if isinstance(one.call.args, dict) else {}
    if args.get(_TARGET) == target:
        return one
    return replace(one, call=replace(one.call, args={**args, _TARGET: target}))


def _rules(case: Case, one: Expectation) -> tuple[Matcher, ...]:
    return tuple(rule for part in one.parts if isinstance(part, ToolCall) for rule in _matchers(case, part))


def _matchers(case: Case, call: ToolCall) -> tuple[Matcher, ...]:
    around = f"{call.place}/args"
    return tuple(replace(one, place=one.place[len(around) :]) for one in case.matchers if is_below(one.place, around))

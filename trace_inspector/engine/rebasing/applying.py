"""What accepted differences make of a golden, as changes: the same whatever the order in which they were decided."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.golden_change import Answers, Calls, ExpectedCall, GoldenChange, Turns, UserSays
from trace_inspector.core.golden.matcher import Match, Matcher
from trace_inspector.core.golden.promoted_turn import golden_turn, target_of_transfer
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.trace.trace import Turn, answer_text, calls_of, user_text
from trace_inspector.core.values.pointer import join, resolve, split
from trace_inspector.core.values.value_edits import is_below
from trace_inspector.core.values.value_paths import with_value, without_value
from trace_inspector.core.values.values import ABSENT, Json, present
from trace_inspector.engine.lints.turns import expected
from trace_inspector.engine.rebasing.difference import CaseChange, ChangeKind, Difference, TurnChange
from trace_inspector.engine.rebasing.rule import RebaseDecision
from trace_inspector.engine.rebasing.text_changes import with_stretches

_WANTED = frozenset({"calls", "answers"})  # of a new turn
LOOSENED = Matcher("", Match.IGNORE)  # where no better rule is proposed


class Taken(Struct, frozen=True):
    """A difference that goes into the golden: as it is, or loosened by a rule."""

    difference: Difference
    decision: RebaseDecision
    matcher: Matcher = LOOSENED


def changes_of(change: CaseChange, taken: Sequence[Taken]) -> tuple[GoldenChange, ...]:
    """The changes of the golden."""
    made: list[GoldenChange] = []
    for index, turn in change.turns.items():
        own = [each for each in taken if each.difference.turn == index]
        if own:
            made += _of_turn(change.case, change.case.turns[index], turn, own)
    turns = _turns(change, [each.difference for each in taken])
    return (*made, turns) if turns is not None else tuple(made)


def _of_turn(case: Case, golden: Turn, turn: TurnChange, taken: Sequence[Taken]) -> list[GoldenChange]:
    made: list[GoldenChange] = []
    by_kind = {kind: [each for each in taken if each.difference.kind is kind] for kind in ChangeKind}
    for kind, words, change in ((ChangeKind.USER, user_text, UserSays), (ChangeKind.ANSWER, answer_text, Answers)):
        own = [each.difference for each in by_kind[kind]]
        if any(difference.conflict for difference in own):  # somebody looked at it, and takes all of the new words
            made.append(change(golden.place, words(turn.observed)))
        elif own:
            stretches = [stretch for difference in own for stretch in difference.stretches]
            made.append(change(golden.place, with_stretches(words(golden), stretches)))
    before = expected(case, golden)
    after = _calls(before, turn, by_kind)
    if after != before:
        made.append(Calls(golden.place, tuple(after)))
    return made


def _calls(
    before: Sequence[ExpectedCall], turn: TurnChange, by_kind: Mapping[ChangeKind, Sequence[Taken]]
) -> list[ExpectedCall]:
    """The calls afterwards: changed where they stand, then without those that go, then those that move and come."""
    observed = calls_of(turn.observed)
    slots: list[tuple[int | None, ExpectedCall]] = []  # the number in the new run, and the call
    number_of = {index: number for number, index in turn.partner.items()}
    gone = {each.difference.call for each in by_kind[ChangeKind.CALL_REMOVED]}
    for index, call in enumerate(before):
        if index not in gone:
            slots.append((number_of.get(index), _call(call, index, observed, by_kind)))
    moved = {each.difference.made for each in by_kind[ChangeKind.CALL_MOVED]}
    waiting = [slot for slot in slots if slot[0] is not None and slot[0] in moved]
    slots = [slot for slot in slots if slot[0] is None or slot[0] not in moved]
    for each in by_kind[ChangeKind.CALL_ADDED]:
        number = each.difference.made
        if number is not None:
            waiting.append((number, ExpectedCall(_new(observed[number], before))))
    for slot in sorted(waiting, key=lambda each: each[0] or 0):
        slots.insert(_place(slots, slot[0] or 0), slot)
    return [call for _number, call in slots]


def _place(slots: Sequence[tuple[int | None, ExpectedCall]], number: int) -> int:
    """Behind the call that the new run made just before it, else before the one that it made next."""
    before = [(other, place) for place, (other, _call) in enumerate(slots) if other is not None and other < number]
    if before:
        return max(before)[1] + 1
    behind = [(other, place) for place, (other, _call) in enumerate(slots) if other is not None and other > number]
    return min(behind)[1] if behind else len(slots)


def _new(call: ToolCall, before: Sequence[ExpectedCall]) -> ToolCall:
    """A call of the run, with its id only where the golden's calls have some."""
    has_ids = not before or any(each.call.call_id is not None for each in before)
    return replace(call, place="", call_id=call.call_id if has_ids else None)


def _call(
    golden: ExpectedCall, index: int, observed: Sequence[ToolCall], by_kind: Mapping[ChangeKind, Sequence[Taken]]
) -> ExpectedCall:
    """A call as it is from now on: its values first, then names, then what comes."""
    own = {kind: [each for each in taken if each.difference.call == index] for kind, taken in by_kind.items()}
    stated: Json = {} if golden.call.args is ABSENT else golden.call.args
    args, matchers = stated, golden.matchers
    for kind, change in _ARGUMENTS.items():
        for each in own[kind]:
            args, matchers = change(args, matchers, each)
    call = golden.call
    if own[ChangeKind.TOOL_REPLACED]:
        call = replace(call, name=own[ChangeKind.TOOL_REPLACED][0].difference.to, resource="")
    if args is not stated:
        numbers = [each.difference.made for some in own.values() for each in some if each.difference.made is not None]
        made = observed[numbers[0]].args if numbers else ABSENT
        call = replace(call, args=in_order_of(args, stated, made) if present(made) else args)
    return ExpectedCall(call, matchers)


_Arguments: TypeAlias = tuple[Json, tuple[Matcher, ...]]


def _with_value(args: Json, matchers: tuple[Matcher, ...], taken: Taken) -> _Arguments:
    difference = taken.difference
    if taken.decision is RebaseDecision.LOOSEN:
        matchers = _with_matcher(matchers, taken)
        if difference.kind is ChangeKind.ARGUMENT_VALUE:
            return args, matchers
    return with_value(args, difference.pointer, difference.new) if present(difference.new) else args, matchers


def _without(args: Json, matchers: tuple[Matcher, ...], taken: Taken) -> _Arguments:
    if taken.decision is RebaseDecision.LOOSEN:
        return args, _with_matcher(matchers, taken)
    pointer = taken.difference.pointer
    return without_value(args, pointer), tuple(rule for rule in matchers if not is_below(rule.place, pointer))


def _renamed(args: Json, matchers: tuple[Matcher, ...], taken: Taken) -> _Arguments:
    """Another name for a member, in its place; its rules follow."""
    old = taken.difference.pointer
    around = old.rpartition("/")[0]
    owner = resolve(args, around)
    name, other = split(old)[-1], split(taken.difference.to)[-1]
    new = join(around, other)
    if isinstance(owner, dict):
        args = with_value(args, around, {other if key == name else key: value for key, value in owner.items()})
    return args, tuple(
        replace(rule, place=new + rule.place[len(old) :]) if is_below(rule.place, old) else rule for rule in matchers
    )


def _with_matcher(matchers: Sequence[Matcher], taken: Taken) -> tuple[Matcher, ...]:
    pointer = taken.difference.pointer
    return *(rule for rule in matchers if not is_below(rule.place, pointer)), replace(taken.matcher, place=pointer)


_ARGUMENTS: Mapping[ChangeKind, Callable[[Json, tuple[Matcher, ...], Taken], _Arguments]] = {
    ChangeKind.ARGUMENT_VALUE: _with_value,
    ChangeKind.ARGUMENT_REMOVED: _without,
    ChangeKind.ARGUMENT_RENAMED: _renamed,
    ChangeKind.ARGUMENT_ADDED: _with_value,
}


def in_order_of(args: Json, before: Json, made: Json) -> Json:
    """The arguments with new names at their places in the run; those that were there keep their order."""
    if not isinstance(args, dict) or not isinstance(made, dict) or args is before:
        return args
    there = before if isinstance(before, dict) else {}
    names = [name for name in args if name in there]
    order = [*made]
    for name in args:
        if name not in there:
            ahead = set(order[: order.index(name)]) if name in order else set(names)
            last = max((place for place, other in enumerate(names) if other in ahead), default=-1)
            names.insert(last + 1, name)
    return {name: in_order_of(args[name], there.get(name), made.get(name)) for name in names}


def _states_transfers(case: Case) -> bool:
    """Whether a golden expects hand-offs as the calls that they are."""
    parts = (part for turn in case.turns for event in turn.events for part in event.parts)
    return any(target_of_transfer(part) is not None for part in parts)


def _turns(change: CaseChange, taken: Sequence[Difference]) -> Turns | None:
    """The turns afterwards, where some go or come."""
    gone = {each.turn for each in taken if each.kind is ChangeKind.TURN_REMOVED}
    come: dict[int, list[int]] = {}
    for each in taken:
        if each.kind is ChangeKind.TURN_ADDED and each.made is not None:
            come.setdefault(each.turn, []).append(each.made)
    if not gone and not come:
        return None
    turns: list[Turn] = []
    wants = _WANTED | {"transfers"} if _states_transfers(change.case) else _WANTED
    for index in range(-1, len(change.case.turns)):
        if index >= 0 and index not in gone:
            turns.append(change.case.turns[index])
        turns += [golden_turn(change.observed[made], len(turns), wants) for made in sorted(come.get(index, ()))]
    return Turns(tuple(turns), recorded=True)

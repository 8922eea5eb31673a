"""What bulk edits do to the expected calls of a case."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from trace_inspector.core.golden.bulk_change import (
    CompareArgument,
    Effect,
    ForgetRule,
    RemoveCalls,
    RenameArgument,
    RenameTool,
    Row,
)
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.golden_change import Calls, ExpectedCall, GoldenChange
from trace_inspector.core.golden.matcher import Match, Matcher
from trace_inspector.core.trace.summary import compact
from trace_inspector.core.trace.trace import Turn, calls_of
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.value_edits import is_below
from trace_inspector.core.values.values import JsonObject


@dataclass(slots=True)
class Touched:
    """Collects what becomes of the calls of one turn."""

    case: Case
    turn: Turn
    rows: list[Row] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    def row(self, what: str, place: str, before: str, after: str) -> None:
        """One thing that changes."""
        self.rows.append(Row(self.case.id, self.case.place, self.turn.index, what, place, before, after))


# The call as it is afterwards; None where it is no longer expected, the very same where nothing changes.
Rework = Callable[[ExpectedCall, Touched], ExpectedCall | None]


def over_calls(case: Case, rework: Rework) -> Effect:
    """What a change of single calls makes of a case."""
    rows: list[Row] = []
    left_out: list[str] = []
    changes: list[GoldenChange] = []
    for turn in case.turns:
        touched = Touched(case, turn)
        calls = [_expected(case, call.place, ExpectedCall(call)) for call in calls_of(turn)]
        new = [rework(one, touched) for one in calls]
        if touched.rows:
            changes.append(Calls(turn.place, tuple(one for one in new if one is not None)))
        rows += touched.rows
        left_out += touched.left_out
    return Effect(tuple(rows), tuple(changes), left_out=tuple(left_out))


def compare_argument(case: Case, bulk: CompareArgument) -> Effect:
    """Another rule where the argument is expected; rules of parts of it say nothing any more."""
    if bulk.rule.match is Match.EXACT:
        return forget_rule(case, ForgetRule(bulk.tool, bulk.argument))
    at = join("", bulk.argument)
    rule = replace(bulk.rule, place=at)

    def rework(one: ExpectedCall, touched: Touched) -> ExpectedCall:
        if one.call.name != bulk.tool or bulk.argument not in _args(one):
            return one
        stated = [each for each in one.matchers if is_below(each.place, at)]
        if stated == [rule]:
            return one
        touched.row(f"{bulk.tool} {bulk.argument}", f"{one.call.place}/args{at}", _told(stated, at), told(rule))
        others = tuple(each for each in one.matchers if each not in stated)
        return replace(one, matchers=(*others, rule))

    return over_calls(case, rework)


def forget_rule(case: Case, bulk: ForgetRule) -> Effect:
    """No rule for the argument, nor for anything in it."""
    at = join("", bulk.argument)

    def rework(one: ExpectedCall, touched: Touched) -> ExpectedCall:
        stated = [each for each in one.matchers if is_below(each.place, at)]
        if one.call.name != bulk.tool or not stated:
            return one
        place = f"{one.call.place}/args{at}"
        touched.row(f"{bulk.tool} {bulk.argument}", place, _told(stated, at), Match.EXACT.value)
        return replace(one, matchers=tuple(each for each in one.matchers if each not in stated))

    return over_calls(case, rework)


def rename_tool(case: Case, bulk: RenameTool) -> Effect:
    """Another name in the place of a tool's."""

    def rework(one: ExpectedCall, touched: Touched) -> ExpectedCall:
        if one.call.name != bulk.tool or bulk.tool == bulk.name:
            return one
        touched.row("tool", one.call.place, bulk.tool, bulk.name)
        return replace(one, call=replace(one.call, name=bulk.name, resource=""))

    return over_calls(case, rework)


def rename_argument(case: Case, bulk: RenameArgument) -> Effect:
    """Another name in the place of an argument's; its rules follow."""
    old, new = join("", bulk.argument), join("", bulk.name)

    def rework(one: ExpectedCall, touched: Touched) -> ExpectedCall:
        args = _args(one)
        if one.call.name != bulk.tool or bulk.argument not in args or bulk.argument == bulk.name:
            return one
        if bulk.name in args:
            touched.left_out.append(
                f"A call of “{bulk.tool}” in “{case.id}” has “{bulk.name}” already. Change it by hand."
            )
            return one
        touched.row(bulk.tool, f"{one.call.place}/args{old}", bulk.argument, bulk.name)
        renamed: JsonObject = {bulk.name if key == bulk.argument else key: value for key, value in args.items()}
        rules = tuple(
            replace(each, place=new + each.place[len(old) :]) if is_below(each.place, old) else each
            for each in one.matchers
        )
        return ExpectedCall(replace(one.call, args=renamed), rules)

    return over_calls(case, rework)


def remove_calls(case: Case, bulk: RemoveCalls) -> Effect:
    """The calls of a tool go."""

    def rework(one: ExpectedCall, touched: Touched) -> ExpectedCall | None:
        if one.call.name != bulk.tool:
            return one
        touched.row("expected call", one.call.place, f"{bulk.tool} {compact(_args(one))}", "")
        return None

    return over_calls(case, rework)


def told(rule: Matcher) -> str:
    """A rule in few words."""
    more = [f"“{rule.text}”"] if rule.text else []
    more += [f"± {number:g}{unit}" for number, unit in ((rule.absolute, ""), (rule.relative, " of it")) if number]
    return " ".join((rule.match.value, *more))


def _told(stated: list[Matcher], at: str) -> str:
    return ", ".join(f"{each.place[len(at) :]} {told(each)}".strip() for each in stated) or Match.EXACT.value


def _args(one: ExpectedCall) -> JsonObject:
    return one.call.args if isinstance(one.call.args, dict) else {}


def _expected(case: Case, place: str, one: ExpectedCall) -> ExpectedCall:
    return replace(one, matchers=tuple(_rules(case, f"{place}/args")))


def _rules(case: Case, owner: str) -> Iterator[Matcher]:
    """The rules of one call, their places beginning below its arguments."""
    for matcher in case.matchers:
        if is_below(matcher.place, owner):
            yield replace(matcher, place=matcher.place[len(owner) :])

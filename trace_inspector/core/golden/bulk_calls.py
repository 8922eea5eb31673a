"""What bulk edits do to the expected calls of a case."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct, field
from msgspec.structs import replace

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


class CallEdits(Struct):
    """Collects what becomes of the calls of one turn."""

    case: Case
    turn: Turn
    rows: list[Row] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    def row(self, what: str, place: str, before: str, after: str) -> None:
        """One thing that changes."""
        self.rows.append(Row(self.case.id, self.case.place, self.turn.index, what, place, before, after))


# The call as it is afterwards; None where it is no longer expected, the very same where nothing changes.
EditCall = Callable[[ExpectedCall, CallEdits], ExpectedCall | None]


def with_edited_calls(case: Case, edit_call: EditCall) -> Effect:
    """What a change of single calls makes of a case."""
    rows: list[Row] = []
    left_out: list[str] = []
    changes: list[GoldenChange] = []
    for turn in case.turns:
        edits = CallEdits(case, turn)
        calls = [_expected(case, call.place, ExpectedCall(call)) for call in calls_of(turn)]
        new = [edit_call(expected, edits) for expected in calls]
        if edits.rows:
            changes.append(Calls(turn.place, tuple(expected for expected in new if expected is not None)))
        rows += edits.rows
        left_out += edits.left_out
    return Effect(tuple(rows), tuple(changes), left_out=tuple(left_out))


def compare_argument(case: Case, bulk: CompareArgument) -> Effect:
    """Another rule where the argument is expected, in place of the rules for parts of it."""
    if bulk.rule.match is Match.EXACT:
        return forget_rule(case, ForgetRule(bulk.tool, bulk.argument))
    pointer = join("", bulk.argument)
    rule = replace(bulk.rule, place=pointer)

    def edit_call(expected: ExpectedCall, edits: CallEdits) -> ExpectedCall:
        if expected.call.name != bulk.tool or bulk.argument not in _args(expected):
            return expected
        stated = [each for each in expected.matchers if is_below(each.place, pointer)]
        if stated == [rule]:
            return expected
        edits.row(
            f"{bulk.tool} {bulk.argument}",
            f"{expected.call.place}/args{pointer}",
            _rules_text(stated, pointer),
            rule_text(rule),
        )
        others = tuple(each for each in expected.matchers if each not in stated)
        return replace(expected, matchers=(*others, rule))

    return with_edited_calls(case, edit_call)


def forget_rule(case: Case, bulk: ForgetRule) -> Effect:
    """No rule for the argument, nor for anything in it."""
    pointer = join("", bulk.argument)

    def edit_call(expected: ExpectedCall, edits: CallEdits) -> ExpectedCall:
        stated = [each for each in expected.matchers if is_below(each.place, pointer)]
        if expected.call.name != bulk.tool or not stated:
            return expected
        place = f"{expected.call.place}/args{pointer}"
        edits.row(f"{bulk.tool} {bulk.argument}", place, _rules_text(stated, pointer), Match.EXACT.value)
        return replace(expected, matchers=tuple(each for each in expected.matchers if each not in stated))

    return with_edited_calls(case, edit_call)


def rename_tool(case: Case, bulk: RenameTool) -> Effect:
    """Another name in the place of a tool's."""

    def edit_call(expected: ExpectedCall, edits: CallEdits) -> ExpectedCall:
        if expected.call.name != bulk.tool or bulk.tool == bulk.name:
            return expected
        edits.row("tool", expected.call.place, bulk.tool, bulk.name)
        return replace(expected, call=replace(expected.call, name=bulk.name, resource=""))

    return with_edited_calls(case, edit_call)


def rename_argument(case: Case, bulk: RenameArgument) -> Effect:
    """Another name in the place of an argument's; its rules follow."""
    old, new = join("", bulk.argument), join("", bulk.name)

    def edit_call(expected: ExpectedCall, edits: CallEdits) -> ExpectedCall:
        args = _args(expected)
        if expected.call.name != bulk.tool or bulk.argument not in args or bulk.argument == bulk.name:
            return expected
        if bulk.name in args:
            edits.left_out.append(
                f"A call of “{bulk.tool}” in “{case.id}” has “{bulk.name}” already. Change it by hand."
            )
            return expected
        edits.row(bulk.tool, f"{expected.call.place}/args{old}", bulk.argument, bulk.name)
        renamed: JsonObject = {bulk.name if key == bulk.argument else key: value for key, value in args.items()}
        rules = tuple(
            replace(each, place=new + each.place[len(old) :]) if is_below(each.place, old) else each
            for each in expected.matchers
        )
        return ExpectedCall(replace(expected.call, args=renamed), rules)

    return with_edited_calls(case, edit_call)


def remove_calls(case: Case, bulk: RemoveCalls) -> Effect:
    """The calls of a tool go."""

    def edit_call(expected: ExpectedCall, edits: CallEdits) -> ExpectedCall | None:
        if expected.call.name != bulk.tool:
            return expected
        edits.row("expected call", expected.call.place, f"{bulk.tool} {compact(_args(expected))}", "")
        return None

    return with_edited_calls(case, edit_call)


def rule_text(rule: Matcher) -> str:
    """A rule in few words."""
    more = [f"“{rule.text}”"] if rule.text else []
    more += [f"± {number:g}{unit}" for number, unit in ((rule.absolute, ""), (rule.relative, " of it")) if number]
    return " ".join((rule.match.value, *more))


def _rules_text(stated: list[Matcher], pointer: str) -> str:
    return (
        ", ".join(f"{each.place[len(pointer) :]} {rule_text(each)}".strip() for each in stated) or Match.EXACT.value
    )


def _args(expected: ExpectedCall) -> JsonObject:
    return expected.call.args if isinstance(expected.call.args, dict) else {}


def _expected(case: Case, place: str, expected: ExpectedCall) -> ExpectedCall:
    return replace(expected, matchers=tuple(_rules(case, f"{place}/args")))


def _rules(case: Case, owner: str) -> Iterator[Matcher]:
    """The rules of one call, their places beginning below its arguments."""
    for matcher in case.matchers:
        if is_below(matcher.place, owner):
            yield replace(matcher, place=matcher.place[len(owner) :])

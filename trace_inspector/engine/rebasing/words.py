"""What a row of a rebase says, in one line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from trace_inspector.core.trace.summary import compact, one_line
from trace_inspector.core.values.pointer import split
from trace_inspector.core.values.values import ABSENT, Absent, Json
from trace_inspector.engine.rebasing.difference import ChangeKind
from trace_inspector.engine.rebasing.gathering import RebaseRow
from trace_inspector.engine.rebasing.rule import Rule

_CHARS = 60


def sentence(row: RebaseRow) -> str:
    """“currency: "USD"” added to book in 143 cases."""
    count = len(row.cases)
    return f"{rule_words(row.rule)} in {count:,} {'case' if count == 1 else 'cases'}"


def rule_words(rule: Rule) -> str:
    """What a rule is about."""
    return _WORDS[rule.kind](rule)


def _added(rule: Rule) -> str:
    return f"{_argument(rule.argument, rule.new, rule.relation)} added{_to(rule)}"


def _removed(rule: Rule) -> str:
    return f"{_argument(rule.argument, rule.old, rule.relation)} removed{_of(rule, 'from')}"


def _renamed(rule: Rule) -> str:
    return f"“{_name(rule.argument)}” renamed “{_name(rule.to)}”{_of(rule)}"


def _value(rule: Rule) -> str:
    name = f"“{_name(rule.argument)}”" if rule.argument else "the arguments"
    if rule.relation:
        how = f"another value, {_short(rule.relation)}"
    elif rule.old is not ABSENT:
        how = f"{_json(rule.old)} → {_json(rule.new)}"
    elif rule.new is not ABSENT:
        how = f"now {_json(rule.new)}"
    else:
        how = "another value"
    return f"{name}{_of(rule)}: {how}"


def _replaced(rule: Rule) -> str:
    return f"{_tools(rule)} replaced by “{_short(rule.to)}”"


def _call_added(rule: Rule) -> str:
    return f"call of {_tools(rule)} added{_with(rule, rule.new)}"


def _call_removed(rule: Rule) -> str:
    return f"call of {_tools(rule)} removed{_with(rule, rule.old)}"


def _moved(rule: Rule) -> str:
    return f"{_tools(rule)} called before “{_short(rule.to)}”"


def _answer(rule: Rule) -> str:
    return f"answer reworded{_text(rule)}"


def _user(rule: Rule) -> str:
    return f"the user’s words reworded{_text(rule)}"


def _text(rule: Rule) -> str:
    if rule.relation:
        return f": {rule.relation}"
    if rule.old is ABSENT:
        return ", each in words of its own"
    old, new = (f"“{_short(text)}”" if isinstance(text, str) and text else "" for text in (rule.old, rule.new))
    if not old:
        return f": {new} added"
    return f": {old} → {new}" if new else f": {old} removed"


def _to(rule: Rule) -> str:
    return f" to {_tools(rule)}" if rule.tools else ""


def _of(rule: Rule, preposition: str = "of") -> str:
    return f" {preposition} {_tools(rule)}" if rule.tools else ""


def _with(rule: Rule, args: Json | Absent) -> str:
    return f" {_json(args)}" if args is not ABSENT else f" {_short(rule.relation)}" if rule.relation else ""


def _argument(argument: str, value: Json | Absent, relation: str) -> str:
    if value is not ABSENT:
        return f"“{_name(argument)}: {_json(value)}”"
    return f"“{_name(argument)}” ({_short(relation)})" if relation else f"“{_name(argument)}”"


def _name(argument: str) -> str:
    return _short(".".join(split(argument))) if argument else "arguments"


def _tools(rule: Rule) -> str:
    return _listed(f"“{_short(tool)}”" for tool in rule.tools) or "any tool"


def _listed(names: Iterable[str]) -> str:
    *others, last = [*names] or [""]
    return f"{', '.join(others)} and {last}" if others else last


def _json(value: Json | Absent) -> str:
    return compact(value, _CHARS)


def _short(text: str) -> str:
    return one_line(text, _CHARS)


_WORDS: Mapping[ChangeKind, Callable[[Rule], str]] = {
    ChangeKind.ARGUMENT_ADDED: _added,
    ChangeKind.ARGUMENT_REMOVED: _removed,
    ChangeKind.ARGUMENT_RENAMED: _renamed,
    ChangeKind.ARGUMENT_VALUE: _value,
    ChangeKind.TOOL_REPLACED: _replaced,
    ChangeKind.CALL_ADDED: _call_added,
    ChangeKind.CALL_REMOVED: _call_removed,
    ChangeKind.CALL_MOVED: _moved,
    ChangeKind.ANSWER: _answer,
    ChangeKind.USER: _user,
    ChangeKind.TURN_ADDED: lambda _rule: "turn added",
    ChangeKind.TURN_REMOVED: lambda _rule: "turn removed",
}

"""Expected calls of a golden turn as they are edited: read with their matchers, and changed call by call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from msgspec.structs import replace

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.golden_change import Calls, ExpectedCall, GoldenChange
from trace_inspector.core.golden.matcher import Match, Matcher
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.trace.trace import Turn, calls_of
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.value_edits import is_below
from trace_inspector.core.values.values import ABSENT, Absent, Json, JsonObject

Expected: TypeAlias = tuple[ExpectedCall, ...]
Edit: TypeAlias = Callable[[Expected], Expected]


def expected_of(case: Case, turn: Turn) -> Expected:
    """The calls that a turn expects, each with its matchers, whose places begin below the call's arguments."""
    calls = calls_of(turn)
    matchers: dict[int, list[Matcher]] = {}
    owners = {f"{call.place}/args": index for index, call in enumerate(calls) if call.place}
    for matcher in case.matchers:
        owner = next((above for above in _above(matcher.place) if above in owners), None)
        if owner is not None:
            matchers.setdefault(owners[owner], []).append(replace(matcher, place=matcher.place[len(owner) :]))
    return tuple(ExpectedCall(call, tuple(matchers.get(index, ()))) for index, call in enumerate(calls))


def changing(edit: Edit) -> Callable[[Case, Turn], Sequence[GoldenChange]]:
    """The change of a turn that edits its expected calls; none when they stay the same."""

    def make(case: Case, turn: Turn) -> Sequence[GoldenChange]:
        before = expected_of(case, turn)
        after = edit(before)
        return () if after == before else (Calls(turn.place, after),)

    return make


def at_call(index: int, call: ToolCall, edit: Callable[[ExpectedCall], ExpectedCall]) -> Edit:
    """Replace one call; do nothing where a call of another tool is at that index by now."""

    def make(calls: Expected) -> Expected:
        if index >= len(calls) or calls[index].call.name != call.name:
            return calls
        return (*calls[:index], edit(calls[index]), *calls[index + 1 :])

    return make


# Edits of one call.


def named(name: str) -> Callable[[ExpectedCall], ExpectedCall]:
    """With another tool."""
    return lambda expected: replace(expected, call=replace(expected.call, name=name, resource=""))


def with_value(name: str | None, value: Json | Absent) -> Callable[[ExpectedCall], ExpectedCall]:
    """With a value for an argument, or without it for ABSENT. A name of None means all arguments."""

    def make(expected: ExpectedCall) -> ExpectedCall:
        if name is None:
            return replace(expected, call=replace(expected.call, args=value))
        args: JsonObject = dict(expected.call.args) if isinstance(expected.call.args, dict) else {}
        if isinstance(value, Absent):
            args.pop(name, None)
            gone = join("", name)
            kept = tuple(matcher for matcher in expected.matchers if not is_below(matcher.place, gone))
            return replace(expected, call=replace(expected.call, args=args), matchers=kept)
        args[name] = value
        return replace(expected, call=replace(expected.call, args=args))

    return make


def with_matcher(matcher: Matcher) -> Callable[[ExpectedCall], ExpectedCall]:
    """With a matcher for the value at a place; an exact comparison needs none."""

    def make(expected: ExpectedCall) -> ExpectedCall:
        others = tuple(each for each in expected.matchers if each.place != matcher.place)
        return replace(expected, matchers=others if matcher.match is Match.EXACT else (*others, matcher))

    return make


# Edits of the list.


def added(call: ToolCall, index: int | None = None) -> Edit:
    """Add a call, at the end or before another."""
    new = ExpectedCall(ToolCall(call.name, call.args, resource=call.resource))
    return lambda calls: (*calls, new) if index is None else (*calls[:index], new, *calls[index:])


def duplicated(index: int) -> Edit:
    """Duplicate a call, right after it."""

    def make(calls: Expected) -> Expected:
        if index >= len(calls):
            return calls
        original = calls[index]
        copy = ExpectedCall(
            ToolCall(original.call.name, original.call.args, resource=original.call.resource), original.matchers
        )
        return (*calls[: index + 1], copy, *calls[index + 1 :])

    return make


def removed(index: int) -> Edit:
    """Remove a call."""
    return lambda calls: (*calls[:index], *calls[index + 1 :])


def moved(index: int, to: int) -> Edit:
    """Move a call to another index."""

    def make(calls: Expected) -> Expected:
        if index >= len(calls):
            return calls
        others = [*calls[:index], *calls[index + 1 :]]
        others.insert(max(0, min(to, len(others))), calls[index])
        return tuple(others)

    return make


def argument(call: ToolCall, name: str | None) -> Json | Absent:
    """The value of an argument; of all arguments for None."""
    if name is None:
        return call.args
    return call.args.get(name, ABSENT) if isinstance(call.args, dict) else ABSENT


def matcher_at(expected: ExpectedCall, name: str | None) -> Matcher:
    """The matcher of an argument."""
    place = "" if name is None else join("", name)
    return next((each for each in expected.matchers if each.place == place), Matcher(place, Match.EXACT))


def _above(place: str) -> list[str]:
    return [place, *(place[:end] for end in range(len(place) - 1, 0, -1) if place[end] == "/")]


def names_of(expected: ExpectedCall) -> list[str | None]:
    """The rows of a call: the names of its arguments, after None where there is something about all of them."""
    args = expected.call.args
    whole = any(matcher.place == "" for matcher in expected.matchers) or not isinstance(args, dict | Absent)
    names: list[str | None] = [None] if whole else []
    if isinstance(args, dict):
        names += args
        stated = set(args)
        for matcher in expected.matchers:  # of an argument that is to be ignored, and that the golden does not have
            name = matcher.place.split("/")[1] if matcher.place.count("/") == 1 else ""
            name = name.replace("~1", "/").replace("~0", "~")
            if name and name not in stated:
                names.append(name)
    return names

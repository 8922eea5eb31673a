"""The arguments of a call, side by side: by key path, with the rule that the golden has for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from trace_inspector.core.matcher import Match, Matcher
from trace_inspector.core.parts import ToolCall
from trace_inspector.core.pointer import join, split
from trace_inspector.core.summary import compact
from trace_inspector.core.value_difference import Apart, apart, kind_of
from trace_inspector.core.values import ABSENT, Absent, Json
from trace_inspector.engine.matching import Matchers
from trace_inspector.engine.side_by_side.row import Value
from trace_inspector.engine.side_by_side.rules import told

_VALUE_CHARS = 300


def values_of(calls: Sequence[ToolCall | None], matchers: Matchers) -> tuple[Value, ...]:
    """What differs in the arguments, or is not held to be equal."""
    there = [call for call in calls if call is not None]
    if len(there) < 2:
        return ()
    found = _of_two(there[0], there[1]) if len(calls) == 2 else _of_three(calls)
    first = calls[0]
    return tuple(_value(one, first, matchers) for one in found)


def rule_words(matcher: Matcher) -> str:
    """A golden's rule for a value, in a word or two."""
    return _WORDS[matcher.match](matcher)


def _bounds(one: Matcher) -> str:
    shares = [f"±{one.absolute:g}"] if one.absolute is not None else []
    shares += [f"±{one.relative:.4g} of it"] if one.relative is not None else []
    return " or ".join(shares) or "tolerance"


_WORDS: Mapping[Match, Callable[[Matcher], str]] = {
    Match.EXACT: lambda _one: "exact",
    Match.IGNORE: lambda _one: "ignore",
    Match.ANY: lambda _one: "any value",
    Match.CONTAINS: lambda one: f"contains {compact(one.text, 40)}",
    Match.REGEXP: lambda one: f"pattern {compact(one.text, 40)}",
    Match.TOLERANCE: _bounds,
    Match.SEMANTIC: lambda _one: "same meaning",
    Match.SUBSET: lambda _one: "at least this",
}


def _of_two(left: ToolCall, right: ToolCall) -> Iterator[tuple[str, tuple[Json | Absent, ...], str]]:
    for one in apart(left.args, right.args):
        yield one.place, (one.left, one.right), _note(one)


def _note(one: Apart) -> str:
    if one.changes_type:
        return f"{kind_of(one.right)} instead of {kind_of(one.left)}"
    if one.other_place:
        return f"there at {_path(one.other_place)}"
    return ""


def _of_three(calls: Sequence[ToolCall | None]) -> Iterator[tuple[str, tuple[Json | Absent, ...], str]]:
    """Argument by argument: three sides have no common paths further down."""
    known = [call.args if call is not None else ABSENT for call in calls]
    stated = [args for call, args in zip(calls, known, strict=True) if call is not None]
    if not all(isinstance(args, dict | Absent) for args in stated):
        if any(args != stated[0] for args in stated):
            yield "", tuple(known), ""
        return
    objects = [args if isinstance(args, dict) else {} for args in known]
    for name in {name: None for args in objects for name in args}:
        values = tuple(args.get(name, ABSENT) for args in objects)
        said = [value for call, value in zip(calls, values, strict=True) if call is not None]
        if any(value is not said[0] and value != said[0] for value in said):
            yield join("", name), values, ""


def _value(one: tuple[str, tuple[Json | Absent, ...], str], expected: ToolCall | None, matchers: Matchers) -> Value:
    place, values, note = one
    texts = tuple(None if isinstance(value, Absent) else compact(value, _VALUE_CHARS) for value in values)
    if expected is None or not expected.place:
        return Value(_path(place), texts, place, note=note)
    owner = f"{expected.place}/args"
    matcher = next((matchers.by_place[above] for above in _above(owner, place) if above in matchers.by_place), None)
    if matcher is None:
        return Value(_path(place), texts, place, note=note)
    last = values[-1]
    fits = told(lambda: matchers.same(values[0], last, matcher.place)) if matcher.place == owner + place else False
    ignored = matcher.match is Match.IGNORE
    return Value(_path(place), texts, place, rule_words(matcher), ignored, fits or ignored, note)


def _above(owner: str, place: str) -> list[str]:
    return [owner + place, *(owner + place[:at] for at in range(len(place) - 1, -1, -1) if place[at : at + 1] == "/")]


def _path(place: str) -> str:
    """A pointer as people write it: filter.city, items[2].price."""
    path = ""
    for token in split(place) if place else ():
        path += f"[{token}]" if token.isdecimal() and path else f".{token}" if path else token
    return path or "all arguments"

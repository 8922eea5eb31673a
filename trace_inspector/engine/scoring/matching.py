"""Compares arguments with those a golden expects: for equality, or as its matchers say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias, TypeGuard

from msgspec import Struct, field

from trace_inspector.core.alignment.max_matching import max_matching
from trace_inspector.core.alignment.turn_alignment import WHOLE
from trace_inspector.core.golden.matcher import Match, Matcher
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.values import pointer as pointers
from trace_inspector.core.values.values import ABSENT, Absent, Json
from trace_inspector.engine.scoring.cannot_judge import CannotJudge
from trace_inspector.engine.scoring.patterns import is_found, why_unusable

Equal: TypeAlias = "Callable[[Json | Absent, Json | Absent], bool]"


def equal_by_value(expected: Json | Absent, given: Json | Absent) -> bool:
    """As ADK compares arguments: 1, 1.0 and true are equal."""
    return expected is given or expected == given


class Matchers(Struct, frozen=True):
    """The matchers of a golden by the place of the value they are for. Where there is none, `equal` decides."""

    by_place: dict[str, Matcher] = field(default_factory=dict)
    above: frozenset[str] = frozenset()  # the places of all values that have a matcher further down
    equal: Equal = equal_by_value

    def same_call(self, expected: ToolCall, observed: ToolCall) -> bool:
        """Whether an observed call is what the golden expects."""
        return not self.differing(expected, observed)

    def differing(self, expected: ToolCall, observed: ToolCall) -> tuple[str, ...]:
        """The names of the arguments that are not as expected; WHOLE when the whole is of another kind."""
        if expected.stated_name != observed.stated_name:
            return WHOLE
        place = f"{expected.place}/args"
        whole = self.by_place.get(place)
        expected_args, observed_args = _stated(expected), _stated(observed)
        if whole is not None:
            return () if _MATCHES[whole.match](expected_args, observed_args, whole, self, place) else WHOLE
        if not isinstance(expected_args, dict) or not isinstance(observed_args, dict):
            return () if self.same(expected_args, observed_args, place) else WHOLE
        names = [*expected_args, *(name for name in observed_args if name not in expected_args)]
        return tuple(
            name
            for name in names
            if not self.same(
                expected_args.get(name, ABSENT), observed_args.get(name, ABSENT), pointers.join(place, name)
            )
        )

    def same(self, expected: Json | Absent, given: Json | Absent, place: str) -> bool:
        """Whether a value is as expected, looking for matchers all the way down."""
        matcher = self.by_place.get(place)
        if matcher is not None:
            return _MATCHES[matcher.match](expected, given, matcher, self, place)
        return self.same_inside(expected, given, place)

    def same_inside(self, expected: Json | Absent, given: Json | Absent, place: str) -> bool:
        """Whether a value is equal to the expected one, but for what a matcher further down decides."""
        if place not in self.above:
            return self.equal(expected, given)
        if isinstance(expected, dict) and isinstance(given, dict):
            names = {**expected, **given}
            return all(
                self.same(expected.get(name, ABSENT), given.get(name, ABSENT), pointers.join(place, name))
                for name in names
            )
        if isinstance(expected, list) and isinstance(given, list) and len(expected) == len(given):
            pairs = enumerate(zip(expected, given, strict=True))
            return all(self.same(left, right, pointers.join(place, str(index))) for index, (left, right) in pairs)
        return self.equal(expected, given)


def matchers_of(listed: Iterable[Matcher]) -> Matchers:
    """Matchers ready to be asked."""
    by_place = {matcher.place: matcher for matcher in listed}
    return Matchers(by_place, frozenset(above for place in by_place for above in _above(place)))


def _above(place: str) -> Iterator[str]:
    return (place[:index] for index, char in enumerate(place) if char == "/")


def _stated(call: ToolCall) -> Json:
    return None if isinstance(call.args, Absent) else call.args


_Compare: TypeAlias = "Callable[[Json | Absent, Json | Absent, Matcher, Matchers, str], bool]"


def _contains(_expected: Json | Absent, given: Json | Absent, matcher: Matcher, _all: Matchers, _place: str) -> bool:
    return isinstance(given, str) and matcher.text in given


def _regexp(_expected: Json | Absent, given: Json | Absent, matcher: Matcher, _all: Matchers, place: str) -> bool:
    if not isinstance(given, str):
        return False
    problem = why_unusable(matcher.text)
    if problem:
        raise CannotJudge(f"the pattern at {place} cannot be used: {problem}")
    try:
        return is_found(matcher.text, given)
    except TimeoutError as late:
        raise CannotJudge(f"the pattern at {place} takes too long on this value; make it simpler") from late


def _equal(expected: Json | Absent, given: Json | Absent, _matcher: Matcher, matchers: Matchers, place: str) -> bool:
    return matchers.same_inside(expected, given, place)


def _near(expected: Json | Absent, given: Json | Absent, matcher: Matcher, matchers: Matchers, place: str) -> bool:
    """Whatever is equal, and numbers that are near enough."""
    if matchers.same_inside(expected, given, place):
        return True
    if not _is_number(expected) or not _is_number(given):
        return False
    try:
        return abs(expected - given) <= max(matcher.absolute or 0.0, (matcher.relative or 0.0) * abs(expected))
    except OverflowError:  # an integer that no other number comes near
        return False


def _is_number(value: Json | Absent) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _subset(expected: Json | Absent, given: Json | Absent, _matcher: Matcher, matchers: Matchers, place: str) -> bool:
    """An object with at least the expected members, or a list with at least the expected items in any order."""
    if isinstance(expected, dict) and isinstance(given, dict):
        return all(
            matchers.same(value, given.get(name, ABSENT), pointers.join(place, name))
            for name, value in expected.items()
        )
    if isinstance(expected, list) and isinstance(given, list):
        places = [pointers.join(place, str(index)) for index in range(len(expected))]
        pairs = max_matching(
            len(expected),
            len(given),
            lambda index, other: matchers.same(expected[index], given[other], places[index]),
        )
        return len(pairs) == len(expected)
    return matchers.equal(expected, given)


_MATCHES: dict[Match, _Compare] = {
    Match.EXACT: _equal,
    Match.IGNORE: lambda _expected, _given, _matcher, _all, _place: True,
    Match.ANY: lambda _expected, given, _matcher, _all, _place: given is not ABSENT,
    Match.CONTAINS: _contains,
    Match.REGEXP: _regexp,
    Match.TOLERANCE: _near,
    Match.SEMANTIC: _equal,  # offline only what is equal
    Match.SUBSET: _subset,
}

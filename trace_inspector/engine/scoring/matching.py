"""Arguments held against what a golden expects of them: equal, or as its matchers say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias, TypeGuard

from trace_inspector.core.alignment.max_matching import max_matching
from trace_inspector.core.alignment.turn_alignment import WHOLE
from trace_inspector.core.golden.matcher import Match, Matcher
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.values import pointer as pointers
from trace_inspector.core.values.values import ABSENT, Absent, Json
from trace_inspector.engine.scoring.cannot_judge import CannotJudge
from trace_inspector.engine.scoring.patterns import is_found, why_unusable

Equal: TypeAlias = "Callable[[Json | Absent, Json | Absent], bool]"


def equal_by_value(wanted: Json | Absent, given: Json | Absent) -> bool:
    """As ADK compares arguments: 1, 1.0 and true are equal."""
    return wanted is given or wanted == given


@dataclass(frozen=True, slots=True)
class Matchers:
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
        wanted, given = _stated(expected), _stated(observed)
        if whole is not None:
            return () if _MATCHES[whole.match](wanted, given, whole, self, place) else WHOLE
        if not isinstance(wanted, dict) or not isinstance(given, dict):
            return () if self.same(wanted, given, place) else WHOLE
        names = [*wanted, *(name for name in given if name not in wanted)]
        return tuple(
            name
            for name in names
            if not self.same(wanted.get(name, ABSENT), given.get(name, ABSENT), pointers.join(place, name))
        )

    def same(self, wanted: Json | Absent, given: Json | Absent, place: str) -> bool:
        """Whether a value is as expected, looking for matchers all the way down."""
        matcher = self.by_place.get(place)
        if matcher is not None:
            return _MATCHES[matcher.match](wanted, given, matcher, self, place)
        return self.same_inside(wanted, given, place)

    def same_inside(self, wanted: Json | Absent, given: Json | Absent, place: str) -> bool:
        """Whether a value is equal to the expected one, but for what a matcher further down decides."""
        if place not in self.above:
            return self.equal(wanted, given)
        if isinstance(wanted, dict) and isinstance(given, dict):
            names = {**wanted, **given}
            return all(
                self.same(wanted.get(name, ABSENT), given.get(name, ABSENT), pointers.join(place, name))
                for name in names
            )
        if isinstance(wanted, list) and isinstance(given, list) and len(wanted) == len(given):
            pairs = enumerate(zip(wanted, given, strict=True))
            return all(self.same(left, right, pointers.join(place, str(at))) for at, (left, right) in pairs)
        return self.equal(wanted, given)


def matchers_of(listed: Iterable[Matcher]) -> Matchers:
    """Matchers ready to be asked."""
    by_place = {matcher.place: matcher for matcher in listed}
    return Matchers(by_place, frozenset(above for place in by_place for above in _above(place)))


def _above(place: str) -> Iterator[str]:
    return (place[:at] for at, char in enumerate(place) if char == "/")


def _stated(call: ToolCall) -> Json:
    return None if isinstance(call.args, Absent) else call.args


_Compare: TypeAlias = "Callable[[Json | Absent, Json | Absent, Matcher, Matchers, str], bool]"


def _contains(_wanted: Json | Absent, given: Json | Absent, matcher: Matcher, _all: Matchers, _place: str) -> bool:
    return isinstance(given, str) and matcher.text in given


def _regexp(_wanted: Json | Absent, given: Json | Absent, matcher: Matcher, _all: Matchers, place: str) -> bool:
    if not isinstance(given, str):
        return False
    problem = why_unusable(matcher.text)
    if problem:
        raise CannotJudge(f"the pattern at {place} cannot be used, {problem}")
    try:
        return is_found(matcher.text, given)
    except TimeoutError as late:
        raise CannotJudge(f"the pattern at {place} takes too long on this value; make it simpler") from late


def _equal(wanted: Json | Absent, given: Json | Absent, _matcher: Matcher, matchers: Matchers, place: str) -> bool:
    return matchers.same_inside(wanted, given, place)


def _near(wanted: Json | Absent, given: Json | Absent, matcher: Matcher, matchers: Matchers, place: str) -> bool:
    """Whatever is equal, and numbers that are near enough."""
    if matchers.same_inside(wanted, given, place):
        return True
    if not _is_number(wanted) or not _is_number(given):
        return False
    try:
        return abs(wanted - given) <= max(matcher.absolute or 0.0, (matcher.relative or 0.0) * abs(wanted))
    except OverflowError:  # an integer that no other number comes near
        return False


def _is_number(value: Json | Absent) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _subset(wanted: Json | Absent, given: Json | Absent, _matcher: Matcher, matchers: Matchers, place: str) -> bool:
    """An object with at least the expected members, or a list with at least the expected items in any order."""
    if isinstance(wanted, dict) and isinstance(given, dict):
        return all(
            matchers.same(value, given.get(name, ABSENT), pointers.join(place, name))
            for name, value in wanted.items()
        )
    if isinstance(wanted, list) and isinstance(given, list):
        places = [pointers.join(place, str(at)) for at in range(len(wanted))]
        pairs = max_matching(len(wanted), len(given), lambda at, to: matchers.same(wanted[at], given[to], places[at]))
        return len(pairs) == len(wanted)
    return matchers.equal(wanted, given)


_MATCHES: dict[Match, _Compare] = {
    Match.EXACT: _equal,
    Match.IGNORE: lambda _wanted, _given, _matcher, _all, _place: True,
    Match.ANY: lambda _wanted, given, _matcher, _all, _place: given is not ABSENT,
    Match.CONTAINS: _contains,
    Match.REGEXP: _regexp,
    Match.TOLERANCE: _near,
    Match.SEMANTIC: _equal,  # offline only what is equal
    Match.SUBSET: _subset,
}

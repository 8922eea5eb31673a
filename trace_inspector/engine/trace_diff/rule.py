"""By which rule calls are held against each other. COMPARISONS is the one list."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.alignment.turn_alignment import WHOLE, Differing, Policy, how_they_differ
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.matcher import Matcher
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.engine.scoring.cannot_judge import CannotJudge


def _by_value(_matchers: Iterable[Matcher]) -> Differing | None:
    return None


class ComparisonRule(Struct, frozen=True):
    """One line of COMPARISONS. `policy` says which differences from a golden count; `differing` makes its test.

    Where that makes none, calls are held against each other by value. Handing over by a call is one, or none.
    """

    name: str
    title: str
    meaning: str
    policy: Callable[[Case | None], Policy]
    differing: Callable[[Iterable[Matcher]], Differing | None] = _by_value
    transfers_are_calls: bool = True

    def test(self, golden: Case | None) -> CallTest | None:
        """The test for calls that a golden expects; None where they are held against each other by value."""
        differing = self.differing(golden.matchers if golden else ())
        return CallTest(differing) if differing else None


class CallTest:
    """A test of calls that has always an answer: what a matcher cannot tell is not as expected.

    Why it could not is a sentence in `problems`. No call's matchers are asked again after that: a pattern that takes
    too long would take so for every call that it is held against.
    """

    def __init__(self, differing: Differing) -> None:
        self._differing = differing
        self._cannot: set[str] = set()  # the places of calls
        self.problems: dict[str, None] = {}

    def __call__(self, expected: ToolCall, observed: ToolCall) -> tuple[str, ...]:
        """The arguments that keep a call from being the expected one."""
        if expected.place not in self._cannot:
            try:
                return self._differing(expected, observed)
            except CannotJudge as problem:
                self._cannot.add(expected.place)
                self.problems.setdefault(str(problem))
        return how_they_differ(expected, observed) or WHOLE


def _always(policy: Policy) -> Callable[[Case | None], Policy]:
    return lambda _golden: policy


def _at_least(matchers: Iterable[Matcher]) -> Differing:
    """Arguments that nobody expects are not looked at."""
    from trace_inspector.engine.scoring.matching import matchers_of

    own_matchers = matchers_of(matchers)

    def differing(expected: ToolCall, observed: ToolCall) -> tuple[str, ...]:
        if isinstance(expected.args, dict) and isinstance(observed.args, dict):
            given = {name: value for name, value in observed.args.items() if name in expected.args}
            return own_matchers.differing(expected, replace(observed, args=given))
        return own_matchers.differing(expected, observed)

    return differing


def _of_ces(golden: Case | None) -> Policy:
    from trace_inspector.engine.ces.call_policy import policy_of_ces

    return policy_of_ces(golden)


def _differing_for_ces(matchers: Iterable[Matcher]) -> Differing | None:
    from trace_inspector.engine.ces.differing_arguments import differing_for_ces

    return differing_for_ces(matchers)


_EXACT, _IN_ORDER, _ANY_ORDER = map(_always, (Policy.EXACT, Policy.IN_ORDER, Policy.ANY_ORDER))
COMPARISONS = (
    ComparisonRule("exact", "EXACT", "the same calls in the same order, and no others", _EXACT),
    ComparisonRule(
        "in-order", "IN ORDER", "the expected calls in their order; other calls may come between", _IN_ORDER
    ),
    ComparisonRule("any-order", "ANY ORDER", "the expected calls in any order; other calls are allowed", _ANY_ORDER),
    ComparisonRule(
        "partial",
        "PARTIAL",
        "the expected calls with at least the expected arguments, in any order",
        _ANY_ORDER,
        _at_least,
    ),
    ComparisonRule(
        "ces",
        "CES",
        "the expected arguments by their matchers, in any order; other calls only where the golden allows them",
        _of_ces,
        _differing_for_ces,
        transfers_are_calls=False,
    ),
)


def comparison_named(name: str) -> ComparisonRule:
    """The rule of that name."""
    return next(rule for rule in COMPARISONS if rule.name == name)

"""By which rule calls are held against each other. COMPARISONS is the one list."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from trace_inspector.core.align import Policy, SameCall, same_call
from trace_inspector.core.golden import Case
from trace_inspector.core.matcher import Matcher
from trace_inspector.core.parts import ToolCall
from trace_inspector.engine.ces.call_policy import policy_of_ces
from trace_inspector.engine.ces.same_call import same_for_ces
from trace_inspector.engine.matching import matchers_of


@dataclass(frozen=True, slots=True)
class Comparison:
    """One line of COMPARISONS. `policy` says of a golden which differences count; `same` makes the test of calls."""

    name: str
    title: str
    meaning: str
    policy: Callable[[Case | None], Policy]
    same: Callable[[Iterable[Matcher]], SameCall]


def _always(policy: Policy) -> Callable[[Case | None], Policy]:
    return lambda _golden: policy


def _equal(_matchers: Iterable[Matcher]) -> SameCall:
    return same_call


def _at_least(matchers: Iterable[Matcher]) -> SameCall:
    """Arguments that nobody expects are not looked at."""
    known = matchers_of(matchers)

    def same(expected: ToolCall, observed: ToolCall) -> bool:
        if isinstance(expected.args, dict) and isinstance(observed.args, dict):
            given = {name: value for name, value in observed.args.items() if name in expected.args}
            return known.same_call(expected, replace(observed, args=given))
        return known.same_call(expected, observed)

    return same


_EXACT, _IN_ORDER, _ANY_ORDER = map(_always, (Policy.EXACT, Policy.IN_ORDER, Policy.ANY_ORDER))
COMPARISONS = (
    Comparison("exact", "EXACT", "the same calls in the same order and no others", _EXACT, _equal),
    Comparison("in-order", "IN ORDER", "the expected calls in their order, others between", _IN_ORDER, _equal),
    Comparison("any-order", "ANY ORDER", "the expected calls in whatever order", _ANY_ORDER, _equal),
    Comparison("partial", "PARTIAL", "the expected arguments at least, by matchers", _ANY_ORDER, _at_least),
    Comparison(
        "ces",
        "CES",
        "the expected arguments by their matchers, in whatever order; others only where the golden allows them",
        policy_of_ces,
        same_for_ces,
    ),
)


def comparison_named(name: str) -> Comparison:
    """The rule of that name."""
    return next(rule for rule in COMPARISONS if rule.name == name)

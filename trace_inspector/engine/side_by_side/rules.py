"""By which rules rows may count. RULES is the list, in the order of the bits of `Row.counts`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from trace_inspector.core.align import SameCall, same_call
from trace_inspector.core.matcher import Matcher
from trace_inspector.core.parts import ToolCall
from trace_inspector.engine.differences.rule import COMPARISONS, Comparison
from trace_inspector.engine.matching import matchers_of
from trace_inspector.engine.metric import CannotJudge

_EQUAL = frozenset({"exact", "in-order", "any-order"})  # in `diff` they know no matchers; people who set one do


def _by_matchers(matchers: Iterable[Matcher]) -> SameCall:
    """Equal calls, and those that the golden's matchers take for the expected ones."""
    known = matchers_of(matchers)
    return sure(known.same_call) if known.by_place else same_call


def sure(same: SameCall) -> SameCall:
    """The same test; what it cannot tell is not the same."""

    def tell(expected: ToolCall, observed: ToolCall) -> bool:
        return told(lambda: same(expected, observed))

    return tell


def told(ask: Callable[[], bool]) -> bool:
    """What a matcher says; one that cannot be used says no."""
    try:
        return ask()
    except CannotJudge:
        return False


def _sure(rule: Comparison) -> Comparison:
    return replace(rule, same=lambda matchers: sure(rule.same(matchers)))


RULES: tuple[Comparison, ...] = tuple(
    replace(rule, same=_by_matchers) if rule.name in _EQUAL else _sure(rule) for rule in COMPARISONS
)

"""Whether calls are those that are expected: the same, in order among others, or each of them somewhere."""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from typing import TypeAlias

from trace_inspector.core.trace.parts import ToolCall

SameCall: TypeAlias = Callable[[ToolCall, ToolCall], bool]
CallOrder: TypeAlias = Callable[[Sequence[ToolCall], Sequence[ToolCall], SameCall], bool]


class MatchType(enum.Enum):
    """ADK's three ways to compare calls with the golden's."""

    EXACT = 0
    IN_ORDER = 1
    ANY_ORDER = 2


def exact(expected: Sequence[ToolCall], observed: Sequence[ToolCall], same: SameCall) -> bool:
    """The same calls in the same order, and no others."""
    return len(expected) == len(observed) and all(map(same, expected, observed))


def in_order(expected: Sequence[ToolCall], observed: Sequence[ToolCall], same: SameCall) -> bool:
    """The expected calls in their order, perhaps among others."""
    remaining = iter(observed)
    return all(any(same(expected_call, call) for call in remaining) for expected_call in expected)


def any_order(expected: Sequence[ToolCall], observed: Sequence[ToolCall], same: SameCall) -> bool:
    """A different observed call for each expected one, in any order."""
    remaining = list(observed)
    for expected_call in expected:
        index = next((index for index, call in enumerate(remaining) if same(expected_call, call)), None)
        if index is None:
            return False
        del remaining[index]
    return True

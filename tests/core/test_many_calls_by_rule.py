"""Calls that a rule holds to be equal: in turns of hundreds of calls, too, and the one that is just equal first."""

from __future__ import annotations

import random

import pytest

from trace_inspector.core.alignment.max_matching import MOST_COMPARISONS
from trace_inspector.core.alignment.turn_alignment import CallMatch, align_calls
from trace_inspector.core.trace.parts import ToolCall


def at_least(expected: ToolCall, observed: ToolCall) -> tuple[str, ...]:
    """The expected arguments; others may be there."""
    wanted, given = expected.args, observed.args
    assert isinstance(wanted, dict)
    assert isinstance(given, dict)
    return tuple(name for name, value in wanted.items() if given.get(name) != value)


@pytest.mark.parametrize("many", [450, 501])
def test_calls_find_each_other_in_any_order_however_many_there_are(many: int) -> None:
    assert (many * many > MOST_COMPARISONS) is (many > 500)
    expected = [ToolCall("f", {"x": at}) for at in range(many)]
    observed = [ToolCall("f", {"x": at, "y": 1}) for at in range(many)]
    random.Random(5).shuffle(observed)
    pairs = align_calls(expected, observed, differing=at_least)
    assert {pair.match for pair in pairs} == {CallMatch.SAME}


@pytest.mark.parametrize("right", [True, False])
def test_the_extra_call_is_the_one_that_has_more(right: bool) -> None:
    plain, more = ToolCall("g", {"q": 1}), ToolCall("g", {"q": 1, "x": "xyz"})
    observed = [plain, more] if right else [more, plain]
    wanted = ToolCall("g", {"q": 1}, resource="apps/a/tools/g")  # named otherwise, as a golden of another system does
    pairs = align_calls([wanted], observed, differing=at_least)
    extra = next(pair.observed for pair in pairs if pair.match is CallMatch.EXTRA)
    assert extra is not None
    assert observed[extra] is more

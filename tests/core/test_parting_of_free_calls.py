"""The first call that breaks the rule: calls that may be made or not, or that are none, break nothing."""

from __future__ import annotations

import pytest

from trace_inspector.core.alignment.turn_alignment import Policy, align_calls, first_divergence
from trace_inspector.core.trace.parts import ToolCall


def calls(names: str) -> list[ToolCall]:
    return [ToolCall(name, {}) for name in names]


@pytest.mark.parametrize(
    ("expected", "observed", "free", "parting"),
    [
        ("ab", "ab", {0}, None),
        ("ab", "b", {0}, None),
        ("ab", "ba", {0}, None),  # wherever it is made
        ("ab", "ab", {1}, None),
        ("abc", "acb", {0}, 1),
        ("ab", "ba", set(), 0),
        ("ab", "b", set(), 0),
    ],
)
def test_a_free_call_takes_no_place(expected: str, observed: str, free: set[int], parting: int | None) -> None:
    pairs = align_calls(calls(expected), calls(observed))
    assert first_divergence(pairs, Policy.EXACT, free) == parting


def test_what_is_set_aside_takes_no_place() -> None:
    pairs = align_calls(calls("ab"), calls("xab"))
    assert first_divergence(pairs, Policy.EXACT) == 0
    assert first_divergence(pairs, Policy.EXACT, aside=(frozenset(), frozenset({0}))) is None
    assert first_divergence(align_calls(calls("xab"), calls("ab")), Policy.EXACT, aside=({0}, frozenset())) is None

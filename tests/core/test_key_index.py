"""Keys of which digests are held find what a dictionary of sets would."""

from __future__ import annotations

import random

import pytest

from trace_inspector.core.values.spilled import KeyIndex

ODD = ["a", "A", "é", "e\u0301", "\ud800", "1", "1.0", "True", " a", "a\0", "日本"]


@pytest.mark.parametrize("count", [20, 1_024, 5_000])
def test_numbers_are_those_of_a_dictionary(count: int) -> None:
    index, expected = KeyIndex(), dict[str, list[int]]()
    chosen = random.Random(count)
    for number in range(count):
        key = chosen.choice(ODD) if number % 3 else f"k{chosen.randrange(count)}"
        index.add(key, number)
        expected.setdefault(key, []).append(number)
    for key, numbers in expected.items():
        assert index.numbers(key) == set(numbers)
        assert index.last(key) == numbers[-1]
    for strange in ("b", "a ", "ａ", "\udfff"):
        assert index.numbers(strange) == set()
        assert index.last(strange) is None
    assert index.numbers("") == set()

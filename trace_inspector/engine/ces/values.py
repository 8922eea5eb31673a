"""Compares values as CES does: numbers as doubles, truth values not as numbers, variables part by part."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import ABSENT, Absent, Json


def same_value(expected: Json | Absent, given: Json | Absent) -> bool:
    """Whether two values are one to CES, which keeps every number as a double."""
    if isinstance(expected, bool) or isinstance(given, bool):
        return expected is given
    if isinstance(expected, int | float) and isinstance(given, int | float):
        return expected == given or _same_double(expected, given)
    if isinstance(expected, dict) and isinstance(given, dict):
        return expected.keys() == given.keys() and all(same_value(expected[name], given[name]) for name in expected)
    if isinstance(expected, list) and isinstance(given, list):
        return len(expected) == len(given) and all(map(same_value, expected, given))
    return type(expected) is type(given) and expected == given


def leaves(expected: Json, given: Json | Absent, place: str = "") -> Iterator[tuple[str, bool]]:
    """Every leaf of the expected value with its place, and whether it was given; more may be given."""
    if not isinstance(expected, dict) or not expected:
        yield place, isinstance(given, dict) if expected == {} else same_value(expected, given)
        return
    given_object = given if isinstance(given, dict) else {}
    for name, value in expected.items():
        yield from leaves(value, given_object.get(name, ABSENT), join(place, name))


def _same_double(expected: int | float, given: int | float) -> bool:
    try:
        return float(expected) == float(given)
    except OverflowError:  # an integer beyond every double
        return False

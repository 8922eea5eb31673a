"""Values as CES compares them: numbers as doubles, truth values apart from numbers, variables part by part."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import ABSENT, Absent, Json


def same_value(wanted: Json | Absent, given: Json | Absent) -> bool:
    """Whether two values are one to CES, which keeps every number as a double."""
    if isinstance(wanted, bool) or isinstance(given, bool):
        return wanted is given
    if isinstance(wanted, int | float) and isinstance(given, int | float):
        return wanted == given or _same_double(wanted, given)
    if isinstance(wanted, dict) and isinstance(given, dict):
        return wanted.keys() == given.keys() and all(same_value(wanted[name], given[name]) for name in wanted)
    if isinstance(wanted, list) and isinstance(given, list):
        return len(wanted) == len(given) and all(map(same_value, wanted, given))
    return type(wanted) is type(given) and wanted == given


def leaves(wanted: Json, given: Json | Absent, place: str = "") -> Iterator[tuple[str, bool]]:
    """Every value inside the expected one with its place, and whether it was given; what is given beyond is free."""
    if not isinstance(wanted, dict) or not wanted:
        yield place, isinstance(given, dict) if wanted == {} else same_value(wanted, given)
        return
    held = given if isinstance(given, dict) else {}
    for name, value in wanted.items():
        yield from leaves(value, held.get(name, ABSENT), join(place, name))


def _same_double(wanted: int | float, given: int | float) -> bool:
    try:
        return float(wanted) == float(given)
    except OverflowError:  # an integer beyond every double
        return False

"""Times in the ways of all tracing libraries, and those that are none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.campaigns import examples
from tests.helpers.tables import each
from trace_inspector.core.values.values import Json
from trace_inspector.formats.common.times import interval, is_time

AT = 1_770_000_000.123456


def time_s(value: Json) -> float | None:
    """When a span began."""
    return interval(value, None, None)[0]


@each(
    "value",
    [
        1_770_000_000_123_456_000,
        "1770000000123456000",
        1_770_000_000_123_456,
        [1_770_000_000, 123_456_000],
        AT,
        "2026-02-02T02:40:00.123456Z",
        "2026-02-02T02:40:00.123456000Z",
        "2026-02-02T02:40:00.123456+00:00",
        "2026-02-02T05:40:00.123456+03:00",
        "2026-02-02T02:40:00.123456",
        "2026-02-02 02:40:00.123456",
    ],
)
def test_one_moment(value: Json) -> None:
    assert time_s(value) == pytest.approx(AT, abs=1e-6)


@pytest.mark.parametrize("value", [1_770_000_000_123, 1_770_000_000_123.0, "1770000000123"])
def test_milliseconds(value: Json) -> None:
    assert time_s(value) == pytest.approx(1_770_000_000.123)


@each(
    "value",
    [
        None, True, "", "soon", "9" * 5000, "1" * 40, 0, -1, -1_770_000_000_000_000_000, 10**30, 1e300, float("nan"),
        float("inf"), [], [1], [1, 2, 3], ["a", "b"], [10**40, 0], [-5, 0], {}, "0001-01-01T00:00:00Z",
        "2026-02-30T00:00:00Z", "²", "-²",
    ],
)  # fmt: skip
def test_a_moment_that_is_none(value: Json) -> None:
    assert time_s(value) is None


@each(
    ("start", "end", "own", "seconds"),
    [
        ([500, 0], [502, 500_000_000], None, 2.5),
        ([500, 0], [499, 0], None, None),
        ([500, 0], [499, 0], 3_000_000_000, 3.0),
        ([500, 0], None, "3000000000", 3.0),
        (None, [500, 0], None, None),
        ([500, 0], None, -3, None),
        ([500, 0], None, 10**40, None),
    ],
)
def test_how_long(start: Json, end: Json, own: Json, seconds: float | None) -> None:
    assert interval(start, end, own)[1] == seconds


@examples(40, 1000)
@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists, max_leaves=4))
def test_any_moment(value: Json) -> None:
    found = time_s(value)
    assert found is None or 0 < found < 2e10


@each(
    "value",
    [
        0, -1, True, 10**8, 2 * 10**10, 10**17 - 1, 10**17, 1_775_383_200_123_456_789, (1 << 64) - 1, 1 << 64,
        10**17 + 0.5, "1775383200123456789", "2026-04-05T10:00:00Z", "noon", "", [1_775_383_200, 5], [1], None, {},
    ],
    ids=repr,
)  # fmt: skip
def test_what_is_a_time_is_what_the_reader_takes_for_one(value: Json) -> None:
    assert is_time(value) == (interval(value, None, None)[0] is not None)

"""Percentiles by nearest rank, against the definition counted out."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.tables import each
from trace_inspector.models.timeline.figures import Values, percentile, values_of

TEN = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0]


@each(
    ("values", "percent", "found"),
    [
        (TEN, 50, 5.0),
        (TEN, 90, 9.0),
        (TEN, 99, 10.0),
        (TEN, 0, 1.0),
        (TEN, 100, 10.0),
        ([7.0], 50, 7.0),
        ([1.0, 2.0], 50, 1.0),
        ([1.0, 2.0], 51, 2.0),
    ],
)
def test_by_nearest_rank(values: list[float], percent: int, found: float) -> None:
    assert percentile(values, percent) == found


def test_of_nothing_there_is_none() -> None:
    assert math.isnan(percentile([], 50))


@given(st.lists(st.floats(0, 1e6), min_size=1), st.integers(1, 100))
def test_the_smallest_value_that_so_many_do_not_exceed(values: list[float], percent: int) -> None:
    found = percentile(sorted(values), percent)
    assert found in values
    assert sum(value <= found for value in values) * 100 >= percent * len(values)
    smaller = [value for value in values if value < found]
    assert len(smaller) * 100 < percent * len(values)


def test_what_is_no_duration_is_left_out() -> None:
    assert list(values_of([3.0, -1.0, 0.0]).ordered) == [0.0, 3.0]


@pytest.mark.parametrize(("value", "share"), [(1.0, 0), (5.0, 44), (10.0, 100)])
def test_slower_than_how_many_of_the_others(value: float, share: int) -> None:
    assert Values(TEN).slower_than(value) == share


def test_alone_nothing_is_slower_than_others() -> None:
    assert Values([4.0]).slower_than(4.0) == 0
    assert Values([4.0, 4.0]).slower_than(4.0) == 0


def test_figures_of_a_strip() -> None:
    assert Values(TEN).percentiles == (5.0, 9.0, 10.0)
    assert (Values(TEN).greatest, Values().greatest) == (10.0, 0.0)

"""Figures of chance against tables that were worked out by hand or stand in every textbook."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trace_inspector.engine.between_runs.chance import (
    mean_interval,
    passes_always,
    passes_at_least_once,
    share_interval,
    sign_test,
    student_quantile,
    student_share,
)


@pytest.mark.parametrize(
    ("freedom", "value"),
    [(1, 12.7062), (2, 4.30265), (3, 3.18245), (4, 2.77645), (5, 2.57058), (9, 2.26216), (10, 2.22814),
     (20, 2.08596), (30, 2.04227), (60, 2.00030), (120, 1.97993), (1000, 1.96234)],
)  # fmt: skip
def test_quantiles_of_student(freedom: int, value: float) -> None:
    assert student_quantile(0.975, freedom) == pytest.approx(value, abs=6e-5)


@given(st.floats(0, 50), st.integers(1, 200))
def test_the_share_grows_with_the_value(value: float, freedom: int) -> None:
    assert 0.5 <= student_share(value, freedom) <= student_share(value + 0.5, freedom) <= 1.0


@pytest.mark.parametrize(
    ("improved", "regressed", "likely"),
    [(0, 1, 1.0), (1, 1, 1.0), (0, 5, 0.0625), (0, 6, 0.03125), (1, 7, 0.0703125), (2, 10, 0.03857421875)],
)
def test_uneven_counts(improved: int, regressed: int, likely: float) -> None:
    assert sign_test(improved, regressed) == likely
    assert sign_test(regressed, improved) == likely


def test_intervals_worked_out_by_hand() -> None:
    # Changes 0.1, 0.2, 0.3: mean 0.2, standard deviation 0.1, half width 4.30265 · 0.1 / √3.
    found = mean_interval([0.1, 0.2, 0.3])
    assert found is not None
    assert found.low == pytest.approx(-0.04841, abs=1e-5)
    assert found.high == pytest.approx(0.44841, abs=1e-5)
    assert mean_interval([0.5]) is None
    wilson = share_interval(8, 10)
    assert wilson.low == pytest.approx(0.49016, abs=1e-5)
    assert wilson.high == pytest.approx(0.94332, abs=1e-5)
    assert share_interval(0, 10).low == 0.0
    assert share_interval(10, 10).high == 1.0


@given(st.integers(1, 7), st.data())
def test_repeats_counted_one_by_one(runs: int, data: st.DataObject) -> None:
    passed, k = data.draw(st.integers(0, runs)), data.draw(st.integers(1, runs))
    outcomes = [True] * passed + [False] * (runs - passed)
    picks = list(itertools.combinations(outcomes, k))
    assert math.isclose(passes_at_least_once(runs, passed, k), sum(map(any, picks)) / len(picks))
    assert math.isclose(passes_always(runs, passed, k), sum(map(all, picks)) / len(picks))

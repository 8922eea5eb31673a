"""Figures of chance against tables that were worked out by hand or stand in every textbook."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.tables import each
from trace_inspector.core.verdict.figures import is_summable
from trace_inspector.engine.repeats.significance import (
    fisher_test,
    mean_interval,
    passes_always,
    passes_at_least_once,
    share_interval,
    sign_test,
    student_quantile,
    student_share,
    welch_interval,
)


@each(
    ("freedom", "value"),
    [(1, 12.7062), (2, 4.30265), (3, 3.18245), (4, 2.77645), (5, 2.57058), (9, 2.26216), (10, 2.22814),
     (20, 2.08596), (30, 2.04227), (60, 2.00030), (120, 1.97993), (1000, 1.96234)],
)  # fmt: skip
def test_quantiles_of_student(freedom: int, value: float) -> None:
    assert student_quantile(0.975, freedom) == pytest.approx(value, abs=6e-5)


@given(st.floats(0, 50), st.integers(1, 200))
def test_the_share_grows_with_the_value(value: float, freedom: int) -> None:
    assert 0.5 <= student_share(value, freedom) <= student_share(value + 0.5, freedom) <= 1.0


@each(
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
    assert mean_interval([0.5, 0.5]) is None
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


@each(
    ("base", "new", "likely"),
    [
        # The lady who tastes tea: 3 of 4 and 1 of 4. Tables with 0…4: 1, 16, 36, 16, 1 of 70 ways.
        ((3, 4), (1, 4), 34 / 70),
        ((4, 4), (0, 4), 2 / 70),
        ((2, 4), (2, 4), 1.0),
        # 5 of 5 and 2 of 5, seven passes: with 2…5 on the first side 10, 50, 50, 10 of 120 ways.
        ((5, 5), (2, 5), 20 / 120),
        ((1, 1), (0, 1), 1.0),
        ((0, 3), (0, 9), 1.0),
    ],
)
def test_shares_of_repeats(base: tuple[int, int], new: tuple[int, int], likely: float) -> None:
    assert fisher_test(*base, *new) == pytest.approx(likely)
    assert fisher_test(*new, *base) == pytest.approx(likely)


COUNTS = st.integers(1, 12).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of)))


@given(COUNTS, COUNTS)
def test_a_likelihood_is_one_and_turns_with_the_outcome(base: tuple[int, int], new: tuple[int, int]) -> None:
    likely = fisher_test(*base, *new)
    assert 0.0 < likely <= 1.0
    failed = [(of - passed, of) for passed, of in (base, new)]
    assert fisher_test(*failed[0], *failed[1]) == pytest.approx(likely)


def test_welch_by_hand() -> None:
    # Means 2 and 5, variances 1 and 4, three each: 1/3 + 4/3 = 5/3; freedom (5/3)² / ((1/9 + 16/9) / 2) = 50/17.
    found = welch_interval([1.0, 2.0, 3.0], [3.0, 5.0, 7.0])
    assert found is not None
    assert (found.low + found.high) / 2 == pytest.approx(3.0)
    half = student_quantile(0.975, 50 / 17) * math.sqrt(5 / 3)
    assert found.high - 3.0 == pytest.approx(half)
    assert 3.18245 < student_quantile(0.975, 50 / 17) < 4.30265  # between three and two degrees of freedom
    # With like variances it is Student's own interval of two samples.
    alike = welch_interval([0.0, 2.0], [1.0, 3.0])
    assert alike is not None
    assert alike.high == pytest.approx(1.0 + 4.30265 * math.sqrt(2), abs=1e-4)
    assert welch_interval([1.0], [1.0, 2.0]) is None
    assert welch_interval([1.0, 1.0], [2.0, 2.0]) is None


def test_rounding_is_no_spread() -> None:
    assert mean_interval([0.3, 0.1 + 0.2, 0.3]) is None
    assert mean_interval([5e10, 5e10 + 1e-5]) is None
    assert welch_interval([0.3, 0.1 + 0.2], [1e-200, 3e-200]) is None
    assert mean_interval([0.3, 0.300001]) is not None


@given(st.lists(st.floats().filter(is_summable), min_size=2), st.lists(st.floats().filter(is_summable), min_size=2))
def test_whatever_counts_as_a_figure_has_an_interval_or_none(base: list[float], new: list[float]) -> None:
    for found in (mean_interval(base), welch_interval(base, new)):
        assert found is None or (math.isfinite(found.low) and found.low <= found.high)


@each("value", [None, math.nan, math.inf, -math.inf, 1e308, -1e51])
def test_what_is_no_figure(value: float | None) -> None:
    assert not is_summable(value)

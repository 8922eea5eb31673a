"""Means, deviations, pass, win and tie rates (reference B5, statistics)."""

from __future__ import annotations

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.campaigns import examples
from tests.helpers.tables import each
from trace_inspector.core.verdict.score_statistics import ScoreStatistics, WinRates, score_statistics, win_rates


@each(
    ("scores", "found"),
    [
        ([], ScoreStatistics(0, 0)),  # B5: nothing valid, no mean
        ([None, None], ScoreStatistics(2, 0)),  # B5: no score is an error
        ([0.5], ScoreStatistics(1, 1, 0.5, None, 0.0)),  # B5: a deviation only of more than one
        ([1.0, None], ScoreStatistics(2, 1, 1.0, None, 1.0)),  # B5: the mean over valid cases
        ([1.0, 0.0], ScoreStatistics(2, 2, 0.5, 0.7071067811865476, 0.5)),  # B5: n-1
        ([1.0, 0.5, 0.0], ScoreStatistics(3, 3, 0.5, 0.5, 1 / 3)),
        ([5.0, 1.0], ScoreStatistics(2, 2, 3.0, 2.8284271247461903, 0.5)),  # B5: exactly 1.0, not at least
        ([0.9999999], ScoreStatistics(1, 1, 0.9999999, None, 0.0)),
    ],
)
def test_the_figures_of_one_metric(scores: list[float | None], found: ScoreStatistics) -> None:
    assert score_statistics(scores) == found
    assert found.errors == scores.count(None)


@each(
    ("cases", "found"),
    [
        ([], None),
        ([(None, None)], None),  # B5: cases having any score
        ([(1.0, 0.0)], WinRates((1.0, 0.0), 0.0)),
        ([(0.5, 0.5)], WinRates((0.0, 0.0), 1.0)),  # B5: equal maxima are a tie
        ([(None, 0.0)], WinRates((0.0, 1.0), 0.0)),  # B5: a lone scored candidate wins
        ([(1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (None, None)], WinRates((1 / 3, 1 / 3), 1 / 3)),
        ([(0.5, 0.5, 1.0)], WinRates((0.0, 0.0, 1.0), 0.0)),  # a tie below the best is none
        ([(-2.0, -1.0)], WinRates((0.0, 1.0), 0.0)),
    ],
)
def test_who_wins(cases: list[tuple[float | None, ...]], found: WinRates | None) -> None:
    assert win_rates(cases, len(cases[0]) if cases else 2) == found


@examples(40, 1000)
@given(st.lists(st.tuples(*[st.none() | st.integers(0, 3).map(float)] * 3), max_size=8))
def test_wins_and_ties_add_up(cases: list[tuple[float | None, ...]]) -> None:
    found = win_rates(cases, 3)
    if found is None:
        assert all(score is None for scores in cases for score in scores)
    else:
        assert sum(found.wins) + found.ties == pytest.approx(1.0)


@given(st.lists(st.floats(0, 5), min_size=2, max_size=20))
def test_the_mean_lies_between_the_scores_and_the_deviation_is_that_of_a_sample(scores: list[float]) -> None:
    found = score_statistics(scores)
    assert found.mean is not None
    assert min(scores) <= found.mean <= max(scores)
    assert found.stdev == statistics.stdev(scores)

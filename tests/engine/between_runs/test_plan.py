"""What would show a change that so many cases do not: more cases, more repeats, or more votes of the judge."""

from __future__ import annotations

import random

from tests.engine.between_runs.test_mean_change import SCORE, told
from tests.engine.between_runs.test_mean_change import compared as compared_scores
from trace_inspector.engine.run_comparison.certainty import plan

CASES, REPEATS = 300, 4


def runs(shares: list[tuple[float, float]]) -> tuple[list[list[float]], list[list[float]]]:
    """Repeats of cases that pass as often as said, in the baseline and in the candidate."""
    chance = random.Random(7)

    def side(share: float) -> list[float]:
        return [float(chance.random() < share) for _ in range(REPEATS)]

    return [side(before) for before, _after in shares], [side(after) for _before, after in shares]


def test_cases_that_waver_need_repeats() -> None:
    found = plan(compared_scores(SCORE, *runs([(0.5, 0.5)] * CASES)))
    assert found is not None
    assert found.helps_most == "repeats"
    # Two sides of variance 1/4: (2.80 / 0.05)² · (0.5 / r) / 300 reaches the wanted at r = 5.2, and a little more.
    assert found.repeats is not None
    assert 5 <= found.repeats <= 8


def test_cases_that_change_for_good_need_cases() -> None:
    turned = [(1.0, 0.0)] * 40 + [(0.0, 1.0)] * 40 + [(1.0, 1.0)] * (CASES - 80)
    found = plan(compared_scores(SCORE, *runs(turned)))
    assert found is not None
    assert (found.helps_most, found.repeats) == ("cases", None)
    # Four of fifteen change: (2.80 / 0.05)² · 4 / 15.
    assert found.cases is not None
    assert 780 <= found.cases <= 950


def test_where_the_change_would_be_seen_nothing_is_planned() -> None:
    same = [[1.0]] * 1000
    assert not any("would take" in line for line in told(same, same))

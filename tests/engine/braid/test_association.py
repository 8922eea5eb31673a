"""Exact tests beside SciPy, the correction beside statsmodels, and what is not worth a test."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.campaigns import examples
from trace_inspector.engine.braid.association import (
    Strata,
    Table,
    exact_chance,
    holm_adjusted,
    ochiai,
    smallest_chance,
    worth_testing,
)
from trace_inspector.engine.repeats.significance import fisher_test

# What scipy.stats.fisher_exact of SciPy 1.17.1 gave.
TABLES: list[tuple[Table, float]] = [
    ((11, 0, 1, 28), 5.190757213128131e-09),
    ((9, 1, 1, 9), 0.001093333910671372),
    ((10, 0, 0, 10), 1.082508822446903e-05),
    ((3, 4, 7, 6), 1.0),
    ((0, 5, 5, 0), 0.007936507936507938),
    ((250, 18, 0, 232), 7.592116406665242e-122),
    ((4, 9, 18, 2), 0.0007318921184569007),
    ((6, 0, 0, 10), 0.0001248751248751249),
    ((1, 1, 9, 26), 0.4729729729729729),
    ((12, 2, 1, 10), 0.00021268003769013327),
    ((36, 12, 43, 4), 0.05282513968527296),
    ((8, 1, 8, 1), 1.0),
    ((9, 41, 6, 54), 0.2706257908770733),
    ((2, 2, 2, 21), 0.09179487179487181),
    ((2, 2, 10, 27), 0.5670188604720054),
    ((4, 42, 1, 55), 0.17203316970352495),
]


@pytest.mark.parametrize(("table", "chance"), TABLES)
def test_one_group_is_fishers_exact_test_as_scipy_has_it(table: Table, chance: float) -> None:
    assert exact_chance([table]) == pytest.approx(chance, rel=1e-9)


@given(st.tuples(*[st.integers(0, 30)] * 4))
@examples(100, 2_000)
def test_one_group_is_our_test_in_fractions(table: Table) -> None:
    a, b, c, d = table
    if min(a + b, c + d, a + c, b + d) > 0:
        assert exact_chance([table]) == pytest.approx(float(fisher_test(a, a + b, c, c + d)), rel=1e-6)


def by_hand(tables: list[Table]) -> float:
    """Every way to deal the outcomes within each group, by brute force."""
    groups = [[1] * (a + b) + [0] * (c + d) for a, b, c, d in tables]
    failing = [a + c for a, _b, c, _d in tables]
    sums: dict[int, int] = {0: 1}
    for held, fails in zip(groups, failing, strict=True):
        dealt = [outcome for outcome in product((0, 1), repeat=len(held)) if sum(outcome) == fails]
        following: dict[int, int] = {}
        for total, ways in sums.items():
            for outcome in dealt:
                new = total + sum(one * other for one, other in zip(held, outcome, strict=True))
                following[new] = following.get(new, 0) + ways
        sums = following
    observed = sums[sum(a for a, _b, _c, _d in tables)]
    return sum(ways for ways in sums.values() if ways <= observed) / sum(sums.values())


@pytest.mark.parametrize(
    "tables", [[(3, 1, 1, 3)], [(2, 1, 0, 3), (3, 0, 1, 2)], [(1, 1, 1, 1), (2, 0, 0, 2), (0, 2, 3, 1)]]
)
def test_several_groups_are_what_dealing_outcomes_within_them_gives(tables: list[Table]) -> None:
    assert exact_chance(tables) == pytest.approx(by_hand(tables), rel=1e-9)


def test_holm_as_statsmodels_has_it() -> None:
    chances = [0.01, 0.04, 0.03, 0.005, 0.5]
    assert holm_adjusted(chances) == pytest.approx([0.04, 0.09, 0.09, 0.025, 0.5])


def test_what_could_never_be_significant_is_not_tested() -> None:
    assert smallest_chance(10, 20, 10, 20) == pytest.approx(2 / 184_756)
    assert smallest_chance(1, 20, 10, 20) == 1.0
    assert worth_testing([smallest_chance(held, 20, 10, 20) for held in (10, 1, 9, 2)]) == {0, 2}
    assert worth_testing([0.001] * 49) == frozenset(range(49))
    assert worth_testing([0.001] * 50) == frozenset()  # of equal ones all or none


def test_cases_that_came_out_alike_count_once() -> None:
    """Five cases fail in all of their runs and skip a step, five pass and make it: ten cases, not forty runs."""
    outcomes = [(case, case < 5) for case in range(10) for _repeat in range(4)]
    strata = Strata.of(outcomes)
    held = sum(1 << index for index, (case, _failed) in enumerate(outcomes) if case < 5)
    assert strata.tables(strata.everything, held) == ((5, 0, 0, 5),)


def test_a_case_that_came_out_both_ways_is_compared_with_itself() -> None:
    strata = Strata.of([("a", True), ("a", False), ("b", True), ("b", False), ("c", True), ("d", False)])
    assert strata.tables(strata.everything, 0b010101) == ((1, 0, 0, 1), (1, 0, 0, 1), (1, 0, 0, 1))


def test_ochiai() -> None:
    assert ochiai(11, 0, 12) == pytest.approx(11 / (12 * 11) ** 0.5)
    assert ochiai(0, 0, 12) == 0.0

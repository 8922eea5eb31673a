"""What got worse beyond chance, against tables worked out by hand, and what must hold of any two runs."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.tables import each
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, Status
from trace_inspector.engine.repeats.significance import holm, is_noise
from trace_inspector.engine.run_comparison.as_text import beyond_line
from trace_inspector.engine.run_comparison.compared_case import Change
from trace_inspector.engine.run_comparison.compared_runs import ComparedRuns, compare_runs
from trace_inspector.engine.run_comparison.regression_gate import worse_beyond_chance

Shares = list[tuple[int, int]]  # of each case how many passed, of how many


def run(shares: Shares) -> list[CaseVerdict]:
    found = []
    for name, (passed, of) in enumerate(shares):
        for at in range(of):
            status = Status.PASSED if at < passed else Status.FAILED
            found.append(CaseVerdict(f"c{name}", "s", "t", status, (MetricVerdict("m", 1.0, status, 0.5),)))
    return found


def compared(base: Shares, new: Shares) -> ComparedRuns:
    return compare_runs(run(base), run(new))


@each(
    ("base", "new", "told"),
    [
        # 2 / C(10, 5) = 0.0079 for one case; of seven cases Holm asks for 0.05 / 7 = 0.0071.
        ([(5, 5)], [(0, 5)], "Worse beyond chance: c0"),
        ([(5, 5)] + [(5, 5)] * 5, [(0, 5)] + [(5, 5)] * 5, "Worse beyond chance: c0"),
        ([(5, 5)] + [(5, 5)] * 6, [(0, 5)] + [(5, 5)] * 6, "Nothing got worse beyond what chance explains"),
        # Two of seven: 2 / C(12, 6) = 0.0022 twice, once against 0.05 / 7 and once against 0.05 / 6.
        ([(6, 6)] * 7, [(0, 6)] * 2 + [(6, 6)] * 5, "Worse beyond chance: c0, c1"),
        # 4 of 5 and 3 of 5: p = 1.
        ([(4, 5)], [(3, 5)], "Nothing got worse beyond what chance explains"),
        # Without repeats: five of five are 2 / 32, six of six 2 / 64.
        ([(1, 1)] * 5, [(0, 1)] * 5, "Nothing got worse beyond what chance explains"),
        ([(1, 1)] * 6, [(0, 1)] * 6, "Worse beyond chance: the whole"),
        # Eight worse and one better: 2 · (1 + 9) / 2^9 = 0.039; what got better is no worse.
        ([(1, 1)] * 8 + [(0, 1)], [(0, 1)] * 8 + [(1, 1)], "Worse beyond chance: the whole"),
        ([(0, 1)] * 8 + [(1, 1)], [(1, 1)] * 8 + [(0, 1)], "Nothing got worse beyond what chance explains"),
        ([(0, 5)], [(5, 5)], "Nothing got worse beyond what chance explains"),
        # Each by itself may be chance, all together not; and both at once.
        ([(5, 5)] * 6, [(4, 5)] * 6, "Worse beyond chance: the whole"),
        ([(9, 9)] * 12, [(0, 9)] * 12,
         "Worse beyond chance: the whole, c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, 2 more cases"),
        ([], [], "Nothing got worse beyond what chance explains"),
    ],
)  # fmt: skip
def test_worked_out_by_hand(base: Shares, new: Shares, told: str) -> None:
    assert beyond_line(compared(base, new)) == told


@each(
    ("chances", "sure"),
    [
        # 0.01 · 4 = 0.04; 0.013 · 3 = 0.039; 0.03 · 2 = 0.06 ends it, though 0.04 alone would be enough.
        (["0.04", "0.01", "0.03", "0.013"], {1, 3}),
        (["0.02", "0.02"], {0, 1}),
        (["0.03", "0.03"], set()),
        (["0.049"], {0}),
        # Exactly 1 in 20 is not less, also as one of several; floats round some of these products down, some up.
        (["1/20"], set()),
        (["1/40", "1/2"], set()),
        (["1/60", "1/50", "1/2"], set()),
        (["1/201", *["1/180"] * 9], {0}),
        (["1/980", *["1/2"] * 48], set()),
        (["99/98000", *["1/2"] * 48], {0}),
        ([], set()),
    ],
)
def test_holm_worked_out_by_hand(chances: list[str], sure: set[int]) -> None:
    assert holm([Fraction(one) for one in chances]) == sure


def test_exactly_one_in_twenty_is_within_chance() -> None:
    # The one pass among twenty repeats was the base's only one: 1 of 20 ways.
    base, new = [(1, 1)], [(0, 19)]
    (case,) = compared(base, new).in_both
    assert case.chance == Fraction(1, 20)
    assert not worse_beyond_chance(compared(base, new))
    assert worse_beyond_chance(compared(base, [(0, 20)])).cases


@pytest.mark.parametrize(
    ("chance", "noise"), [(0.05, True), (0.049999, False), (Fraction(1, 20), True), (Fraction(49, 1000), False)]
)
def test_the_threshold_itself_says_nothing(chance: Fraction | float, noise: bool) -> None:
    assert is_noise(chance) is noise


SHARES = st.integers(1, 6).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of)))


@given(st.lists(st.tuples(SHARES, SHARES), max_size=8))
def test_what_holds_of_any_two_runs(pairs: list[tuple[tuple[int, int], tuple[int, int]]]) -> None:
    base, new = [before for before, _after in pairs], [after for _before, after in pairs]
    there, back = (worse_beyond_chance(compared(*sides)) for sides in ((base, new), (new, base)))
    assert not worse_beyond_chance(compared(base, base))
    assert not (there.whole and back.whole)
    assert not {case.name for case in there.cases} & {case.name for case in back.cases}
    for case in there.cases:
        assert case.chance is not None
        assert case.chance < 0.05


def test_the_same_agent_twice_hardly_ever_got_worse() -> None:
    # Ten cases with five repeats each, which pass four times of five: any drop of a share is seen in nearly all.
    chance = random.Random(9)
    found = [
        compared(*([(sum(chance.random() < 0.8 for _ in range(5)), 5) for _ in range(10)] for _side in range(2)))
        for _ in range(200)
    ]
    assert sum(bool(worse_beyond_chance(one)) for one in found) <= 10
    assert sum(one.counts[Change.REGRESSED] > 0 for one in found) > 180

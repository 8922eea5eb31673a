"""How sure a change is: exact tests where there is no interval, and intervals that say nothing impossible."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.tables import each
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, Status
from trace_inspector.engine.run_comparison.as_text import certainty_lines, figure_lines
from trace_inspector.engine.run_comparison.compared_criteria import ComparedCriterion
from trace_inspector.engine.run_comparison.compared_runs import ComparedRuns, compare_runs
from trace_inspector.engine.run_comparison.comparison import RunsCompared
from trace_inspector.engine.run_comparison.mean_change import change_chance

SCORE, FROM_1_TO_5, COUNT = "response_match_score", "response_evaluation_score", "tool_call_count_v1"


def run(metric: str, *cases: list[float]) -> list[CaseVerdict]:
    """Each case with the scores of its repeats; one half passes."""
    found = []
    for at, scores in enumerate(cases):
        for score in scores:
            status = Status.PASSED if score >= 0.5 else Status.FAILED
            found.append(CaseVerdict(f"c{at}", "s", "t", status, (MetricVerdict(metric, score, status, 0.5),)))
    return found


def compared(metric: str, base: list[list[float]], new: list[list[float]]) -> ComparedRuns:
    return compare_runs(run(metric, *base), run(metric, *new))


def criterion(metric: str, base: list[list[float]], new: list[list[float]]) -> ComparedCriterion:
    (found,) = compared(metric, base, new).criteria
    return found


@each(
    ("base", "new", "chance", "noise"),
    [
        # Thirty of one sign: 2 / 2^30. Five: 2 / 32, which is not enough; six: 2 / 64.
        ([[1.0]] * 30, [[0.0]] * 30, 2 / 2**30, False),
        ([[1.0]] * 5, [[0.0]] * 5, 1 / 16, True),
        ([[1.0]] * 6, [[0.0]] * 6, 1 / 32, False),
        # One case says nothing, unless its repeats do: of ten, five and five, in 2 of C(10, 5) = 252 ways.
        ([[1.0]], [[0.0]], 1.0, True),
        ([[1.0] * 5], [[0.0] * 5], 2 / 252, False),
        ([[1.0] * 2], [[0.0] * 2], 2 / 6, True),
        # Nothing changed.
        ([[1.0]] * 3, [[1.0]] * 3, None, None),
        ([[0.1 + 0.2]], [[0.3]], None, None),
    ],
)  # fmt: skip
def test_exact_tests_where_all_change_alike(
    base: list[list[float]], new: list[list[float]], chance: float | None, noise: bool | None
) -> None:
    found = criterion(SCORE, base, new)
    assert found.interval is None
    assert found.chance == (None if chance is None else pytest.approx(chance))
    assert found.noise is noise


def test_signs_are_counted_where_repeats_of_one_case_have_no_interval() -> None:
    # One repeat against several that vary: Welch has no interval, and one case no sign that means anything.
    assert change_chance([([0.5], [0.9, 0.8])]) == 1.0


def test_it_is_told_in_words() -> None:
    found = compared(SCORE, [[1.0]] * 30, [[0.0]] * 30)
    (line,) = figure_lines(RunsCompared("b", "n", found))
    assert line == f"{SCORE}: 1 → 0 (-1) over 30 cases, p = 1.9e-09"


def test_an_interval_leaves_out_what_cannot_be() -> None:
    # Changes −1 and +1: by Student ±12.7; scores from 0 to 1 change by 1 at most, from 1 to 5 by 4.
    found = criterion(SCORE, [[1.0], [0.0]], [[0.0], [1.0]])
    assert found.interval is not None
    assert (found.interval.low, found.interval.high, found.noise) == (-1.0, 1.0, True)
    found = criterion(FROM_1_TO_5, [[5.0], [1.0]], [[1.0], [5.0]])
    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == (-4.0, 4.0)
    # Of a count, of a criterion that is not known, and of scores outside of the range nobody knows how far they go.
    for metric, base in ((COUNT, [[1.0], [0.0]]), ("ours", [[1.0], [0.0]]), (SCORE, [[1.0], [-3.0]])):
        found = criterion(metric, base, [[0.0], [1.0]])
        assert found.interval is not None
        assert found.interval.high > 4.0


SCORES = st.lists(st.floats(0.0, 1.0), min_size=1, max_size=3)


@given(st.lists(st.tuples(SCORES, SCORES), min_size=1, max_size=6))
def test_what_holds_of_any_change(cases: list[tuple[list[float], list[float]]]) -> None:
    base, new = [before for before, _after in cases], [after for _before, after in cases]
    found, back = criterion(SCORE, base, new), criterion(SCORE, new, base)
    assert (found.interval is None) or (found.chance is None)
    assert (found.noise, found.chance) == (back.noise, back.chance)
    if found.interval is not None and back.interval is not None:
        assert -1.0 <= found.interval.low <= found.change <= found.interval.high <= 1.0
        assert found.interval.low == pytest.approx(-back.interval.high)
    if found.chance is not None:
        assert 0.0 < found.chance <= 1.0


def told(base: list[list[float]], new: list[list[float]]) -> list[str]:
    return list(certainty_lines(compared(SCORE, base, new)))


def test_what_is_sure_is_told_of_the_cases_that_both_decided() -> None:
    # Three of ten got worse and one better: 2 · (C(4, 0) + C(4, 1)) / 2^4 = 10 / 16. Seven passed, then five.
    base = [[1.0]] * 7 + [[0.0]] * 3
    new = [[0.0]] * 3 + [[1.0]] * 5 + [[0.0]] * 2
    said = "Of 10 cases decided in both runs, 3 got worse, 1 got better (p = 0.62 by chance); "
    # The changes are −1 three times, 1 once and 0 six times: −0.2 ± t(9) · sqrt(0.4 / 10), with 0.4 their variance.
    assert told(base, new) == [
        said + "70.0 % of them passed before, 50.0 % now",
        (
            "The share that passes changed by -20.0 points, -65.2 to +25.2 with 95 % confidence; "
            "so many cases show changes from about 57 points on, in four of five comparisons"
        ),
        # (2.80 / 0.05)² · 5 / 12: three of four of twelve change, with one more that did.
        "A change of 5 points would take about 1,309 cases like these",
    ]
    # New and missing cases are not among them.
    assert told(base, [*new, [1.0], [1.0]]) == told([*base, [1.0], [1.0]], new) == told(base, new)
    # A case counts once, by the share of its repeats: 3/4 and 1 before, 1/4 and 1 now.
    said = "Of 2 cases decided in both runs, 1 got worse, 0 got better (p = 1 by chance); "
    assert told([[1.0, 1.0, 1.0, 0.0], [1.0]], [[1.0, 0.0, 0.0, 0.0], [1.0]]) == [
        said + "87.5 % of them passed before, 62.5 % now"
    ]
    said = "Of 1 case decided in both runs, none changed; 100.0 % of them passed before, 100.0 % now"
    assert told([[1.0]], [[1.0]]) == [said]
    assert told([[1.0]], []) == []

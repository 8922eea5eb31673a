"""What becomes of cases from run to run."""

from __future__ import annotations

import pytest

from trace_inspector.core.verdict import CaseVerdict, MetricVerdict, Status
from trace_inspector.engine.between_runs.compared_runs import Change, compare_runs


def case(name: str, status: Status, score: float | None = 1.0, metric: str = "m", needs: float = 0.5) -> CaseVerdict:
    return CaseVerdict(name, "s", "t", status, (MetricVerdict(metric, score, status, needs),))


PASSED = case("a", Status.PASSED)
FAILED = case("a", Status.FAILED, 0.0)


@pytest.mark.parametrize(
    ("base", "new", "change", "why"),
    [
        ([PASSED], [PASSED], Change.UNCHANGED, ""),
        ([FAILED], [FAILED], Change.UNCHANGED, ""),
        ([PASSED], [FAILED], Change.REGRESSED, ""),
        ([FAILED], [PASSED], Change.IMPROVED, ""),
        ([PASSED], [], Change.GONE, ""),
        ([], [PASSED], Change.NEW, ""),
        ([PASSED, FAILED], [FAILED, FAILED], Change.REGRESSED, ""),
        ([PASSED, FAILED], [PASSED, PASSED, FAILED], Change.IMPROVED, ""),
        ([PASSED], [case("a", Status.PASSED, needs=0.7)], Change.NOT_COMPARABLE,
         "another threshold of m: 0.5 and 0.7"),
        ([PASSED], [case("a", Status.PASSED, metric="n")], Change.NOT_COMPARABLE,
         "other criteria: m only in the baseline and 1 more"),
        ([PASSED], [case("a", Status.ERROR, None)], Change.NOT_COMPARABLE, "in the candidate it is error"),
        ([case("a", Status.NOT_EVALUATED, None)], [case("a", Status.ERROR, None)], Change.NOT_COMPARABLE,
         "in the baseline it is not evaluated"),
    ],
)  # fmt: skip
def test_one_case(base: list[CaseVerdict], new: list[CaseVerdict], change: Change, why: str) -> None:
    (found,) = compare_runs(base, new).cases
    assert (found.change, found.why, found.name) == (change, why, "a")


def test_criteria_over_the_cases_that_both_scored() -> None:
    base = [case("a", Status.PASSED, 1.0), case("b", Status.FAILED, 0.2), case("gone", Status.PASSED, 1.0)]
    new = [case("a", Status.PASSED, 0.8), case("b", Status.PASSED, 0.6), case("b", Status.PASSED, 1.0)]
    found = compare_runs(base, new)
    (criterion,) = found.criteria
    assert (criterion.metric, criterion.cases, criterion.base) == ("m", 2, 0.6)
    assert criterion.new == pytest.approx(0.8)
    assert criterion.interval is not None
    assert criterion.interval.low < criterion.change < criterion.interval.high
    assert dict(found.counts) == {Change.UNCHANGED: 1, Change.IMPROVED: 1, Change.GONE: 1}
    assert (found.is_comparable, found.chance) == (True, 1.0)
    assert compare_runs(base[2:], []).is_comparable is False
    assert compare_runs([], []).chance is None

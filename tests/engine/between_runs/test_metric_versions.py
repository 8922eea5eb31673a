"""Scores of different versions of a metric in two runs: no case and no mean holds them against each other."""

from __future__ import annotations

import pytest

from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, Status
from trace_inspector.engine.run_comparison.case_text import deciding_scores, scores_of
from trace_inspector.engine.run_comparison.compared_case import Change
from trace_inspector.engine.run_comparison.compared_runs import compare_runs
from trace_inspector.engine.run_comparison.metric_versions import version_notes

F, P, INFORMS = Status.FAILED, Status.PASSED, Status.INFORMATIONAL
WHY = "another version of support: 1 and 2; scores of different versions of a metric are not comparable"


def case(status: Status, *metrics: MetricVerdict) -> CaseVerdict:
    return CaseVerdict("a", "s", "t", status, metrics)


def support(score: float | None, status: Status, version: int) -> MetricVerdict:
    return MetricVerdict("support", score, status, 0.5, stated_version=version)


@pytest.mark.parametrize(("before", "after", "alike"), [(0, 2, False), (1, 2, False), (2, 2, True), (0, 1, True)])
def test_a_case_that_a_metric_decided_is_compared_by_one_version(before: int, after: int, alike: bool) -> None:
    base, new = [case(P, support(0.9, P, before))], [case(F, support(0.1, F, after))]
    compared = compare_runs(base, new)
    (found,) = compared.cases
    assert (found.change, found.why) == ((Change.REGRESSED, "") if alike else (Change.NOT_COMPARABLE, WHY))
    assert compared.is_comparable is alike
    assert [one.metric for one in compared.criteria] == (["support"] if alike else [])
    assert scores_of(found, "support") == ((0.9, 0.1) if alike else (None, None))
    assert bool(list(version_notes(base, new))) is not alike


def test_what_only_informs_keeps_no_case_from_being_compared_and_has_no_difference() -> None:
    answer = MetricVerdict("answer", 1.0, P, 0.5)
    base = [case(P, answer, support(0.9, INFORMS, 0))]
    new = [case(P, answer, support(0.1, INFORMS, 2))]
    compared = compare_runs(base, new)
    (found,) = compared.cases
    assert found.change is Change.UNCHANGED
    assert [one.metric for one in compared.criteria] == ["answer"]
    assert scores_of(found, "support") == (None, None)
    assert [name for name, _before, _after in deciding_scores(found)] == ["answer"]
    (note,) = version_notes(base, new)
    assert note == (
        "support is of version 1 in the baseline and 2 in the candidate: "
        "scores of different versions of a metric are not comparable."
    )


def test_repeats_of_two_versions_are_compared_with_nothing() -> None:
    mixed = [case(P, support(0.9, P, 1)), case(P, support(0.9, P, 2))]
    (found,) = compare_runs(mixed, mixed).cases
    assert found.change is Change.NOT_COMPARABLE
    assert "another version of support: 1, 2 and 1, 2" in found.why


def test_a_version_that_gave_no_score_keeps_nothing_apart() -> None:
    base = [case(P, support(0.9, P, 2)), case(P, support(None, Status.NOT_EVALUATED, 1))]
    (found,) = compare_runs(base, [case(P, support(0.8, P, 2))]).cases
    assert found.change is Change.UNCHANGED

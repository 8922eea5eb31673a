"""Agreement with people: what the figures say of degenerate and of clustered labels."""

from __future__ import annotations

import random
import statistics

import pytest

from trace_inspector.engine.calibration.agreement import agreement, kappa
from trace_inspector.engine.calibration.counts import Clusters, Counts, counted
from trace_inspector.engine.calibration.estimate import Estimate
from trace_inspector.engine.calibration.raters import Rated, alpha

_GOOD = {Counts(tp=1): 17, Counts(fp=1): 4, Counts(fn=1): 3, Counts(tn=1): 70}


def clustered(rng: random.Random, cases: int, outputs: int) -> Clusters:
    """Cases of which the judge has all outputs right, or all wrong."""
    listed = []
    for case in range(cases):
        people, right = rng.random() < 0.4, rng.random() < 0.8
        listed += [(str(case), people if right else not people, people)] * outputs
    return counted(listed)


def width(found: Estimate) -> float:
    assert found.low is not None
    assert found.high is not None
    return found.high - found.low


def test_failures_are_what_is_positive() -> None:
    found = agreement(_GOOD)
    assert found.counts == Counts(17, 4, 3, 70)
    assert found.sensitivity.value == pytest.approx(17 / 20)
    assert found.specificity.value == pytest.approx(70 / 74)
    assert found.precision.value == pytest.approx(17 / 21)
    assert found.accuracy.value == pytest.approx(87 / 94)
    assert found.base_rate == pytest.approx(74 / 94)
    assert "exact" in found.sensitivity.method


def test_a_few_labels_that_all_agree_prove_little() -> None:
    found = agreement({Counts(tp=1): 1, Counts(tn=1): 1})
    assert found.kappa.value == 1.0
    assert found.ac1.value == 1.0
    for estimate in (found.kappa, found.ac1):
        assert estimate.low is not None
        assert estimate.low < 0
        assert estimate.high == 1.0


@pytest.mark.parametrize(
    ("clusters", "value", "said"),
    [
        ({}, None, "no labels"),
        ({Counts(tn=1): 5}, None, "the same of every output"),
        ({Counts(tp=1): 5}, None, "the same of every output"),
        ({Counts(tn=1): 3, Counts(fp=1): 2}, 0.0, "one class only: people"),
        ({Counts(tn=1): 3, Counts(fn=1): 2}, 0.0, "one class only: the judge"),
        ({Counts(3, 1, 2, 9): 1}, pytest.approx(10 / 19), "one case"),
    ],
)
def test_kappa_says_why_it_has_no_interval(clusters: Clusters, value: float | None, said: str) -> None:
    found = kappa(clusters)
    assert found.value == value
    assert found.low is None
    assert found.high is None
    assert said in found.reason


def test_outputs_of_one_case_tell_less_than_as_many_of_different_cases() -> None:
    together = clustered(random.Random(1), 30, 10)
    apart = {
        Counts(**{name: 1}): sum(getattr(each, name) * times for each, times in together.items())
        for name in ("tp", "fp", "fn", "tn")
    }
    near, far = agreement(together), agreement(apart)
    assert near.counts == far.counts
    for name in ("sensitivity", "specificity", "accuracy", "kappa", "ac1"):
        wide, narrow = getattr(near, name), getattr(far, name)
        assert wide.value == pytest.approx(narrow.value)
        assert width(wide) > 2 * width(narrow), name
        assert "of one case" in wide.method


def test_intervals_of_clustered_labels_cover() -> None:
    rng = random.Random(2)
    covered = []
    for _ in range(100):
        found = agreement(clustered(rng, 40, 5))
        for estimate, truth in ((found.accuracy, 0.8), (found.sensitivity, 0.8), (found.specificity, 0.8)):
            assert estimate.low is not None
            assert estimate.high is not None
            covered.append(estimate.low <= truth <= estimate.high)
    assert statistics.fmean(covered) > 0.94


def test_outputs_without_a_label_change_no_agreement() -> None:
    more = dict(_GOOD) | {Counts(other_failed=3): 5, Counts(other_passed=1): 500}
    assert agreement(more).kappa == agreement(_GOOD).kappa
    assert agreement(more).sensitivity == agreement(_GOOD).sensitivity


def test_a_million_labels_are_counted_once() -> None:
    found = agreement({Counts(tp=1): 180_000, Counts(fp=1): 90_000, Counts(fn=1): 20_000, Counts(tn=1): 710_000})
    assert width(found.accuracy) == pytest.approx(2 * 1.96 * (0.89 * 0.11 / 1e6) ** 0.5, rel=1e-3)
    assert found.kappa.value == pytest.approx(0.252 / 0.362)


def test_alpha_of_what_one_person_alone_labelled_is_refused() -> None:
    assert "two people" in alpha([Rated("a", 1, 0)]).reason
    assert "one class" in alpha([Rated("a", 2, 0), Rated("b", 3, 0)]).reason


def test_alpha_is_wider_where_outputs_are_of_few_cases() -> None:
    kinds = [(2, 0), (0, 2), (1, 1), (0, 2), (0, 2)] * 6
    apart = alpha(Rated(str(index), *kind) for index, kind in enumerate(kinds))
    together = alpha(Rated(str(index % 5), *kind) for index, kind in enumerate(kinds))
    assert together.value == apart.value
    assert width(together) > 2 * width(apart)

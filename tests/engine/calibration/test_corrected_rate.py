"""Pass rates that are corrected by labels: what is refused, what is assumed, and that intervals hold the truth."""

from __future__ import annotations

import random
import statistics
from collections import Counter

import pytest

from trace_inspector.engine.calibration.corrected_rate import corrected_rates
from trace_inspector.engine.calibration.counts import Clusters, Counts, counted, total
from trace_inspector.engine.calibration.estimate import Estimate

_KINDS = (Counts(tp=1), Counts(fp=1), Counts(fn=1), Counts(tn=1), Counts(other_failed=1), Counts(other_passed=1))


def alone(*numbers: int) -> Clusters:
    """Outputs of the six kinds, each of a case of its own."""
    return dict(zip(_KINDS, numbers, strict=True))


def drawn(rng: random.Random, failing: float, labels: int, others: int, *, labelled_failing: float = -1) -> Clusters:
    """Verdicts of a judge with sensitivity 0.8 and specificity 0.9."""
    found: Counter[Counts] = Counter()
    for index in range(labels + others):
        share = labelled_failing if labelled_failing >= 0 and index < labels else failing
        people = rng.random() < share
        judge = rng.random() < (0.8 if people else 0.1)
        if index < labels:
            found[_KINDS[(0 if people else 1) if judge else (2 if people else 3)]] += 1
        else:
            found[_KINDS[4 if judge else 5]] += 1
    return found


def holds(found: Estimate, truth: float) -> bool:
    assert found.low is not None
    assert found.high is not None
    assert found.value is not None
    assert 0 <= found.low <= found.value <= found.high <= 1
    return found.low <= truth <= found.high


def test_both_rates_say_what_people_would() -> None:
    found = corrected_rates(alone(16, 8, 4, 72, 240, 760))
    assert found.raw == pytest.approx(836 / 1100)
    assert found.rogan_gladen.value == pytest.approx(1 - (264 / 1100 - 0.1) / 0.7)
    assert found.ppi.value == pytest.approx(0.8, abs=0.01)
    assert holds(found.ppi, 0.8)
    assert holds(found.rogan_gladen, 0.8)


def test_with_all_outputs_labelled_the_rate_is_theirs() -> None:
    found = corrected_rates(alone(16, 8, 4, 72, 0, 0))
    assert found.ppi.value == pytest.approx(0.8)
    assert found.rogan_gladen.value == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ((11, 10, 9, 10, 50, 50), "hardly better than chance: sensitivity + specificity − 1 is 0.05"),
        ((0, 5, 5, 0, 50, 50), "hardly better than chance"),
        ((0, 5, 0, 5, 50, 50), "no labelled output is failing"),
        ((5, 0, 5, 0, 50, 50), "no labelled output is passing"),
        ((0, 0, 0, 0, 50, 50), "no labelled output is failing"),
        ((0, 0, 0, 0, 0, 0), "no labelled output is failing"),
    ],
)
def test_a_judge_that_knows_nothing_corrects_nothing(numbers: tuple[int, ...], said: str) -> None:
    found = corrected_rates(alone(*numbers))
    for estimate in (found.rogan_gladen, found.ppi):
        assert estimate.value is None
        assert estimate.low is None
        assert said in estimate.reason


def test_labels_that_the_verdict_chose_are_weighted_by_it() -> None:
    # Half of the labels were drawn from the tenth that the judge failed.
    found = corrected_rates(alone(40, 10, 5, 45, 50, 850))
    assert not found.drawn_at_random
    assert found.ppi.value == pytest.approx(1 - (0.1 * 0.8 + 0.9 * 0.1))
    assert "weighted by verdict" in found.ppi.method


def test_no_rate_is_told_that_the_labels_rule_out() -> None:
    # People fail two of 27, so that at most 25 can pass, however right the judge is.
    assert corrected_rates(alone(2, 0, 0, 7, 0, 18)).ppi.value == pytest.approx(25 / 27)
    rng = random.Random(8)
    for _ in range(200):
        clusters = drawn(rng, 0.2, 20, 10)
        counts, found = total(clusters), corrected_rates(clusters).ppi.value
        if found is not None:
            assert counts.passing / 30 - 1e-9 <= found <= 1 - counts.failing / 30 + 1e-9


def test_few_verdicts_tell_less_of_outputs_to_come() -> None:
    few, many = (corrected_rates(alone(38, 2, 2, 58, 20 * times, 30 * times)).ppi for times in (1, 1_000))
    assert few.high is not None
    assert few.low is not None
    assert many.high is not None
    assert many.low is not None
    assert few.high - few.low > 1.3 * (many.high - many.low)


def test_verdicts_that_contradict_the_labels_are_refused() -> None:
    found = corrected_rates(alone(10, 200, 0, 200, 0, 5000), labels_elsewhere=True)
    assert "not like the others" in found.rogan_gladen.reason


def test_intervals_hold_the_truth() -> None:
    rng = random.Random(3)
    ppi, rogan_gladen = [], []
    for _ in range(400):
        found = corrected_rates(drawn(rng, 0.2, 100, 500))
        ppi.append(holds(found.ppi, 0.8))
        rogan_gladen.append(holds(found.rogan_gladen, 0.8))
    assert statistics.fmean(ppi) >= 0.94
    assert statistics.fmean(rogan_gladen) >= 0.94


def test_rogan_and_gladen_survive_more_failures_among_the_labelled() -> None:
    rng = random.Random(4)
    held = [
        holds(
            corrected_rates(drawn(rng, 0.2, 100, 1000, labelled_failing=0.6), labels_elsewhere=True).rogan_gladen, 0.8
        )
        for _ in range(400)
    ]
    assert statistics.fmean(held) >= 0.94


def test_intervals_are_wider_where_outputs_are_of_few_cases() -> None:
    rng = random.Random(5)
    listed = []
    for case in range(60):
        people = rng.random() < 0.3
        for output in range(20):
            judge = rng.random() < (0.9 if people else 0.05)
            listed.append((str(case), judge, people if output < 5 else None))
    together = corrected_rates(counted(listed))
    apart = corrected_rates(
        counted((str(index), judge, people) for index, (_case, judge, people) in enumerate(listed))
    )
    for near, far in ((together.ppi, apart.ppi), (together.rogan_gladen, apart.rogan_gladen)):
        assert near.value == pytest.approx(far.value)
        assert near.high is not None
        assert near.low is not None
        assert far.high is not None
        assert far.low is not None
        assert near.high - near.low > 1.5 * (far.high - far.low)
        assert "design effect" in near.method

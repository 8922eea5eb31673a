"""Escalation: what the judge decides keeps the promise, and what cannot be promised is said."""

from __future__ import annotations

import math
import random

import pytest

from trace_inspector.engine.calibration.escalation import escalation


def judged(rng: random.Random, number: int, votes: int = 5) -> list[tuple[float, bool]]:
    """Outputs as the share of votes for the majority, and whether that is right: the surer, the more often."""
    outputs = []
    for _ in range(number):
        ease = rng.betavariate(4, 1)  # how likely each vote is right
        right = sum(rng.random() < ease for _ in range(votes))
        outputs.append((max(right, votes - right) / votes, right * 2 > votes))
    return outputs


def test_the_judge_decides_where_its_labels_are_right() -> None:
    sure = [(1.0, True)] * 100 + [(0.8, True)] * 50 + [(0.6, False)] * 30 + [(0.6, True)] * 30
    found = escalation(sure, [score for score, _right in sure] * 10, 0.95)
    assert found.threshold == 0.8
    assert (found.decided, found.queued) == (1500, 600)
    assert (found.labelled, found.errors) == (150, 0)


def test_the_promise_holds_in_nineteen_of_twenty_calibrations() -> None:
    rng = random.Random(6)
    kept = decided = 0
    for _ in range(200):
        outputs = judged(rng, 1_000)
        found = escalation(outputs[:150], [score for score, _right in outputs], 0.9)
        own = [right for score, right in outputs if found.threshold is not None and score >= found.threshold]
        kept += not own or sum(own) >= 0.9 * len(own)
        decided += len(own)
    assert kept >= 190
    assert decided > 200 * 400  # the judge is left enough to make it worth while


@pytest.mark.parametrize(
    ("sure", "promised", "said"),
    [
        ([], 0.95, "at least 59 labels without an error"),
        ([(1.0, True)] * 58, 0.95, "at least 59 labels without an error"),
        ([(1.0, False)] * 100, 0.95, "the judge errs too often"),
        ([(1.0, True)] * 100, 1.0, "between 0 and 1"),
        ([(1.0, True)] * 100, math.nan, "between 0 and 1"),
    ],
)
def test_what_cannot_be_promised_is_said(sure: list[tuple[float, bool]], promised: float, said: str) -> None:
    found = escalation(sure, [1.0] * 500, promised)
    assert found.threshold is None
    assert found.decided == 0
    assert said in found.reason


def test_as_many_labels_as_are_needed_are_enough() -> None:
    assert escalation([(1.0, True)] * 59, [1.0] * 500, 0.95).decided == 500


def test_what_is_no_number_is_left_to_people() -> None:
    sure = [(1.0, True)] * 100 + [(math.nan, True)] * 100
    found = escalation(sure, [1.0, math.nan, math.inf, -math.inf] * 10, 0.95)
    assert (found.decided, found.queued) == (10, 30)


def test_scores_that_are_all_different_are_tried_in_steps() -> None:
    rng = random.Random(7)
    outputs = [(score, rng.random() < 0.5 + score / 2) for score in (rng.random() for _ in range(20_000))]
    found = escalation(outputs[:5_000], [score for score, _right in outputs], 0.9)
    assert found.threshold is not None
    assert 0.5 < found.threshold < 0.9
    own = [right for score, right in outputs if score >= found.threshold]
    assert sum(own) >= 0.9 * len(own)

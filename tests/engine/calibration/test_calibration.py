"""One judged question: which labels allow a promise, and what is planned beside what is shown."""

from __future__ import annotations

import pytest

from trace_inspector.core.review.label import Answer, Label, Level
from trace_inspector.engine.calibration.calibration import Calibration, JudgedOutput, JudgeIdentity, calibration
from trace_inspector.engine.reports.calibration.words import plan_lines


def calibrated(kinds: list[tuple[bool, bool | None]], each_case: int = 1) -> Calibration:
    """Of outputs as (whether the judge fails it, whether people do or None), so many of each case."""
    outputs = [
        JudgedOutput(str(index), failed, cluster=str(index // each_case), sure=1.0)
        for index, (failed, _people) in enumerate(kinds)
    ]
    labels = [
        Label(str(index), Level.TURN, "m", Answer.FAIL if people else Answer.PASS)
        for index, (_failed, people) in enumerate(kinds)
        if people is not None
    ]
    return calibration("m", Level.TURN, JudgeIdentity(), outputs, labels)


def test_labels_are_never_said_to_be_enough_beside_a_wider_interval() -> None:
    together = [(failed, people) for failed, people in [*LABELLED, *OTHERS] for _ in range(10)]
    for kinds, each_case in ((together, 100), (LABELLED[:70] + OTHERS * 3, 1), (LABELLED * 9 + OTHERS * 9, 1)):
        found = calibrated(kinds, each_case)
        ppi, needed = found.rates.ppi, found.needed
        assert ppi.value is not None
        assert ppi.low is not None
        assert ppi.high is not None
        is_exact = max(ppi.value - ppi.low, ppi.high - ppi.value) <= 0.05
        assert (needed.at_random == 0) is is_exact
    assert (needed.at_random, needed.of_failed, needed.of_passed) == (0, 0, 0)


LABELLED: list[tuple[bool, bool | None]] = [(True, True), *[(False, False)] * 9] * 10
OTHERS: list[tuple[bool, bool | None]] = [(True, None), *[(False, None)] * 9] * 20
CHOSEN: list[tuple[bool, bool | None]] = [(True, True), (False, False)] * 50


def test_agreement_is_promised_by_a_random_draw_of_which_each_is_of_a_case_of_its_own() -> None:
    found = calibrated([*LABELLED, *OTHERS])
    assert found.escalation is not None
    assert (found.escalation.threshold, found.escalation.decided) == (1.0, 300)
    assert "if labelled outputs are a random draw" in [*plan_lines(found)][-1]


@pytest.mark.parametrize(
    ("kinds", "each_case", "why"),
    [([*LABELLED, *OTHERS], 10, "of one case"), ([*CHOSEN, *OTHERS], 1, "no random draw")],
)
def test_nothing_is_promised_by_other_labels(kinds: list[tuple[bool, bool | None]], each_case: int, why: str) -> None:
    found = calibrated(kinds, each_case)
    assert found.escalation is not None
    assert (found.escalation.threshold, found.escalation.queued) == (None, len(kinds))
    assert why in found.escalation.reason

"""How verdicts compose, and what they admit to hide."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.campaigns import examples
from tests.helpers.tables import each
from trace_inspector.core.verdict.verdict import MetricVerdict, Status, against, compose, hidden_by

P, F, N, E, I, S = (  # noqa: E741
    Status.PASSED,
    Status.FAILED,
    Status.NOT_EVALUATED,
    Status.ERROR,
    Status.INFORMATIONAL,
    Status.SKIPPED,
)


@each(
    ("statuses", "expected"),
    [
        ([], N),
        ([I, S], N),
        ([P, I], P),
        ([P, N], P),
        ([P, E], E),
        ([P, E, F], F),
        ([N, Status.PENDING], Status.PENDING),
        ([P, Status.PENDING], Status.PENDING),
        ([Status.PENDING, F], F),
    ],
)
def test_compose(statuses: list[Status], expected: Status) -> None:
    assert compose(statuses) is expected


@examples(40, 1000)
@given(st.lists(st.sampled_from(list(Status))))
def test_what_only_informs_never_counts(statuses: list[Status]) -> None:
    assert compose([*statuses, I, S]) is compose(statuses)


@each(
    ("score", "threshold", "expected"),
    [(None, 0.0, N), (0.5, None, N), (0.5, 0.5, P), (0.0, 0.0, P), (0.4999, 0.5, F), (math.nan, 0.5, F)],
)
def test_against(score: float | None, threshold: float | None, expected: Status) -> None:
    assert against(score, threshold) is expected


def test_a_pass_says_what_could_not_run() -> None:
    passed = MetricVerdict("calls", 1.0, P)
    silent = [MetricVerdict("rubrics", None, N, reason="no judge"), MetricVerdict("other", None, E, reason="broke")]
    assert hidden_by([passed]) == ()
    assert hidden_by([passed, *silent])[0] == "passed on 1 metric; 2 could not run"
    assert hidden_by([passed, *silent])[1:] == ("rubrics: no judge", "other: broke")

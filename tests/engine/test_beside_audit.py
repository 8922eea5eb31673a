"""What is said beside a verdict of ours where a file's own one contradicts itself."""

from __future__ import annotations

from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, Provenance, Status, TurnVerdict
from trace_inspector.engine.reports.reported_disagreements import contradictions


def reported(status: Status, turns: int, metric: Status) -> CaseVerdict:
    """What a file says: so many turns, each decided by one metric."""
    score = 1.0 if metric is Status.PASSED else 0.0
    said = MetricVerdict("ces_tool_invocation", score, metric, provenance=Provenance.REPORTED)
    told = tuple(TurnVerdict(at, None, metric, (said,)) for at in range(turns))
    return CaseVerdict("c", "", "t", status, turns=told, provenance=Provenance.REPORTED)


def test_a_file_that_fails_without_a_reason_is_told_of() -> None:
    own = CaseVerdict("c", "", "t", Status.PASSED)
    told = contradictions(own, reported(Status.FAILED, 1, Status.PASSED))
    assert told[0] == "its file reports failed"
    assert told[1].startswith("in its file: The verdict is failed, and none")


def test_many_contradictions_are_counted() -> None:
    own = CaseVerdict("c", "", "t", Status.PASSED)
    told = contradictions(own, reported(Status.PASSED, 9, Status.FAILED))
    assert told[-1] == "its file has 6 more contradictions"
    assert len(told) == 4


def test_a_file_without_contradictions_is_not_mentioned() -> None:
    own = CaseVerdict("c", "", "t", Status.PASSED)
    assert contradictions(own, reported(Status.PASSED, 2, Status.PASSED)) == []


def test_another_version_of_the_metric_is_said_where_a_file_says_otherwise() -> None:
    def case(status: Status, version: int) -> CaseVerdict:
        return CaseVerdict("c", "s", "t", status, (MetricVerdict("m", 0.5, status, 0.5, stated_version=version),))

    own = case(Status.PASSED, 2)
    (_whole, told) = contradictions(own, case(Status.FAILED, 0))[:2]
    assert told == "m 0.5 failed by its file, 0.5 passed here; versions 1 and 2 of a metric are not comparable"
    (_whole, told) = contradictions(own, case(Status.FAILED, 2))[:2]
    assert told == "m 0.5 failed by its file, 0.5 passed here"

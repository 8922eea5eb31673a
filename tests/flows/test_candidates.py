"""What a judge decided of outputs, as it is held against people: also where people overruled it."""

from __future__ import annotations

import pytest

from trace_inspector.core.review.label import Level
from trace_inspector.core.trace.trace import Trace, Turn
from trace_inspector.core.verdict.overrule import Overrule, with_overrules
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, RunVerdict, Status, TurnVerdict
from trace_inspector.flows.review.candidates import Judged, candidates

MATCH = "final_response_match_v2"


@pytest.mark.parametrize("turn", [None, 0])
@pytest.mark.parametrize("metric", [None, MATCH])
@pytest.mark.parametrize("level", [Level.CASE, Level.TURN])
def test_what_people_overruled_stays_what_the_judge_decided(
    level: Level, metric: str | None, turn: int | None
) -> None:
    judged = MetricVerdict(MATCH, 1.0, Status.PASSED, 0.5)
    turns = (TurnVerdict(0, 0, Status.PASSED, (judged,)),)
    case = CaseVerdict("case", "suite", "trace", Status.PASSED, (judged,), turns)
    run = RunVerdict("run", Status.PASSED, 1.0, "", "", (case,))
    shown = with_overrules(run, [Overrule("id", 0, Status.FAILED, 1.0, turn, metric)])
    assert shown.cases[0].status is Status.FAILED
    one = Judged("run.json", Trace("trace", turns=(Turn(0),)), tuple(shown.cases))
    assert {each.status for each in candidates([one], level, "*")} == {Status.PASSED}

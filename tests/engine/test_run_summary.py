"""The figures of a run, from its verdicts alone."""

from __future__ import annotations

import math

from msgspec.structs import replace

from trace_inspector.core.verdict.overrule import Overrule, with_overrules
from trace_inspector.core.verdict.run_summary import CriterionFigures, RunSummary
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, RunVerdict, Status, TurnVerdict
from trace_inspector.engine.reports.run_summary import summarise


def turn(seconds: float | None, tokens: float | None) -> TurnVerdict:
    """A turn with its two measures."""
    told = Status.INFORMATIONAL
    figures = (("total_tokens", tokens), ("input_tokens", tokens), ("output_tokens", None))
    metrics = (
        MetricVerdict("invocation_duration_v1", seconds, told),
        MetricVerdict("token_usage_v1", tokens, told, figures=figures),
    )
    return TurnVerdict(0, 0, Status.PASSED, metrics)


def case(status: Status, score: float | None, *turns: TurnVerdict) -> CaseVerdict:
    """A case with one criterion."""
    return CaseVerdict("c", "s", "t", status, (MetricVerdict("m", score, status, 0.5),), turns)


def test_a_run_in_figures() -> None:
    turns = [turn(seconds, tokens) for seconds, tokens in ((3.0, 100.0), (1.0, 50.0), (None, None), (2.0, 1.0))]
    lost = TurnVerdict(None, 3, Status.FAILED)
    cases = (
        case(Status.PASSED, 1.0, *turns[:2]),
        case(Status.FAILED, 0.0, *turns[2:], lost),
        case(Status.NOT_EVALUATED, None),
        case(Status.PASSED, math.nan),
    )
    run = RunVerdict("r", Status.FAILED, 0.0, "adk", "a file", cases, stopped=True)
    assert summarise(run) == RunSummary(
        status=Status.FAILED,
        criteria_source="a file",
        rules="adk",
        cases=4,
        counts=((Status.PASSED, 2), (Status.FAILED, 1), (Status.NOT_EVALUATED, 1)),
        pass_rate=2 / 3,
        criteria=(CriterionFigures("m", 0.5, 0.5, 2, 2, 1),),
        latency=((50, 2.0), (90, 3.0), (99, 3.0)),
        timed_turns=3,
        turns=4,
        input_tokens=151,
        output_tokens=None,
        total_tokens=151,
        stopped=True,
    )


def test_nothing_gives_no_figures() -> None:
    empty = RunVerdict("r", Status.NOT_EVALUATED, 0.0, "", "")
    assert summarise(empty) == RunSummary(Status.NOT_EVALUATED)


def test_overruled_verdicts_count_as_the_person_says() -> None:
    run = RunVerdict("r", Status.FAILED, 0.0, "", "", (case(Status.FAILED, 0.0), case(Status.PASSED, 1.0)))
    said = Overrule("o", 0, Status.PASSED, 1.0, metric="m")
    figures = summarise(with_overrules(run, [said, replace(said, id="p", metric=None)]))
    assert (figures.pass_rate, figures.overruled, figures.status) == (1.0, 2, Status.PASSED)

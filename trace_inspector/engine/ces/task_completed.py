"""`ces_task_completed`: all expectations met, no hallucination, and the user's goal as it is to be."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.expectation import Expects
from trace_inspector.core.verdict.verdict import MetricVerdict, Status
from trace_inspector.engine.ces.hallucination import NO_CLAIM
from trace_inspector.engine.ces.options import CompletedOptions
from trace_inspector.engine.ces.settings import (
    EXPECTATIONS,
    HALLUCINATION,
    LLM_CRITERIA,
    USER_GOAL,
    settings_of,
)
from trace_inspector.engine.ces.turn_verdicts import of_case
from trace_inspector.engine.judges.questions.options import options_of
from trace_inspector.engine.scoring.metric import CannotJudge, Judged, Method, Subject

_MEANINGS = {
    EXPECTATIONS: "all expectations are met",
    LLM_CRITERIA: "all criteria are met",
    HALLUCINATION: "nothing is hallucinated",
    USER_GOAL: "the user’s goal is as expected",
}
_DROPPED = (Status.INFORMATIONAL, Status.SKIPPED)


def _judge(subject: Subject, criterion: Criterion) -> Judged:
    if subject.case is None or subject.case.scenario is None:
        raise CannotJudge("there is no scenario whose task could be completed")
    off = settings_of(criterion.metric, subject, criterion).off
    if off:
        return of_case(subject, MetricVerdict(criterion.metric, None, Status.SKIPPED, reason=off))
    verdicts = {judged.overall.metric: judged.overall for judged in subject.earlier}
    terms = list(_terms(subject, criterion))
    absent = [name for name in terms if name not in verdicts]
    if absent:
        raise CannotJudge(f"it depends on {', '.join(absent)}, which are not among the criteria")
    counted = [
        verdicts[name]
        for name in terms
        if verdicts[name].status not in _DROPPED and not _claims_nothing(verdicts[name])
    ]
    failed = [_MEANINGS[verdict.metric] for verdict in counted if verdict.status is Status.FAILED]
    undecided = [verdict for verdict in counted if verdict.status not in (Status.PASSED, Status.FAILED)]
    if failed:
        return of_case(
            subject, MetricVerdict(criterion.metric, 0.0, Status.FAILED, 1.0, f"not the case: {failed[0]}")
        )
    if undecided or not counted:
        why = (
            f"{undecided[0].metric}: {undecided[0].reason}"
            if undecided
            else "none of the metrics it depends on gave a verdict"
        )
        return of_case(subject, MetricVerdict(criterion.metric, None, Status.NOT_EVALUATED, reason=why))
    meanings = ", ".join(_MEANINGS[verdict.metric] for verdict in counted)
    return of_case(subject, MetricVerdict(criterion.metric, 1.0, Status.PASSED, 1.0, meanings))


def _terms(subject: Subject, criterion: Criterion) -> Iterator[str]:
    """What a task is completed by: only what the case states can be missed."""
    kinds = {expectation.kind for expectation in subject.case.expectations} if subject.case else set()
    if kinds & {Expects.CALL, Expects.ANSWER}:
        yield EXPECTATIONS
    if Expects.CRITERION in kinds:
        yield LLM_CRITERIA
    if not options_of(CompletedOptions, criterion).without_hallucination:
        yield HALLUCINATION
    yield USER_GOAL


def _claims_nothing(verdict: MetricVerdict) -> bool:
    return verdict.metric == HALLUCINATION and verdict.figures == NO_CLAIM


METHOD = Method(_judge, parameters=CompletedOptions)

"""`ces_task_completed`: all expectations met, no hallucination, and the user's goal as it is to be."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.expectation import Expects
from trace_inspector.core.verdict.verdict import MetricVerdict, Status
from trace_inspector.engine.ces.conversation_metrics import LLM_CRITERIA, USER_GOAL
from trace_inspector.engine.ces.expectations import NAME as EXPECTATIONS
from trace_inspector.engine.ces.hallucination import NO_CLAIM
from trace_inspector.engine.ces.options import CompletedOptions
from trace_inspector.engine.ces.settings import HALLUCINATION, settings_of
from trace_inspector.engine.ces.turnwise import of_case
from trace_inspector.engine.judges.questions.options import options_of
from trace_inspector.engine.scoring.metric import CannotJudge, Judged, Method, Subject

NAME = "ces_task_completed"
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
    said = {judged.overall.metric: judged.overall for judged in subject.said}
    terms = list(_terms(subject, criterion))
    absent = [name for name in terms if name not in said]
    if absent:
        raise CannotJudge(f"it follows from {', '.join(absent)}, which are not among the criteria")
    counted = [said[name] for name in terms if said[name].status not in _DROPPED and not _claims_nothing(said[name])]
    failed = [_MEANINGS[one.metric] for one in counted if one.status is Status.FAILED]
    open_ones = [one for one in counted if one.status not in (Status.PASSED, Status.FAILED)]
    if failed:
        return of_case(subject, MetricVerdict(criterion.metric, 0.0, Status.FAILED, 1.0, f"not so: {failed[0]}"))
    if open_ones or not counted:
        why = f"{open_ones[0].metric}: {open_ones[0].reason}" if open_ones else "none of its terms decides"
        return of_case(subject, MetricVerdict(criterion.metric, None, Status.NOT_EVALUATED, reason=why))
    told = ", ".join(_MEANINGS[one.metric] for one in counted)
    return of_case(subject, MetricVerdict(criterion.metric, 1.0, Status.PASSED, 1.0, told))


def _terms(subject: Subject, criterion: Criterion) -> Iterator[str]:
    """What a task is completed by: only what the case states can be missed."""
    kinds = {one.kind for one in subject.case.expectations} if subject.case else set()
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

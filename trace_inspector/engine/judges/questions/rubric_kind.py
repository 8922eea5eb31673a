"""What the rubric metrics share: a judge decides properties of each turn, counted as ADK 2.13 does."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.trace.trace import Turn
from trace_inspector.core.verdict.verdict import MetricVerdict, RubricVerdict, Status, against
from trace_inspector.engine.judges.questions import turn_context as context
from trace_inspector.engine.judges.questions.options import RubricParameters, rubric_parameters
from trace_inspector.engine.judges.questions.questions import (
    MARKED,
    Fields,
    Question,
    failed,
    sampled,
    unread,
    with_replies,
)
from trace_inspector.engine.judges.questions.rubric_reply import answers, has_markers, vote
from trace_inspector.engine.scoring.metric import CannotJudge, Inquiry, Judged, Reply, Subject
from trace_inspector.engine.scoring.scoring import summary

_OWN_LISTS = (
    "variant “fixed”: each turn is read with its own rubrics; google-adk reads all with those of the last turn"
)
_LAST_LIST = (
    "as google-adk does by mistake, every turn is read with the rubrics of the last one, and others are lost; "
    "the option “variant”: “fixed” reads each with its own"
)
_BY_NAME = "results without an id are paired by name; google-adk pairs the last of them with every call"


class RubricKind(Struct, frozen=True):
    """One rubric metric: the type of rubrics it reads, and its prompt."""

    name: str
    type: str
    prompt: str
    fields: Callable[[Turn, Subject, RubricParameters, Sequence[Rubric]], Fields]
    shows_instructions: bool = False

    def judge(self, subject: Subject, criterion: Criterion) -> Inquiry:
        """Ask about every observed turn on its own."""
        parameters = rubric_parameters(criterion)
        listed = [
            None if row.observed is None else rubrics_of(row.observed, parameters, self.type) for row in subject.turns
        ]
        questions = [
            Question(row.observed.index, self.fields(row.observed, subject, parameters, rubrics))
            for row, rubrics in zip(subject.turns, listed, strict=True)
            if row.observed is not None and rubrics is not None
        ]
        # ADK reads every reply with the rubrics of the last turn, because it stores them in one place.
        judged_rubrics = [rubrics for rubrics in listed if rubrics is not None]
        fixed = parameters.fixes(subject.rules)
        read_with = [rubrics if fixed else judged_rubrics[-1] for rubrics in judged_rubrics]
        doubted = doubts(read_with) if parameters.confirms(subject.rules) else None
        options = parameters.judge_model_options
        replies = yield from sampled(self.name, self.prompt, subject, questions, options, doubted)
        judged = (
            turn_verdict(question, rubrics, own, criterion)
            for question, rubrics, own in zip(questions, read_with, replies, strict=True)
        )
        verdicts = [
            None if row.observed is None else with_notes(next(judged), self._beyond_adk(row.observed, subject))
            for row in subject.turns
        ]
        overall = overall_verdict(verdicts, subject, criterion)
        if len(set(judged_rubrics)) > 1:
            overall = with_notes(overall, [_OWN_LISTS if fixed else _LAST_LIST])
        return Judged(overall, tuple(verdicts))

    def _beyond_adk(self, turn: Turn, subject: Subject) -> list[str]:
        """What google-adk makes otherwise of this turn; by its own rules it is made as there."""
        if subject.rules == "adk":
            return []
        notes = [context.undescribed(turn, turn.agents or subject.trace.agents)] if self.shows_instructions else []
        return [*filter(None, notes), *([_BY_NAME] if context.pairs_otherwise(turn) else [])]


def with_notes(verdict: MetricVerdict, more: Sequence[str]) -> MetricVerdict:
    """A verdict with notes after its reason."""
    return replace(verdict, reason="; ".join(filter(None, (verdict.reason, *more)))) if more else verdict


def rubrics_of(turn: Turn, parameters: RubricParameters, kind: str) -> tuple[Rubric, ...]:
    """The criterion's rubrics and those of the turn for this metric."""
    rubrics = (*parameters.own_rubrics(), *(rubric for rubric in turn.rubrics if rubric.type == kind))
    if not rubrics:
        raise CannotJudge("neither the criterion nor the golden has rubrics")
    repeated = next((name for name, count in Counter(rubric.id for rubric in rubrics).items() if count > 1), None)
    if repeated is not None:
        raise CannotJudge(f"the rubric id “{repeated}” is used twice")
    return rubrics


def doubts(read_with: Sequence[Sequence[Rubric]]) -> Callable[[int, tuple[Reply, ...]], bool]:
    """Finds the turns in which a majority of samples denies a rubric."""

    def doubted(index: int, replies: tuple[Reply, ...]) -> bool:
        rubrics = read_with[index]
        verdicts = vote([answers(reply.text, rubrics) for reply in replies], rubrics)
        return not any(reply.failure for reply in replies) and any(verdict.score == 0.0 for verdict in verdicts)

    return doubted


def turn_verdict(
    question: Question, rubrics: Sequence[Rubric], replies: Sequence[Reply], criterion: Criterion
) -> MetricVerdict:
    """What several replies say of one turn."""
    return with_replies(_turn_verdict(question, rubrics, replies, criterion), replies)


def _turn_verdict(
    question: Question, rubrics: Sequence[Rubric], replies: Sequence[Reply], criterion: Criterion
) -> MetricVerdict:
    undecided = failed(replies, criterion)
    if undecided is not None:
        return undecided
    samples = [answers(reply.text, rubrics) for reply in replies]
    verdicts = vote(samples, rubrics)
    decided = [verdict.score for verdict in verdicts if verdict.score is not None]
    score = statistics.mean(decided) if decided else None
    reasons = [_unmet(verdict) for verdict in verdicts if verdict.score == 0.0]
    reasons.extend(unread(sum(not sample for sample in samples), len(samples)))
    unanswered = len(rubrics) - len({verdict.rubric_id for verdict in verdicts})
    if verdicts and unanswered:
        reasons.append(f"{unanswered} of {len(rubrics)} rubrics got no answer")
    if any(has_markers(text) for name, text in question.fields if name != "rubrics"):
        reasons.append(MARKED)
    status = against(score, criterion.threshold)
    return MetricVerdict(
        criterion.metric, score, status, criterion.threshold, "; ".join(reasons), rubrics=verdicts, has_rubrics=True
    )


def _unmet(verdict: RubricVerdict) -> str:
    votes = f"{sum(score == 0.0 for score in verdict.votes)} of {len(verdict.votes)} votes"
    return one_line(f"“{verdict.text}” no by {votes}: {verdict.rationale}")


def overall_verdict(
    verdicts: Sequence[MetricVerdict | None], subject: Subject, criterion: Criterion
) -> MetricVerdict:
    """The exact mean over all rubric verdicts of all turns, which is not the mean of the turns' scores."""
    listed = [rubric for verdict in verdicts if verdict for rubric in verdict.rubrics]
    decided = [rubric.score for rubric in listed if rubric.score is not None]
    score = statistics.mean(decided) if decided else None
    status = against(score, criterion.threshold)
    by_id: dict[str, list[RubricVerdict]] = {}
    for rubric in listed:
        by_id.setdefault(rubric.rubric_id, []).append(rubric)
    rubrics = tuple(_mean_of(same) for same in by_id.values())
    reason = summary(verdicts, subject.turns) if status is not Status.PASSED else ""
    return MetricVerdict(
        criterion.metric,
        score,
        status,
        criterion.threshold,
        reason,
        rubrics=rubrics,
        has_rubrics=any(verdict is not None for verdict in verdicts),
    )


def _mean_of(same: Sequence[RubricVerdict]) -> RubricVerdict:
    decided = [rubric.score for rubric in same if rubric.score is not None]
    score = statistics.mean(decided) if decided else None
    rationale = f"The mean of {len(decided)} {'turn' if len(decided) == 1 else 'turns'}; each has its own rationale."
    return RubricVerdict(same[0].rubric_id, score, rationale, same[0].text)

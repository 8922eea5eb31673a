"""`local_grounding`: which sentences of an answer rest on the evidence. An offline heuristic, never a judge."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Final

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.trace.trace import Turn, answer_text
from trace_inspector.core.verdict.verdict import MetricVerdict, Status, against
from trace_inspector.engine.grounding.decision.judge import judge_spans
from trace_inspector.engine.grounding.decision.model import Sensitivity
from trace_inspector.engine.grounding.evidence.evidence import Evidence
from trace_inspector.engine.grounding.text.sentences import split
from trace_inspector.engine.metrics.local.sentence_labels import counts, counts_and_first, share_of_good
from trace_inspector.engine.scoring.metric import CannotJudge, Judged, Method, Subject

if TYPE_CHECKING:
    from pydantic import BaseModel

MAX_SENTENCES: Final = 2_000  # of one answer; a longer one is a dump, and its window should not wait


def _spelled(value: object) -> object:
    return value.strip().lower() if isinstance(value, str) else value


def _sensitivity_of(criterion: Criterion) -> Sensitivity:
    """The option of a criterion, or one sentence about what is wrong with it."""
    stated = criterion.options.get("sensitivity", Sensitivity.CAREFUL.value)
    try:
        return Sensitivity(_spelled(stated))
    except ValueError as problem:
        words = " or ".join(f"“{sensitivity.value}”" for sensitivity in Sensitivity)
        shown = one_line(str(stated), 60) if isinstance(stated, str | int | float | None) else "…"
        raise CannotJudge(f"{criterion.metric}: sensitivity “{shown}” is not understood; it is {words}") from problem


@cache
def _parameters() -> type[BaseModel]:
    """The options as a model, for forms and comparisons; to judge by them, pydantic need not be loaded."""
    from pydantic import BaseModel, field_validator

    class GroundingParameters(BaseModel):
        sensitivity: Sensitivity = Sensitivity.CAREFUL

        @field_validator("sensitivity", mode="before")
        @classmethod
        def _in_small_letters(cls, value: object) -> object:
            return _spelled(value)

    return GroundingParameters


def _judge(subject: Subject, criterion: Criterion) -> Judged:
    verdicts = dict(_turn_verdicts(subject, criterion))
    turns = tuple(verdicts.get(row.observed.index) if row.observed else None for row in subject.turns)
    scores = [Fraction(verdict.score) for verdict in turns if verdict and verdict.score is not None]
    score = float(sum(scores) / len(scores)) if scores else None
    labels = [sentence.support for verdict in turns if verdict for sentence in verdict.sentences]
    reason = counts(labels) if labels else "no turn has an answer"
    return Judged(
        MetricVerdict(criterion.metric, score, _status(score, criterion), criterion.threshold, reason), turns
    )


def _turn_verdicts(subject: Subject, criterion: Criterion) -> Iterator[tuple[int, MetricVerdict]]:
    """Verdicts by the turn's index, each from the evidence of this turn and the turns before it."""
    sensitivity = _sensitivity_of(criterion)
    observed_indexes = {row.observed.index for row in subject.turns if row.observed}
    evidence = Evidence()
    evidence.add_agents(subject.trace.agents)
    for turn in subject.trace.turns:
        evidence.add_turn(turn)
        if turn.index in observed_indexes:
            yield turn.index, _turn_verdict(turn, evidence, criterion, sensitivity)


def _turn_verdict(turn: Turn, evidence: Evidence, criterion: Criterion, sensitivity: Sensitivity) -> MetricVerdict:
    answer = answer_text(turn)
    spans = split(answer)
    sentences = tuple(judge_spans(answer, spans[:MAX_SENTENCES], evidence, sensitivity))
    if not sentences:
        return MetricVerdict(
            criterion.metric, None, _status(None, criterion), criterion.threshold, "the turn has no answer"
        )
    score = share_of_good(sentence.support for sentence in sentences)
    reason = counts_and_first(answer, sentences)
    if len(spans) > len(sentences):
        reason += f"; {len(sentences):,} of {len(spans):,} sentences were judged"
    if evidence.cut.read < evidence.cut.whole:
        reason += f"; {evidence.cut.read:,} of {evidence.cut.whole:,} characters of evidence were read"
    return MetricVerdict(
        criterion.metric, score, _status(score, criterion), criterion.threshold, reason, sentences=sentences
    )


def _status(score: float | None, criterion: Criterion) -> Status:
    return Status.INFORMATIONAL if criterion.threshold is None else against(score, criterion.threshold)


METHOD = Method(_judge, model=_parameters, check=_sensitivity_of)

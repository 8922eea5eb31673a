"""`local_grounding`: which sentences of an answer rest on the evidence. An offline heuristic, never a judge."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.trace import Turn, answer_text
from trace_inspector.core.verdict.verdict import MetricVerdict, Sentence, SentenceSupport, Status, against
from trace_inspector.engine.grounding.decision.judge import judge_spans
from trace_inspector.engine.grounding.evidence.evidence import Evidence
from trace_inspector.engine.grounding.text.sentences import split
from trace_inspector.engine.scoring.metric import Judged, Method, Subject

_GOOD: Final = frozenset({SentenceSupport.SUPPORTED, SentenceSupport.NOT_APPLICABLE})
_SHOWN_CHARS: Final = 120
MAX_SENTENCES: Final = 2_000  # of one answer; a longer one is a dump, and its window should not wait


def _judge(subject: Subject, criterion: Criterion) -> Judged:
    verdicts = dict(_turn_verdicts(subject, criterion))
    turns = tuple(verdicts.get(row.observed.index) if row.observed else None for row in subject.turns)
    scores = [Fraction(verdict.score) for verdict in turns if verdict and verdict.score is not None]
    score = float(sum(scores) / len(scores)) if scores else None
    bad = sum(sentence.support not in _GOOD for verdict in turns if verdict for sentence in verdict.sentences)
    whole = sum(len(verdict.sentences) for verdict in turns if verdict)
    reason = f"{bad} of {whole} {_sentences(whole)} unsupported" if whole else "no turn has an answer"
    return Judged(
        MetricVerdict(criterion.metric, score, _status(score, criterion), criterion.threshold, reason), turns
    )


def _turn_verdicts(subject: Subject, criterion: Criterion) -> Iterator[tuple[int, MetricVerdict]]:
    """Verdicts by the turn's index, each from the evidence of this turn and the turns before it."""
    observed_indexes = {row.observed.index for row in subject.turns if row.observed}
    evidence = Evidence()
    evidence.add_agents(subject.trace.agents)
    for turn in subject.trace.turns:
        evidence.add_turn(turn)
        if turn.index in observed_indexes:
            yield turn.index, _turn_verdict(turn, evidence, criterion)


def _turn_verdict(turn: Turn, evidence: Evidence, criterion: Criterion) -> MetricVerdict:
    answer = answer_text(turn)
    spans = split(answer)
    sentences = tuple(judge_spans(answer, spans[:MAX_SENTENCES], evidence))
    if not sentences:
        return MetricVerdict(
            criterion.metric, None, _status(None, criterion), criterion.threshold, "the turn has no answer"
        )
    bad = [sentence for sentence in sentences if sentence.support not in _GOOD]
    score = (len(sentences) - len(bad)) / len(sentences)
    reason = _reason(answer, sentences, bad)
    if len(spans) > len(sentences):
        reason += f"; {len(sentences):,} of {len(spans):,} sentences were judged"
    if evidence.cut.read < evidence.cut.whole:
        reason += f"; {evidence.cut.read:,} of {evidence.cut.whole:,} characters of evidence were read"
    return MetricVerdict(
        criterion.metric, score, _status(score, criterion), criterion.threshold, reason, sentences=sentences
    )


def _status(score: float | None, criterion: Criterion) -> Status:
    return Status.INFORMATIONAL if criterion.threshold is None else against(score, criterion.threshold)


def _reason(answer: str, sentences: tuple[Sentence, ...], bad: list[Sentence]) -> str:
    count = f"{len(bad)} of {len(sentences)} {_sentences(len(sentences))} unsupported"
    if not bad:
        return count
    first = " ".join(answer[bad[0].start : bad[0].end].split())
    shown = first if len(first) <= _SHOWN_CHARS else first[: _SHOWN_CHARS - 1] + "…"
    return f"{count}: “{shown}”"


def _sentences(count: int) -> str:
    return "sentence" if count == 1 else "sentences"


METHOD = Method(_judge)

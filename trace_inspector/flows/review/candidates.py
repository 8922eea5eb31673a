"""What could be asked about conversations: each judged criterion of each case, turn, call or sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.review.label import LONGEST_NAME, Label, Level, placed
from trace_inspector.core.review.subjects import (
    OVERALL,
    call_subject,
    case_subject,
    rubric_question,
    sentence_subject,
    turn_subject,
)
from trace_inspector.core.trace.trace import Trace, Turn, answer_text, calls_of
from trace_inspector.core.verdict.verdict import (
    CaseVerdict,
    MetricVerdict,
    Provenance,
    RubricVerdict,
    SentenceSupport,
    Status,
    TurnVerdict,
    against,
    compose,
)
from trace_inspector.engine.metrics import metric_named
from trace_inspector.engine.scoring.metric import MODEL, SERVICE
from trace_inspector.engine.scoring.metric_names import LOCAL_GROUNDING
from trace_inspector.flows.review.queue import Candidate

_YES = 0.5  # a rubric is met from here on
_DECIDED = (Status.PASSED, Status.FAILED)
_UNGROUNDED = (SentenceSupport.UNSUPPORTED, SentenceSupport.CONTRADICTORY)
_SENTENCES = {
    SentenceSupport.SUPPORTED: Status.PASSED,
    SentenceSupport.UNSUPPORTED: Status.FAILED,
    SentenceSupport.CONTRADICTORY: Status.FAILED,
}


class Judged(Struct, frozen=True):
    """A conversation of a file with what was made of it, where that is known."""

    path: str
    trace: Trace
    verdicts: tuple[CaseVerdict, ...] = ()


def candidates(judged: Iterable[Judged], level: Level, question: str = "") -> Iterator[Candidate]:
    """What could be asked of a level. `question` is one, or a pattern such as METRIC/*; "" is every judged criterion.

    A criterion that several verdicts tell of is one candidate, by the first of them.
    """
    for one in judged:
        for candidate in _LEVELS[level](one):
            if _is_wanted(candidate, question):
                yield candidate


def _is_wanted(candidate: Candidate, question: str) -> bool:
    own = candidate.label.question
    if len(own) > LONGEST_NAME:
        return False
    if question:
        return own == question or fnmatchcase(own, question)
    return own != OVERALL and "/" not in own


def _of_case(one: Judged) -> Iterator[Candidate]:
    label = replace(_label(one, Level.CASE), subject=case_subject(one.trace.turns))
    yield Candidate(label, _by_judge(one.verdicts[0]) if one.verdicts else Status.NOT_EVALUATED)
    for verdict in one.verdicts:
        yield from _of_metrics(label, verdict.metrics)


def _of_turns(one: Judged) -> Iterator[Candidate]:
    for turn, verdicts in _turns(one):
        label = replace(_label(one, Level.TURN), subject=turn_subject(turn), turn=turn.index)
        yield Candidate(label, _by_judge(verdicts[0]) if verdicts else Status.NOT_EVALUATED)
        for verdict in verdicts:
            yield from _of_metrics(label, verdict.metrics)


def _of_calls(one: Judged) -> Iterator[Candidate]:
    for turn, verdicts in _turns(one):
        status = _by_judge(verdicts[0]) if verdicts else Status.NOT_EVALUATED
        for index in range(len(calls_of(turn))):
            label = replace(_label(one, Level.CALL), subject=call_subject(turn, index), turn=turn.index)
            yield Candidate(label, status)


def _of_sentences(one: Judged) -> Iterator[Candidate]:
    for turn, verdicts in _turns(one):
        answer = answer_text(turn)
        for metric in (metric for verdict in verdicts for metric in verdict.metrics):
            for index, sentence in enumerate(metric.sentences):
                subject = sentence_subject(turn, index, answer[sentence.start : sentence.end])
                label = replace(_label(one, Level.SENTENCE), subject=subject, turn=turn.index)
                yield Candidate(replace(label, question=metric.metric), _SENTENCES.get(sentence.support, _UNKNOWN))


_UNKNOWN = Status.NOT_EVALUATED
_LEVELS: Mapping[Level, Callable[[Judged], Iterator[Candidate]]] = {
    Level.CASE: _of_case,
    Level.TURN: _of_turns,
    Level.CALL: _of_calls,
    Level.SENTENCE: _of_sentences,
}


def _label(one: Judged, level: Level) -> Label:
    case = one.verdicts[0].case_id if one.verdicts else one.trace.case_id
    return placed(Label("", level, OVERALL), one.path, case or "", one.trace.id)


def _turns(one: Judged) -> Iterator[tuple[Turn, list[TurnVerdict]]]:
    by_index: dict[int | None, list[TurnVerdict]] = {}
    for verdict in one.verdicts:
        for turn_verdict in verdict.turns:
            by_index.setdefault(turn_verdict.index, []).append(turn_verdict)
    for turn in one.trace.turns:
        yield turn, by_index.get(turn.index, [])


def _of_metrics(label: Label, metrics: Iterable[MetricVerdict]) -> Iterator[Candidate]:
    listed = [*metrics]
    grounded = next((_grounded(metric) for metric in listed if metric.metric == LOCAL_GROUNDING), None)
    for metric in listed:
        if _is_judged(metric):
            asked = replace(label, question=metric.metric)
            votes = metric.votes or tuple(vote for rubric in metric.rubrics for vote in rubric.votes)
            status = _before_overrule(metric)
            yield Candidate(asked, status, metric.score, metric.threshold, votes, grounded)
            for rubric in metric.rubrics:
                question = rubric_question(metric.metric, rubric.rubric_id, rubric.text)
                yield Candidate(
                    replace(label, question=question), _of_rubric(rubric), rubric.score, _YES, rubric.votes
                )


def _before_overrule(verdict: CaseVerdict | TurnVerdict | MetricVerdict) -> Status:
    return verdict.overruled.status if verdict.overruled else verdict.status


def _by_judge(verdict: CaseVerdict | TurnVerdict) -> Status:
    """What was decided before people overruled it, or a criterion that it rests on: else people meet themselves."""
    turns = verdict.turns if isinstance(verdict, CaseVerdict) else ()
    below = [part.overruled for part in verdict.metrics] + [turn.overruled for turn in turns]
    if verdict.overruled or not any(below):
        return _before_overrule(verdict)
    unpaired = (turn for turn in turns if turn.index is None or turn.golden_index is None)
    own = [Status.FAILED for turn in unpaired if _before_overrule(turn) is Status.FAILED]
    return compose([*own, *map(_before_overrule, verdict.metrics)])


def _of_rubric(rubric: RubricVerdict) -> Status:
    return against(rubric.score, _YES)


def _is_judged(verdict: MetricVerdict) -> bool:
    """Whether a person can be asked the same: a model decided it, or words that stand for one.

    What no table here knows was judged elsewhere; people may be asked about that too.
    """
    if verdict.provenance is Provenance.HUMAN and verdict.overruled is None:
        return False
    if verdict.metric == LOCAL_GROUNDING:
        return verdict.score is not None
    if verdict.status not in _DECIDED and verdict.score is None:
        return False
    known = metric_named(verdict.metric)
    return known is None or bool(known.needs & {MODEL, SERVICE}) or bool(verdict.rubrics or verdict.votes)


def _grounded(verdict: MetricVerdict) -> bool | None:
    if not verdict.sentences:
        return None
    return not any(sentence.support in _UNGROUNDED for sentence in verdict.sentences)

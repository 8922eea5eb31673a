"""A conversation as one piece: Vertex AI takes all calls together, and the last answer alone."""

from __future__ import annotations

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.trace.trace import Steps, Turn, answer_text, calls_of
from trace_inspector.core.verdict.verdict import MetricVerdict, Status, against
from trace_inspector.engine.scoring.metric import CannotJudge, Judged, Subject
from trace_inspector.engine.scoring.scoring import refuse_without_golden


def expected_calls(subject: Subject) -> list[ToolCall]:
    """Every call that the golden expects, in order."""
    refuse_without_golden(subject)
    turns = _golden_turns(subject)
    if all(turn.steps is Steps.ABSENT for turn in turns):
        raise CannotJudge("the golden does not say which calls to expect")
    return [call for turn in turns for call in calls_of(turn)]


def made_calls(subject: Subject) -> list[ToolCall]:
    """Every call of the trace, in order."""
    return [call for turn in _observed_turns(subject) for call in calls_of(turn)]


def answers(subject: Subject) -> tuple[str, str]:
    """The reference and the answer: what the last golden turn expects, and what the trace ends with."""
    refuse_without_golden(subject)
    golden, observed = _golden_turns(subject), _observed_turns(subject)
    if not golden or golden[-1].final_response is None:
        raise CannotJudge("the golden has no answer")
    if not observed or observed[-1].final_response is None:
        raise CannotJudge("the trace does not end with an answer")
    return answer_text(golden[-1]), answer_text(observed[-1])


def scored(subject: Subject, criterion: Criterion, score: float, reason: str) -> Judged:
    """One score for the conversation."""
    status = against(score, criterion.threshold)
    shown = reason if status is not Status.PASSED or score < 1.0 else ""
    return at_last_turn(subject, MetricVerdict(criterion.metric, score, status, criterion.threshold, shown))


def at_last_turn(subject: Subject, verdict: MetricVerdict) -> Judged:
    """A verdict on the conversation, repeated at its last turn."""
    last = max((index for index, row in enumerate(subject.turns) if row.observed is not None), default=None)
    return Judged(verdict, tuple(verdict if index == last else None for index in range(len(subject.turns))))


def _golden_turns(subject: Subject) -> list[Turn]:
    return [row.golden for row in subject.turns if row.golden is not None]


def _observed_turns(subject: Subject) -> list[Turn]:
    return [row.observed for row in subject.turns if row.observed is not None]

"""The share of answers without an apology, turn by turn."""

from __future__ import annotations

from trace_inspector.extending import (
    CannotJudge,
    Criterion,
    Judged,
    Method,
    MetricVerdict,
    Subject,
    Turn,
    against,
    answer_text,
)

_WORDS = ("sorry", "apologise", "apologize", "apologies")


def _judge(subject: Subject, criterion: Criterion) -> Judged:
    turns = tuple(_turn(row.observed, criterion) for row in subject.turns)
    scores = [verdict.score for verdict in turns if verdict is not None and verdict.score is not None]
    if not scores:
        raise CannotJudge("no turn has an answer")
    mean = sum(scores) / len(scores)
    status = against(mean, criterion.threshold)
    return Judged(MetricVerdict(criterion.metric, mean, status, criterion.threshold), turns)


def _turn(turn: Turn | None, criterion: Criterion) -> MetricVerdict | None:
    if turn is None or turn.final_response is None:
        return None
    said = [word for word in _WORDS if word in answer_text(turn).lower()]
    score = 0.0 if said else 1.0
    reason = f"the answer says “{said[0]}”" if said else ""
    return MetricVerdict(criterion.metric, score, against(score, criterion.threshold), criterion.threshold, reason)


METHOD = Method(_judge)

"""From scores to verdicts: averages, statuses, and reasons for turns without a score."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from trace_inspector.core.alignment.turn_alignment import CallPair
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.trace import Turn
from trace_inspector.core.verdict.verdict import MetricVerdict, Status, against
from trace_inspector.engine.scoring.metric import CannotJudge, Judged, PairedTurn, Subject

NO_COUNTERPART = "the trace has no such turn"


class TurnScore(Struct, frozen=True):
    """What comparing one observed turn with its golden gives."""

    score: float
    reason: str = ""  # for a score that fails
    calls: tuple[CallPair, ...] = ()


def plain_mean(scores: Iterable[float]) -> float | None:
    """The sum from left to right over the count, as ADK adds up; the last digit depends on it."""
    total, count = 0.0, 0
    for score in scores:
        total += score
        count += 1
    return total / count if count else None


def compare_turns(
    subject: Subject,
    criterion: Criterion,
    *,
    unstated: Callable[[Turn], str],
    compare: Callable[[Turn, Turn], TurnScore],
    missing: Callable[[Turn], TurnScore],
) -> Judged:
    """Judge each pair of turns on its own and average the scores.

    `unstated` gives the reason why a golden turn cannot be compared with, or "". `missing` scores a
    golden turn that the trace does not have.
    """
    refuse_without_golden(subject)
    verdicts = tuple(_turn_verdict(row, subject, criterion, unstated, compare, missing) for row in subject.turns)
    scored = [verdict.score for verdict in verdicts if verdict and verdict.score is not None]
    score = plain_mean(scored)
    status = against(score, criterion.threshold)
    reason = summary(verdicts, subject.turns) if status is not Status.PASSED else ""
    return Judged(MetricVerdict(criterion.metric, score, status, criterion.threshold, reason), verdicts)


def summary(verdicts: Sequence[MetricVerdict | None], rows: Sequence[PairedTurn]) -> str:
    """The first failing turn with its reason, else why nothing was decided."""
    for status_sought in (Status.FAILED, Status.ERROR, Status.NOT_EVALUATED):
        turns = [index for index, verdict in enumerate(verdicts) if verdict and verdict.status is status_sought]
        reason = next((verdict.reason for index in turns if (verdict := verdicts[index]) and verdict.reason), "")
        if turns and reason:
            more = f" (and {len(turns) - 1} more)" if len(turns) > 1 else ""
            return f"{row_name(rows[turns[0]])}: {reason}{more}"
    return "" if rows else "there are no turns"


def row_name(row: PairedTurn) -> str:
    """The turn in words, counted from 1."""
    if row.observed is not None:
        return f"turn {row.observed.index + 1}"
    return f"golden turn {row.golden.index + 1}" if row.golden else "turn"


def _turn_verdict(
    row: PairedTurn,
    subject: Subject,
    criterion: Criterion,
    unstated: Callable[[Turn], str],
    compare: Callable[[Turn, Turn], TurnScore],
    missing: Callable[[Turn], TurnScore],
) -> MetricVerdict | None:
    if row.golden is None:
        return None
    silence = unstated(row.golden) if subject.rules != "adk" else ""
    if silence:
        nothing = MetricVerdict(criterion.metric, None, Status.NOT_EVALUATED, criterion.threshold, silence)
        return nothing if row.observed else None
    verdict = compare(row.golden, row.observed) if row.observed else missing(row.golden)
    status = against(verdict.score, criterion.threshold)
    reason = verdict.reason if status is not Status.PASSED or verdict.score < 1.0 else ""
    return MetricVerdict(criterion.metric, verdict.score, status, criterion.threshold, reason, calls=verdict.calls)


def refuse_without_golden(subject: Subject) -> None:
    """Raise CannotJudge when no turn has a golden to compare with."""
    if any(row.golden is not None for row in subject.turns):
        return
    if subject.case is None:
        raise CannotJudge("there is no golden for this trace")
    if not subject.turns:
        return
    raise CannotJudge("a scenario has no golden turns" if subject.case.scenario else "the golden has no turns")

"""From verdicts on turns to one on the case: a failed turn fails the case, as in CES."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.trace import Turn
from trace_inspector.core.verdict.verdict import MetricVerdict, Status, compose
from trace_inspector.engine.scoring.metric import CannotJudge, Judged, PairedTurn, Subject
from trace_inspector.engine.scoring.scoring import plain_mean, refuse_without_golden, summary

MISSING_TURN = "the trace has no such turn"
_SILENT = (Status.INFORMATIONAL, Status.SKIPPED)


def of_golden_turns(
    subject: Subject, criterion: Criterion, say: Callable[[Turn, PairedTurn], MetricVerdict | None], nothing: str
) -> Judged:
    """Apply a rule to each golden turn; None is no verdict. `nothing` is the reason where all are None."""
    refuse_without_golden(subject)
    return over_turns(
        subject, criterion, [say(row.golden, row) if row.golden else None for row in subject.turns], nothing
    )


def over_turns(
    subject: Subject, criterion: Criterion, verdicts: Sequence[MetricVerdict | None], nothing: str
) -> Judged:
    """The rule's verdict on the case: its mean over the turns that have a score, and what its turns compose to."""
    present = [verdict for verdict in verdicts if verdict is not None]
    if not present:
        raise CannotJudge(nothing)
    status = overall_status(verdict.status for verdict in present)
    score = plain_mean(verdict.score for verdict in present if verdict.score is not None)
    thresholds = {verdict.threshold for verdict in present}
    threshold = thresholds.pop() if len(thresholds) == 1 else criterion.threshold
    reason = summary(verdicts, subject.turns) if status not in (Status.PASSED, *_SILENT) else ""
    if status in _SILENT:
        reason = next((verdict.reason for verdict in present if verdict.status is status and verdict.reason), "")
    return Judged(MetricVerdict(criterion.metric, score, status, threshold, reason), tuple(verdicts))


def overall_status(statuses: Iterable[Status]) -> Status:
    """The status of several outcomes; where none decides, whether any informs or all are skipped."""
    seen = list(statuses)
    decided = compose(seen)
    if decided is Status.NOT_EVALUATED and seen:
        return next((status for status in (Status.INFORMATIONAL, decided, Status.SKIPPED) if status in seen), decided)
    return decided


def of_case(subject: Subject, verdict: MetricVerdict) -> Judged:
    """A verdict on the case alone."""
    return Judged(verdict, (None,) * len(subject.turns))


def joined(*sentences: str) -> str:
    """The non-empty sentences, joined."""
    return "; ".join(filter(None, sentences))

"""One criterion on one subject, judged to the end, as a run does it with all of them."""

from __future__ import annotations

from collections.abc import Sequence

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.engine.running.judging import EVERYBODY, NOBODY, answered, criterion_rounds
from trace_inspector.engine.scoring.metric import Judge, Judged, Metric, Subject


def judge_criterion(
    criterion: Criterion, subject: Subject, metrics: Sequence[Metric], judge: Judge | None = None
) -> Judged:
    """What the criterion's metric says, or why it says nothing."""
    return answered(criterion_rounds(criterion, subject, metrics, EVERYBODY if judge else NOBODY), judge)

"""What the four efficiency metrics share: they inform, decide nothing, and take no threshold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.trace import Turn
from trace_inspector.core.verdict.verdict import MetricVerdict, Status
from trace_inspector.engine.scoring.metric import CannotJudge, Judged, Subject
from trace_inspector.engine.scoring.scoring import plain_mean

Figures: TypeAlias = "tuple[tuple[str, float | None], ...]"


def figures_only(criterion: Criterion) -> None:
    """ADK refuses a threshold here: there is nothing to pass."""
    if criterion.threshold is not None:
        raise CannotJudge(
            f"{criterion.metric} is informational and takes no threshold; remove the threshold or the criterion"
        )


def measure_turns(subject: Subject, criterion: Criterion, measure: Callable[[Turn], float | None]) -> Judged:
    """One figure for each observed turn, averaged over the turns that have it."""
    figures_only(criterion)
    turns = tuple(informational(criterion, measure(row.observed)) if row.observed else None for row in subject.turns)
    mean = plain_mean(verdict.score for verdict in turns if verdict and verdict.score is not None)
    return Judged(informational(criterion, mean), turns)


def measure_figures(
    subject: Subject,
    criterion: Criterion,
    measure: Callable[[Turn], Figures],
    average: Callable[[Sequence[float | None]], float | None],
) -> Judged:
    """Named figures for each observed turn, and each averaged over the turns; the first is the score."""
    figures_only(criterion)
    values = [measure(row.observed) if row.observed else None for row in subject.turns]
    reported = [figures for figures in values if figures is not None]
    overall = tuple(
        (same_kind[0][0], average([value for _name, value in same_kind])) for same_kind in zip(*reported, strict=True)
    )
    turns = tuple(_of_figures(criterion, figures) if figures else None for figures in values)
    return Judged(_of_figures(criterion, overall), turns)


def _of_figures(criterion: Criterion, figures: Figures) -> MetricVerdict:
    return informational(criterion, figures[0][1] if figures else None, figures)


def informational(criterion: Criterion, score: float | None, figures: Figures = ()) -> MetricVerdict:
    """A figure that never counts."""
    reason = "" if score is not None else "not reported"
    return MetricVerdict(criterion.metric, score, Status.INFORMATIONAL, reason=reason, figures=figures)

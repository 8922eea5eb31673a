"""What became of each criterion from one run to the next, over the cases that can be compared."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from fractions import Fraction

from msgspec import Struct

from trace_inspector.core.verdict.figures import is_summable
from trace_inspector.core.verdict.verdict import CaseVerdict, Status
from trace_inspector.engine.metrics import METRICS
from trace_inspector.engine.repeats.significance import Interval, is_noise
from trace_inspector.engine.run_comparison.compared_case import ComparedCase
from trace_inspector.engine.run_comparison.mean_change import change_chance, change_interval, most_change
from trace_inspector.engine.run_comparison.metric_versions import same_version
from trace_inspector.engine.scoring.metric import metric_for
from trace_inspector.engine.scoring.metric_names import DURATION, TOKENS

# What these tell is compared turn by turn, and never taken for 0 where it is not known.
MEASURED = frozenset({DURATION, TOKENS})


class ComparedCriterion(Struct, frozen=True):
    """One criterion over the cases that both runs scored. `interval` is of the change of the mean.

    It is over cases where there are several, else over the repeats of the one. There is none where all change alike,
    and for one case alone: then `chance` is an exact test of the change, None where nothing changed.
    """

    metric: str
    cases: int
    base: float
    new: float
    interval: Interval | None = None
    chance: Fraction | None = None

    @property
    def change(self) -> float:
        """How much the mean changed."""
        return self.new - self.base

    @property
    def noise(self) -> bool | None:
        """Whether chance may well have made the change; None where nothing changed and there is no interval."""
        if self.interval is not None:
            return self.interval.low <= 0.0 <= self.interval.high
        return None if self.chance is None else is_noise(self.chance)


def compared_criteria(cases: Sequence[ComparedCase]) -> Iterator[ComparedCriterion]:
    """Means over the cases that have a score in both runs, each case counting once whatever its repeats.

    Scores of different versions of a metric are left out.
    """
    names = dict.fromkeys(metric.metric for case in cases for verdict in case.base for metric in verdict.metrics)
    for name in names:
        if name in MEASURED:
            continue
        pairs = [
            (before, after)
            for case in cases
            if case.has_scores and same_version(case.base, case.new, name)
            if (before := scores(case.base, name)) and (after := scores(case.new, name))
        ]
        if pairs:
            means = [(statistics.fmean(before), statistics.fmean(after)) for before, after in pairs]
            yield ComparedCriterion(
                name,
                len(pairs),
                statistics.fmean(before for before, _after in means),
                statistics.fmean(after for _before, after in means),
                interval := change_interval(pairs, most_change(pairs, _bounds(name))),
                None if interval is not None else change_chance(pairs),
            )


def _bounds(name: str) -> tuple[float, float] | None:
    """Within which the scores of a criterion lie, where that is known."""
    metric = metric_for(name, METRICS)
    return metric.range if metric is not None else None


def scores(verdicts: Sequence[CaseVerdict], name: str) -> list[float]:
    """What a criterion gave in these repeats, as far as it was evaluated."""
    return [
        metric.score
        for verdict in verdicts
        for metric in verdict.metrics
        if metric.metric == name and metric.status is not Status.NOT_EVALUATED
        if is_summable(metric.score)
    ]

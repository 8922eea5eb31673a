"""How long turns took and how many tokens they used, from run to run; what nothing tells is not known, never 0."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from trace_inspector.core.trace import Trace, stated_duration_s, total_tokens, turn_usage
from trace_inspector.core.verdict import CaseVerdict, MetricVerdict
from trace_inspector.engine.between_runs.chance import Interval
from trace_inspector.engine.between_runs.compared_runs import ComparedCase, change_interval
from trace_inspector.engine.metrics import invocation_duration, token_usage
from trace_inspector.engine.ranks import percentiles

_TOTAL = "total_tokens"


@dataclass(frozen=True, slots=True)
class TurnFigures:
    """What one turn took; None is not known."""

    seconds: float | None = None
    tokens: float | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """How many turns of a run tell a figure, of how many."""

    turns: int
    of: int


@dataclass(frozen=True, slots=True)
class Measured:
    """The mean of a figure a turn, over the cases of which both runs tell it; None where there is no such case.

    The percentiles are over all turns that tell it, of the cases that can be compared.
    """

    name: str
    cases: int
    base: float | None
    new: float | None
    base_told: Told
    new_told: Told
    interval: Interval | None = None
    base_ranks: tuple[tuple[int, float], ...] = ()
    new_ranks: tuple[tuple[int, float], ...] = ()


_FIGURES: tuple[tuple[str, Callable[[TurnFigures], float | None]], ...] = (
    ("seconds a turn", lambda one: one.seconds),
    ("tokens a turn", lambda one: one.tokens),
)
FiguresOf = Callable[[CaseVerdict], Sequence[TurnFigures]]


def measured(cases: Iterable[ComparedCase], figures: FiguresOf) -> tuple[Measured, ...]:
    """Each figure over the cases that can be compared, a case counting once whatever its turns and repeats."""
    comparable = [
        ([figures(verdict) for verdict in case.base], [figures(verdict) for verdict in case.new])
        for case in cases
        if case.has_scores
    ]
    return tuple(_measured(name, comparable, figure) for name, figure in _FIGURES)


def figures_of(verdict: CaseVerdict, trace: Trace | None) -> tuple[TurnFigures, ...]:
    """What each turn took: as the run measured it, else as its trace tells."""
    if any(metric.metric == invocation_duration.METRIC.name for turn in verdict.turns for metric in turn.metrics):
        return tuple(
            _of_metrics({metric.metric: metric for metric in turn.metrics})
            for turn in verdict.turns
            if turn.index is not None
        )
    if trace is None:
        return tuple(TurnFigures() for turn in verdict.turns if turn.index is not None)
    return tuple(TurnFigures(stated_duration_s(turn), total_tokens(turn_usage(turn))) for turn in trace.turns)


def _of_metrics(metrics: dict[str, MetricVerdict]) -> TurnFigures:
    duration, usage = metrics.get(invocation_duration.METRIC.name), metrics.get(token_usage.METRIC.name)
    return TurnFigures(duration.score if duration else None, dict(usage.figures).get(_TOTAL) if usage else None)


def _measured(
    name: str,
    cases: Sequence[tuple[Sequence[Sequence[TurnFigures]], Sequence[Sequence[TurnFigures]]]],
    figure: Callable[[TurnFigures], float | None],
) -> Measured:
    base_told, new_told = (_told((repeat for case in cases for repeat in case[side]), figure) for side in (0, 1))
    pairs = [([*_means(base, figure)], [*_means(new, figure)]) for base, new in cases]
    known = [(base, new) for base, new in pairs if base and new]
    ranks = [
        tuple(
            percentiles(sorted(value for case in cases for repeat in case[side] for value in _known(repeat, figure)))
        )
        for side in (0, 1)
    ]
    if not known:
        return Measured(name, 0, None, None, base_told, new_told, None, *ranks)
    before, after = ([statistics.fmean(pair[side]) for pair in known] for side in (0, 1))
    means = statistics.fmean(before), statistics.fmean(after)
    return Measured(name, len(known), *means, base_told, new_told, change_interval(known), *ranks)


def median_seconds(repeats: Iterable[Sequence[TurnFigures]]) -> float | None:
    """How long a turn of a case took in the middle of all its turns; None where none tells."""
    found = [value for turns in repeats for value in _known(turns, lambda one: one.seconds)]
    return statistics.median(found) if found else None


def _means(
    repeats: Sequence[Sequence[TurnFigures]], figure: Callable[[TurnFigures], float | None]
) -> Iterator[float]:
    for turns in repeats:
        known = list(_known(turns, figure))
        if known:
            yield statistics.fmean(known)


def _told(repeats: Iterable[Sequence[TurnFigures]], figure: Callable[[TurnFigures], float | None]) -> Told:
    listed = list(repeats)
    return Told(sum(len(list(_known(turns, figure))) for turns in listed), sum(map(len, listed)))


def _known(turns: Sequence[TurnFigures], figure: Callable[[TurnFigures], float | None]) -> Iterator[float]:
    for turn in turns:
        value = figure(turn)
        if value is not None and math.isfinite(value):
            yield value

"""How long turns and calls took, and how many tokens turns used; what nothing tells is not known, never 0."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.trace.parts import ToolResult
from trace_inspector.core.trace.trace import Trace, Turn, stated_duration_s, total_tokens, turn_usage
from trace_inspector.core.verdict.figures import is_summable
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict
from trace_inspector.engine.repeats.percentiles import percentiles
from trace_inspector.engine.repeats.significance import Interval
from trace_inspector.engine.run_comparison.compared_case import ComparedCase
from trace_inspector.engine.run_comparison.mean_change import change_chance, change_interval
from trace_inspector.engine.scoring.metric_names import DURATION, TOKENS

_TOTAL = "total_tokens"


class TurnFigures(Struct, frozen=True):
    """What one turn took, and each call in it; None is not known."""

    seconds: float | None = None
    tokens: float | None = None
    model_calls: tuple[float | None, ...] = ()
    tool_calls: tuple[float | None, ...] = ()


class ReportedCount(Struct, frozen=True):
    """How many turns or calls of a run tell a figure, of how many."""

    count: int
    of: int


class Measured(Struct, frozen=True):
    """The mean of a figure, over the cases of which both runs tell it; None where there is no such case.

    The percentiles are over all turns, or calls, that tell it, of the cases that can be compared.
    """

    name: str
    cases: int
    base: float | None
    new: float | None
    base_told: ReportedCount
    new_told: ReportedCount
    interval: Interval | None = None
    base_ranks: tuple[tuple[int, float], ...] = ()
    new_ranks: tuple[tuple[int, float], ...] = ()
    unit: str = "turn"
    chance: Fraction | None = None  # of an exact test, where something changed and there is no interval


Values: TypeAlias = Callable[[TurnFigures], Sequence[float | None]]


class _Figure(Struct, frozen=True):
    """What is measured of each `unit`: a turn, or a call in it."""

    name: str
    unit: str
    values: Values


_FIGURES = (
    _Figure("seconds a turn", "turn", lambda one: (one.seconds,)),
    _Figure("seconds a model call", "call", lambda one: one.model_calls),
    _Figure("seconds a tool call", "call", lambda one: one.tool_calls),
    _Figure("tokens a turn", "turn", lambda one: (one.tokens,)),
)
FiguresOf = Callable[[CaseVerdict], Sequence[TurnFigures]]


def measured(cases: Iterable[ComparedCase], figures: FiguresOf) -> tuple[Measured, ...]:
    """Each figure over the cases that can be compared, a case counting once whatever its turns and repeats.

    Of calls only traces tell: where none tells, nothing is said of them.
    """
    comparable = [
        ([figures(verdict) for verdict in case.base], [figures(verdict) for verdict in case.new])
        for case in cases
        if case.has_scores
    ]
    compared = (_measured(figure, comparable) for figure in _FIGURES)
    return tuple(shown for shown in compared if shown.unit == "turn" or shown.base_told.count or shown.new_told.count)


def figures_in(trace: Trace) -> dict[int, TurnFigures]:
    """What a trace tells of each of its turns, by their index."""
    return {
        turn.index: TurnFigures(stated_duration_s(turn), total_tokens(turn_usage(turn)), *_calls(turn))
        for turn in trace.turns
    }


def figures_of(verdict: CaseVerdict, by_turn: Mapping[int, TurnFigures] | None) -> tuple[TurnFigures, ...]:
    """What each turn took: as the run measured it, else as its trace tells; of calls only the trace tells."""
    if any(metric.metric == DURATION for turn in verdict.turns for metric in turn.metrics):
        return tuple(
            _with_metrics((by_turn or {}).get(turn.index, TurnFigures()), {one.metric: one for one in turn.metrics})
            for turn in verdict.turns
            if turn.index is not None
        )
    if by_turn is None:
        return tuple(TurnFigures() for turn in verdict.turns if turn.index is not None)
    return tuple(by_turn.values())


def _calls(turn: Turn) -> Iterator[tuple[float | None, ...]]:
    """How long each model call took, and each tool call, as the file says it: one for each piece of the timeline.

    The timeline itself shows what has no length as a moment, and derives lengths; neither is a time to compare.
    """
    models: list[float | None] = []
    tools: list[float | None] = []
    for index, event in enumerate(turn.events):
        took = None if "times" in turn.guessed else event.duration_s
        results = sum(isinstance(part, ToolResult) for part in event.parts)
        tools += [took] * results
        if not results and (event.parts or event.usage or event.model or event.error or index == turn.final_event):
            models.append(took)
    yield tuple(models)
    yield tuple(tools)


def _with_metrics(figures: TurnFigures, metrics: dict[str, MetricVerdict]) -> TurnFigures:
    duration, usage = metrics.get(DURATION), metrics.get(TOKENS)
    return replace(
        figures,
        seconds=duration.score if duration else None,
        tokens=dict(usage.figures).get(_TOTAL) if usage else None,
    )


def _measured(
    figure: _Figure, cases: Sequence[tuple[Sequence[Sequence[TurnFigures]], Sequence[Sequence[TurnFigures]]]]
) -> Measured:
    values = figure.values
    base_told, new_told = (
        _reported_count((repeat for case in cases for repeat in case[side]), values) for side in (0, 1)
    )
    pairs = [([*_means(base, values)], [*_means(new, values)]) for base, new in cases]
    both = [(base, new) for base, new in pairs if base and new]
    ranks = [
        tuple(
            percentiles(
                sorted(value for case in cases for repeat in case[side] for value in _stated_values(repeat, values))
            )
        )
        for side in (0, 1)
    ]
    nothing = Measured(figure.name, 0, None, None, base_told, new_told, None, ranks[0], ranks[1], figure.unit)
    if not both:
        return nothing
    before, after = (statistics.fmean(statistics.fmean(pair[side]) for pair in both) for side in (0, 1))
    interval = change_interval(both)
    chance = None if interval is not None else change_chance(both)
    return replace(nothing, cases=len(both), base=before, new=after, interval=interval, chance=chance)


def median_seconds(repeats: Iterable[Sequence[TurnFigures]]) -> float | None:
    """How long a turn of a case took in the middle of all its turns; None where none tells."""
    seconds = [value for turns in repeats for value in _stated_values(turns, lambda turn: (turn.seconds,))]
    return statistics.median(seconds) if seconds else None


def _means(repeats: Sequence[Sequence[TurnFigures]], values: Values) -> Iterator[float]:
    for turns in repeats:
        stated = list(_stated_values(turns, values))
        if stated:
            yield statistics.fmean(stated)


def _reported_count(repeats: Iterable[Sequence[TurnFigures]], values: Values) -> ReportedCount:
    listed = list(repeats)
    of = sum(len(values(turn)) for turns in listed for turn in turns)
    return ReportedCount(sum(len(list(_stated_values(turns, values))) for turns in listed), of)


def _stated_values(turns: Sequence[TurnFigures], values: Values) -> Iterator[float]:
    for turn in turns:
        for value in values(turn):
            if is_summable(value):
                yield value

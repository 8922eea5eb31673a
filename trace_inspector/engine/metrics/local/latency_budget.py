"""`latency_budget`: the share of turns that were fast enough."""

from __future__ import annotations

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.trace import Turn, stated_duration_s
from trace_inspector.engine.metrics.local.budget import Limits, Measure, judge_limits, limit, limits_of
from trace_inspector.engine.scoring.metric import Judged, Method, Subject


class LatencyLimits(Limits):
    """The most seconds: of a turn, of the model and of the tools in a turn, and of all turns together."""

    max_turn_s: float | None = limit()
    max_model_s: float | None = limit()
    max_tool_s: float | None = limit()
    max_total_s: float | None = limit()


def _model_s(turn: Turn) -> float | None:
    return turn.model_duration_s


def _tool_s(turn: Turn) -> float | None:
    return turn.tool_duration_s


_MEASURES = (
    Measure("max_turn_s", "the time of the turn", " s", stated_duration_s),
    Measure("max_model_s", "the time of the model", " s", _model_s),
    Measure("max_tool_s", "the time of the tools", " s", _tool_s),
    Measure("max_total_s", "the time of all turns", " s", stated_duration_s, of_case=True),
)


def _limits(criterion: Criterion) -> LatencyLimits:
    return limits_of(LatencyLimits, criterion)


def _judge(subject: Subject, criterion: Criterion) -> Judged:
    return judge_limits(subject, criterion, _limits(criterion), _MEASURES)


METHOD = Method(_judge, parameters=LatencyLimits, check=_limits)

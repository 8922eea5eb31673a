"""`tool_call_count_v1`: tool calls a turn, as ADK 2.13 reports them."""

from __future__ import annotations

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.trace import Turn, calls_of
from trace_inspector.engine.scoring.efficiency import figures_only, measure_turns
from trace_inspector.engine.scoring.metric import Judged, Method, Subject


def _judge(subject: Subject, criterion: Criterion) -> Judged:
    return measure_turns(subject, criterion, _calls)


def _calls(turn: Turn) -> float | None:
    return float(len(calls_of(turn)))


METHOD = Method(_judge, check=figures_only)

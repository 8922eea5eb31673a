"""`tool_call_count_v1`: tool calls a turn, as ADK 2.13 reports them."""

from __future__ import annotations

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.trace import Turn, calls_of
from trace_inspector.engine.scoring.efficiency import figures_only, measure_turns
from trace_inspector.engine.scoring.metric import Judged, Metric, Subject


def _judge(subject: Subject, criterion: Criterion) -> Judged:
    return measure_turns(subject, criterion, _calls)


def _calls(turn: Turn) -> float | None:
    return float(len(calls_of(turn)))


METRIC = Metric(
    name="tool_call_count_v1",
    title="Tool calls",
    family="adk",
    meaning="Tool calls a turn, on average.",
    judge=_judge,
    range=None,
    better="lower",
    reads=("tool calls",),
    informational=True,
    check=figures_only,
    same_count=False,
)

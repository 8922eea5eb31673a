"""`inference_call_count_v1`: model calls a turn, as ADK 2.13 reports them."""

from __future__ import annotations

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.trace import Steps, Turn
from trace_inspector.engine.scoring.efficiency import figures_only, measure_turns
from trace_inspector.engine.scoring.metric import Judged, Method, Subject


def _judge(subject: Subject, criterion: Criterion) -> Judged:
    return measure_turns(subject, criterion, _inferences)


def _inferences(turn: Turn) -> float | None:
    if turn.steps is not Steps.EVENTS:
        return None
    return float(sum(event.usage is not None or event.model is not None for event in turn.events))


METHOD = Method(_judge, check=figures_only)

"""`invocation_duration_v1`: seconds a turn, as ADK 2.13 reports them."""

from __future__ import annotations

from collections.abc import Sequence

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.trace import Turn, stated_duration_s
from trace_inspector.engine.scoring.efficiency import Figures, figures_only, measure_figures
from trace_inspector.engine.scoring.metric import Judged, Method, Subject
from trace_inspector.engine.scoring.scoring import plain_mean


def _judge(subject: Subject, criterion: Criterion) -> Judged:
    return measure_figures(subject, criterion, _figures, _average)


def _figures(turn: Turn) -> Figures:
    total, model, tool = stated_duration_s(turn), turn.model_duration_s, turn.tool_duration_s
    if total is None:  # ADK ignores parts of a turn without times
        model = tool = None
    framework = None if total is None or model is None or tool is None else round(max(total - model - tool, 0.0), 3)
    return (
        ("total_seconds", total),
        ("model_seconds", model),
        ("tool_seconds", tool),
        ("framework_seconds", framework),
    )


def _average(seconds: Sequence[float | None]) -> float | None:
    mean = plain_mean(value for value in seconds if value is not None)
    return None if mean is None else round(mean, 3)


METHOD = Method(_judge, check=figures_only)

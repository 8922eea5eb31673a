"""`token_usage_v1`: tokens a turn, as ADK 2.13 adds them up."""

from __future__ import annotations

from collections.abc import Sequence

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.trace import Turn, input_tokens, output_tokens, total_tokens, turn_usage
from trace_inspector.engine.scoring.efficiency import Figures, figures_only, measure_figures
from trace_inspector.engine.scoring.metric import Judged, Method, Subject


def _judge(subject: Subject, criterion: Criterion) -> Judged:
    return measure_figures(subject, criterion, _figures, _average)


def _figures(turn: Turn) -> Figures:
    usage = turn_usage(turn)
    counts = (
        ("total_tokens", total_tokens(usage)),
        ("input_tokens", input_tokens(usage)),
        ("prompt_tokens", usage.prompt),
        ("cached_tokens", usage.cached),
        ("tool_use_tokens", usage.tool_use_prompt),
        ("output_tokens", output_tokens(usage)),
        ("candidates_tokens", usage.candidates),
        ("reasoning_tokens", usage.thoughts),
    )
    return tuple((name, None if count is None else float(count)) for name, count in counts)


def _average(counts: Sequence[float | None]) -> float | None:
    """The average over all turns; one without a report counts as 0, unless all have none."""
    recorded = [count for count in counts if count is not None]
    return sum(recorded) / len(counts) if recorded else None


METHOD = Method(_judge, check=figures_only)

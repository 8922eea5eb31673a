"""How each of agent-eval's metrics is computed: as the original does, and without its mistakes."""

from __future__ import annotations

from functools import partial

from pydantic import BaseModel

from trace_inspector.engine.judges.questions.options import options_of
from trace_inspector.engine.metrics.agent_eval import corrected, originals
from trace_inspector.engine.metrics.agent_eval.context import Window, saturation, saturation_of_limit
from trace_inspector.engine.metrics.agent_eval.formula import Formula, Measure, plain, with_options
from trace_inspector.engine.metrics.agent_eval.prices import Prices, corrected_cost, original_cost
from trace_inspector.engine.scoring.metric import Method


def _method(measure: Measure, options: type[BaseModel] | None = None, *, less_is_better: bool = False) -> Method:
    check = partial(options_of, options) if options else None
    return Method(Formula(measure, "lower" if less_is_better else "").judge, options, check)


METHODS = {
    "token_usage": _method(with_options(original_cost, Prices), Prices, less_is_better=True),
    "token_usage_corrected": _method(with_options(corrected_cost, Prices), Prices, less_is_better=True),
    "latency_metrics": _method(plain(originals.latency), less_is_better=True),
    "latency_metrics_corrected": _method(plain(corrected.latency), less_is_better=True),
    "cache_efficiency": _method(plain(originals.cache)),
    "cache_efficiency_corrected": _method(plain(corrected.cache)),
    "thinking_metrics": _method(plain(originals.thinking)),
    "thinking_metrics_corrected": _method(plain(originals.thinking)),
    "tool_utilization": _method(plain(originals.tools)),
    "tool_utilization_corrected": _method(plain(corrected.tools)),
    "tool_success_rate": _method(plain(originals.success)),
    "tool_success_rate_corrected": _method(plain(corrected.success)),
    "grounding_utilization": _method(plain(originals.grounding)),
    "grounding_utilization_corrected": _method(plain(corrected.grounding)),
    "context_saturation": _method(plain(saturation), less_is_better=True),
    "context_saturation_corrected": _method(with_options(saturation_of_limit, Window), Window, less_is_better=True),
    "agent_handoffs": _method(plain(originals.handoffs)),
    "agent_handoffs_corrected": _method(plain(corrected.handoffs)),
    "output_density": _method(plain(originals.density)),
    "output_density_corrected": _method(plain(originals.density)),
    "sandbox_usage": _method(plain(originals.sandbox)),
    "sandbox_usage_corrected": _method(plain(corrected.sandbox)),
}

"""A formula of agent-eval as a metric: of a conversation and of each turn, informational or with a threshold."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from msgspec import Struct
from pydantic import BaseModel, ConfigDict, Field

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.verdict.verdict import MetricVerdict, Status
from trace_inspector.engine.judges.questions.options import BOTH_NAMES, options_of
from trace_inspector.engine.metrics.agent_eval import corrected_formulas, original_formulas
from trace_inspector.engine.metrics.agent_eval.measured import NO_TOKENS, Measurement, Tokens, Work
from trace_inspector.engine.metrics.agent_eval.prices import Prices, corrected_cost, original_cost
from trace_inspector.engine.scoring.metric import Judged, Method, Subject


class Window(BaseModel):
    """The option of the context: how many tokens the model takes."""

    model_config = ConfigDict(alias_generator=BOTH_NAMES, populate_by_name=True)

    limit: int | None = Field(None, gt=0, strict=True)


def saturation(work: Work) -> Measurement:
    """The most tokens of one model call, and its agent."""
    calls = [(Tokens.of((usage,)).total, event.author) for event, usage in work.asked()]
    if not calls:
        return Measurement(None, NO_TOKENS)
    most, author = max(calls, key=lambda call: call[0])
    return Measurement(float(most), f"a call of {author}" if author else "")


def saturation_of_limit(work: Work, options: Window) -> Measurement:
    """The same, with the share of the limit."""
    result = saturation(work)
    if result.score is None or options.limit is None:
        return result
    over = f"{result.score:,.0f} tokens are more than the limit of {options.limit:,}"
    reasons = [result.reason, over if result.score > options.limit else ""]
    figures = (("limit", float(options.limit)), ("share_of_limit", result.score / options.limit))
    return Measurement(result.score, "; ".join(filter(None, reasons)), figures)


Options = TypeVar("Options", bound=BaseModel)
Measure = Callable[[Work, Criterion], Measurement]


def plain(formula: Callable[[Work], Measurement]) -> Measure:
    """A formula without options."""
    return partial(_without_options, formula)


def with_options(formula: Callable[[Work, Options], Measurement], model: type[Options]) -> Measure:
    """A formula that reads options of the criterion."""
    return partial(_with_options, formula, model)


# Metrics are pickled for other processes, which closures cannot be.
def _without_options(formula: Callable[[Work], Measurement], work: Work, _criterion: Criterion) -> Measurement:
    return formula(work)


def _with_options(
    formula: Callable[[Work, Options], Measurement], model: type[Options], work: Work, criterion: Criterion
) -> Measurement:
    return formula(work, options_of(model, criterion))


class Formula(Struct, frozen=True):
    """A measure, and whether more or less of it is better."""

    measure: Measure
    better: str

    def judge(self, subject: Subject, criterion: Criterion) -> Judged:
        """Over all turns that were observed, and over each of them."""
        observed = tuple(row.observed for row in subject.turns if row.observed)
        each = [Work((row.observed,)) if row.observed else None for row in subject.turns]
        return Judged(
            self._verdict(Work(observed), criterion),
            tuple(self._verdict(work, criterion) if work else None for work in each),
        )

    def _verdict(self, work: Work, criterion: Criterion) -> MetricVerdict:
        result = self.measure(work, criterion)
        status = self._status(result.score, criterion.threshold)
        return MetricVerdict(
            criterion.metric, result.score, status, criterion.threshold, result.reason, figures=result.figures
        )

    def _status(self, score: float | None, threshold: float | None) -> Status:
        """Without a threshold it informs; where less is better the threshold is the most that passes."""
        if threshold is None:
            return Status.INFORMATIONAL
        if score is None:
            return Status.NOT_EVALUATED
        passes = score <= threshold if self.better == "lower" else score >= threshold
        return Status.PASSED if passes else Status.FAILED


def _method(measure: Measure, options: type[BaseModel] | None = None, *, less_is_better: bool = False) -> Method:
    check = partial(options_of, options) if options else None
    return Method(Formula(measure, "lower" if less_is_better else "").judge, options, check)


METHODS = {
    "token_usage": _method(with_options(original_cost, Prices), Prices, less_is_better=True),
    "token_usage_corrected": _method(with_options(corrected_cost, Prices), Prices, less_is_better=True),
    "latency_metrics": _method(plain(original_formulas.latency), less_is_better=True),
    "latency_metrics_corrected": _method(plain(corrected_formulas.latency), less_is_better=True),
    "cache_efficiency": _method(plain(original_formulas.cache)),
    "cache_efficiency_corrected": _method(plain(corrected_formulas.cache)),
    "thinking_metrics": _method(plain(original_formulas.thinking)),
    "thinking_metrics_corrected": _method(plain(original_formulas.thinking)),
    "tool_utilization": _method(plain(original_formulas.tools)),
    "tool_utilization_corrected": _method(plain(corrected_formulas.tools)),
    "tool_success_rate": _method(plain(original_formulas.success)),
    "tool_success_rate_corrected": _method(plain(corrected_formulas.success)),
    "grounding_utilization": _method(plain(original_formulas.grounding)),
    "grounding_utilization_corrected": _method(plain(corrected_formulas.grounding)),
    "context_saturation": _method(plain(saturation), less_is_better=True),
    "context_saturation_corrected": _method(with_options(saturation_of_limit, Window), Window, less_is_better=True),
    "agent_handoffs": _method(plain(original_formulas.handoffs)),
    "agent_handoffs_corrected": _method(plain(corrected_formulas.handoffs)),
    "output_density": _method(plain(original_formulas.density)),
    "output_density_corrected": _method(plain(original_formulas.density)),
    "sandbox_usage": _method(plain(original_formulas.sandbox)),
    "sandbox_usage_corrected": _method(plain(corrected_formulas.sandbox)),
}

"""What tokens cost, by the prices that a person states: none is built in, and none is assumed."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pydantic import BaseModel, ConfigDict, Field

from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.trace.trace import Usage
from trace_inspector.engine.judges.questions.options import BOTH_NAMES
from trace_inspector.engine.metrics.agent_eval.measured import NO_TOKENS, Measurement, Tokens, Work
from trace_inspector.engine.scoring.efficiency import Figures

_PER = 1000  # tokens that a price is for
_NAMED = 3


class Price(BaseModel):
    """The price of 1,000 tokens of each kind; cached ones cost as much as others unless stated."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    input: float = Field(ge=0, strict=True)
    output: float = Field(ge=0, strict=True)
    cached: float | None = Field(None, ge=0, strict=True)


class Prices(BaseModel):
    """The options of the cost: a price for each name that a model's may contain."""

    model_config = ConfigDict(alias_generator=BOTH_NAMES, populate_by_name=True)

    prices: dict[str, Price] = Field(default_factory=dict)


_Choose = Callable[[str, Mapping[str, Price]], Price | None]
_Cost = Callable[[Usage, Price], float]


def original_cost(work: Work, options: Prices) -> Measurement:
    """By the first name that the model's contains; thoughts and tool use are free, cached tokens at full price."""
    return _cost(work, options, _first, _plain)


def corrected_cost(work: Work, options: Prices) -> Measurement:
    """By the longest such name; every token costs, cached ones their own price."""
    return _cost(work, options, _longest, _whole)


def _cost(work: Work, options: Prices, choose: _Choose, cost: _Cost) -> Measurement:
    asked = work.asked()
    figures = _figures(work)
    if not asked:
        return Measurement(None, NO_TOKENS, figures)
    if not options.prices:
        return Measurement(None, "no prices are given: state them in “prices”", figures)
    total, unpriced = 0.0, dict[str, None]()
    for event, usage in asked:
        price = choose(event.model or "", options.prices)
        if price is None:
            unpriced[f"“{one_line(event.model, 60)}”" if event.model else "a model that is not named"] = None
        else:
            total += cost(usage, price)
    if not unpriced:
        return Measurement(total, "", figures)
    named = ", ".join(list(unpriced)[:_NAMED]) + (f" and {len(unpriced) - _NAMED} more" * (len(unpriced) > _NAMED))
    return Measurement(None, f"unpriced: {named}", (*figures, ("cost of what is priced", total)))


def _first(model: str, prices: Mapping[str, Price]) -> Price | None:
    return next((price for name, price in prices.items() if name in model), None)


def _longest(model: str, prices: Mapping[str, Price]) -> Price | None:
    return prices.get(max((name for name in prices if name in model), key=len, default="\0"))


def _plain(usage: Usage, price: Price) -> float:
    return (usage.prompt or 0) / _PER * price.input + (usage.candidates or 0) / _PER * price.output


def _whole(usage: Usage, price: Price) -> float:
    tokens = Tokens.of((usage,))
    cached = min(tokens.cached, tokens.prompt)
    of_cache = price.input if price.cached is None else price.cached
    fresh = tokens.prompt - cached + tokens.tool_use
    output = tokens.candidates + tokens.thoughts
    return fresh / _PER * price.input + cached / _PER * of_cache + output / _PER * price.output


def _figures(work: Work) -> Figures:
    tokens = work.tokens()
    counts = {
        "prompt_tokens": tokens.prompt,
        "tool_use_tokens": tokens.tool_use,
        "cached_tokens": tokens.cached,
        "candidates_tokens": tokens.candidates,
        "thoughts_tokens": tokens.thoughts,
        "total_tokens": tokens.total,
        "llm_calls": len(work.asked()),
    }
    return tuple((name, float(count)) for name, count in counts.items())

"""How full the context of a model was, beside the limit that a person states."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from trace_inspector.engine.judges.questions.options import BOTH_NAMES
from trace_inspector.engine.metrics.agent_eval.measured import NO_TOKENS, Found, Tokens, Work


class Window(BaseModel):
    """The option of the context: how many tokens the model takes."""

    model_config = ConfigDict(alias_generator=BOTH_NAMES, populate_by_name=True)

    limit: int | None = Field(None, gt=0, strict=True)


def saturation(work: Work) -> Found:
    """The most tokens of one call of a model, and whose call it was."""
    calls = [(Tokens.of((usage,)).total, event.author) for event, usage in work.asked()]
    if not calls:
        return Found(None, NO_TOKENS)
    most, author = max(calls, key=lambda call: call[0])
    return Found(float(most), f"a call of {author}" if author else "")


def saturation_of_limit(work: Work, options: Window) -> Found:
    """The same, with the share of the limit."""
    found = saturation(work)
    if found.score is None or options.limit is None:
        return found
    over = f"{found.score:,.0f} tokens are more than the limit of {options.limit:,}"
    said = [found.reason, over if found.score > options.limit else ""]
    figures = (("limit", float(options.limit)), ("share_of_limit", found.score / options.limit))
    return Found(found.score, "; ".join(filter(None, said)), figures)

"""The options of `judge_prompt`: a person's own words around named values, and how the replies are read."""

from __future__ import annotations

import math
import string
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.summary import one_line
from trace_inspector.engine.judges.questions.options import JudgedParameters, options_of
from trace_inspector.engine.scoring.metric import CannotJudge
from trace_inspector.engine.scoring.patterns import groups_of, why_unusable

# The names a prompt may contain, and the value of each.
VALUES = {
    "user": "the user's words",
    "answer": "the final answer",
    "golden_answer": "the golden's final answer",
    "calls": "the tool calls with their results",
    "golden_calls": "the golden's tool calls",
    "instructions": "the agent's instructions",
    "tools": "the tools that are declared",
    "history": "the turns before this one",
    "rubrics": "the rubrics of the turn, one a line",
}
OF_GOLDEN = frozenset({"golden_answer", "golden_calls"})
_MOST_CHARS = 100_000
_Word = Annotated[str, StringConstraints(strip_whitespace=True, to_lower=True, min_length=1)]
_Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]


class PromptParameters(JudgedParameters):
    """The options of the criterion. The reply's value is its `field`, what its `pattern` finds, or all of it."""

    prompt: str = Field("", max_length=_MOST_CHARS)
    range: tuple[_Number, _Number] | None = None
    field: str = ""  # dotted: "verdict.score"
    pattern: str = Field("", max_length=1000)
    scale: dict[_Word, _Number] = Field(default_factory=dict)  # words that stand for numbers: {"good": 1.0}
    votes: Literal["median", "majority"] = "median"

    @property
    def limits(self) -> tuple[float, float]:
        """The least and the greatest value that a reply may give."""
        if self.range is not None:
            return self.range
        return (min(self.scale.values()), max(self.scale.values())) if self.scale else (0.0, 1.0)

    @property
    def names(self) -> frozenset[str]:
        """The values that the prompt names."""
        return frozenset(name for _text, name, _form, _how in string.Formatter().parse(self.prompt) if name)


def prompt_parameters(criterion: Criterion) -> PromptParameters:
    """The options of a criterion, or one sentence about the first that is wrong."""
    options = options_of(PromptParameters, criterion)
    problem = _of_prompt(options.prompt) or _of_reply(options) or _of_range(options, criterion.threshold)
    if problem:
        raise CannotJudge(f"{criterion.metric}: {problem}")
    return options


def _of_prompt(prompt: str) -> str:
    listed = ", ".join(f"{{{name}}}" for name in VALUES)
    if not prompt.strip():
        return f"give a “prompt”, your own words around values that it names: {listed}"
    try:
        fields = [
            (name, form, how) for _text, name, form, how in string.Formatter().parse(prompt) if name is not None
        ]
    except ValueError as problem:
        return f"the prompt has an unmatched brace ({problem}); write {{ for a brace that is text{{"
    for name, form, how in fields:
        if name not in VALUES or form or how:
            stated = name + (f"!{how}" if how else "") + (f":{form}" if form else "")
            return (
                f"the prompt names “{{{one_line(stated, 60)}}}”; it may name {listed}; write "
                f"{{ for a brace that is text"
            )
    return "" if fields else f"the prompt names no value, so every turn would get the same question; name {listed}"


def _of_reply(options: PromptParameters) -> str:
    if options.field and options.pattern:
        return "give “field” or “pattern”, not both"
    if not options.pattern:
        return ""
    problem = why_unusable(options.pattern)
    if problem:
        return f"“pattern” cannot be used: {problem}"
    groups = groups_of(options.pattern)
    return "" if groups == 1 else f"“pattern” should have one group, the value; it has {groups}"


def _of_range(options: PromptParameters, threshold: float | None) -> str:
    low, high = options.limits
    if not low < high:
        return f"the range [{low:g}, {high:g}] should be [low, high], low less than high"
    beyond = next((word for word, value in options.scale.items() if not low <= value <= high), None)
    if beyond is not None:
        return f"“{one_line(beyond, 60)}” on the scale lies outside the range [{low:g}, {high:g}]"
    if threshold is not None and not (math.isfinite(threshold) and low <= threshold <= high):
        return f"the threshold {threshold:g} lies outside the range [{low:g}, {high:g}]"
    return ""

"""Thresholds and switches of CES's metrics: the most specific one that is stated counts, and is named."""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.expectation import Expectation
from trace_inspector.core.trace.summary import compact
from trace_inspector.core.trace.trace import Turn
from trace_inspector.core.values.values import ABSENT, Absent, Json
from trace_inspector.engine.scoring.metric import Subject

SEMANTIC_SIMILARITY = "ces_semantic_similarity"
TOOL_INVOCATION = "ces_tool_invocation"
PARAMETERS = "ces_parameter_correctness"
HALLUCINATION = "ces_hallucination"
EXTRA_CALLS = "ces_extra_calls"
EXPECTATIONS = "ces_expectations"
LLM_CRITERIA = "ces_llm_criteria"
USER_GOAL = "ces_user_goal"
TASK_COMPLETED = "ces_task_completed"
# Where nothing is stated (reference A5).
DEFAULT_THRESHOLDS = {SEMANTIC_SIMILARITY: 3.0, TOOL_INVOCATION: 1.0, PARAMETERS: 1.0, HALLUCINATION: 1.0}
EVERYTHING = 1.0  # for metrics without a threshold in CES: everything must be met


class Threshold(Struct, frozen=True):
    """A threshold, and a phrase for its source."""

    value: float
    source: str

    @property
    def text(self) -> str:
        """The threshold as verdicts show it."""
        return f"threshold {self.value:g} {self.source}"


class OptionWord(Struct, frozen=True):
    """A word of an enumeration: "" where none is stated, and the problem of an unknown one."""

    word: str
    source: str = ""
    problem: str = ""


class Settings(Struct, frozen=True):
    """What is stated about one metric, from the most specific level to the run's own criterion."""

    metric: str
    levels: tuple[tuple[str, Criterion], ...]

    @property
    def threshold(self) -> Threshold:
        """The one that counts."""
        for whose, criterion in self.levels:
            if criterion.threshold is not None and math.isfinite(criterion.threshold):
                return Threshold(criterion.threshold, whose)
        return Threshold(DEFAULT_THRESHOLDS.get(self.metric, EVERYTHING), "by default")

    @property
    def states_threshold(self) -> bool:
        """Whether any level states one."""
        return any(criterion.threshold is not None for _whose, criterion in self.levels)

    @property
    def off(self) -> str:
        """Which level switched the metric off, "" where it is on. Levels without a switch inherit it."""
        enabled, whose = self.option("enabled")
        return f"switched off {whose.replace('of', 'in', 1)}" if enabled is False else ""

    def option(self, *names: str) -> tuple[Json | Absent, str]:
        """An option under one of its names, in snake_case, and its level."""
        for whose, criterion in self.levels:
            stated = {_snake(name): value for name, value in criterion.options.items()}
            for name in names:
                if stated.get(name) is not None:
                    return stated[name], whose
        return ABSENT, ""

    def word(self, words: Sequence[str], *names: str) -> OptionWord:
        """An option that is a word of an enumeration, by its name or by its number from 1 on."""
        value, whose = self.option(*names)
        if isinstance(value, Absent) or value == 0 or (isinstance(value, str) and value.endswith("UNSPECIFIED")):
            return OptionWord("")
        if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= len(words):
            return OptionWord(words[value - 1], whose)
        if isinstance(value, str) and value in words:
            return OptionWord(value, whose)
        return OptionWord("", whose, f"“{names[0]}” {compact(value, 40)} is not a known value; it is ignored")


def settings_of(
    metric: str,
    subject: Subject,
    criterion: Criterion | None = None,
    golden: Turn | None = None,
    expectation: Expectation | None = None,
) -> Settings:
    """What is stated about a metric at every level; `criterion` is the run's own where it is the metric's."""
    run = criterion or next((candidate for candidate in subject.criteria if candidate.metric == metric), None)
    stated = (
        ("of the expectation", expectation.criteria if expectation else ()),
        ("of the turn", golden.criteria if golden else ()),
        ("of the case", subject.case.criteria if subject.case else ()),
        ("of the run", (run,) if run else ()),
    )
    return Settings(
        metric,
        tuple((whose, candidate) for whose, listed in stated for candidate in listed if candidate.metric == metric),
    )


def _snake(name: str) -> str:
    return "".join(f"_{char.lower()}" if char.isupper() else char for char in name)

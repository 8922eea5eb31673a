"""What a list of runs shows of each run without opening it."""

from __future__ import annotations

from msgspec import Struct

from trace_inspector.core.verdict.verdict import Status


class CriterionFigures(Struct, frozen=True):
    """One criterion over the cases of a run. `spread` is the standard deviation of the scores that there are."""

    metric: str
    mean: float | None
    spread: float | None
    scored: int
    passed: int
    failed: int


class RunSummary(Struct, frozen=True):
    """One run in figures. `pass_rate` is of the cases that passed, failed or broke; None where there are none."""

    status: Status
    criteria_source: str = ""
    rules: str = ""
    cases: int = 0
    counts: tuple[tuple[Status, int], ...] = ()
    pass_rate: float | None = None
    criteria: tuple[CriterionFigures, ...] = ()
    latency: tuple[tuple[int, float], ...] = ()  # percentile and seconds, of the turns that tell
    timed_turns: int = 0
    turns: int = 0
    input_tokens: int | None = None  # None: no turn tells
    output_tokens: int | None = None
    total_tokens: int | None = None
    overruled: int = 0  # verdicts that a person overruled
    stopped: bool = False

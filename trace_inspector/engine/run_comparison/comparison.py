"""Two runs held against each other, with all that is told of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from msgspec import Struct

from trace_inspector.engine.repeats.repeats import Repeats
from trace_inspector.engine.run_comparison.compared_case import ComparedCase
from trace_inspector.engine.run_comparison.compared_modes import ComparedModes
from trace_inspector.engine.run_comparison.compared_runs import ComparedRuns
from trace_inspector.engine.run_comparison.judged_rates import ComparedJudge
from trace_inspector.engine.run_comparison.latency_and_tokens import Measured

Seconds: TypeAlias = tuple[float | None, float | None]  # before and after


class RunsCompared(Struct, frozen=True):
    """What became of each case, what was measured, and what to know before one believes it."""

    base: str  # what people call the run
    new: str
    runs: ComparedRuns
    measured: tuple[Measured, ...] = ()
    notes: tuple[str, ...] = ()
    seconds: tuple[Seconds, ...] = ()  # of each case the median turn
    judges: tuple[ComparedJudge, ...] = ()  # where people labelled what they judged
    modes: ComparedModes = ComparedModes()  # where people labelled outputs
    inputs: tuple[str, ...] = ()  # the files and folders that either run was about: nothing is written over them

    @property
    def timed(self) -> Iterator[tuple[ComparedCase, Seconds]]:
        """Each case with its median turn."""
        untold: tuple[Seconds, ...] = ((None, None),) * len(self.runs.cases)
        return zip(self.runs.cases, self.seconds or untold, strict=True)


def base_repeats(cases: Iterable[ComparedCase]) -> tuple[Repeats, ...]:
    """The cases that the baseline has more than once."""
    return tuple(Repeats(case.key, case.base) for case in cases if len(case.base) > 1)


def new_repeats(cases: Iterable[ComparedCase]) -> tuple[Repeats, ...]:
    """The cases that the candidate has more than once."""
    return tuple(Repeats(case.key, case.new) for case in cases if len(case.new) > 1)

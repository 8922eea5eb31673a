"""How long turns took: percentiles over a run, and the slowest."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

from trace_inspector.core.verdict.figure import is_figure
from trace_inspector.core.verdict.verdict import CaseVerdict
from trace_inspector.engine.repeats.percentiles import percentiles
from trace_inspector.engine.reports.sources import Sources

_SLOWEST = 5


@dataclass(frozen=True, slots=True)
class Timed:
    """One turn with its seconds. `derived` where they come from the times of events, not from the file's word."""

    case: int
    turn: int
    seconds: float
    derived: bool


@dataclass(frozen=True, slots=True)
class Latency:
    """The times of all turns of a run that have one."""

    percentiles: tuple[tuple[int, float], ...]
    slowest: tuple[Timed, ...]
    timed: int
    turns: int
    derived: int


def latency_of(cases: Sequence[CaseVerdict], sources: Sources) -> Latency | None:
    """Percentiles and the slowest turns; None when no turn has a time."""
    found: list[Timed] = []
    turns = 0
    for number, case in enumerate(cases):
        trace = sources.trace_of(case)
        for turn in trace.turns if trace else ():
            turns += 1
            if is_figure(turn.duration_s):
                found.append(Timed(number, turn.index, turn.duration_s, "times" in turn.guessed))
    if not found:
        return None
    seconds = sorted(one.seconds for one in found)
    slowest = heapq.nlargest(_SLOWEST, found, key=lambda one: one.seconds)
    derived = sum(one.derived for one in found)
    return Latency(tuple(percentiles(seconds)), tuple(slowest), len(found), turns, derived)

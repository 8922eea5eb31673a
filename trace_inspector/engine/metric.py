"""What a metric is: one pure function over paired turns, with its description."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from trace_inspector.core.criteria import Criterion
from trace_inspector.core.golden import Case
from trace_inspector.core.trace import Trace, Turn
from trace_inspector.core.verdict import MetricVerdict


@dataclass(frozen=True, slots=True)
class PairedTurn:
    """One row of a case: a golden turn and the observed turn it is held against; None where a side has none."""

    golden: Turn | None
    observed: Turn | None


@dataclass(frozen=True, slots=True)
class Subject:
    """What a metric judges: a case against a trace, turn by turn. `rules` is "" for our own, or "adk"."""

    turns: tuple[PairedTurn, ...]
    trace: Trace
    case: Case | None = None
    rules: str = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """What a metric says: over the whole subject, and for each paired turn in order (None: nothing to say)."""

    overall: MetricVerdict
    turns: tuple[MetricVerdict | None, ...]


@dataclass(frozen=True, slots=True)
class Metric:
    """One line of METRICS. `judge` receives the subject and the criterion; it never reads files or clocks."""

    name: str
    title: str  # a short column title: "Calls"
    family: str  # "adk" or "local"
    meaning: str
    judge: Callable[[Subject, Criterion], Judged]
    range: tuple[float, float] | None = (0.0, 1.0)
    better: str = "higher"  # "higher", "lower" or "" where neither is
    needs: frozenset[str] = frozenset()  # of "golden", "judge", "scenario"
    reads: tuple[str, ...] = ()  # in words: "tool calls", "final answer"
    default_threshold: float | None = None
    informational: bool = False
    options: tuple[str, ...] = ()  # the option names it understands

"""Short ways to write turns, cases and traces in tests of the engine."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.parts import Part, Text, ToolCall
from trace_inspector.core.trace.trace import Event, Steps, Trace, Turn
from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.verdict import CaseVerdict
from trace_inspector.engine.criteria.case_verdict import Frame
from trace_inspector.engine.metrics import METRICS
from trace_inspector.engine.running.runner import WorkItem, judge_item
from trace_inspector.engine.scoring.metric import Judge


def turn(user: str, answer: str | None = None, calls: Sequence[ToolCall] | None = None, turn_id: str = "") -> Turn:
    """A turn; None states nothing. Its index is set by `trace` and `case`."""
    return Turn(
        0,
        turn_id or None,
        (Text(user),),
        (Event("agent", tuple[Part, ...](calls)),) if calls else (),
        None if answer is None else (Text(answer),),
        steps=Steps.ABSENT if calls is None else Steps.EVENTS,
    )


def numbered(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    """Turns with their indices."""
    return tuple(replace(one, index=at) for at, one in enumerate(turns))


def case(name: str, *turns: Turn, suite: str = "shop") -> Case:
    """A scripted case."""
    return Case(name, suite, numbered(turns))


def trace(name: str, *turns: Turn, suite: str | None = None) -> Trace:
    """A recorded conversation."""
    return Trace(name, numbered(turns), suite_id=suite)


def judged(
    golden: Case | None,
    observed: Trace,
    metric: str,
    threshold: float | None = 1.0,
    options: dict[str, Json] | None = None,
    rules: str = "",
    judge: Judge | None = None,
) -> CaseVerdict:
    """The verdict of one criterion."""
    criteria = (Criterion(metric, threshold, options or {}),)
    return judge_item(WorkItem(golden, observed, criteria, Frame(rules)), METRICS, judge)

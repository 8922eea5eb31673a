"""Short ways to write CES's goldens and what was observed, in tests of its rules."""

from __future__ import annotations

import json
from collections.abc import Sequence

from msgspec.structs import replace

from tests.engine.adk_vectors import ScriptedJudge
from trace_inspector.core.golden.golden import Case, Scenario
from trace_inspector.core.golden.matcher import Matcher
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.parts import Part, Text, ToolCall, Transfer
from trace_inspector.core.trace.trace import Event, Steps, Trace, Turn
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict
from trace_inspector.engine.ces.metrics import CES_METRICS
from trace_inspector.engine.criteria.case_verdict import Frame
from trace_inspector.engine.running.runner import WorkItem, judge_item
from trace_inspector.engine.scoring.metric import Judge

ONE: JsonObject = {"judge_model_options": {"num_samples": 1}}
APP = "projects/p/locations/l/apps/a"


def call(name: str, args: JsonObject | None = None, resource: str = "", place: str = "") -> ToolCall:
    """A call; a short name is its own resource."""
    return ToolCall(name, {} if args is None else args, resource=resource or name, place=place)


def expects(kind: Expects, *parts: Part, value: Json = None, how: str = "", place: str = "") -> Expectation:
    """One expectation."""
    return Expectation(kind, parts, value=value, compared_by=how, place=place)


def calls(*made: ToolCall) -> tuple[Expectation, ...]:
    """Expected calls, each with a place of its own."""
    return tuple(
        expects(Expects.CALL, replace(one, place=one.place or f"/call{at}"), place=f"/step{at}")
        for at, one in enumerate(made)
    )


def answer(words: str, how: str = "", place: str = "/answer") -> Expectation:
    """Expected words."""
    return expects(Expects.ANSWER, Text(words), how=how, place=place)


def golden(*expectations: Expectation, criteria: Sequence[Criterion] = (), user: str = "hello") -> Turn:
    """A golden turn."""
    return Turn(0, user=(Text(user),), steps=Steps.EVENTS, expectations=expectations, criteria=tuple(criteria))


def observed(*did: ToolCall | Transfer, says: str = "", state: JsonObject | None = None, user: str = "hello") -> Turn:
    """What was recorded of a turn."""
    events = (Event("agent", tuple[Part, ...](did), state_delta=state),) if did or state is not None else ()
    final = (Text(says),) if says else None
    return Turn(0, user=(Text(user),), events=events, final_response=final, steps=Steps.EVENTS)


def case_of(*turns: Turn, criteria: Sequence[Criterion] = (), matchers: Sequence[Matcher] = ()) -> Case:
    """A golden of these turns."""
    numbered = tuple(replace(one, index=at) for at, one in enumerate(turns))
    return Case("c", turns=numbered, criteria=tuple(criteria), matchers=tuple(matchers))


def scenario_of(*expectations: Expectation, goal: str | None = "", criteria: Sequence[Criterion] = ()) -> Case:
    """A scenario with these expectations."""
    told = Scenario("", "Book a table.", facts=(("guests", "4"),), goal=goal)
    return Case("s", scenario=told, expectations=expectations, criteria=tuple(criteria))


def trace_of(*turns: Turn) -> Trace:
    """A recorded conversation of these turns."""
    return Trace("t", tuple(replace(one, index=at) for at, one in enumerate(turns)))


def judged_by(case: Case | None, trace: Trace, *criteria: Criterion, judge: Judge | None = None) -> CaseVerdict:
    """The verdict by CES's rules."""
    return judge_item(WorkItem(case, trace, criteria, Frame("ces")), CES_METRICS, judge)


def verdict_of(
    case: Case | None,
    trace: Trace,
    metric: str,
    threshold: float | None = None,
    options: JsonObject | None = None,
    judge: Judge | None = None,
) -> MetricVerdict:
    """The verdict of one criterion."""
    (verdict,) = judged_by(case, trace, Criterion(metric, threshold, options or {}), judge=judge).metrics
    return verdict


def says(*values: Json) -> ScriptedJudge:
    """A judge that gives these scores or verdicts, one after the other."""
    return ScriptedJudge([_reply(value) for value in values])


def _reply(value: Json) -> Json:
    if isinstance(value, dict):
        return value
    name = "verdict" if isinstance(value, str) else "score"
    return json.dumps({"reasoning": f"because {value}", name: value})

"""Contents that say something in every field of the canonical model, each word but once."""

from __future__ import annotations

from msgspec.structs import replace

from trace_inspector.core.golden.golden import Case, Persona, Scenario, Session, Suite
from trace_inspector.core.golden.matcher import Match, Matcher, Note
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.criteria import Criteria, Criterion
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.parts import Code, Media, Text, Thought, ToolCall, ToolResult, Transfer, Unknown
from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.core.trace.trace import Agent, Event, ParentCall, Span, SpanKind, Steps, Trace, Turn, Usage
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, Status

CALL = ToolCall("find", {"q": "argument words"}, "c1", "/t/0/c", "projects/p/tools/find", "caller one", "c0")
EVENT = Event(
    "clerk",
    (
        Text("step words"),
        Thought("thought words"),
        CALL,
        Code("print(1)", "PYTHON"),
        Transfer("transfer desk"),
        Unknown("payload", {"p": "payload words"}),
    ),
    "model",
    1_770_000_000.5,
    0.25,
    Usage(1011, 1012, 1013, 1014, 1015, cache_written=1016),
    "model gem",
    "STOPPED",
    {"s": "delta words"},
    {"g": "grounding words"},
    "E: event broken",
    id="event e1",
    span_id="s1",
    active_tools=("active tool",),
    extras=(Extra("oe", "extra of event", "/oe"),),
)
TURN = Turn(
    0,
    "turn t0",
    (Text("user words"), Media("image/png", uri="gs://bucket/u.png"), Media("image/gif", 3, data="R0lG")),
    (EVENT, Event("clerk", (ToolResult("find", {"output": "result words"}, "c1"),), "user", 1_770_000_001.5)),
    (Text("answer words"),),
    "answering clerk",
    None,
    Steps.EVENTS,
    1_770_000_000.0,
    3.25,
    1.25,
    0.75,
    agents=(
        Agent("clerk", "instruction words", "description words", ({"declared": "tool words"},), ("deeper desk",)),
        Agent("below desk"),
    ),
    extras=(Extra("ot", "extra of turn", "/ot"),),
    place="/t/0",
)
EXPECTED = (
    Expectation(Expects.CALL, (ToolCall("expected call", {"q": "expected argument"}),)),
    Expectation(Expects.ANSWER, (Text("expected words"),), compared_by="CONTAINS", note="expected note"),
    Expectation(Expects.VARIABLES, value={"v": "expected variable"}),
    Expectation(Expects.CRITERION, text="expected sentence", reference="expected reference"),
    Expectation(Expects.MOCK, (ToolResult("find", "mocked result", "c1"),)),
)
PERSONA = Persona("persona one", "persona words", {"id": "persona one", "description": "persona words"})
CASE = Case(
    "case id",
    "suite1",
    session=Session("app one", "user one", "session one", {"st": "session state"}),
    context=(Event("user", (Text("earlier words"),)),),
    final_state={"f": "final state"},
    rubrics=(
        Rubric("rubric id", "rubric words", "RUBRIC_TYPE", "rubric description", "", "rubric group", "HIGHEST"),
    ),
    expectations=EXPECTED,
    criteria=(Criterion("case_metric", 0.7125, {"option": "option words"}),),
    matchers=(Matcher("/t/0/c/args/q", Match.REGEXP, "argument.w"),),
    notes=(Note("/t/0", "note words"),),
    overrules=({"who": "overruled by me"},),
    tags=("team: tagged", "plain tag"),
    title="title words",
    extras=(Extra("oc", {"odd": "extra of case"}, "/oc"),),
)
SCENARIO = Scenario(
    "starting words",
    "plan words",
    PERSONA,
    77,
    (("fact name", "fact words"),),
    "USER_GOAL_REJECTED",
    {"var": "variable words"},
)
SCRIPT = replace(
    TURN,
    expectations=EXPECTED,
    rubrics=(Rubric("turn rubric", "turn rubric words"),),
    criteria=(Criterion("turn_metric", 0.6125),),
)
SPAN = Span("s1", "span name", SpanKind.TOOL, None, 1.0, 2.0)
TRACE = Trace(
    "trace one",
    (replace(TURN, spans=(SPAN,)),),
    (Agent("lone agent", "lone instruction", "lone description"),),
    (Span("s0", "outer span", SpanKind.RUN),),
    2,
    "session two",
    "app two",
    "user two",
    "case elsewhere",
    "suite1",
    {"f": "final of trace"},
    "candidate one",
    "persona played",
    "trace title",
    extras=(Extra("or", "extra of trace", "/or"),),
    parent=ParentCall("trace above", "call above"),
)
JUDGED = CaseVerdict(
    "case elsewhere",
    "suite1",
    "trace one",
    Status.PASSED,
    metrics=(MetricVerdict("tone", 0.5125, Status.PASSED, reason="reason words"),),
)


def around(case: Case) -> Contents:
    """A case in a suite that says everything a suite may say."""
    suite = Suite(
        "suite1",
        "suite name",
        "suite words",
        (case,),
        (Agent("suite agent", "suite instruction"),),
        (Persona("suite persona", "suite persona words"),),
        (Extra("os", "extra of suite", "/os"),),
    )
    return Contents("made up", (suite,))


RICH = {
    "script": around(replace(CASE, turns=(SCRIPT,))),
    "two turns": around(replace(CASE, turns=(SCRIPT, replace(TURN, index=1, id="turn t1")))),
    "scenario": around(replace(CASE, scenario=SCENARIO)),
    "recording": Contents("made up", traces=(TRACE,), reported=(JUDGED,)),
    "criteria": Contents("made up", criteria=Criteria((Criterion("file_metric", None, {"o": "file option"}),))),
}

"""A conversation with every kind of part, and one whose texts are full of markup."""

from __future__ import annotations

from tests.models.stories import GOLDENS, TRACES, begin, call, golden, judge, judged, put, trace, turn
from trace_inspector.core.trace.parts import Code, Media, Part, Text, Thought, ToolCall, ToolResult, Transfer, Unknown
from trace_inspector.core.trace.trace import Agent, Event, Span, SpanKind, Steps, Trace, Turn, Usage
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.workspace.workspace import Workspace

AGENT = "Some_agent"
MARKUP = '<img src="http://example.invalid/x.png"><b>bold</b> &amp; <script>alert(1)</script>'


def every_kind() -> Trace:
    """One turn that has a row of each kind a file can hold."""
    parts: tuple[Part, ...] = (
        Thought("Let me think about it.", "/t"),
        Text("Between calls.", "/x"),
        ToolCall("search", {"query": "parking", "near": [1, {"deep": None}]}, "c1", "/c"),
        ToolResult("search", {"places": [{"name": "Garage"}]}, "c1", place="/r"),
        ToolResult("orphan", "no call belongs to it", None, is_error=True),
        ToolCall("silent"),
        Transfer("OtherAgent"),
        Media("image/png", 123, "http://example.invalid/x.png"),
        Code("print(1)", "python"),
        Unknown("hologram", {"raw": True}),
    )
    events = (
        *(Event(AGENT, (part,), time_s=10.0 + at, usage=Usage(5, candidates=2)) for at, part in enumerate(parts)),
        Event(AGENT, state_delta={"city": "Köln"}, time_s=21.0),
        Event(AGENT, error="The model stopped answering.", time_s=22.0),
        Event(AGENT, (Text("Two things"), ToolCall("at once")), time_s=23.0),
    )
    one = Turn(
        0,
        user=(Text("Where can I park? 🚗"),),
        events=events,
        final_response=(Text("There are 40 spots. Ask again."),),
        final_author=AGENT,
        steps=Steps.EVENTS,
        start_s=9.0,
        duration_s=20.0,
        agents=(Agent(AGENT, "Answer briefly."),),
        spans=(
            Span("s1", "POST /llm", SpanKind.PLUMBING, start_s=9.5, duration_s=1.0),
            Span("s2", "run", SpanKind.RUN),
        ),
        guessed=frozenset({"times"}),
    )
    return Trace(
        "every kind", (one,), case_id="every kind", final_state={"city": "Köln"}, case_runs=2, place="/every"
    )


def markup() -> Trace:
    """Whatever can carry text carries markup."""
    one = turn(0, MARKUP, ToolCall(MARKUP, {MARKUP: MARKUP}, MARKUP), answer=MARKUP)
    return Trace(MARKUP, (one,), agents=(Agent(MARKUP, MARKUP),), place="/markup")


OBSERVED = [
    trace("passes", turn(0, "one?", call("search", q="x"))),
    trace("fails", turn(0, "one?", call("search", q="parking"), call("web", q="y")), turn(1, "two?")),
    trace("stops early", turn(0, "one?")),
    trace("alone", turn(0, "what else?")),
]
EXPECTED = golden(
    ("passes", (turn(0, "one?", call("search", q="x")),)),
    ("fails", (turn(0, "one?", call("search", q="lots"), call("walk")), turn(1, "two?"))),
    ("stops early", (turn(0, "one?"), turn(1, "two?", call("walk")))),
)


def opened(workspace: Workspace) -> OpenFile:
    """Traces and goldens, evaluated."""
    file = put(workspace, TRACES, *OBSERVED)
    put(workspace, GOLDENS, EXPECTED)
    judge(workspace, begin(workspace), judged(OBSERVED, [EXPECTED]))
    return file

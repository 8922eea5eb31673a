"""Which events google-adk has in the invocation that it makes of a session's turn; the others are kept beside."""

from __future__ import annotations

import pytest

from trace_inspector.core.trace.parts import Code, Media, Part, Text, Thought, ToolCall, ToolResult
from trace_inspector.core.trace.trace import Event, Turn, Usage
from trace_inspector.formats.adk.session.invocation_writer import Leftovers
from trace_inspector.formats.adk.session.session_invocation import as_invocation

PLACE = "/conversation/0"


def kept(event: Event, turn: Turn | None = None) -> bool:
    """Whether an event of a turn is in its invocation; else it must stand beside."""
    left = Leftovers([])
    there = bool(as_invocation(turn or Turn(0, events=(event,)), PLACE, left).events)
    assert there is not (f"{PLACE}/intermediate_data/other_events" in left.values)
    return there


@pytest.mark.parametrize(
    ("part", "there"),
    [
        (Text("Hello"), True),
        (Text(""), False),
        (Thought("Hm"), True),
        (Thought(""), False),
        (ToolCall("look", {}), True),
        (ToolResult("look", {}), True),
        (Media("image/png", data="aGk="), True),
        (Media("image/png", uri="https://example.invalid/a.png"), False),
        (Code("1 + 1", "python"), False),
    ],
)
def test_an_event_is_there_for_what_it_holds(part: Part, there: bool) -> None:
    assert kept(Event("guide", (part,))) is there
    assert not kept(Event("User", (part,)))
    assert kept(Event("guide", (part,), adk_keeps=not there)) is not there, "the file itself says so"


def test_an_event_without_content_may_be_the_answer_of_a_model() -> None:
    usage = Usage(prompt=1)
    assert kept(Event("guide", usage=usage))
    assert kept(Event("guide", model="m"))
    assert not kept(Event("guide"))
    assert not kept(Event("guide", usage=usage, error="E"))
    event = Event("guide", usage=usage)
    assert not kept(event, Turn(0, events=(event,), final_event=1))

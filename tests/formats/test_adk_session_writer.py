"""A recorded conversation written as a session: read again it is the same, and what is lost is named."""

from __future__ import annotations

import json
from typing import Any

from msgspec.structs import replace

from tests.formats.session_files import call, event, result, said, session
from tests.formats.span_files import agent, jaeger, model, opened, says, user
from tests.helpers.tables import each
from trace_inspector.core.finding import Severity
from trace_inspector.core.golden.golden import Case, Scenario, Suite
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.criteria import Criteria, Criterion
from trace_inspector.core.trace.parts import Media, Text, ToolCall, ToolResult, Unknown
from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.core.trace.trace import Agent, Event, Steps, Trace, Turn, answer_text
from trace_inspector.core.values.values import JsonObject
from trace_inspector.formats.adk.session.session_writer import write

TURN = Turn(0, "i", (Text("q"),), final_response=(Text("a"),), final_author="bot", steps=Steps.EVENTS, start_s=1.0)


def written(contents: Contents) -> dict[str, Any]:
    """The session, parsed again."""
    value: dict[str, Any] = json.loads(write(contents).text)
    return value


def lost(contents: Contents) -> list[tuple[str, Severity]]:
    """What the session could not hold."""
    return [(loss.code, loss.severity) for loss in write(contents).losses]


def bare(*turns: Turn, **others: Any) -> Contents:
    """One trace that was held by somebody."""
    return Contents("made", traces=(Trace("t", turns, session_id="s", app="a", user="u", **others),))


def test_written_and_read_again() -> None:
    actions: JsonObject = {
        "stateDelta": {"x": 1},
        "artifactDelta": {},
        "requestedAuthConfigs": {},
        "requestedToolConfirmations": {},
    }
    none: JsonObject = {**actions, "stateDelta": {}}
    value = session(
        event("user", said("q"), id="e-1-1", actions=none),
        event("bot", {"text": "hm", "thought": True}, call("look", at_place="map"), at=2.0, actions=none),
        event("bot", result("look", {"found_at": 1}), at=3.0, actions=actions),
        event("bot", at=4.0, errorCode="E", errorMessage="down", actions=none),
        event("bot", said("part"), at=5.0, partial=True, actions=none),
        event("bot", at=6.0, actions={**none, "transferToAgent": "sub"}),
        event(
            "bot",
            said("a"),
            at=9.0,
            modelVersion="m",
            finishReason="STOP",
            usageMetadata={"promptTokenCount": 1, "candidatesTokenCount": 2, "totalTokenCount": 3},
            groundingMetadata={"webSearchQueries": ["q"]},
            actions=none,
        ),
        event("user", said("q2"), at=9.0, id="e-2-1", invocation="e-2", actions=none),
        event("bot", call("slow"), at=9.0, invocation="e-2", actions=none),
    )
    assert written(opened(value)) == value
    assert lost(opened(value)) == []


def test_nulls_are_dropped_and_keys_are_camel() -> None:
    first = written(bare(TURN))["events"][0]
    assert first == {
        "content": {"parts": [{"text": "q"}], "role": "user"},
        "invocationId": "i",
        "author": "user",
        "actions": {
            "stateDelta": {},
            "artifactDelta": {},
            "requestedAuthConfigs": {},
            "requestedToolConfirmations": {},
        },
        "id": "i-1",
        "timestamp": 1.0,
    }


def test_an_answer_without_an_event_of_its_own_comes_last() -> None:
    asked = Event("", (ToolCall("f", {"some_arg": 1}),))
    told = Event("", (ToolResult("f", {"r": 1}),))
    value = written(bare(replace(TURN, events=(asked, told), steps=Steps.CALLS)))
    assert [each["author"] for each in value["events"]] == ["user", "bot", "bot", "bot"]
    assert [each["content"]["role"] for each in value["events"]] == ["user", "model", "user", "model"]
    assert value["events"][1]["content"]["parts"] == [{"functionCall": {"args": {"some_arg": 1}, "name": "f"}}]
    assert value["events"][3]["content"]["parts"] == [{"text": "a"}]


def test_times_that_are_not_recorded() -> None:
    turn = replace(TURN, events=(Event("bot", (Text("x"),)), Event("bot", (Text("y"),), time_s=4.0)))
    contents = bare(turn)
    value = written(contents)
    assert [each["timestamp"] for each in value["events"]] == [1.0, 1.0, 4.0, 4.0]
    assert value["lastUpdateTime"] == 4.0
    assert lost(contents) == [("made-up-times", Severity.INFO)]


def test_a_script_is_written_as_if_it_was_held() -> None:
    suite = Suite("s", cases=(Case("c", turns=(TURN,)), Case("d", scenario=Scenario("hi", "plan"))))
    contents = Contents("made", (suite,))
    value = written(contents)
    assert (value["id"], value["appName"], len(value["events"])) == ("c", "", 2)
    assert lost(contents) == [
        ("no-owner", Severity.INFO),
        ("made-up-times", Severity.INFO),
        ("scenarios-lost", Severity.ERROR),
    ]


def test_spans_and_agents_have_no_place() -> None:
    contents = opened(
        jaeger(
            agent("a", None, "guide"),
            model("m", "a", 1, asked=[user("q")], said=says("ok"), system="Help."),
        )
    )
    codes = dict(lost(contents))
    assert codes["spans-lost"] is codes["durations-lost"] is codes["agents-lost"] is Severity.ERROR
    again = opened(written(contents))
    assert [answer_text(turn) for turn in again.traces[0].turns] == ["ok"]


@each(
    ("contents", "code"),
    [
        (bare(replace(TURN, rubrics=(Rubric("r", "polite"),))), "rubrics-lost"),
        (bare(TURN, agents=(Agent("bot", "Help."),)), "agents-lost"),
        (bare(replace(TURN, user=(Text("q"), Media("image/png", 3)))), "part-lost"),
        (bare(replace(TURN, user=(Text("q"), Unknown("odd", 1)))), "part-lost"),
        (replace(bare(TURN), criteria=Criteria((Criterion("m", 1.0),))), "criteria-lost"),
        (replace(bare(TURN), suites=(Suite("s", cases=(Case("c"),)),)), "cases-lost"),
        (replace(bare(TURN), traces=(*bare(TURN).traces, *bare(TURN).traces)), "conversations-lost"),
    ],
)
def test_what_is_gone_is_named(contents: Contents, code: str) -> None:
    assert (code, Severity.ERROR) in lost(contents)


def test_no_conversation_at_all() -> None:
    assert written(Contents("made"))["events"] == []

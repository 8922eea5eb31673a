"""ADK sessions: every spelling, what each event says, and where turns and answers are."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.formats.session_files import call, event, result, said, session
from tests.formats.span_files import codes, opened
from tests.helpers.tables import each
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.parts import Code, Media, Text, Thought, ToolCall, ToolResult, Transfer
from trace_inspector.core.trace.trace import Steps, Trace, Turn, Usage, answer_text, calls_of, paired_calls, user_text
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.flows.opening.open_file import open_file
from trace_inspector.formats import recognise
from trace_inspector.formats.common import fields as common_fields
from trace_inspector.formats.common.fields import Fields, objects_in

ASKED = event("user", said("q"))
ANSWERED = event("bot", said("a"), at=2.0)


def only_trace(contents: Contents) -> Trace:
    """The one trace of a file."""
    (trace,) = contents.traces
    return trace


def only_turn(*events: Json) -> Turn:
    """The one turn that some events make, from a file with derived times and events made in a hurry."""
    contents = opened(session(*events))
    assert set(codes(contents)) <= {"guessed-times", "duplicate-id"}
    (turn,) = only_trace(contents).turns
    return turn


def snake(value: Json) -> Json:
    """The same session as `adk run` saves it."""
    if isinstance(value, list):
        return [snake(item) for item in value]
    if isinstance(value, dict):
        return {"".join(f"_{char.lower()}" if char.isupper() else char for char in key): snake(item)
                for key, item in value.items()}  # fmt: skip
    return value


def test_a_session_is_a_trace() -> None:
    contents = opened(session(ASKED, event("bot", call("look", at="map"), at=1.5), ANSWERED))
    trace = only_trace(contents)
    assert contents.format == "adk-session"
    assert (trace.id, trace.session_id, trace.app, trace.user, trace.final_state) == (
        "s1",
        "s1",
        "guide",
        "u1",
        {"k": 1},
    )
    assert [agent.name for agent in trace.agents] == ["bot"]
    (turn,) = trace.turns
    assert (turn.id, turn.start_s, turn.steps, turn.place) == ("e-1", 1.0, Steps.EVENTS, "/events/0")
    assert (user_text(turn), answer_text(turn), turn.final_author, turn.final_event) == ("q", "a", "bot", 1)
    assert turn.final_response == (Text("a", "/events/2/content/parts/0/text"),)
    assert [(one.author, one.time_s, one.id, one.place) for one in turn.events] == [
        ("bot", 1.5, "bot1.5", "/events/1"),
        ("bot", 2.0, "bot2.0", "/events/2"),
    ]
    assert turn.events[1].parts == ()
    assert (turn.duration_s, turn.guessed, codes(contents)) == (1.0, frozenset({"times"}), ["guessed-times"])


def test_snake_case_reads_the_same() -> None:
    value = session(
        ASKED,
        event("bot", call("look"), at=1.5, usageMetadata={"promptTokenCount": 3}),
        event("bot", result("look", {"found": 1}), at=1.7, actions={"stateDelta": {"x": 1}}),
        ANSWERED,
    )
    camel_turn, snake_turn = (only_trace(opened(each)).turns[0] for each in (value, snake(value)))
    assert snake_turn.events[1].state_delta == camel_turn.events[1].state_delta == {"x": 1}
    assert snake_turn.events[0].usage == camel_turn.events[0].usage == Usage(prompt=3)
    assert [paired.result and paired.result.value for paired in paired_calls(snake_turn)] == [{"found": 1}]
    assert answer_text(snake_turn) == answer_text(camel_turn) == "a"


def test_a_list_of_events_is_the_answer_of_run() -> None:
    contents = opened([ASKED, ANSWERED], "run.json")
    trace = only_trace(contents)
    assert (contents.format, trace.id, trace.session_id) == ("adk-session", "run", None)
    assert [(turn.place, turn.events[0].place) for turn in trace.turns] == [("/0", "/1")]


def test_a_list_of_sessions() -> None:
    contents = opened([session(ASKED, ANSWERED), session(id="s2")])
    assert [(trace.id, trace.place, len(trace.turns)) for trace in contents.traces] == [
        ("s1", "/0", 1),
        ("s2", "/1", 0),
    ]


def test_the_schema_before_the_first_release() -> None:
    old: Json = {
        "id": "s0",
        "context": {"k": 2},
        "events": [
            {"author": "user", "invocation_id": "i", "content": {"parts": [{"text": "q"}]}, "options": {}},
            {
                "author": "bot",
                "invocation_id": "i",
                "content": {"parts": [{"function_response": {"name": "f", "response": {}}}]},
                "options": {"update_context": {"x": 1}, "partial": True},
                "is_greeting": False,
            },
            {"author": "bot", "invocation_id": "i", "content": {"parts": [{"text": "a"}]}, "options": {}},
        ],
        "past_events": [],
        "event_logs": [{"event_id": "e"}],
        "current_agent_name": "bot",
    }
    contents = opened(old)
    trace = only_trace(contents)
    (turn,) = trace.turns
    assert (trace.id, trace.final_state, user_text(turn), answer_text(turn)) == ("s0", {"k": 2}, "q", "a")
    assert (turn.events[0].state_delta, turn.events[0].partial) == ({"x": 1}, True)
    assert [(finding.code, finding.pointer) for finding in contents.findings] == [("older-schema", "")]
    assert "“event_logs”, “current_agent_name” are" in contents.findings[0].message
    assert "past_events" not in contents.findings[0].message


def test_invocations_in_the_order_in_which_they_begin() -> None:
    contents = opened(
        session(
            event("user", said("one"), invocation="i1"),
            event("user", said("two"), invocation="i2"),
            event("bot", said("first"), invocation="i1"),
            event("bot", said("second"), invocation="i2"),
        )
    )
    turns = only_trace(contents).turns
    assert [(turn.index, turn.id, user_text(turn), answer_text(turn)) for turn in turns] == [
        (0, "i1", "one", "first"),
        (1, "i2", "two", "second"),
    ]


def test_without_invocation_ids_the_user_begins_turns() -> None:
    contents = opened(
        session(
            event("bot", said("hello"), invocation=None),
            event("user", said("one"), invocation=None),
            event("bot", said("first"), at=1.5, invocation=None),
            event("user", said("two"), at=2.0, invocation=None),
        )
    )
    turns = only_trace(contents).turns
    assert [(user_text(turn), answer_text(turn), turn.id) for turn in turns] == [
        ("", "hello", None),
        ("one", "first", None),
        ("two", "", None),
    ]
    assert [turn.guessed for turn in turns] == [{"borders"}, {"borders", "times"}, {"borders"}]
    assert codes(contents) == ["guessed-borders", "guessed-times"]


def test_the_last_user_message_counts_and_the_others_stay() -> None:
    turn = only_turn(ASKED, event("User", said("again"), at=3.0), ANSWERED)
    assert (user_text(turn), turn.start_s) == ("again", 3.0)
    assert [(one.author, one.parts and one.parts[0]) for one in turn.events] == [
        ("user", Text("q", "/events/0/content/parts/0/text")),
        ("bot", ()),
    ]


def test_state_that_comes_with_the_question() -> None:
    turn = only_turn(event("user", said("q"), actions={"stateDelta": {"x": 1}}), ANSWERED)
    assert [(one.author, one.parts, one.state_delta) for one in turn.events] == [
        ("user", (), {"x": 1}),
        ("bot", (), None),
    ]
    assert turn.final_event == 1


@each(
    ("events", "answer"),
    [
        ([event("bot", said("a")), event("sub", said("b"))], "b"),
        ([event("bot", said("a")), event("bot", {"executableCode": {"code": "1"}})], "a"),
        ([event("bot", said("a"), {"executableCode": {"code": "1"}}), event("bot", said(""))], "a"),
        ([event("bot", said("a"), partial=True)], None),
        ([event("bot", said("a"), call("f"))], None),
        ([event("bot", said("a"), call("f"), longRunningToolIds=["c1"])], "a"),
        ([event("bot", said("a"), call("f"), longRunningToolIds=[])], None),
        ([event("bot", result("f", {}))], None),
        ([event("bot", result("f", {}), actions={"skipSummarization": True})], ""),
        ([event("bot", said("a"), result("f", {}), errorCode="E")], "a"),
        ([event("bot", said("a"), {"codeExecutionResult": {"output": "1"}})], None),
        ([event("bot", errorCode="E")], None),
        ([event("bot", said(""), at=2.0), event("bot", said("a")), event("bot", said(""))], "a"),
    ],
)
def test_which_event_is_the_answer(events: list[JsonObject], answer: str | None) -> None:
    turn = only_turn(ASKED, *events)
    assert (None if turn.final_response is None else answer_text(turn)) == answer


def test_an_answer_that_also_calls_stays_among_the_events() -> None:
    turn = only_turn(ASKED, event("bot", call("slow"), longRunningToolIds=["c1"]))
    assert [one.name for one in calls_of(turn)] == ["slow"]
    assert isinstance((turn.final_response or ())[0], ToolCall)
    assert turn.final_event == 0


def test_everything_an_event_says() -> None:
    turn = only_turn(
        ASKED,
        event(
            "bot",
            {"text": "hm", "thought": True},
            {"inlineData": {"mimeType": "image/png", "data": "AAAA"}},
            {"executableCode": {"code": "1+1", "language": "PYTHON"}},
            result("f", {"error": "no"}),
            modelVersion="m",
            finishReason="STOP",
            usageMetadata={"promptTokenCount": 1, "candidatesTokenCount": 2, "thoughtsTokenCount": 3},
            groundingMetadata={"webSearchQueries": ["q"]},
            branch="root.sub",
        ),
        event("bot", errorCode="500", errorMessage="down", at=4.0),
        event("bot", actions={"transferToAgent": "sub"}, at=5.0),
    )
    first, failed, moved = turn.events
    assert [type(part) for part in first.parts] == [Thought, Media, Code, ToolResult]
    assert (first.model, first.finish_reason, first.usage) == ("m", "STOP", Usage(1, None, 2, 3))
    assert first.grounding == {"webSearchQueries": ["q"]}
    assert (failed.error, failed.parts) == ("500: down", ())
    assert moved.parts == (Transfer("sub", "/events/3/actions/transferToAgent"),)


def test_a_transfer_by_tool_is_told_once() -> None:
    answer = result("transfer_to_agent", {"result": None})
    turn = only_turn(ASKED, event("bot", answer, actions={"transferToAgent": "sub"}))
    assert [type(part) for part in turn.events[0].parts] == [ToolResult]


def test_what_google_adk_rejects_or_drops_is_named() -> None:
    contents = opened(session({**ASKED, "mood": 1}, {"content": {"parts": 3}}, surprise=1))
    assert [(finding.code, finding.pointer) for finding in contents.findings] == [
        ("unknown-key", "/surprise"),
        ("unknown-key", "/events/0/mood"),
        ("missing-field", "/events/1"),
        ("wrong-type", "/events/1/content/parts"),
        ("guessed-borders", ""),
    ]


def test_a_dump_with_every_key_as_null() -> None:
    empty: JsonObject = dict.fromkeys(
        ["grounding_metadata", "partial", "error_code", "error_message", "usage_metadata", "long_running_tool_ids"]
    )
    turn = only_turn({**ASKED, **empty}, {**ANSWERED, **empty})
    assert (answer_text(turn), turn.events[0].error) == ("a", None)


@each(
    "value",
    [
        [],
        {"events": []},
        {"id": "x", "events": []},
        {"events": [{"name": "exception"}]},
        [{"author": "a"}],
        [{"author": "a", "invocation_id": "i"}, {"role": "user"}],
        {"id": "s", "app_name": "a", "user_id": "u"},
    ],
)
def test_not_recognised(value: Json) -> None:
    assert recognise(value) is None


def test_a_session_without_a_head_or_without_events() -> None:
    assert opened({"events": [ASKED, ANSWERED]}).format == "adk-session"
    contents = opened(session())
    assert (contents.format, only_trace(contents).turns, codes(contents)) == ("adk-session", (), [])


def test_events_that_are_none_are_named() -> None:
    contents = opened(session(event("user", said("Hi")), 3, None))
    assert [turn.index for turn in only_trace(contents).turns] == [0]
    found = next(finding for finding in contents.findings if finding.code == "not-an-object")
    assert (found.pointer, found.message) == (
        "/events/1",
        "This should be an object, not a number. Of 3 items in this list 2 are not objects and were left out.",
    )


def test_more_events_than_are_read_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(common_fields, "MOST_ITEMS", 1000)
    contents = opened(session(*[{}] * 1001))
    assert "too-many-items" in codes(contents)
    assert sum(len(turn.events) for turn in only_trace(contents).turns) == 1000


@pytest.mark.corpus
@pytest.mark.parametrize("folder", ["adk-session", "derived-adk-session"])
def test_files_of_others(corpus: Path, folder: str) -> None:
    paths = sorted((corpus / folder).iterdir())
    assert paths
    for path in paths:
        opened_file = open_file(path)
        fields = Fields(opened_file.document.value if isinstance(opened_file.document.value, dict) else {}, "")
        events = objects_in(fields.get("events"), "/events")
        trace = only_trace(opened_file.contents)
        assert opened_file.contents.format == "adk-session", path.name
        assert trace.id == fields.text("id")
        invocations = {one.text("invocation_id") for one in events}
        assert {turn.id for turn in trace.turns} == invocations, path.name
        assert len(trace.turns) == len(invocations), path.name
        parts = [part for one in events if (held := one.object("content")) for part in held.objects("parts")]
        named = [asked.text("name") for part in parts if (asked := part.object("function_call"))]
        assert [one.name for turn in trace.turns for one in calls_of(turn)] == named, path.name
        asked_by_users = sum(one.text("author") == "user" and one.object("content") is not None for one in events)
        assert sum(bool(turn.user) for turn in trace.turns) == asked_by_users, path.name
        assert len(events) == asked_by_users + sum(len(turn.events) for turn in trace.turns), path.name

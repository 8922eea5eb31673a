"""CES's messages, chunks and session inputs: every member, both spellings, and members of the wrong kind."""

from __future__ import annotations

from tests.helpers.tables import each
from trace_inspector.core.trace.parts import Media, Part, Text, ToolCall, ToolResult, Transfer, Unknown
from trace_inspector.core.values.values import ABSENT, Json, JsonObject
from trace_inspector.formats.ces.common.content import (
    call_of,
    chunk_parts,
    input_parts,
    message_parts,
    result_of,
    short_name,
    state_of,
    transfer_of,
)
from trace_inspector.formats.common.fields import Fields, Report

APP = "projects/p/locations/l/apps/a"
GENERATED = "0b9d6a52-4b1f-4c1e-9a55-1f2e3d4c5b6a"

CHUNKS: list[tuple[JsonObject, list[Part]]] = [
    ({"text": "Hi"}, [Text("Hi", "/c/text")]),
    ({"transcript": "Hi"}, [Text("Hi", "/c/transcript")]),
    ({"blob": {"mimeType": "audio/wav", "data": "AAAA"}}, [Media("audio/wav", 3, place="/c/blob", data="AAAA")]),
    ({"blob": {"mime_type": "audio/wav"}}, [Media("audio/wav", place="/c/blob")]),
    ({"payload": {"card": 1}}, [Unknown("payload", {"card": 1}, "/c/payload")]),
    (
        {"image": {"mimeType": "image/png", "data": "AAA=", "altText": "a seat"}},
        [
            Media("image/png", 2, place="/c/image", data="AAA="),
            Unknown("alternative text", "a seat", "/c/image/altText"),
        ],
    ),
    ({"toolCall": {"tool": "look_up"}}, [ToolCall("look_up", place="/c/toolCall", resource="look_up")]),
    ({"tool_response": {"tool": "look_up"}}, [ToolResult("look_up", place="/c/tool_response")]),
    ({"agentTransfer": {"targetAgent": "clerk"}}, [Transfer("clerk", "/c/agentTransfer")]),
    ({"updatedVariables": {"seat": 2}}, [Unknown("updated variables", {"seat": 2}, "/c/updatedVariables")]),
    (
        {"default_variables": {"fields": {"seat": {"numberValue": 2}}}},
        [Unknown("default variables", {"seat": 2}, "/c/default_variables")],
    ),
    ({"hologram": [1]}, [Unknown("hologram", [1], "/c/hologram")]),
    ({"text": None}, []),
    ({"text": "Hi", "payload": {}}, [Text("Hi", "/c/text"), Unknown("payload", {}, "/c/payload")]),
]

INPUTS: list[tuple[JsonObject, list[Part]]] = [
    ({"text": "Hi", "willContinue": True}, [Text("Hi", "/c/text")]),
    ({"dtmf": "12#"}, [Unknown("dtmf", "12#", "/c/dtmf")]),
    ({"audio": "AAAA"}, [Media("audio", 3, place="/c/audio", data="AAAA")]),
    (
        {"toolResponses": {"toolResponses": [{"id": "1", "tool": "look_up", "response": {"error": "down"}}]}},
        [ToolResult("look_up", {"error": "down"}, "1", is_error=True, place="/c/toolResponses/toolResponses/0")],
    ),
    ({"image": {"mimeType": "image/png"}}, [Media("image/png", place="/c/image")]),
    ({"blob": {}}, [Media("", place="/c/blob")]),
    ({"variables": {"seat": 2}}, [Unknown("variables", {"seat": 2}, "/c/variables")]),
    (
        {"event": {"event": "welcome", "variables": {}}},
        [Unknown("event", {"event": "welcome", "variables": {}}, "/c/event")],
    ),
    ({"recordingControl": {"a": 1}}, [Unknown("recording control", {"a": 1}, "/c/recordingControl")]),
]


def fields(value: JsonObject) -> Fields:
    return Fields(value, "/c")


@each(("chunk", "expected"), CHUNKS)
def test_every_member_of_a_chunk(chunk: JsonObject, expected: list[Part]) -> None:
    report = Report()
    assert list(chunk_parts(fields(chunk), report)) == expected
    assert list(report.drain()) == []


@each(("given", "expected"), INPUTS)
def test_every_member_of_a_session_input(given: JsonObject, expected: list[Part]) -> None:
    report = Report()
    assert list(input_parts(fields(given), report)) == expected
    assert list(report.drain()) == []


@each("value", [{"text": 1}, {"payload": "card"}, {"toolCall": ["look_up"]}, {"blob": "AAAA"}])
def test_a_member_of_the_wrong_kind_is_shown_and_named(value: JsonObject) -> None:
    report = Report()
    ((key, held),) = value.items()
    assert chunk_parts(fields(value), report) == (Unknown(key, held, f"/c/{key}"),)
    assert [(finding.code, finding.pointer) for finding in report.drain()] == [("wrong-type", f"/c/{key}")]


def test_a_message_has_its_chunks_in_order() -> None:
    report = Report()
    value: Json = {"role": "agent", "chunks": [{"text": "One."}, "odd", {"text": "Two."}]}
    assert message_parts(value, "/m", report) == (Text("One.", "/m/chunks/0/text"), Text("Two.", "/m/chunks/2/text"))
    assert [finding.code for finding in report.drain()] == ["not-an-object"]


def test_a_message_may_be_a_bare_text_or_nothing() -> None:
    report = Report()
    assert message_parts("Hi", "/m", report) == (Text("Hi", "/m"),)
    assert message_parts(None, "/m", report) == message_parts(ABSENT, "/m", report) == ()
    assert list(report.drain()) == []
    assert message_parts(3, "/m", report) == ()
    assert [finding.message for finding in report.drain()] == ["This should be a message, not a number."]


def test_a_call_has_every_field() -> None:
    stated: JsonObject = {
        "id": "c1",
        "tool": f"{APP}/tools/look_up",
        "displayName": "Look up",
        "args": {"fields": {"seat": {"numberValue": 2}}},
        "agentName": "clerk",
        "parentToolCallId": "c0",
    }
    call = call_of(fields(stated))
    assert call == ToolCall("look_up", {"seat": 2}, "c1", "/c", f"{APP}/tools/look_up", "clerk", "c0")


def test_a_tool_of_a_set_is_named_by_its_id() -> None:
    stated: JsonObject = {"toolset_tool": {"toolset": f"{APP}/toolsets/desk", "tool_id": "book"}, "args": {}}
    call = call_of(fields(stated))
    assert (call.name, call.resource, call.args) == ("book", f"{APP}/toolsets/desk/book", {})


@each(
    ("resource", "display", "name"),
    [
        ("look_up", "", "look_up"),
        (f"{APP}/tools/look_up", "Look up", "look_up"),
        (f"{APP}/tools/{GENERATED}", "look_up", "look_up"),
        (f"{APP}/tools/{GENERATED}", "", GENERATED),
        ("", "look_up", "look_up"),
        ("", "", ""),
    ],
)
def test_a_generated_name_gives_way_to_the_display_name(resource: str, display: str, name: str) -> None:
    assert short_name(resource, display) == name
    assert transfer_of(fields({"targetAgent": resource, "displayName": display})) == Transfer(name, "/c")


@each(
    ("response", "is_error"),
    [({"output": {"seat": 2}}, False), ({"error": "down"}, True), ({"seat": 2}, False), ({}, False), (None, False)],
)
def test_an_answer_stays_whole_and_says_whether_it_failed(response: Json, is_error: bool) -> None:
    result = result_of(fields({"tool": "look_up", "id": "c1", "response": response}))
    assert result == ToolResult("look_up", response, "c1", is_error, "/c")


def test_absent_arguments_and_answers_are_neither_null_nor_empty() -> None:
    assert call_of(fields({"tool": "t"})).args is ABSENT
    assert call_of(fields({"tool": "t", "args": None})).args is None
    assert result_of(fields({"tool": "t"})).value is ABSENT


def test_changed_variables_are_laid_over_each_other() -> None:
    changes: tuple[JsonObject, ...] = ({"a": 1, "b": 1}, {"b": 2})
    parts: list[Part] = [Text("Hi"), *(Unknown("updated variables", change) for change in changes)]
    assert state_of(parts) == {"a": 1, "b": 2}
    assert state_of([Unknown("variables", {"a": 1}), Unknown("updated variables", "odd")]) is None

"""Message parts in the words of each convention, and answers that only an agent's own span states."""

from __future__ import annotations

import json

from tests.formats.span_dump_files import readable
from tests.formats.span_files import Made, opened
from tests.helpers.tables import each
from trace_inspector.core.trace.parts import Part, Text, Thought, ToolCall, ToolResult, Unknown
from trace_inspector.core.trace.trace import answer_text, calls_of, user_text
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.common.message_parts import message_parts
from trace_inspector.formats.common.span_attributes import Attributes, Form

CALL = ToolCall("look", {"at": "sky"}, "c1", "/content/0")
RESULT = ToolResult("", {"sky": "blue"}, "c1", place="/content/0")


@each(
    ("block", "part"),
    [
        ({"type": "text", "text": "Hi."}, Text("Hi.", "/content/0")),
        ({"text": "Hi."}, Text("Hi.", "/content/0")),
        ("Hi.", Text("Hi.", "/content/0")),
        ({"type": "thinking", "thinking": "Hm."}, Thought("Hm.", "/content/0")),
        ({"type": "reasoning", "text": "Hm."}, Thought("Hm.", "/content/0")),
        ({"type": "tool_use", "id": "c1", "name": "look", "input": {"at": "sky"}}, CALL),
        ({"type": "tool-call", "toolCallId": "c1", "toolName": "look", "input": {"at": "sky"}}, CALL),
        ({"type": "function_call", "call_id": "c1", "name": "look", "arguments": '{"at": "sky"}'}, CALL),
        ({"type": "tool_result", "tool_use_id": "c1", "content": '{"sky": "blue"}'}, RESULT),
        (
            {"type": "tool_result", "tool_use_id": "c1", "content": [{"type": "text", "text": '{"sky": "blue"}'}]},
            RESULT,
        ),
        ({"type": "tool-result", "toolCallId": "c1", "output": {"type": "json", "value": {"sky": "blue"}}}, RESULT),
        ({"type": "function_call_output", "call_id": "c1", "output": '{"sky": "blue"}'}, RESULT),
        ({"type": "hologram", "id": "h"}, Unknown("hologram", {"type": "hologram", "id": "h"}, "/content/0")),
        ({"odd": 1}, Unknown("part", {"odd": 1}, "/content/0")),
        (
            {"toolUse": {"toolUseId": "c1", "name": "look", "input": {"at": "sky"}}},
            ToolCall("look", {"at": "sky"}, "c1", "/content/0/toolUse"),
        ),
        (
            {"toolResult": {"toolUseId": "c1", "content": [{"json": {"sky": "blue"}}]}},
            ToolResult("", {"sky": "blue"}, "c1", place="/content/0/toolResult"),
        ),
        (
            {"type": "tool_result", "tool_use_id": "c1", "content": "no", "is_error": True},
            ToolResult("", "no", "c1", is_error=True, place="/content/0"),
        ),
        (
            {"toolResult": {"toolUseId": "c1", "content": [{"text": "no"}], "status": "error"}},
            ToolResult("", "no", "c1", is_error=True, place="/content/0/toolResult"),
        ),
    ],
)
def test_a_block_of_content(block: Json, part: Part) -> None:
    for role in ("assistant", "user"):
        assert list(message_parts({"role": role, "content": [block]}, "")) == [part]


def test_a_tools_message_holds_its_result_or_blocks_of_results() -> None:
    plain: JsonObject = {"role": "tool", "tool_call_id": "c1", "name": "look", "content": [1, 2]}
    assert list(message_parts(plain, "")) == [ToolResult("look", [1, 2], "c1", place="/content")]
    blocks: JsonObject = {
        "role": "tool",
        "content": [{"type": "tool-result", "toolCallId": "c1", "result": {"sky": "blue"}}],
    }
    assert list(message_parts(blocks, "")) == [RESULT]


def test_what_only_the_agent_states() -> None:
    call = "llm.output_messages.1.message.tool_calls.0.tool_call"
    tags: JsonObject = {
        "openinference.span.kind": "AGENT",
        "input.value": "Is it dry?",
        "llm.output_messages.0.message.content": "I will look.",
        f"{call}.function.name": "look",
        "llm.output_messages.2.message.content": "Yes.",
    }
    told: JsonObject = {"openinference.span.kind": "TOOL", "tool.name": "look", "input.value": '{"at": "sky"}'}
    (turn,) = opened(readable(Made("a", "query", tags=tags), Made("x", "look", "a", tags=told))).traces[0].turns
    assert (user_text(turn), answer_text(turn)) == ("Is it dry?", "Yes.")
    assert [call.args for call in calls_of(turn)] == [{"at": "sky"}]


def test_a_frameworks_own_objects_are_no_answer() -> None:
    tags: JsonObject = {
        "openinference.span.kind": "LLM",
        "input.value": json.dumps({"state": 1}),
        "output.value": json.dumps({"state": 2}),
    }
    (turn,) = opened(readable(Made("m", "create", tags=tags))).traces[0].turns
    assert (turn.user, turn.final_response) == ((), None)


def test_names_with_slashes_keep_their_places() -> None:
    told = Attributes({"attributes": {"a/b": {"c~d": "x"}}}, "/0", Form())
    assert (told.get("a/b.c~d"), told.pointer("a/b.c~d")) == ("x", "/0/attributes/a~1b/c~0d")


def test_every_part_of_a_message_has_its_own_place() -> None:
    parts = message_parts({"role": "model", "parts": [{"text": "One."}, {"text": "Two."}, {"type": "text"}]}, "/m")
    assert [part.place for part in parts] == ["/m/parts/0/text", "/m/parts/1/text", "/m/parts/2"]

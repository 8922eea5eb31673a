"""One conversation in the words of each convention."""

from __future__ import annotations

import json
from collections.abc import Callable

from tests.formats.span_files import Made, agent, model, says, tool, user, wants
from trace_inspector.core.values.values import Json, JsonObject


def adk_first() -> list[Made]:
    """The conversation as ADK's first span form tells it."""
    history: list[Json] = [
        user("Is it dry?"),
        {"role": "model", "parts": [wants("look", at="sky")]},
        {"role": "user", "parts": [{"function_response": {"name": "look", "response": {"sky": "blue"}}}]},
    ]
    usage: JsonObject = {"prompt_token_count": 11, "candidates_token_count": 7, "thoughts_token_count": 2}
    return [
        agent("a", None, "guide"),
        model("m1", "a", 1, asked=history[:1], said=[wants("look", at="sky")], system="Be terse.", usage=usage),
        tool("x", "a", 20, "look", {"at": "sky"}, {"sky": "blue"}, call_id="c1"),
        model("m2", "a", 40, asked=history, said=says("Yes."), system="Be terse.", usage=usage),
    ]


_CALL: Json = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"at": "sky"}'}}
_TYPED_CALL: Json = {"type": "tool_call", "id": "c1", "name": "look", "arguments": {"at": "sky"}}
_USAGE: JsonObject = {
    "gen_ai.usage.input_tokens": 11,
    "gen_ai.usage.output_tokens": 9,
    "gen_ai.usage.reasoning.output_tokens": 2,
    "gen_ai.request.model": "m",
}
_OPENED: list[Json] = [
    {"role": "system", "parts": [{"type": "text", "content": "Be terse."}]},
    {"role": "user", "parts": [{"type": "text", "content": "Is it dry?"}]},
]
_CONTINUED: list[Json] = [
    *_OPENED,
    {"role": "assistant", "parts": [_TYPED_CALL]},
    {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1", "response": {"sky": "blue"}}]},
]
_WANTED: list[Json] = [{"role": "assistant", "parts": [_TYPED_CALL], "finish_reason": "tool_calls"}]
_ANSWERED: list[Json] = [{"role": "assistant", "parts": [{"type": "text", "content": "Yes."}]}]


def _genai(calls: list[Made]) -> list[Made]:
    tags: JsonObject = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "look",
        "gen_ai.tool.call.id": "c1",
        "gen_ai.tool.call.arguments": '{"at": "sky"}',
        "gen_ai.tool.call.result": '{"sky": "blue"}',
    }
    return [agent("a", None, "guide"), calls[0], Made("x", "execute_tool look", "a", 20, tags=tags), calls[1]]


def _chats(first: JsonObject, second: JsonObject) -> list[Made]:
    shared: JsonObject = {"gen_ai.operation.name": "chat", **_USAGE}
    return [
        Made("m1", "chat m", "a", 1, tags={**shared, **first}),
        Made("m2", "chat m", "a", 40, tags={**shared, **second}),
    ]


def genai() -> list[Made]:
    """The conversation by the GenAI conventions, content in attributes."""
    first: JsonObject = {
        "gen_ai.input.messages": json.dumps(_OPENED),
        "gen_ai.output.messages": json.dumps(_WANTED),
    }
    second: JsonObject = {
        "gen_ai.input.messages": json.dumps(_CONTINUED),
        "gen_ai.output.messages": json.dumps(_ANSWERED),
    }
    return _genai(_chats(first, second))


def genai_in_details() -> list[Made]:
    """The conversation by the GenAI conventions, content in one event of each call."""
    calls = _chats({}, {})
    for made, asked, said in zip(calls, (_OPENED, _CONTINUED), (_WANTED, _ANSWERED), strict=True):
        told: JsonObject = {"gen_ai.input.messages": [*asked], "gen_ai.output.messages": [*said]}
        made.notes.append(("gen_ai.client.inference.operation.details", told))
    return _genai(calls)


def genai_in_events() -> list[Made]:
    """The conversation by the older GenAI conventions, an event for each message."""
    calls = _chats({}, {})
    opened: list[tuple[str, JsonObject]] = [
        ("gen_ai.system.message", {"content": "Be terse."}),
        ("gen_ai.user.message", {"content": "Is it dry?"}),
    ]
    calls[0].notes += [
        *opened,
        ("gen_ai.choice", {"finish_reason": "tool_calls", "message": json.dumps({"tool_calls": [_CALL]})}),
    ]
    calls[1].notes += [
        *opened,
        ("gen_ai.assistant.message", {"tool_calls": json.dumps([_CALL])}),
        ("gen_ai.tool.message", {"id": "c1", "content": '{"sky": "blue"}'}),
        ("gen_ai.choice", {"finish_reason": "stop", "message": json.dumps({"content": "Yes."})}),
    ]
    return _genai(calls)


def content_events() -> list[Made]:
    """The conversation with prompt and completion in an event each."""
    opened: list[Json] = [{"role": "system", "content": "Be terse."}, {"role": "user", "content": "Is it dry?"}]
    wanted: Json = {"role": "assistant", "tool_calls": [_CALL]}
    result: Json = {"role": "tool", "tool_call_id": "c1", "content": '{"sky": "blue"}'}
    calls = _chats({}, {})
    for made, asked, said in (
        (calls[0], opened, wanted),
        (calls[1], [*opened, wanted, result], {"role": "assistant", "content": "Yes."}),
    ):
        made.notes.append(("gen_ai.content.prompt", {"gen_ai.prompt": json.dumps(asked)}))
        made.notes.append(("gen_ai.content.completion", {"gen_ai.completion": json.dumps([said])}))
    return _genai(calls)


def openinference() -> list[Made]:
    """The conversation in OpenInference's words."""
    shared: JsonObject = {
        "openinference.span.kind": "LLM",
        "llm.model_name": "m",
        "llm.token_count.prompt": 11,
        "llm.token_count.completion": 9,
        "llm.token_count.completion_details.reasoning": 2,
        "llm.input_messages.0.message.role": "system",
        "llm.input_messages.0.message.content": "Be terse.",
        "llm.input_messages.1.message.role": "user",
        "llm.input_messages.1.message.content": "Is it dry?",
        "llm.output_messages.0.message.role": "assistant",
    }
    call = "message.tool_calls.0.tool_call"
    first: JsonObject = {
        f"llm.output_messages.0.{call}.id": "c1",
        f"llm.output_messages.0.{call}.function.name": "look",
        f"llm.output_messages.0.{call}.function.arguments": '{"at": "sky"}',
    }
    second: JsonObject = {
        "llm.input_messages.2.message.role": "assistant",
        f"llm.input_messages.2.{call}.id": "c1",
        f"llm.input_messages.2.{call}.function.name": "look",
        "llm.input_messages.3.message.role": "tool",
        "llm.input_messages.3.message.tool_call_id": "c1",
        "llm.input_messages.3.message.content": '{"sky": "blue"}',
        "llm.output_messages.0.message.content": "Yes.",
    }
    tool_tags: JsonObject = {
        "openinference.span.kind": "TOOL",
        "tool.name": "look",
        "tool_call.id": "c1",
        "input.value": '{"at": "sky"}',
        "output.value": '{"sky": "blue"}',
    }
    return [
        Made("a", "guide", None, 0, 900, {"openinference.span.kind": "AGENT", "agent.name": "guide"}),
        Made("m1", "ChatCompletion", "a", 1, tags={**shared, **first}),
        Made("x", "look", "a", 20, tags=tool_tags),
        Made("m2", "ChatCompletion", "a", 40, tags={**shared, **second}),
    ]


def openllmetry() -> list[Made]:
    """The conversation in OpenLLMetry's words."""
    shared: JsonObject = {
        "llm.request.type": "chat",
        "gen_ai.request.model": "m",
        "gen_ai.usage.prompt_tokens": 11,
        "gen_ai.usage.completion_tokens": 9,
        "gen_ai.usage.reasoning_tokens": 2,
        "gen_ai.prompt.0.role": "system",
        "gen_ai.prompt.0.content": "Be terse.",
        "gen_ai.prompt.1.role": "user",
        "gen_ai.prompt.1.content": "Is it dry?",
        "gen_ai.completion.0.role": "assistant",
    }
    first: JsonObject = {
        "gen_ai.completion.0.tool_calls.0.id": "c1",
        "gen_ai.completion.0.tool_calls.0.name": "look",
        "gen_ai.completion.0.tool_calls.0.arguments": '{"at": "sky"}',
    }
    second: JsonObject = {
        "gen_ai.prompt.2.role": "assistant",
        "gen_ai.prompt.2.tool_calls.0.id": "c1",
        "gen_ai.prompt.2.tool_calls.0.name": "look",
        "gen_ai.prompt.3.role": "tool",
        "gen_ai.prompt.3.tool_call_id": "c1",
        "gen_ai.prompt.3.content": '{"sky": "blue"}',
        "gen_ai.completion.0.content": "Yes.",
    }
    whole: JsonObject = {"traceloop.span.kind": "agent", "traceloop.entity.name": "guide"}
    tool_tags: JsonObject = {
        "traceloop.span.kind": "tool",
        "traceloop.entity.name": "look",
        "gen_ai.tool.call.id": "c1",
        "traceloop.entity.input": '{"at": "sky"}',
        "traceloop.entity.output": '{"sky": "blue"}',
    }
    return [
        Made("a", "guide.agent", None, 0, 900, whole),
        Made("m1", "openai.chat", "a", 1, tags={**shared, **first}),
        Made("x", "look.tool", "a", 20, tags=tool_tags),
        Made("m2", "openai.chat", "a", 40, tags={**shared, **second}),
    ]


def vercel() -> list[Made]:
    """The conversation in the words of Vercel's AI SDK."""
    opened: list[Json] = [
        {"role": "system", "content": "Be terse."},
        {"role": "user", "content": [{"type": "text", "text": "Is it dry?"}]},
    ]
    call: JsonObject = {"toolCallId": "c1", "toolName": "look"}
    continued: list[Json] = [
        *opened,
        {"role": "assistant", "content": [{"type": "tool-call", **call, "args": {"at": "sky"}}]},
        {"role": "tool", "content": [{"type": "tool-result", **call, "result": {"sky": "blue"}}]},
    ]
    inner: JsonObject = {"ai.operationId": "ai.generateText.doGenerate", **_USAGE}
    tool_tags: JsonObject = {
        "ai.operationId": "ai.toolCall",
        "ai.toolCall.name": "look",
        "ai.toolCall.id": "c1",
        "ai.toolCall.args": '{"at": "sky"}',
        "ai.toolCall.result": '{"sky": "blue"}',
    }
    first: JsonObject = {
        "ai.prompt.messages": json.dumps(opened),
        "ai.response.toolCalls": json.dumps([{**call, "args": '{"at": "sky"}'}]),
    }
    second: JsonObject = {"ai.prompt.messages": json.dumps(continued), "ai.response.text": "Yes."}
    return [
        agent("a", None, "guide"),
        Made("m1", "ai.generateText.doGenerate", "a", 1, tags={**inner, **first}),
        Made("x", "ai.toolCall", "a", 20, tags=tool_tags),
        Made("m2", "ai.generateText.doGenerate", "a", 40, tags={**inner, **second}),
    ]


def monocle() -> list[Made]:
    """The conversation in Monocle's words, content in events."""
    opened: list[Json] = ['{"system": "Be terse."}', '{"human": "Is it dry?"}']
    call = json.dumps({"tools": [{"tool_id": "c1", "tool_name": "look", "tool_arguments": '{"at": "sky"}'}]})
    usage: tuple[str, JsonObject] = ("metadata", {"prompt_tokens": 11, "completion_tokens": 9, "reasoning_tokens": 2})
    named: JsonObject = {"span.type": "agentic.tool.invocation", "entity.1.name": "look", "tool.id": "c1"}
    return [
        Made("a", "run", None, 0, 900, {"span.type": "agentic.invocation", "entity.1.name": "guide"}),
        Made(
            "m1", "create", "a", 1, tags={"span.type": "inference"},
            notes=[("data.input", {"input": opened}), ("data.output", {"response": call}), usage],
        ),
        Made(
            "x", "invoke", "a", 20, tags=named,
            notes=[("data.input", {"input": '{"at": "sky"}'}), ("data.output", {"response": '{"sky": "blue"}'})],
        ),
        Made(
            "m2", "create", "a", 40, tags={"span.type": "inference.framework"},
            notes=[("data.input", {"input": opened}), ("data.output", {"response": '{"ai": "Yes."}'}), usage],
        ),
    ]  # fmt: skip


CONVENTIONS: tuple[Callable[[], list[Made]], ...] = (
    adk_first, genai, genai_in_details, genai_in_events, content_events, openinference, openllmetry, vercel,
    monocle,
)  # fmt: skip

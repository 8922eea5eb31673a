"""Chats in the forms in which logs have them: messages of four services, completions, responses, a paused run."""

from __future__ import annotations

from trace_inspector.core.values.values import Json, JsonObject


def call(identity: str, name: str, arguments: str) -> JsonObject:
    """A call as OpenAI writes it."""
    return {"id": identity, "type": "function", "function": {"name": name, "arguments": arguments}}


def messages() -> list[Json]:
    """Two turns: parallel calls, one of which fails; a picture; a refusal; reasoning."""
    return [
        {"role": "system", "content": "Be short."},
        {"role": "developer", "content": [{"type": "text", "text": "Be kind."}]},
        {"role": "user", "content": "Where may I park?"},
        {
            "role": "assistant",
            "content": None,
            "reasoning_content": "Two maps help.",
            "tool_calls": [call("c1", "find", '{"what": "garage"}'), call("c2", "find", '{"what": "street"}')],
        },
        {"role": "tool", "tool_call_id": "c2", "content": "none"},
        {"role": "tool", "tool_call_id": "c1", "content": '{"place": "Pier 4"}'},
        {"role": "assistant", "content": "At Pier 4."},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "Whose car is this?"},
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,QUJD"}},
            ],
        },
        {"role": "assistant", "content": None, "refusal": "I do not say that."},
    ]


def session() -> JsonObject:
    """The messages in somebody's log, with a record of its own among them."""
    return {
        "session_id": "s1",
        "tools": [{"type": "function", "function": {"name": "find"}}],
        "cost": 0.02,
        "messages": [*messages(), {"role": "session_meta", "mood": "good"}],
    }


def anthropic() -> list[Json]:
    """Messages of Anthropic's service: results of tools come as messages of the user."""
    return [
        {"role": "user", "content": "Where may I park?"},
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "A map helps.", "signature": "x"},
                {"type": "text", "text": "I look."},
                {"type": "tool_use", "id": "t1", "name": "find", "input": {"what": "garage"}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "t1", "is_error": True, "content": "no map"},
                {"type": "text", "text": "Try again."},
            ],
        },
        {"role": "assistant", "content": [{"type": "text", "text": "At Pier 4."}]},
    ]


def langchain() -> list[Json]:
    """Messages of LangChain in their flat form, as logs have them."""
    return [
        {"type": "human", "content": "Where may I park?", "id": "h1"},
        {
            "type": "ai",
            "content": "",
            "tool_calls": [{"name": "find", "args": {"what": "garage"}, "id": "l1", "type": "tool_call"}],
            "usage_metadata": {
                "input_tokens": 30,
                "output_tokens": 9,
                "total_tokens": 39,
                "input_token_details": {"cache_read": 10},
            },
            "response_metadata": {"model_name": "small", "finish_reason": "tool_calls"},
        },
        {"type": "tool", "content": "Pier 4", "tool_call_id": "l1", "name": "find", "status": "success"},
        {"type": "ai", "content": "At Pier 4."},
    ]


_CLASSES = {"human": "HumanMessage", "ai": "AIMessage", "tool": "ToolMessage", "system": "SystemMessage"}


def langchain_constructors() -> list[Json]:
    """The same as LangChain dumps its objects; older ones do not repeat the type."""
    dumped: list[Json] = []
    for number, message in enumerate(langchain()):
        assert isinstance(message, dict)
        told = {key: value for key, value in message.items() if number or key != "type"}
        names: list[Json] = ["langchain", "schema", "messages", _CLASSES[str(message["type"])]]
        dumped.append({"lc": 1, "type": "constructor", "id": names, "kwargs": told})
    return dumped


def langchain_data() -> list[Json]:
    """The same as LangChain makes dictionaries of messages."""
    return [{"type": message["type"], "data": message} for message in langchain() if isinstance(message, dict)]


def items() -> list[Json]:
    """What is given to OpenAI's responses: one message, and items of which most are none."""
    return [
        {"role": "user", "content": "Where may I park?"},
        {"type": "reasoning", "id": "r1", "summary": [{"type": "summary_text", "text": "A map helps."}]},
        {"type": "function_call", "call_id": "c1", "name": "find", "arguments": '{"what": "garage"}'},
        {"type": "function_call_output", "call_id": "c1", "output": "Pier 4"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "At Pier 4."}]},
    ]


def anthropic_answer() -> JsonObject:
    """What Anthropic's service answers."""
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "small",
        "content": [{"type": "text", "text": "At Pier 4."}],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 50, "output_tokens": 30},
    }


def gemini_answer() -> JsonObject:
    """What Gemini answers."""
    parts: list[Json] = [{"text": "At Pier 4."}]
    return {
        "candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP"}],
        "usageMetadata": {
            "promptTokenCount": 50, "candidatesTokenCount": 18, "thoughtsTokenCount": 12, "totalTokenCount": 80,
        },
        "modelVersion": "small",
        "responseId": "g1",
    }  # fmt: skip


def completion_answer() -> JsonObject:
    """A completion with one choice."""
    whole = completion()
    choices = whole["choices"]
    assert isinstance(choices, list)
    return {**whole, "choices": choices[:1]}


def response_answer() -> JsonObject:
    """A response with an answer and nothing else."""
    spoken = items()[-1]
    return {**{key: value for key, value in response().items() if key != "input"}, "output": [spoken]}


def answers() -> dict[str, JsonObject]:
    """An answer of each service to the same question."""
    return {
        "completion": completion_answer(),
        "Anthropic": anthropic_answer(),
        "Gemini": gemini_answer(),
        "response": response_answer(),
    }


def asked() -> list[Json]:
    """The question that all of them answer."""
    return [{"role": "user", "content": "Where may I park?"}]


def answered(service: str) -> JsonObject:
    """The question with the answer of a service beside it."""
    return {"messages": asked(), "response": answers()[service]}


def pairs() -> dict[str, JsonObject]:
    """Requests with their answers, as logs of three services have them."""
    told = answers()
    return {
        "completion": {"request": {"model": "small", "messages": asked()}, "response": told["completion"]},
        "Anthropic": {
            "request": {"model": "small", "system": [{"type": "text", "text": "Be short."}], "messages": asked()},
            "response": told["Anthropic"],
        },
        "response": {"request": {"model": "small", "input": "Where may I park?"}, "response": told["response"]},
    }


def batch_asked() -> JsonObject:
    """A line of a batch that is sent."""
    body: JsonObject = {"model": "small", "messages": asked()}
    return {"custom_id": "q1", "method": "POST", "url": "/v1/chat/completions", "body": body}


def batch_answered() -> JsonObject:
    """A line of what came of a batch."""
    response: JsonObject = {"status_code": 200, "request_id": "r1", "body": completion_answer()}
    return {"id": "b1", "custom_id": "q1", "response": response, "error": None}


def completion() -> JsonObject:
    """A completion with two choices."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_770_000_000,
        "model": "small",
        "choices": [
            {"index": 0, "message": {"role": "assistant", "content": "At Pier 4."}, "finish_reason": "stop"},
            {"index": 1, "message": {"role": "assistant", "content": "Nowhere."}, "finish_reason": "length"},
        ],
        "usage": {
            "prompt_tokens": 50,
            "completion_tokens": 30,
            "total_tokens": 80,
            "prompt_tokens_details": {"cached_tokens": 20},
            "completion_tokens_details": {"reasoning_tokens": 12},
        },
    }


def response() -> JsonObject:
    """A response with an item of every kind."""
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1_770_000_000,
        "completed_at": 1_770_000_004,
        "status": "completed",
        "model": "small",
        "instructions": "Be short.",
        "input": "Where may I park?",
        "output": [
            {"type": "mcp_list_tools", "id": "m0", "server_label": "maps", "tools": []},
            {"type": "reasoning", "id": "r1", "summary": [{"type": "summary_text", "text": "A map helps."}]},
            {
                "type": "mcp_call",
                "id": "m1",
                "name": "find",
                "arguments": '{"what": "garage"}',
                "output": '{"place": "Pier 4"}',
                "error": None,
                "server_label": "maps",
            },
            {
                "type": "web_search_call",
                "id": "w1",
                "status": "completed",
                "action": {"type": "search", "query": "pier"},
            },
            {"type": "function_call", "id": "f1", "call_id": "c1", "name": "book", "arguments": "{}"},
            {"type": "hologram", "id": "h1"},
            {
                "type": "message",
                "id": "o1",
                "role": "assistant",
                "content": [{"type": "output_text", "text": "At Pier 4.", "annotations": []}],
            },
        ],
        "usage": {
            "input_tokens": 70,
            "input_tokens_details": {"cached_tokens": 7},
            "output_tokens": 20,
            "output_tokens_details": {"reasoning_tokens": 5},
            "total_tokens": 90,
        },
    }


def run_state() -> JsonObject:
    """A paused run of the OpenAI Agents SDK that waits for leave to call a tool."""
    booking: JsonObject = {"type": "function_call", "call_id": "c1", "name": "book", "arguments": '{"at": "Pier 4"}'}
    return {
        "$schemaVersion": "1.99",
        "current_agent": {"name": "guide"},
        "original_input": "Book it.",
        "model_responses": [{"output": [booking], "usage": {"input_tokens": 11, "output_tokens": 3}}],
        "generated_items": [
            {"type": "tool_call_item", "agent": {"name": "guide"}, "raw_item": booking},
            {"type": "tool_approval_item", "agent": {"name": "guide"}, "raw_item": booking},
            {
                "type": "tool_call_output_item",
                "agent": {"name": "guide"},
                "raw_item": {"type": "function_call_output", "call_id": "c1", "output": "booked"},
            },
        ],
    }

"""Small conformance tests of ADK: what is to be said, and what was recorded."""

from __future__ import annotations

from trace_inspector.core.values.values import Json, JsonObject


def spec() -> JsonObject:
    """Two messages, one as a content."""
    return {
        "description": "Asks twice.",
        "agent": "guide",
        "initial_state": {"city": "Oslo"},
        "user_messages": [
            {"text": "Is it dry?"},
            {"content": {"role": "user", "parts": [{"text": "And now?"}]}, "state_delta": {"hour": 2}},
        ],
    }


def _request(*contents: JsonObject) -> JsonObject:
    config: JsonObject = {"system_instruction": "Be terse.", "tools": [{"function_declarations": [{"name": "look"}]}]}
    return {"model": "m-1", "contents": [*contents], "config": config}


def _said(text: str, role: str = "user") -> JsonObject:
    return {"role": role, "parts": [{"text": text}]}


def _model(index: int, request: JsonObject, *responses: Json) -> JsonObject:
    recording: JsonObject = {"llm_request": request, "llm_responses": [*responses]}
    return {"user_message_index": index, "agent_name": "guide", "llm_recording": recording}


def recordings() -> JsonObject:
    """Two turns: one with a call and a stream, one with an answer alone."""
    call: JsonObject = {"id": "c1", "name": "look", "args": {"at": "sky"}}
    wants: JsonObject = {
        "content": {"role": "model", "parts": [{"function_call": call}]},
        "usage_metadata": {"prompt_token_count": 11, "candidates_token_count": 7},
    }
    tool: JsonObject = {
        "tool_call": call,
        "tool_response": {"id": "c1", "name": "look", "response": {"sky": "blue"}},
    }
    return {
        "recordings": [
            _model(0, _request(_said("Is it dry?")), wants),
            {"user_message_index": 0, "agent_name": "guide", "tool_recording": tool},
            _model(
                0,
                _request(_said("Is it dry?")),
                {"content": _said("Y", "model"), "partial": True},
                {"content": _said("Yes.", "model"), "model_version": "m-2", "finish_reason": "STOP"},
            ),
            _model(
                1,
                _request(_said("Is it dry?"), _said("Yes.", "model"), _said("And now?")),
                {"content": _said("No.", "model")},
            ),
        ]
    }

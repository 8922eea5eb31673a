"""Conversations of OpenHands in both of its generations."""

from __future__ import annotations

import json
from pathlib import Path

from trace_inspector.core.values.values import Json, JsonObject


def _reply(identity: str, name: str, arguments: str) -> JsonObject:
    call: JsonObject = {"id": identity, "function": {"name": name, "arguments": arguments}}
    return {
        "function_name": name,
        "tool_call_id": identity,
        "model_response": {
            "id": f"reply-{identity}",
            "model": "small",
            "choices": [{"message": {"tool_calls": [call]}}],
            "usage": {"prompt_tokens": 50, "completion_tokens": 6},
        },
    }


def trajectory() -> list[Json]:
    """The first generation: an edit, a command that fails, the end."""
    edit, run = _reply("c1", "editor", '{"path": "main.py"}'), _reply("c2", "bash", '{"command": "make"}')
    time = "2026-05-01T10:00:0{}"
    return [
        {"id": 0, "timestamp": time.format(0), "source": "agent", "message": "", "action": "system",
         "args": {"content": "You fix code.", "tools": [{"name": "editor"}]}},
        {"id": 1, "timestamp": time.format(1), "source": "user", "message": "Fix it.", "action": "message",
         "args": {"content": "Fix it."}},
        {"id": 2, "timestamp": time.format(2), "source": "agent", "message": "", "action": "edit",
         "tool_call_metadata": edit, "args": {"path": "main.py", "impl": "x", "thought": "I edit."}},
        {"id": 3, "timestamp": time.format(3), "source": "agent", "message": "Edited.", "cause": 2,
         "observation": "edit", "content": "saved", "extras": {}, "tool_call_metadata": edit},
        {"id": 4, "timestamp": time.format(4), "source": "agent", "message": "", "action": "run",
         "tool_call_metadata": run, "args": {"command": "make"}},
        {"id": 5, "timestamp": time.format(5), "source": "agent", "message": "Ran.", "cause": 4, "observation": "run",
         "content": "failed", "extras": {"metadata": {"exit_code": 2}}, "tool_call_metadata": run},
        {"id": 6, "timestamp": time.format(6), "source": "environment", "message": "", "observation":
         "agent_state_changed", "content": "", "extras": {"agent_state": "running"}},
        {"id": 7, "timestamp": time.format(7), "source": "agent", "message": "All done.", "action": "finish",
         "args": {"outputs": {}}},
    ]  # fmt: skip


def events() -> list[Json]:
    """The SDK: a prompt, a message, a call with its result, tokens, an error, an event of an unknown kind."""
    head: JsonObject = {"timestamp": "2026-05-01T10:00:00", "source": "environment"}
    stats: JsonObject = {
        "usage_to_metrics": {
            "default": {
                "accumulated_token_usage": {
                    "prompt_tokens": 90,
                    "completion_tokens": 30,
                    "reasoning_tokens": 10,
                    "cache_read_tokens": 20,
                    "context_window": 1000,
                }
            }
        }
    }
    return [
        {**head, "id": "e0", "source": "agent", "kind": "SystemPromptEvent",
         "system_prompt": {"type": "text", "text": "You fix code."}, "tools": [{"title": "terminal"}]},
        {**head, "id": "e1", "source": "user", "kind": "MessageEvent",
         "llm_message": {"role": "user", "content": [{"type": "text", "text": "Fix it."}]}},
        {**head, "id": "e2", "source": "agent", "kind": "ActionEvent", "reasoning_content": "A look helps.",
         "thought": [{"type": "text", "text": "I look."}], "tool_name": "terminal", "tool_call_id": "c1",
         "tool_call": {"id": "c1", "name": "terminal", "arguments": '{"command": "ls"}'},
         "action": {"command": "ls", "reset": False, "kind": "TerminalAction"}},
        {**head, "id": "e3", "kind": "ObservationEvent", "tool_name": "terminal", "tool_call_id": "c1",
         "observation": {"content": [{"type": "text", "text": "no"}], "is_error": False, "exit_code": 2,
                         "kind": "TerminalObservation"}},
        {**head, "id": "e4", "kind": "ConversationStateUpdateEvent", "key": "stats", "value": stats},
        {**head, "id": "e5", "kind": "ConversationStateUpdateEvent", "key": "stats", "value": stats},
        {**head, "id": "e6", "kind": "AgentErrorEvent", "error": "No such tool.", "tool_call_id": "c9",
         "tool_name": "ghost"},
        {**head, "id": "e7", "kind": "HologramEvent"},
        {**head, "id": "e8", "source": "agent", "kind": "ActionEvent", "thought": [], "tool_name": "finish",
         "tool_call_id": "c2", "action": {"message": "All done.", "kind": "FinishAction"}},
        {**head, "id": "e9", "kind": "ObservationEvent", "tool_name": "finish", "tool_call_id": "c2",
         "observation": {"content": [{"type": "text", "text": "All done."}], "kind": "FinishObservation"}},
    ]  # fmt: skip


def output_of_a_benchmark() -> list[Json]:
    """Runs of a benchmark, one a line: events in a row, in pairs as older ones keep them, and none."""
    system, asked, *rest = trajectory()
    metrics: Json = {"accumulated_cost": 0.1}
    return [
        {"instance_id": "shop-1", "instruction": "Fix it.", "history": [system, asked, *rest], "metrics": metrics,
         "test_result": {"git_patch": "diff"}, "error": None},
        {"instance_id": "shop-2", "instruction": "Fix that.", "history": [[rest[0], rest[1]], [rest[2], rest[3]]],
         "metrics": metrics, "test_result": {}, "error": "It was stopped."},
        {"instance_id": "shop-3", "instruction": "Fix all.", "history": [], "metrics": metrics, "test_result": {}},
    ]  # fmt: skip


def _event_id(number: int) -> str:
    return f"{number:08x}-0000-4000-8000-000000000000"


def event_file(number: int) -> str:
    """The name of the file that the SDK keeps an event in."""
    return f"events/event-{number:05d}-{_event_id(number)}.json"


def _called(number: int) -> JsonObject:
    call: JsonObject = {"id": f"c{number}", "name": "terminal", "arguments": f'{{"command": "ls {number}"}}'}
    return {
        "timestamp": "2026-05-01T10:00:00", "source": "agent", "kind": "ActionEvent", "thought": [],
        "tool_name": "terminal", "tool_call_id": f"c{number}", "tool_call": call, "llm_response_id": "r1",
        "action": {"kind": "TerminalAction"},
    }  # fmt: skip


def _observed(number: int) -> JsonObject:
    content: list[Json] = [{"type": "text", "text": f"file {number}"}]
    return {
        "timestamp": "2026-05-01T10:00:00", "source": "environment", "kind": "ObservationEvent",
        "tool_name": "terminal", "tool_call_id": f"c{number}", "action_id": _event_id(number + 1),
        "observation": {"content": content, "kind": "TerminalObservation"},
    }  # fmt: skip


def folder() -> JsonObject:
    """A conversation as the SDK keeps it: two calls of one reply, an answer, and a state that counts all tokens."""
    head: JsonObject = {"timestamp": "2026-05-01T10:00:00", "source": "agent"}
    user: JsonObject = {"role": "user", "content": [{"type": "text", "text": "Fix it."}]}
    said: JsonObject = {"role": "assistant", "content": [{"type": "text", "text": "All done."}]}
    told: list[JsonObject] = [
        {**head, "kind": "SystemPromptEvent", "system_prompt": {"type": "text", "text": "You fix code."}},
        {**head, "source": "user", "kind": "MessageEvent", "llm_message": user},
        *map(_called, (1, 2)),
        *map(_observed, (1, 2)),
        {**head, "kind": "MessageEvent", "llm_message": said, "llm_response_id": "r2"},
    ]
    replies: list[Json] = [
        {"model": "small", "prompt_tokens": 100, "completion_tokens": 20, "response_id": "r1"},
        {"model": "small", "prompt_tokens": 200, "completion_tokens": 10, "response_id": "r2"},
    ]
    whole: JsonObject = {"prompt_tokens": 350, "completion_tokens": 40}
    stats: JsonObject = {"usage_to_metrics": {"agent": {"accumulated_token_usage": whole, "token_usages": replies}}}
    state: JsonObject = {"id": "talk-1", "agent": {"llm": {"model": "small"}}, "execution_status": "finished"}
    files: JsonObject = {"base_state.json": {**state, "stats": stats}}
    return files | {event_file(number): {**event, "id": _event_id(number)} for number, event in enumerate(told)}


def put_folder(path: Path, files: JsonObject) -> Path:
    """The files of a conversation below a folder."""
    for name, value in files.items():
        file = path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(value), encoding="utf-8")
    return path

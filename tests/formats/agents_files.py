"""Runs of AutoGen as messages and as states, and a history of browser-use, made by hand."""

from __future__ import annotations

from trace_inspector.core.values.values import Json, JsonObject


def message(source: str, content: Json, kind: str = "TextMessage", **more: Json) -> JsonObject:
    """A message of a run of AutoGen."""
    return {"source": source, "models_usage": None, "metadata": {}, "content": content, "type": kind, **more}


def messages() -> list[Json]:
    """Two turns of two agents: a call that failed, a thought, handing over, and a picture."""
    call: JsonObject = {"id": "c1", "name": "find", "arguments": '{"what": "garage"}'}
    result: JsonObject = {"content": "no map", "name": "find", "call_id": "c1", "is_error": True}
    used: JsonObject = {"prompt_tokens": 20, "completion_tokens": 5}
    return [
        message("user", "Where may I park?", created_at="2026-05-01T10:00:00Z"),
        message("guide", "The map knows.", "ThoughtEvent"),
        message("guide", [call], "ToolCallRequestEvent", models_usage=used, created_at="2026-05-01T10:00:02Z"),
        message("guide", [result], "ToolCallExecutionEvent"),
        message("guide", "Ask the driver.", "HandoffMessage", target="driver"),
        message("driver", "At Pier 4.", models_usage=used, created_at="2026-05-01T10:00:05Z"),
        message("user", ["And this?", {"data": "AAAA"}], "MultiModalMessage"),
        message("driver", {"x": 1}, "Oracle"),
    ]


def team() -> JsonObject:
    """The saved state of a team: its leader has all that was said, its agents what they know of it."""
    known: Json = {"type": "AssistantAgentState", "version": "1.0.0", "llm_context": {"messages": context()}}
    return {
        "type": "TeamState",
        "version": "1.0.0",
        "agent_states": {
            "guide/7": {"type": "ChatAgentContainerState", "version": "1.0.0", "agent_state": known},
            "leader/7": {"type": "RoundRobinManagerState", "version": "1.0.0", "message_thread": messages()},
        },
    }


def context() -> list[Json]:
    """What one agent knows."""
    call: JsonObject = {"id": "c1", "name": "find", "arguments": "{}"}
    result: JsonObject = {"content": "Pier 4", "name": "find", "call_id": "c1", "is_error": False}
    return [
        {"content": "Be kind.", "type": "SystemMessage"},
        {"content": "Where may I park?", "source": "user", "type": "UserMessage"},
        {"content": [call], "thought": "The map knows.", "source": "guide", "type": "AssistantMessage"},
        {"content": [result], "type": "FunctionExecutionResultMessage"},
        {"content": "At Pier 4.", "source": "guide", "type": "AssistantMessage"},
    ]


def step(number: int, *actions: JsonObject, results: list[Json], **more: Json) -> JsonObject:
    """A step of two seconds of browser-use."""
    listed: list[Json] = [*actions]
    return {
        "model_output": {"thinking": f"Step {number}.", "next_goal": "Park.", "action": listed},
        "result": results,
        "state": {"url": "https://map.example", "title": "Map", "tabs": [], "interacted_element": [None]},
        "metadata": {"step_start_time": 1_770_000_000.0 + number, "step_end_time": 1_770_000_002.0 + number,
                     "input_tokens": 100, "step_number": number},
        **more,
    }  # fmt: skip


def history() -> JsonObject:
    """Two actions at once of which one failed, a step that broke, one as in the first version, and the end."""
    done: JsonObject = {"is_done": True, "success": True, "extracted_content": "Park at Pier 4."}
    seen: Json = {"url": "about:blank", "title": "", "screenshot": "AAAA"}
    old: JsonObject = {
        "model_output": {"current_state": {"memory": "Nothing yet."}, "action": {"scroll": {"by": 1}}},
        "result": {"is_done": False, "extracted_content": "Scrolled."},
        "state": {"url": "about:blank"},
    }
    return {
        "history": [
            step(
                1,
                {"go_to_url": {"url": "https://map.example"}},
                {"click": {"index": 4}},
                results=[{"is_done": False, "extracted_content": "Went there."}, {"error": "No such element."}],
                state=seen,
            ),
            step(2, results=[{"error": "The model did not answer."}], model_output=None),
            old,
            step(3, {"done": {"text": "Park at Pier 4.", "success": True}}, results=[done]),
        ]
    }

"""Sessions of Claude Code with every kind of line that is read, made by hand."""

from __future__ import annotations

from trace_inspector.core.values.values import Json, JsonObject

SESSION = "5e55-0001"
TOKENS: JsonObject = {
    "input_tokens": 10,
    "cache_creation_input_tokens": 200,
    "cache_read_input_tokens": 3000,
    "output_tokens": 40,
    "service_tier": "standard",
}


def line(kind: str, uuid: str, parent: str | None, second: int, **more: Json) -> JsonObject:
    """One line of a session, at a second of its first hour."""
    return {
        "parentUuid": parent,
        "isSidechain": False,
        "cwd": "/srv/shop",
        "sessionId": SESSION,
        "version": "2.1.90",
        "gitBranch": "main",
        "type": kind,
        "uuid": uuid,
        "timestamp": f"2026-05-01T10:{second // 60:02}:{second % 60:02}.500Z",
        **more,
    }


def said(uuid: str, parent: str | None, second: int, content: Json, **more: Json) -> JsonObject:
    """A line of the user."""
    return line("user", uuid, parent, second, message={"role": "user", "content": content}, **more)


def replied(
    uuid: str, parent: str | None, second: int, message: str, block: JsonObject, **of_message: Json
) -> JsonObject:
    """A line of the model with one block of a message."""
    whole: JsonObject = {"id": message, "type": "message", "role": "assistant", "model": "large", "content": [block]}
    return line("assistant", uuid, parent, second, requestId=f"req-{message}", message={**whole, **of_message})


def answered(uuid: str, parent: str, second: int, call: str, content: Json, **more: Json) -> JsonObject:
    """A line with what a tool answered."""
    result: JsonObject = {"type": "tool_result", "tool_use_id": call, "content": content}
    return said(uuid, parent, second, [result], **more)


def called(call: str, name: str, **given: Json) -> JsonObject:
    """A block that calls a tool."""
    return {"type": "tool_use", "id": call, "name": name, "input": given}


def text(words: str) -> JsonObject:
    """A block of text."""
    return {"type": "text", "text": words}


def session() -> list[Json]:
    """Three turns: parallel calls with a failure, a sub-agent and a compaction, and one that was taken back."""
    early: JsonObject = {**TOKENS, "output_tokens": 2}
    return [
        {"type": "summary", "summary": "A price is wrong", "leafUuid": "a9"},
        {"type": "permission-mode", "permissionMode": "default", "sessionId": SESSION},
        {"type": "file-history-snapshot", "messageId": "u1", "snapshot": {"trackedFileBackups": {}}},
        line("system", "s0", None, 0, subtype="session_start", content="Session begins", level="info"),
        said("u1", "s0", 1, "Why is the price wrong?", origin={"kind": "human"}),
        replied("a1", "u1", 3, "m1", {"type": "thinking", "thinking": "Two files.", "signature": "x"}, usage=early),
        replied("a2", "a1", 4, "m1", text("I look at both."), usage=early),
        replied("a3", "a2", 5, "m1", called("c1", "Read", file_path="price.py"), usage=early),
        answered("r1", "a3", 6, "c1", "1  price = 3", toolUseResult={"type": "text", "file": {"numLines": 1}}),
        replied("a4", "a3", 7, "m1", called("c2", "Bash", command="make"), usage=TOKENS, stop_reason="tool_use"),
        answered("r2", "a4", 8, "c2", "Exit code 2\nno rule", toolUseResult="Error: Exit code 2"),
        line("attachment", "t1", "r2", 8, attachment={"type": "edited_text_file", "filename": "price.py"}),
        replied("a5", "t1", 9, "m2", text("The price is fixed."), usage=TOKENS, stop_reason="end_turn"),
        line("system", "s1", "a5", 9, subtype="turn_duration", durationMs=8250),
        said("u2", "s1", 20, "Make it thre."),
        replied("a6", "u2", 22, "m3", text("Thre?"), usage=TOKENS),
        said("u3", "s1", 40, [text("Make it three."), {"type": "image", "source": PICTURE}]),
        replied("a7", "u3", 41, "m4", STARTED, usage=TOKENS),
        line("progress", "p1", "a7", 42, data={"type": "agent_progress", "agentId": "ag1"}, parentToolUseID="c3"),
        answered("r3", "a7", 50, "c3", [text("In price.py.")], toolUseResult={"agentId": "ag1", "totalTokens": 9}),
        {**line("system", "b1", None, 51, subtype="compact_boundary", content="Conversation compacted"),
         "logicalParentUuid": "r3"},
        said("k1", "b1", 52, "What was said before: much.", isCompactSummary=True),
        said("n1", "k1", 52, "<command-name>/cost</command-name>"),
        line("system", "s2", "n1", 53, subtype="api_error", error={"error": {"message": "Overloaded"}}),
        line("oracle", "o1", "s2", 54, vision="dim"),
        replied("a8", "o1", 55, "m5", {"type": "redacted_thinking", "data": "x"}, usage=TOKENS),
        replied("a9", "a8", 56, "m5", text("It is three now."), usage=TOKENS, stop_reason="end_turn"),
        {"type": "last-prompt", "lastPrompt": "Make it three.", "leafUuid": "a9", "sessionId": SESSION},
    ]  # fmt: skip


STARTED = called("c3", "Task", prompt=" Find it. ", subagent_type="finder", description="Find")
PICTURE: JsonObject = {"type": "base64", "media_type": "image/png", "data": "QUJD"}


def sub_agent(**more: Json) -> list[Json]:
    """The file of the sub-agent that the session starts."""
    side: JsonObject = {"isSidechain": True, "agentId": "ag1", **more}
    lines = [
        said("x1", None, 43, "Find it."),
        replied("x2", "x1", 44, "m9", called("c9", "Grep", pattern="price"), usage=TOKENS),
        answered("x3", "x2", 45, "c9", "price.py"),
        replied("x4", "x3", 46, "m10", text("In price.py."), usage=TOKENS),
    ]
    return [{**each, **side} for each in lines]


def stream() -> list[Json]:
    """What a run writes as `stream-json`: no times, no words of the user, sub-agents by their call."""

    def record(kind: str, message: JsonObject, call: str | None = None) -> JsonObject:
        return {"type": kind, "message": message, "parent_tool_use_id": call, "session_id": "run-1"}

    def reply(identity: str, block: JsonObject) -> JsonObject:
        return {"id": identity, "role": "assistant", "model": "large", "content": [block], "usage": TOKENS}

    def answer(call: str, content: str) -> JsonObject:
        return {"role": "user", "content": [{"type": "tool_result", "tool_use_id": call, "content": content}]}

    return [
        {"type": "system", "subtype": "init", "session_id": "run-1", "tools": ["Task", "Grep"], "model": "large"},
        record("assistant", reply("m1", called("c1", "Task", prompt="Find it.", description="Find"))),
        record("user", {"role": "user", "content": [text("Find it.")]}, "c1"),
        record("assistant", reply("m2", called("c2", "Grep", pattern="x")), "c1"),
        record("user", answer("c2", "y"), "c1"),
        record("user", answer("c1", "Found.")),
        record("assistant", reply("m3", text("It is y."))),
        {"type": "result", "subtype": "success", "session_id": "run-1", "duration_ms": 1500, "num_turns": 2,
         "total_cost_usd": 0.02, "is_error": False, "result": "It is y."},
    ]  # fmt: skip

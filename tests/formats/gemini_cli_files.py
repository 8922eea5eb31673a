"""Sessions of Gemini CLI as one object and as lines that replace each other, made by hand."""

from __future__ import annotations

from trace_inspector.core.values.values import Json, JsonObject

HEAD: JsonObject = {
    "sessionId": "9e41-0001",
    "projectHash": "0f0f",
    "startTime": "2026-05-01T10:00:00.000Z",
    "lastUpdated": "2026-05-01T10:05:00.000Z",
    "kind": "main",
}


def message(kind: str, identity: str, second: int, content: Json, **more: Json) -> JsonObject:
    """One message, at a second of the first minute."""
    return {
        "id": identity,
        "timestamp": f"2026-05-01T10:00:{second:02}.000Z",
        "type": kind,
        "content": content,
        **more,
    }


def call(identity: str, name: str, status: str, **more: Json) -> JsonObject:
    """A call within a message."""
    return {"id": identity, "name": name, "args": {"what": "price"}, "status": status, **more,
            "timestamp": "2026-05-01T10:00:05.000Z", "displayName": name.title()}  # fmt: skip


def answer(identity: str, name: str, **response: Json) -> list[Json]:
    """What a tool answered, as a call has it."""
    inner: Json = dict(response)
    return [{"functionResponse": {"id": identity, "name": name, "response": inner}}]


def calls() -> list[Json]:
    """A call that worked, one whose command failed, one that failed, and one that was not allowed."""
    return [
        call("c1", "read_file", "success", result=answer("c1", "read_file", output="price = 3")),
        call("c2", "run_shell_command", "success",
             result=answer("c2", "run_shell_command", output="Output: no rule\nExit Code: 2\nSignal: 0")),
        call("c3", "replace", "error", result=answer("c3", "replace", error="no match")),
        call("c4", "write_file", "cancelled"),
    ]  # fmt: skip


TOKENS: JsonObject = {"input": 100, "output": 10, "cached": 60, "thoughts": 5, "tool": 2, "total": 117}


def messages() -> list[Json]:
    """Two turns, with what the program says between them."""
    thought: Json = {"subject": "Looking", "description": "Two files.", "timestamp": "2026-05-01T10:00:02.000Z"}
    return [
        message("info", "m0", 0, "Welcome."),
        message("user", "m1", 1, "Why is the price wrong?"),
        message("gemini", "m2", 3, "", model="gemini-x", thoughts=[thought], tokens=TOKENS, toolCalls=calls()),
        message("gemini", "m3", 6, "The price is fixed.", model="gemini-x", tokens=TOKENS, thoughts=[], toolCalls=[]),
        message("user", "m4", 20, [{"text": "Make it three."}], displayContent="Make it three!"),
        message("error", "m5", 21, "The line broke."),
        message("oracle", "m6", 22, "dim"),
        message("model", "m7", 23, None, parts=[{"text": "It is three now."}]),
    ]


def session() -> JsonObject:
    """A session as one object."""
    return {**HEAD, "summary": "A price is wrong", "messages": messages()}


def lines() -> list[Json]:
    """The same as lines: an answer is written again when it is complete, and a turn is taken back."""
    _welcome, asked, called, fixed, *rest = messages()
    early = message("gemini", "m2", 3, "", model="gemini-x")
    bootstrap: Json = [message("user", "b0", 0, [{"text": "<session_context>\nThis is the Gemini CLI."}])]
    return [
        HEAD,
        {"$set": {"messages": bootstrap, "lastUpdated": "2026-05-01T10:00:00.000Z"}},
        asked,
        early,
        called,
        fixed,
        message("user", "d1", 10, "Make it thre."),
        message("gemini", "d2", 11, "Thre?", tokens=TOKENS),
        {"$rewindTo": "d1"},
        *rest,
        {"$set": {"summary": "A price is wrong"}},
    ]


def printed(session_id: str = "9e41-0002") -> list[Json]:
    """What a run prints: a call that worked, one that failed, one without words, an answer in pieces, its tokens."""
    time = "2026-05-01T10:01:0{}.000Z"
    error: Json = {"type": "invalid", "message": "no such rule"}
    return [
        {"type": "init", "timestamp": time.format(0), "session_id": session_id, "model": "gemini-x"},
        {"type": "message", "timestamp": time.format(1), "role": "user", "content": "Why is the price wrong?"},
        {"type": "message", "timestamp": time.format(2), "role": "assistant", "content": "I look.", "delta": True},
        {"type": "tool_use", "timestamp": time.format(2), "tool_name": "read_file", "tool_id": "c1",
         "parameters": {"what": "price"}},
        {"type": "tool_result", "timestamp": time.format(3), "tool_id": "c1", "status": "success",
         "output": "price = 3"},
        {"type": "tool_use", "timestamp": time.format(3), "tool_name": "replace", "tool_id": "c2", "parameters": {}},
        {"type": "tool_result", "timestamp": time.format(4), "tool_id": "c2", "status": "error", "output": "",
         "error": error},
        {"type": "tool_use", "timestamp": time.format(4), "tool_name": "write_file", "tool_id": "c3",
         "parameters": {}},
        {"type": "tool_result", "timestamp": time.format(5), "tool_id": "c3", "status": "success"},
        {"type": "error", "timestamp": time.format(5), "severity": "warning", "message": "Slow."},
        {"type": "message", "timestamp": time.format(6), "role": "assistant", "content": "The price ", "delta": True},
        {"type": "message", "timestamp": time.format(7), "role": "assistant", "content": "is fixed.", "delta": True},
        {"type": "result", "timestamp": time.format(8), "status": "success",
         "stats": {"total_tokens": 130, "input_tokens": 100, "output_tokens": 10, "cached": 60, "duration_ms": 8000,
                   "tool_calls": 3}},
    ]  # fmt: skip


def printed_whole() -> JsonObject:
    """What a run prints as one object."""
    tokens: Json = {"prompt": 100, "candidates": 10, "total": 117, "cached": 60, "thoughts": 5, "tool": 2}
    return {
        "session_id": "9e41-0003",
        "response": "It is three now.",
        "stats": {
            "models": {"gemini-x": {"api": {"totalRequests": 1}, "tokens": tokens}},
            "tools": {"totalCalls": 0},
        },
    }

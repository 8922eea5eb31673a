"""A session of opencode with every kind of message and part, made by hand."""

from __future__ import annotations

from trace_inspector.core.values.values import Json, JsonObject

_BORN = 1_770_000_000_000


def tokens(prompt: int, answer: int, thoughts: int, read: int, written: int) -> JsonObject:
    """Counts as opencode writes them: each kind by itself."""
    return {"input": prompt, "output": answer, "reasoning": thoughts, "cache": {"read": read, "write": written}}


def part(kind: str, **more: Json) -> JsonObject:
    """One part of a message."""
    return {"id": "prt_1", "sessionID": "ses_1", "messageID": "msg_1", "type": kind, **more}


def tool(call: str, name: str, status: str, **state: Json) -> JsonObject:
    """A call within a message, as far as it has come."""
    times: JsonObject = {"start": _BORN + 3_000, "end": _BORN + 4_500}
    inner: Json = {"status": status, "input": {"what": "price"}, "time": times, **state}
    return part("tool", callID=call, tool=name, state=inner)


def user(identity: str, second: int, *parts: JsonObject) -> JsonObject:
    """Somebody's message."""
    listed: list[Json] = [*parts]
    model: Json = {"providerID": "acme", "modelID": "m-1"}
    return {
        "info": {"id": identity, "sessionID": "ses_1", "role": "user", "time": {"created": _BORN + second * 1000},
                 "agent": "build", "model": model},
        "parts": listed,
    }  # fmt: skip


def assistant(identity: str, second: int, *parts: JsonObject, **more: Json) -> JsonObject:
    """A reply of the model, which took two seconds."""
    listed: list[Json] = [*parts]
    times: Json = {"created": _BORN + second * 1000, "completed": _BORN + (second + 2) * 1000}
    return {
        "info": {"id": identity, "sessionID": "ses_1", "role": "assistant", "parentID": "m1", "agent": "build",
                 "modelID": "m-1", "providerID": "acme", "cost": 0.5, "time": times, **more},
        "parts": listed,
    }  # fmt: skip


def messages() -> list[Json]:
    """Two turns: calls that worked, failed, and one that is not over; then a reply that broke off."""
    return [
        user(
            "m1",
            1,
            part("text", text="Why is the price wrong?"),
            part("text", text="<file>price = 3</file>", synthetic=True),
            part("file", mime="image/png", filename="price.png", url="file:///price.png"),
        ),
        assistant(
            "m2",
            2,
            part("step-start", snapshot="0a"),
            part("reasoning", text="Look at the rule.", time={"start": _BORN}),
            tool("c1", "read", "completed", output="price = 3", title="rule.py", metadata={"truncated": False}),
            tool("c2", "bash", "completed", output="no rule", metadata={"exit": 2}),
            part("step-finish", reason="tool-calls", cost=0.5, tokens=tokens(10, 5, 3, 100, 7)),
            part("patch", hash="0b", files=["rule.py"]),
            tool("c3", "edit", "error", error="no match"),
            part("step-finish", reason="tool-calls", cost=0.5, tokens=tokens(20, 6, 0, 200, 0)),
            tokens=tokens(20, 6, 0, 200, 0),
        ),
        assistant("m3", 6, part("text", text="The price is fixed."), tokens=tokens(1, 2, 0, 0, 0), finish="stop"),
        user("m4", 20, part("text", text="Make it three.")),
        assistant(
            "m5",
            21,
            tool("c4", "task", "running", metadata={"sessionId": "ses_2"}),
            part("oracle", text="dim"),
            error={"name": "MessageAbortedError", "data": {"message": "Aborted"}},
        ),
    ]


def session() -> JsonObject:
    """An export."""
    return {
        "info": {"id": "ses_1", "slug": "calm-lake", "projectID": "0c", "directory": "/shop", "version": "1.17.0",
                 "title": "A price is wrong", "parentID": "ses_0", "time": {"created": _BORN}},
        "messages": messages(),
    }  # fmt: skip


def printed() -> list[Json]:
    """What a run prints: a step with a call, the answer, and that something went wrong."""

    def record(kind: str, second: int, inner: JsonObject) -> Json:
        return {"type": kind, "timestamp": _BORN + second * 1000, "sessionID": "ses_1", "part": inner}

    error: Json = {"name": "UnknownError", "data": {"message": "The line broke."}}
    return [
        record("step_start", 1, part("step-start")),
        record("tool_use", 2, tool("c1", "bash", "completed", output="no rule", metadata={"exit": 2})),
        record("step_finish", 3, part("step-finish", reason="tool-calls", tokens=tokens(10, 5, 3, 100, 7))),
        record("step_start", 4, {**part("step-start"), "messageID": "msg_2"}),
        record("text", 5, {**part("text", text="The price is fixed."), "messageID": "msg_2"}),
        record("step_finish", 6, {**part("step-finish", tokens=tokens(20, 6, 0, 200, 0)), "messageID": "msg_2"}),
        {"type": "error", "timestamp": _BORN + 7000, "sessionID": "ses_1", "error": error},
    ]

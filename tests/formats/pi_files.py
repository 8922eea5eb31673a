"""A session of pi with every kind of entry and message, and with a branch that was left, made by hand."""

from __future__ import annotations

from trace_inspector.core.values.values import Json, JsonObject

HEAD: JsonObject = {
    "type": "session", "version": 3, "id": "pi-0001", "timestamp": "2026-05-01T10:00:00.000Z", "cwd": "/shop",
}  # fmt: skip
USAGE: JsonObject = {"input": 10, "output": 5, "cacheRead": 100, "cacheWrite": 7, "totalTokens": 122}


def entry(kind: str, identity: str, parent: str | None, **more: Json) -> JsonObject:
    """One entry; its id ends with its second."""
    return {
        "type": kind, "id": identity, "parentId": parent, "timestamp": f"2026-05-01T10:00:{identity[-2:]}Z", **more,
    }  # fmt: skip


def message(identity: str, parent: str | None, role: str, **more: Json) -> JsonObject:
    """One message."""
    return entry("message", identity, parent, message={"role": role, **more})


def text(words: str) -> JsonObject:
    """A block of words."""
    return {"type": "text", "text": words}


def call(identity: str, name: str) -> JsonObject:
    """A block with a call."""
    return {"type": "toolCall", "id": identity, "name": name, "arguments": {"what": "price"}}


def lines() -> list[Json]:
    """Two turns; the words of the second were said in another way before."""
    picture: Json = {"type": "image", "data": "AAAA", "mimeType": "image/png"}
    calls: list[Json] = [{"type": "thinking", "thinking": "Look."}, call("c1", "read"), call("c2", "bash")]
    results: list[Json] = [text("price = 3"), text("rule = 5")]
    return [
        HEAD,
        entry("model_change", "e01", None, provider="acme", modelId="m-1"),
        message("e02", "e01", "user", content=[text("Why is the price wrong?"), picture]),
        message("e03", "e02", "assistant", content=calls, model="m-1", usage=USAGE, stopReason="toolUse"),
        message("e04", "e03", "toolResult", toolCallId="c1", toolName="read", content=results, isError=False),
        message("e05", "e04", "toolResult", toolCallId="c2", toolName="bash", content=[text("no")], isError=True),
        message("e06", "e05", "assistant", content=[text("The price is fixed.")], usage=USAGE, stopReason="stop"),
        message("e10", "e06", "user", content="Make it thre."),
        message("e11", "e10", "assistant", content=[text("Thre?")], usage=USAGE),
        entry("branch_summary", "e12", "e06", fromId="e11", summary="A word was misspelt."),
        message("e13", "e12", "user", content="Make it three."),
        message("e14", "e13", "bashExecution", command="ls", output="rule.py", exitCode=0),
        entry("label", "e15", "e14", targetId="e13", label="here"),
        entry("session_info", "e16", "e15", name="A price is wrong"),
        entry("custom_message", "e17", "e16", customType="hint", content="Mind the rule."),
        message("e18", "e17", "oracle", content="dim"),
        entry("compaction", "e19", "e18", summary="Prices were looked at.", tokensBefore=500),
        message("e20", "e19", "assistant", content=[], errorMessage="The line broke.", stopReason="error"),
    ]

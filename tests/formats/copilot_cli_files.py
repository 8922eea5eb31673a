"""A session of GitHub Copilot CLI with a sub-agent, made by hand."""

from __future__ import annotations

from trace_inspector.core.values.values import Json, JsonObject


def event(kind: str, second: int, *, agent: str = "", **data: Json) -> JsonObject:
    """One line; its id ends with its second."""
    inner: Json = dict(data)
    line: JsonObject = {"type": kind, "data": inner, "id": f"e{second:02}", "parentId": None,
                        "timestamp": f"2026-05-01T10:00:{second:02}.000Z"}  # fmt: skip
    return {**line, "agentId": agent} if agent else line


def request(identity: str, name: str, **arguments: Json) -> JsonObject:
    """A call within a reply."""
    inner: Json = dict(arguments)
    return {"toolCallId": identity, "name": name, "arguments": inner, "type": "function"}


def lines() -> list[Json]:
    """Two turns: a sub-agent in the first, a failure in the second."""
    return [
        event("session.start", 0, sessionId="cp-0001", producer="copilot-agent", copilotVersion="1.0.55"),
        event("system.message", 1, role="system", content="Mind the prices."),
        event("user.message", 2, content="Why is the price wrong?", transformedContent="<now/>Why?", attachments=[]),
        event("assistant.turn_start", 3, turnId="0"),
        event("assistant.message", 4, messageId="m1", model="m-1", content="", reasoningText="Look.", outputTokens=9,
              toolRequests=[request("c1", "view", path="rule.py"), request("c2", "task", prompt="Count the rules.")]),
        event("tool.execution_start", 5, toolCallId="c1", toolName="view", arguments={"path": "rule.py"}),
        event("tool.execution_complete", 6, toolCallId="c1", success=True, result={"content": "price = 3"}),
        event("subagent.started", 7, agent="c2", toolCallId="c2", agentName="explore", agentDisplayName="Explorer"),
        event("assistant.message", 8, agent="c2", messageId="m2", model="m-2", content="", outputTokens=4,
              parentToolCallId="c2", toolRequests=[request("c3", "grep", pattern="rule")]),
        event("tool.execution_start", 9, agent="c2", toolCallId="c3", toolName="grep", arguments={}),
        event("tool.execution_complete", 11, agent="c2", toolCallId="c3", success=False, error={"message": "no rg"}),
        event("assistant.message", 12, agent="c2", messageId="m3", content="Two rules.", outputTokens=3),
        event("subagent.completed", 13, agent="c2", toolCallId="c2"),
        event("tool.execution_complete", 14, toolCallId="c2", success=True, result={"content": "Two rules."}),
        event("assistant.message", 15, messageId="m4", model="m-1", content="The price is fixed.", outputTokens=6),
        event("hook.start", 16, hookType="postToolUse"),
        event("user.message", 20, content="Go on.", source="skill-rules"),
        event("user.message", 21, content="Make it three."),
        event("tool.execution_start", 22, toolCallId="c9", toolName="bash", arguments={"command": "ls"}),
        event("session.error", 23, errorType="query", message="The line broke."),
        event("session.title_changed", 24, title="A price is wrong"),
        event("oracle", 25, words="dim"),
        event("session.shutdown", 26, shutdownType="routine", modelMetrics={"m-1": {"usage": {"inputTokens": 50}}}),
    ]  # fmt: skip


def usage(second: int) -> JsonObject:
    """All tokens of one reply, as only printed."""
    told = event("assistant.usage", second, model="m-1", inputTokens=100, outputTokens=9, cacheReadTokens=60,
                 cacheWriteTokens=7, reasoningTokens=2)  # fmt: skip
    return {**told, "ephemeral": True}


def printed() -> list[Json]:
    """What it prints: pieces of words, tokens beside, and how it ended."""
    return [
        event("user.message", 2, content="Why is the price wrong?"),
        {**event("assistant.message_delta", 3, messageId="m1", deltaContent="The "), "ephemeral": True},
        event("assistant.message", 4, messageId="m1", model="m-1", content="The price is fixed.", outputTokens=9),
        usage(5),
        usage(6),
        event("assistant.message", 7, messageId="m2", model="m-1", content="It is three.", outputTokens=9),
        {"type": "result", "timestamp": "2026-05-01T10:00:08.000Z", "sessionId": "cp-0002", "exitCode": 0},
    ]

"""Small sessions for tests, as the web server tells them."""

from __future__ import annotations

from trace_inspector.core.values.values import Json, JsonObject


def said(text: str) -> JsonObject:
    """A part with words."""
    return {"text": text}


def call(name: str, call_id: str = "c1", **args: Json) -> JsonObject:
    """A part that asks for a tool."""
    return {"functionCall": {"id": call_id, "name": name, "args": args}}


def result(name: str, value: JsonObject, call_id: str = "c1") -> JsonObject:
    """A part with what a tool answered."""
    return {"functionResponse": {"id": call_id, "name": name, "response": value}}


def event(author: str, *parts: Json, at: float = 1.0, invocation: str | None = "e-1", **others: Json) -> JsonObject:
    """One event; without parts it has no content."""
    made: JsonObject = {"author": author, "id": f"{author}{at}", "timestamp": at, **others}
    if invocation is not None:
        made["invocationId"] = invocation
    if parts:
        made["content"] = {"role": "user" if author == "user" else "model", "parts": [*parts]}
    return made


def session(*events: Json, **others: Json) -> JsonObject:
    """A whole session."""
    return {
        "id": "s1",
        "appName": "guide",
        "userId": "u1",
        "state": {"k": 1},
        "events": [*events],
        "lastUpdateTime": 9.0,
        **others,
    }

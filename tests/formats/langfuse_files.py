"""Traces of Langfuse, as its pages download them and as its API gives them."""

from __future__ import annotations

import json

from trace_inspector.core.values.values import Json, JsonObject

_HEAD: JsonObject = {"traceId": "t1", "level": "DEFAULT", "projectId": "p"}
_CALL: JsonObject = {"id": "c1", "type": "function", "function": {"name": "find", "arguments": '{"what": "garage"}'}}


def _observation(identity: str, kind: str, name: str, parent: str | None, start: int, **more: Json) -> JsonObject:
    times: JsonObject = {"startTime": f"2026-05-01T10:00:0{start}Z", "endTime": f"2026-05-01T10:00:0{start + 1}Z"}
    above: JsonObject = {} if parent is None else {"parentObservationId": parent}
    return {**_HEAD, "id": identity, "type": kind, "name": name, **above, **times, **more}


def observations() -> list[Json]:
    """A generation around two others, and a tool between them that fails."""
    asked: list[Json] = [{"role": "system", "content": "Be short."}, {"role": "user", "content": "Where may I park?"}]
    answered: JsonObject = {"role": "assistant", "content": "", "tool_calls": [_CALL]}
    failed: JsonObject = {"role": "tool", "tool_call_id": "c1", "content": "no map"}
    return [
        _observation("o1", "GENERATION", "handle", None, 0, input="Where may I park?", output="Nowhere."),
        _observation(
            "o2", "GENERATION", "ask", "o1", 1, input=json.dumps(asked), output=json.dumps(answered), model="small",
            usageDetails={"input": 40, "output": 8, "input_cached_tokens": 16},
        ),
        _observation(
            "o3", "TOOL", "find", "o1", 2, input='{"what": "garage"}', output="no map", level="ERROR",
            statusMessage="no map",
        ),
        _observation(
            "o4", "GENERATION", "ask", "o1", 3, input=json.dumps([*asked, answered, failed]),
            output=json.dumps({"role": "assistant", "content": "Nowhere."}), model="small",
            usage={"promptTokens": 60, "completionTokens": 3},
        ),
    ]  # fmt: skip


def trace() -> JsonObject:
    """A trace with scores of a model and of people."""
    return {
        "id": "t1",
        "timestamp": "2026-05-01T10:00:00Z",
        "name": "chat",
        "sessionId": "s1",
        "projectId": "p",
        "input": '"Where may I park?"',
        "output": '"Nowhere."',
        "latency": 4.5,
        "scores": [
            {"id": "x", "name": "tone", "value": 0.75, "source": "API", "comment": "calm"},
            {"id": "y", "name": "right", "value": 0, "source": "ANNOTATION", "stringValue": "wrong"},
        ],
    }


def download() -> JsonObject:
    """As a page downloads it."""
    return {"trace": trace(), "observations": observations()}


def from_api() -> JsonObject:
    """As the API gives it."""
    return {**trace(), "observations": observations()}

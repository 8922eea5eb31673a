"""Logs of Inspect: as one object, and as the files of an archive."""

from __future__ import annotations

import json

from tests.documents.archives import zipped, zstandard_zipped
from trace_inspector.core.values.values import Json, JsonObject

_AT = "2026-05-01T10:00:0{}+00:00"


def header() -> JsonObject:
    """What was run, and how it ended."""
    return {
        "version": 2,
        "status": "success",
        "eval": {"task": "parking", "run_id": "r1", "model": "maker/small", "config": {"epochs": 2}},
        "plan": {"steps": [{"solver": "generate"}]},
        "results": {"total_samples": 2, "completed_samples": 2, "scores": []},
    }


def sample(epoch: int = 1) -> JsonObject:
    """A sample with a call that fails, its texts partly among the attachments, and four scores."""
    call: JsonObject = {"id": "c1", "function": "find", "arguments": {"what": "garage"}, "type": "function"}
    first: JsonObject = {"id": "m2", "role": "assistant", "content": "", "tool_calls": [call], "source": "generate"}
    last: JsonObject = {"id": "m4", "role": "assistant", "content": "At Pier 4.", "source": "generate"}
    usage: JsonObject = {"input_tokens": 30, "output_tokens": 9, "reasoning_tokens": 2, "input_tokens_cache_read": 7}

    def model(at: int, message: JsonObject) -> JsonObject:
        output: JsonObject = {
            "model": "small",
            "usage": usage,
            "choices": [{"message": message, "stop_reason": "stop"}],
        }
        head: JsonObject = {"event": "model", "uuid": f"u{at}", "timestamp": _AT.format(at), "span_id": "sp1"}
        return {**head, "working_time": 0.5, "output": output, "model": "maker/small"}

    return {
        "id": "pier",
        "epoch": epoch,
        "input": "attachment://h1",
        "target": ["Pier 4", "the fourth pier"],
        "messages": [
            {"id": "m0", "role": "system", "content": "Be short."},
            {"id": "m1", "role": "user", "content": "attachment://h1", "source": "input"},
            first,
            {"id": "m3", "role": "tool", "content": "no map", "tool_call_id": "c1", "function": "find",
             "error": {"type": "unknown", "message": "no map"}},
            last,
        ],
        "output": {"model": "small", "choices": [{"message": last}]},
        "scores": {
            "match": {"value": "C", "answer": "Pier 4", "explanation": "It is in the answer."},
            "tone": {"value": 0.25},
            "parts": {"value": {"polite": True, "short": "P"}},
            "people": {"value": "I", "history": [{"value": "C"}, {"value": "I", "provenance": {"author": "ann"}}]},
        },
        "metadata": {"city": "Lima"},
        "events": [
            {"event": "span_begin", "id": "sp1", "name": "generate", "type": "solver", "timestamp": _AT.format(0)},
            model(1, first),
            {"event": "tool", "id": "c1", "function": "find", "timestamp": _AT.format(2), "working_time": 0.25,
             "uuid": "u2", "span_id": "sp1"},
            model(3, last),
            {"event": "hologram", "timestamp": _AT.format(3)},
            {"event": "span_end", "id": "sp1", "timestamp": _AT.format(4)},
        ],
        "total_time": 4.0,
        "attachments": {"h1": "Where may I park?"},
    }  # fmt: skip


def log() -> JsonObject:
    """Both epochs in one object."""
    return {**header(), "samples": [sample(1), sample(2)]}


def plain(**more: Json) -> JsonObject:
    """A sample of one question and answer, without events: what it used stands in its output alone."""
    usage: JsonObject = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}
    answer: JsonObject = {"id": "m2", "role": "assistant", "content": "At Pier 4.", "source": "generate"}
    return {
        "id": "pier",
        "epoch": 1,
        "input": "Where may I park?",
        "target": "Pier 4",
        "messages": [{"id": "m1", "role": "user", "content": "Where may I park?", "source": "input"}, answer],
        "output": {
            "model": "small",
            "choices": [{"message": answer, "stop_reason": "max_tokens"}],
            "usage": usage,
            "time": 1.5,
        },
        "scores": {},
        "model_usage": {"maker/small": usage},
        "events": [],
        "attachments": {},
        **more,
    }


def told_beside() -> dict[str, JsonObject]:
    """An event of each kind that is no message and becomes one of the turn, by its kind."""
    call: JsonObject = {"id": "c1", "function": "find", "arguments": {"what": "garage"}}
    bodies: dict[str, JsonObject] = {
        "sandbox": {"action": "exec", "cmd": "ls /maps", "result": 2, "output": "no such folder",
                    "completed": "2026-05-01T10:00:09+00:00"},
        "info": {"source": "guide", "data": "attachment://h1"},
        "logger": {"message": {"name": "http", "level": "warning", "message": "slow reply"}},
        "approval": {"message": "May I?", "call": call, "approver": "ann", "decision": "reject",
                     "explanation": "No maps today."},
        "input": {"input": "Which town? Lima"},
        "sample_limit": {"type": "token", "message": "Token limit reached.", "limit": 5},
        "compaction": {"tokens_before": 9000, "tokens_after": 2000, "source": "inspect"},
        "interrupt": {"source": "user_cancel", "interrupted": "generate"},
        "store": {"changes": [{"op": "add", "path": "/town", "value": "Lima"}]},
        "subtask": {"name": "look", "input": {"what": "maps"}, "result": "none",
                    "completed": "2026-05-01T10:00:09+00:00"},
        "error": {"error": {"message": "out of maps", "traceback": "…"}},
    }  # fmt: skip
    return {kind: {"event": kind, "timestamp": _AT.format(8), **body} for kind, body in bodies.items()}


def untold() -> dict[str, JsonObject]:
    """An event of each kind that becomes nothing, by its kind."""
    changes: list[Json] = [{"op": "add", "path": "/tools/0", "value": "find"}]
    bodies: dict[str, JsonObject] = {
        "checkpoint": {"checkpoint_id": 1, "trigger": "turn"},
        "branch": {"from_span": "sp1", "from_anchor": "a1"},
        "anchor": {"anchor_id": "a1"},
        "state": {"changes": changes},
        "sample_init": {"sample": {"input": "Another question", "target": ""}, "state": {}},
        "score": {"score": {"value": 0.75}},
        "span_end": {"id": "never begun"},
        "hologram": {},
    }
    return {kind: {"event": kind, "timestamp": _AT.format(8), **body} for kind, body in bodies.items()}


def archive(*, is_broken_off: bool = False, is_zstandard: bool = False) -> bytes:
    """The same as an archive; of a run that was broken off there is no header."""
    files: dict[str, Json] = {
        "_journal/start.json": {"version": 2, "eval": header()["eval"], "plan": header()["plan"]},
        "samples/pier_epoch_1.json": sample(1),
        "samples/pier_epoch_2.json": sample(2),
        "summaries.json": [],
    }
    if not is_broken_off:
        files["header.json"] = header()
    packed = {name: json.dumps(value).encode() for name, value in files.items()}
    return zstandard_zipped(packed) if is_zstandard else zipped(packed)


def journal(*summaries: JsonObject, **files: Json) -> bytes:
    """A run that was broken off before any sample was written: only its journal is there."""
    members: dict[str, Json] = {
        "_journal/start.json": {"version": 2, "eval": header()["eval"], "plan": header()["plan"]},
        "_journal/summaries/1.json": [*summaries],
        **files,
    }
    return zipped({name: json.dumps(value).encode() for name, value in members.items()})

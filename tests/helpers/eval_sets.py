"""Small ADK eval sets and criteria, written as files."""

from __future__ import annotations

import json
from pathlib import Path

from trace_inspector.core.values.values import Json, JsonObject


def call(name: str, **args: Json) -> JsonObject:
    """A tool call."""
    return {"name": name, "args": args}


def turn(user: str, answer: str | None = None, calls: list[Json] | None = None, turn_id: str = "") -> JsonObject:
    """An invocation in ADK's old form; None states nothing."""
    stated: JsonObject = {"invocation_id": turn_id, "user_content": {"role": "user", "parts": [{"text": user}]}}
    if answer is not None:
        stated["final_response"] = {"role": "model", "parts": [{"text": answer}]}
    if calls is not None:
        stated["intermediate_data"] = {"tool_uses": calls}
    return stated


def turn_with_result(user: str, answer: str, result: Json) -> JsonObject:
    """An invocation with one call, and what the tool answered."""
    given: JsonObject = {"id": "1", "name": "find", "response": result}
    made: JsonObject = {"tool_uses": [{"id": "1", "name": "find", "args": {}}], "tool_responses": [given]}
    return {**turn(user, answer), "intermediate_data": made}


def case(name: str, *turns: Json, session: str | None = None) -> JsonObject:
    """A scripted case."""
    stated: JsonObject = {"eval_id": name, "conversation": list(turns)}
    if session is not None:
        stated["session_input"] = {"app_name": "shop", "user_id": "u", "session_id": session}
    return stated


def write_eval_set(path: Path, *cases: Json, set_id: str = "shop") -> Path:
    """An eval set on disk."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"eval_set_id": set_id, "eval_cases": list(cases)}), encoding="utf-8")
    return path


def write_criteria(path: Path, **criteria: Json) -> Path:
    """An eval configuration on disk."""
    path.write_text(json.dumps({"criteria": criteria}), encoding="utf-8")
    return path


def search_run(path: Path, name: str, moment: str, note: str) -> Path:
    """A conversation that searches."""
    parts: list[list[Json]] = [
        [{"text": "Find it."}],
        [{"function_call": {"id": "c", "name": "search", "args": {"moment": moment, "note": note}}}],
        [{"text": "Found."}],
    ]
    events: list[Json] = [
        {"author": "agent" if at else "user", "invocation_id": "i", "id": f"{at}", "timestamp": 1.0 + at,
         "content": {"role": "model" if at else "user", "parts": some}}
        for at, some in enumerate(parts)
    ]  # fmt: skip
    told: JsonObject = {"id": name, "app_name": "shop", "user_id": "u", "state": {}, "events": events}
    path.write_text(json.dumps(told))
    return path

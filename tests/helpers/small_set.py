"""A small eval set of ADK, about 5 kB, and a session that answers it: what most commands are called with."""

from __future__ import annotations

import json
from pathlib import Path

from trace_inspector.core.values.values import Json

_TURNS = 5


def small_set(folder: Path) -> tuple[Path, Path]:
    """The files of the goldens and of the recording."""
    goldens, recording = folder / "shop.evalset.json", folder / "session.json"
    case: Json = {"eval_id": "shoes", "conversation": [_invocation(at) for at in range(_TURNS)]}
    goldens.write_text(json.dumps({"eval_set_id": "shop", "eval_cases": [case]}, indent=2), encoding="utf-8")
    events = [event for at in range(_TURNS) for event in _events(at)]
    session: Json = {"id": "shoes", "app_name": "shop", "user_id": "u", "state": {}, "events": [*events]}
    recording.write_text(json.dumps(session, indent=2), encoding="utf-8")
    return goldens, recording


def _words(at: int) -> tuple[str, str]:
    return f"How many pairs of number {at} are on the shelf?", f"There are {at + 3} pairs on shelf {at}."


def _call(at: int) -> Json:
    return {"id": f"c{at}", "name": "count_shelf", "args": {"number": at, "shop": "Chur"}}


def _answer(at: int) -> Json:
    return {"id": f"c{at}", "name": "count_shelf", "response": {"pairs": at + 3, "shelf": at}}


def _content(role: str, *parts: Json) -> Json:
    return {"role": role, "parts": [*parts]}


def _invocation(at: int) -> Json:
    asked, said = _words(at)
    return {
        "invocation_id": f"e-{at}",
        "user_content": _content("user", {"text": asked}),
        "final_response": _content("model", {"text": said}),
        "intermediate_data": {"tool_uses": [_call(at)], "tool_responses": [_answer(at)]},
    }


def _events(at: int) -> list[Json]:
    asked, said = _words(at)
    said_by = [
        ("user", _content("user", {"text": asked})),
        ("shop", _content("model", {"function_call": _call(at)})),
        ("shop", _content("user", {"function_response": _answer(at)})),
        ("shop", _content("model", {"text": said})),
    ]
    return [
        {
            "id": f"{at}-{number}",
            "invocation_id": f"e-{at}",
            "author": author,
            "content": content,
            "timestamp": 1_760_000_000.0 + at * 10 + number,
            "actions": {},
        }
        for number, (author, content) in enumerate(said_by)
    ]

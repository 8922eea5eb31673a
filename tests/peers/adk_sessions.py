"""Random sessions as the web server keeps them: what a run of agents leaves behind, and odd things."""

from __future__ import annotations

import random

from tests.peers.adk_invocations import call, camel_cased, grounding, part, response, text_part, usage
from tests.peers.odd_values import mapping, put
from trace_inspector.core.values.values import Json, JsonObject

_AGENTS = ("root", "booker", "helper_2", "日本")
_CHANCE = {
    "user again": 0.15,
    "nothing said": 0.1,
    "code": 0.12,
    "transfer": 0.1,
    "long running": 0.08,
    "error": 0.06,
}


def session(rng: random.Random) -> Json:
    """One session."""
    events: list[Json] = []
    for turn in range(rng.choice((0, 1, 1, 2, 2, 3, 5))):
        events += _turn(rng, f"e-{turn}")
    if rng.random() < 0.15:  # a database that orders by time alone mixes what ran side by side
        rng.shuffle(events)
    for at, event in enumerate(events):
        if isinstance(event, dict):
            event["timestamp"] = 1_700_000_000.0 + at * rng.choice((0.0, 0.25, 1.5))
    made: JsonObject = {"id": rng.choice(("s1", "日本", "a b")), "app_name": "app", "user_id": "u", "events": events}
    put(rng, made, "last_update_time", 1_700_000_100.5, chance=1)
    if rng.random() < 0.5:
        made["state"] = mapping(rng)
    return camel_cased(rng, made)


def _turn(rng: random.Random, invocation_id: str) -> list[Json]:
    events: list[Json] = []
    if rng.random() < 0.93:
        events.append(_event(rng, invocation_id, rng.choice(("user", "user", "user", "User")), words=True))
    return [*events, *(_step_of(rng, invocation_id) for _step in range(rng.choice((0, 1, 2, 3, 4, 8))))]


def _step_of(rng: random.Random, invocation_id: str) -> JsonObject:
    kind = rng.random()
    author = "user" if kind < _CHANCE["user again"] else rng.choice(_AGENTS)
    event = _event(rng, invocation_id, author, words=rng.random() < 0.25)
    if rng.random() < _CHANCE["nothing said"]:
        silent: tuple[Json, ...] = (None, {}, {"parts": []}, {"role": "model"})
        event["content"] = rng.choice(silent)
    if rng.random() < _CHANCE["code"]:
        event["content"] = {"parts": _code_parts(rng), "role": "model"}
    _add_actions(rng, event)
    if rng.random() < _CHANCE["long running"]:
        ids: tuple[Json, ...] = ([], ["c1"], ["c1", "c2"])
        event["long_running_tool_ids"] = rng.choice(ids)
    if rng.random() < _CHANCE["error"]:
        event["error_code"] = rng.choice(("SAFETY", "", "500"))
    put(rng, event, "usage_metadata", usage(rng), chance=0.4)
    put(rng, event, "model_version", rng.choice(("gemini-2.5-flash", "")), chance=0.3)
    put(rng, event, "grounding_metadata", grounding(rng), chance=0.12)
    put(rng, event, "partial", rng.random() < 0.6, chance=0.15)
    put(rng, event, "finish_reason", "STOP", chance=0.2)
    put(rng, event, "branch", "root.booker", chance=0.1)
    return event


def _event(rng: random.Random, invocation_id: str, author: str, *, words: bool) -> JsonObject:
    event: JsonObject = {"author": author, "invocation_id": invocation_id}
    if rng.random() < 0.7:
        event["id"] = f"{rng.randrange(10**9):09d}"
    parts: list[Json] = [text_part(rng) if words else part(rng) for _part in range(rng.choice((0, 1, 1, 1, 2, 3)))]
    event["content"] = {"parts": parts, "role": "user" if author.lower() == "user" else "model"}
    return event


def _code_parts(rng: random.Random) -> list[Json]:
    code: JsonObject = {"executable_code": {"code": "print(1)", "language": "PYTHON"}}
    result: JsonObject = {"code_execution_result": {"outcome": "OUTCOME_OK", "output": "1"}}
    shapes: tuple[list[Json], ...] = (
        [code],
        [result],
        [code, result],
        [text_part(rng), code],
        [result, text_part(rng)],
    )
    return rng.choice(shapes)


def _add_actions(rng: random.Random, event: JsonObject) -> None:
    actions: JsonObject = {}
    if rng.random() < _CHANCE["transfer"]:
        actions["transfer_to_agent"] = rng.choice(_AGENTS)
        if rng.random() < 0.6:
            answer: JsonObject = {"name": "transfer_to_agent", "response": {"result": None}, "id": "c9"}
            event["content"] = {"parts": [{"function_response": answer}], "role": "user"}
    put(rng, actions, "skip_summarization", rng.random() < 0.7, chance=0.08)
    if rng.random() < 0.15:
        actions["state_delta"] = mapping(rng)
    if rng.random() < 0.1:
        both: list[Json] = [{"function_call": call(rng)}, {"function_response": response(rng)}]
        event["content"] = {"parts": both, "role": "model"}
    if actions or rng.random() < 0.5:
        event["actions"] = actions

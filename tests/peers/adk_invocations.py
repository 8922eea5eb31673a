"""Random invocations as eval sets and results hold them: both forms, fields null, absent and empty."""

from __future__ import annotations

import copy
import random

from tests.peers.odd_values import camel, mapping, name, put, shuffled, text
from trace_inspector.core.values.values import Json, JsonObject

_AUTHORS = ("agent", "helper", "user", "User", "", "日本")
_FREE = frozenset({"args", "response"})  # whose keys are people's own


def invocation(rng: random.Random) -> JsonObject:
    """One invocation in snake_case."""
    made: JsonObject = {"user_content": content(rng, words=True)}
    if rng.random() < 0.5:
        made["invocation_id"] = rng.choice(("", "i1", "e-2", "日"))
    if rng.random() < 0.85:
        made["final_response"] = content(rng, words=True)
    elif rng.random() < 0.5:
        made["final_response"] = None
    form = rng.random()
    if form < 0.4:
        made["intermediate_data"] = {"invocation_events": [event(rng) for _event in range(rng.randint(0, 5))]}
    elif form < 0.8:
        made["intermediate_data"] = call_form(rng)
    elif form < 0.9:
        made["intermediate_data"] = None
    for key in ("duration", "model_duration", "tool_duration"):
        put(rng, made, key, round(rng.uniform(0, 9), rng.choice((0, 1, 3, 6))), chance=0.4)
    return made


def content(rng: random.Random, *, words: bool = False) -> JsonObject:
    """A content; of words alone, or of all kinds of parts."""
    made: JsonObject = {}
    put(rng, made, "role", rng.choice(("user", "model", "")))
    parts: list[Json] = [text_part(rng) if words else part(rng) for _part in range(rng.choice((0, 1, 1, 1, 2, 3)))]
    put(rng, made, "parts", parts, chance=0.95)
    return made


def text_part(rng: random.Random) -> JsonObject:
    """A text, sometimes a thought."""
    made: JsonObject = {"text": text(rng)}
    put(rng, made, "thought", rng.random() < 0.7, chance=0.15)
    return made


def part(rng: random.Random) -> JsonObject:
    """A part of any kind."""
    kind = rng.random()
    if kind < 0.35:
        return text_part(rng)
    if kind < 0.65:
        return {"function_call": call(rng)}
    if kind < 0.85:
        return {"function_response": response(rng)}
    if kind < 0.90:
        return {"inline_data": {"mime_type": "image/png", "data": "AAAA"}}
    if kind < 0.94:
        return {"file_data": {"mime_type": "image/png", "file_uri": "gs://b/o"}}
    if kind < 0.97:
        return {"executable_code": {"code": "print(1)", "language": "PYTHON"}}
    return {"code_execution_result": {"outcome": "OUTCOME_OK", "output": "1"}}


def call(rng: random.Random) -> JsonObject:
    """A function call; name, arguments and id may be null or missing."""
    made: JsonObject = {}
    put(rng, made, "name", name(rng), chance=0.95)
    put(rng, made, "args", mapping(rng), chance=0.85)
    put(rng, made, "id", rng.choice(("c1", "c2", "c3", "")))
    return made


def response(rng: random.Random) -> JsonObject:
    """A function response; it may answer no call."""
    made: JsonObject = {}
    put(rng, made, "name", name(rng), chance=0.95)
    put(rng, made, "response", mapping(rng), chance=0.85)
    put(rng, made, "id", rng.choice(("c1", "c2", "c3", "")))
    return made


def call_form(rng: random.Random) -> JsonObject:
    """The older form: three lists."""
    made: JsonObject = {}
    if rng.random() < 0.85:
        made["tool_uses"] = [call(rng) for _call in range(rng.randint(0, 4))]
    if rng.random() < 0.4:
        made["tool_responses"] = [response(rng) for _response in range(rng.randint(0, 3))]
    if rng.random() < 0.3:
        made["intermediate_responses"] = [
            [rng.choice(_AUTHORS), [text_part(rng)]] for _text in range(rng.randint(0, 2))
        ]
    return made


def event(rng: random.Random) -> JsonObject:
    """One event of the newer form."""
    made: JsonObject = {"author": rng.choice(_AUTHORS)}
    put(rng, made, "content", content(rng), chance=0.8)
    put(rng, made, "usage_metadata", usage(rng), chance=0.4)
    put(rng, made, "model_version", rng.choice(("gemini-2.5-flash", "")), chance=0.3)
    put(rng, made, "grounding_metadata", grounding(rng), chance=0.15)
    return made


def usage(rng: random.Random) -> JsonObject:
    """Tokens, some of them not reported."""
    made: JsonObject = {}
    for kind in ("prompt", "candidates", "total", "cached_content", "thoughts", "tool_use_prompt"):
        put(rng, made, f"{kind}_token_count", rng.choice((0, 1, 7, 12345)))
    return made


def grounding(rng: random.Random) -> JsonObject:
    """What an answer rests on."""
    made: JsonObject = {}
    put(rng, made, "web_search_queries", [text(rng, 3)])
    put(rng, made, "grounding_chunks", [{"web": {"uri": "u", "title": "t"}}])
    return made


def app_details(rng: random.Random) -> JsonObject:
    """What is known of the agents."""
    agents: JsonObject = {}
    for author in _AUTHORS:
        if rng.random() < 0.5:
            made: JsonObject = {"name": author}
            if rng.random() < 0.7:
                made["instructions"] = text(rng)
            if rng.random() < 0.4:
                tool: JsonObject = {"name": name(rng), "description": text(rng, 3)}
                made["tool_declarations"] = [{"function_declarations": [tool]}]
            agents[author] = made
    return {"agent_details": agents or {"agent": {"name": "agent"}}}


def alike(rng: random.Random, made: JsonObject) -> JsonObject:
    """An invocation much like another: other in form, order or number of calls, or in the answer."""
    other = copy.deepcopy(made)
    calls = _calls(other.get("intermediate_data"))
    if rng.random() < 0.3 and calls:
        calls.pop(rng.randrange(len(calls)))
    if rng.random() < 0.3:
        calls.insert(rng.randint(0, len(calls)), call(rng))
    if rng.random() < 0.2:
        rng.shuffle(calls)
    calls = [shuffled(rng, one) for one in calls]
    if rng.random() < 0.5:
        parts: list[Json] = [{"function_call": one} for one in calls]
        other["intermediate_data"] = {"invocation_events": [{"author": "agent", "content": {"parts": parts}}]}
    else:
        other["intermediate_data"] = {"tool_uses": [*calls]}
    if rng.random() < 0.5:
        other["final_response"] = {"parts": [text_part(rng)]}
    return other


def _calls(data: Json) -> list[Json]:
    if not isinstance(data, dict):
        return []
    listed = data.get("tool_uses")
    found: list[Json] = [*listed] if isinstance(listed, list) else []
    events = data.get("invocation_events")
    for one in events if isinstance(events, list) else []:
        said = one.get("content") if isinstance(one, dict) else None
        parts = said.get("parts") if isinstance(said, dict) else None
        listed = parts if isinstance(parts, list) else []
        found += [raw["function_call"] for raw in listed if isinstance(raw, dict) and "function_call" in raw]
    return found


def camel_cased(rng: random.Random, made: Json) -> Json:
    """The same with keys as JavaScript spells them, some or all of them."""
    share = rng.choice((0.0, 0.0, 0.5, 1.0))
    return _spelled(rng, made, share)


def _spelled(rng: random.Random, made: Json, share: float) -> Json:
    if isinstance(made, list):
        return [_spelled(rng, item, share) for item in made]
    if not isinstance(made, dict):
        return made
    found: JsonObject = {}
    for key, item in made.items():
        spelling = camel(key) if rng.random() < share else key
        found[spelling] = item if key in _FREE else _spelled(rng, item, share)
    return found

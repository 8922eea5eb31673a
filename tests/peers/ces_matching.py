"""CES's matching of calls and arguments beside a plain account of its documentation, on random files."""

from __future__ import annotations

import contextlib
import io
import json
import random

from tests.peers.adk_cases import saved
from tests.peers.ces_files import APP
from tests.peers.comparison import Comparison
from tests.peers.odd_values import mapping, put, value
from trace_inspector.cli import main
from trace_inspector.core.values.values import Json, JsonObject

_METRICS = ("ces_tool_invocation", "ces_tool_order", "ces_parameter_correctness", "ces_extra_calls")
_TOOLS = ("search", "book", "find")
_WORDS = ("Paris", "paris", "R-77", "Rome, Paris", "", "R")


def _call(rng: random.Random, args: JsonObject) -> JsonObject:
    name = rng.choice(_TOOLS)
    call: JsonObject = {"tool": name if rng.random() < 0.4 else f"{APP}/tools/{name}"}
    if name == "find" and call["tool"] != name:  # a tool of a toolset; one of the app's own would be another
        call = {"toolsetTool": {"toolset": f"{APP}/toolsets/maps", "toolId": name}}
    put(rng, call, "args", args, chance=0.8)
    return call


def _expected(rng: random.Random) -> JsonObject:
    """Arguments, some of them with a directive in one of its spellings."""
    made = _given(rng)
    for name in made:
        kind = rng.choice(("contains", "regexp", "ignore", "exact", "", "", ""))
        if kind:
            word = rng.choice(("", "Par", "R-7")) if kind == "contains" else rng.choice((r"R-\d+", "^P", "is$"))
            stated = word if kind in ("contains", "regexp") else made[name]
            made[name] = {"$matchType": kind, rng.choice(("value", "$matchValue")): stated}
    return made


def _given(rng: random.Random) -> JsonObject:
    made = mapping(rng, 1) if rng.random() < 0.3 else {}
    for name in ("city", "id", "n"):
        if rng.random() < 0.5:
            made[name] = rng.choice(_WORDS) if rng.random() < 0.7 else value(rng, 1)
    return made


def _case(rng: random.Random) -> Json:
    """A golden of a few turns, and a result that may have fewer or more of them."""
    turns: list[Json] = []
    replays: list[Json] = []
    for _turn in range(rng.randint(1, 3)):
        steps: list[Json] = [{"userInput": {"text": "Go on"}}]
        for _expectation in range(rng.randint(0, 4)):
            one: JsonObject = {"toolCall": _call(rng, _expected(rng))}
            put(rng, one, "skipEvaluation", rng.random() < 0.5, chance=0.3)
            steps.append({"expectation": one})
        steps.append({"expectation": {"agentResponse": {"role": "agent", "chunks": [{"text": "Done"}]}}})
        turns.append({"steps": steps})
    for _turn in range(max(1, len(turns) + rng.choice((0, 0, 0, 0, 1, -1)))):
        entries: list[Json] = [
            {"observedToolCall": _call(rng, _given(rng))} for _call_made in range(rng.randint(0, 4))
        ]
        entries.append({"observedAgentResponse": {"role": "agent", "chunks": [{"text": "Done"}]}})
        replays.append({"expectationOutcome": entries})
    return {
        "golden": {"name": f"{APP}/evaluations/seats", "golden": {"turns": turns}},
        "result": {
            "name": f"{APP}/evaluations/seats/results/1",
            "executionState": "COMPLETED",
            "goldenResult": {"turnReplayResults": replays},
        },
    }


def _judged(case: Json) -> Json:
    """What `evaluate --rules ces` says of each golden turn."""
    assert isinstance(case, dict)
    files = [saved("result.json", case["result"]), "--golden", saved("golden.json", case["golden"])]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        main(["evaluate", *map(str, files), "--rules", "ces", "--json"])
    (one,) = json.loads(printed.getvalue())["cases"]
    found: dict[int, JsonObject] = {}
    for turn in one["turns"]:
        if turn["golden_index"] is not None:
            scores = {metric["name"]: metric["score"] for metric in turn["metrics"]}
            found[turn["golden_index"]] = {name: _rounded(scores.get(name)) for name in _METRICS}
    return [found[at] for at in sorted(found)]


def _rounded(score: float | None) -> float | None:
    return None if score is None else round(score, 9)


COMPARISONS = (Comparison("ces-matching", "ces_matching", "judge", 700, _case, _judged),)

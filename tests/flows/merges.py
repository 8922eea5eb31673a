"""Merges of what was edited with what lies on disk, in tests."""

from __future__ import annotations

import json
from pathlib import Path

from tests.helpers.eval_sets import call, case, turn
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.documents.reading.reading import parse
from trace_inspector.flows.goldens import merging
from trace_inspector.flows.goldens.merging import Choices, Merge, compared
from trace_inspector.formats import FORMATS

FORMAT_OF = {one.name: one for one in FORMATS}
ADK = FORMAT_OF["adk-eval-set"]


def suite(*cases: Json, **more: Json) -> JsonObject:
    return {"eval_set_id": "shop", **more, "eval_cases": [*cases]}


BASE = suite(
    *(case(f"c{at}", turn("hi", "hello", [call("find", q=at)]), turn("bye")) for at in range(4)), name="Shop"
)


def of(base: Json, mine: Json, theirs: Json) -> Merge:
    versions = (parse(json.dumps(value, indent=2).encode(), Path("x.json")) for value in (base, mine, theirs))
    first, second, third = versions
    return compared(first, second, third, ADK)


def merged(merge: Merge, choices: Choices | None = None) -> Json:
    return merging.merged(merge, choices or Choices()).value


CES = {"displayName": "one", "golden": {"turns": [{"steps": [{"userInput": {"text": "hi"}}]}] * 2}, "tags": ["a"]}


def cases_of(value: Json) -> list[Json]:
    assert isinstance(value, dict)
    listed = value["eval_cases"]
    assert isinstance(listed, list)
    return listed


def ids_of(value: Json) -> list[Json]:
    return [one["eval_id"] for one in cases_of(value) if isinstance(one, dict)]

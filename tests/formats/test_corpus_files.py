"""Files that other people wrote: each opens, and the counts are those of a plain reading of its JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.trace import calls_of
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.flows.opening.open_file import open_file

pytestmark = pytest.mark.corpus


def files(corpus: Path, folder: str) -> list[tuple[Path, Json, Contents]]:
    """Every file of a folder, read plainly and by us."""
    paths = sorted(path for path in (corpus / folder).iterdir() if path.is_file())
    assert paths
    return [(path, json.loads(path.read_text(encoding="utf-8")), open_file(path).contents) for path in paths]


def objects(value: Json) -> Iterator[JsonObject]:
    """Every object in a value, at any depth."""
    if isinstance(value, dict):
        yield value
        for item in value.values():
            yield from objects(item)
    elif isinstance(value, list):
        for item in value:
            yield from objects(item)


def listed(owner: Json, *names: str) -> list[Json]:
    """The first of some lists that an object has."""
    found = next((owner[name] for name in names if owner.get(name)), []) if isinstance(owner, dict) else []
    return found if isinstance(found, list) else []


def plain_calls(invocation: Json) -> int:
    """The calls of an invocation, counted by eye: lists of tool uses, else parts that ask for a function."""
    assert isinstance(invocation, dict)
    data = (
        invocation.get("intermediate_data") or invocation.get("intermediateData") or invocation.get("agent_content")
    )
    uses = listed(data, "tool_uses", "toolUses") or listed(invocation, "tools")
    return len(uses) or sum(bool(each.get("function_call") or each.get("functionCall")) for each in objects(data))


def test_eval_sets(corpus: Path) -> None:
    for path, value, contents in files(corpus, "adk-evalset"):
        (suite,) = contents.suites
        cases = listed(value, "eval_cases", "evalCases")
        assert contents.format == "adk-eval-set", path.name
        assert len(suite.cases) == len(cases), path.name
        for case, raw in zip(suite.cases, cases, strict=True):
            turns = listed(raw, "conversation")
            assert len(case.turns) == len(turns), path.name
            assert [len(calls_of(turn)) for turn in case.turns] == [plain_calls(turn) for turn in turns], path.name
            assert all(turn.user for turn in case.turns), path.name
        recorded = [raw for raw in cases if listed(raw, "actual_conversation", "actualConversation")]
        assert len(contents.traces) == len(recorded), path.name


def test_eval_configs(corpus: Path) -> None:
    for path, value, contents in files(corpus, "adk-eval-config"):
        assert isinstance(value, dict)
        criteria = value["criteria"]
        assert contents.format == "adk-eval-config", path.name
        assert contents.criteria is not None
        names = list(criteria) if isinstance(criteria, dict) else []
        assert [criterion.metric for criterion in contents.criteria.items] == names, path.name
        assert contents.holds == {"criteria": len(names)}, path.name


def attributes(span: JsonObject) -> dict[Json, Json]:
    """A span's attributes by key, in either format."""
    return {item.get("key"): item.get("value") for item in objects(span.get("tags") or span.get("attributes"))}


def is_span(found: JsonObject) -> bool:
    return {"spanID", "operationName"} <= found.keys() or {"spanId", "startTimeUnixNano"} <= found.keys()


def is_tool(found: JsonObject) -> bool:
    return str(found.get("operationName") or found.get("name")).startswith("execute_tool")


def is_model(found: JsonObject) -> bool:
    keys = {str(key).rpartition(".")[2] for key in attributes(found)}
    return "model" in keys or "model_name" in keys or "chat" in json.dumps(found)[:4000]


@pytest.mark.parametrize("folder", ["jaeger", "otlp"])
def test_traces(corpus: Path, folder: str) -> None:
    for path, value, contents in files(corpus, folder):
        spans = [found for found in objects(value) if is_span(found)]
        spans = list({json.dumps(found, sort_keys=True): found for found in spans}.values())  # sent twice, shown once
        assert contents.format in ("jaeger", "otlp"), path.name
        assert sum(trace.span_count for trace in contents.traces) == len(spans), path.name
        held = [len(trace.spans) + sum(len(turn.spans) for turn in trace.turns) for trace in contents.traces]
        assert held == [trace.span_count for trace in contents.traces], path.name
        turns = [turn for trace in contents.traces for turn in trace.turns]
        assert bool(turns) == any(is_model(span) for span in spans), path.name
        tools = sum(is_tool(span) for span in spans)
        if tools:
            assert sum(len(calls_of(turn)) for turn in turns) == tools, path.name

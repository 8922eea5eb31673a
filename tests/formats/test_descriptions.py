"""Declarations of tools and descriptions of metrics are shown, not refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.formats import adk_ports_files
from tests.helpers.tables import each
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.tools import tool_names
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.documents.reading.reading import read
from trace_inspector.flows.opening.open_file import open_file
from trace_inspector.formats import recognise
from trace_inspector.formats.common.fields import Fields

_NAMES = ("find", "book", "pay", "leave", "wait")
_SCHEMA: Json = {"type": "object"}


def contents_of(folder: Path, value: Json) -> Contents:
    """What is read of descriptions."""
    path = folder / "tools.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    contents = open_file(path).contents
    assert contents.format == "descriptions"
    return contents


FORMS: dict[str, Json] = {
    "list": adk_ports_files.declared_tools(),
    "tools": {"tools": adk_ports_files.declared_tools()},
    "answer": {"tools": adk_ports_files.declared_tools(), "nextCursor": None},
    "among": [{"googleSearch": {}}, *adk_ports_files.declared_tools(), {"type": "web_search"}],
}


@each("form", FORMS)
def test_tools_are_those_of_an_agent_and_each_stands_under_its_name(tmp_path: Path, form: str) -> None:
    (suite,) = contents_of(tmp_path, FORMS[form]).suites
    (agent,) = suite.agents
    named = [name for name in tool_names(agent.tools) if name in _NAMES]
    assert named == [*_NAMES]
    assert {extra.name for extra in suite.extras} >= {f"tool: {name}" for name in _NAMES}
    assert not suite.cases


def test_one_tool_and_the_declarations_alone(tmp_path: Path) -> None:
    alone: list[Json] = [{"name": "find", "parameters": _SCHEMA}, {"function_declarations": [{"name": "find"}]}]
    for value in alone:
        (suite,) = contents_of(tmp_path, value).suites
        assert tool_names(suite.agents[0].tools) == ("find",)


def test_metrics_are_shown_and_judge_nothing(tmp_path: Path) -> None:
    contents = contents_of(tmp_path, adk_ports_files.metric_infos())
    (suite,) = contents.suites
    assert [extra.name for extra in suite.extras] == ["metric: response_match_score", "metric: safety_v1"]
    assert (contents.criteria, suite.agents, contents.holds.get("metrics")) == (None, (), 2)
    asked = "Is {response} polite?"
    forms: list[Json] = [
        {"metrics": [{"name": "polite", "prompt_template": asked}]},
        [{"name": "polite", "metric_prompt_template": asked}],
        {"metric_name": "polite", "prompt_template": asked},
    ]
    for value in forms:
        (prompts,) = contents_of(tmp_path, value).suites
        assert [extra.name for extra in prompts.extras] == ["metric: polite"]


def test_no_entry_is_looked_for_among_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two entries that are alike each would be compared with all before it, which takes ever longer."""

    def compared(_one: Fields, _other: object) -> bool:
        raise AssertionError("entries are compared")

    prompts: list[Json] = [{"name": "m1", "prompt_template": "x"} for _ in range(20)]
    path = tmp_path / "metrics.json"
    path.write_text(json.dumps({"metrics": [*prompts, {"name": "find", "parameters": _SCHEMA}]}), encoding="utf-8")
    with monkeypatch.context() as patched:
        patched.setattr(Fields, "__eq__", compared)
        contents = open_file(path).contents
    (suite,) = contents.suites
    assert [extra.name for extra in suite.extras] == [*["metric: m1"] * 20, "tool: find"]
    assert (contents.holds["metrics"], contents.holds["tools"]) == (20, 1)


_TOOL: JsonObject = {"name": "find", "description": "Finds it.", "parameters": {"type": "object", "properties": {}}}
_SAID: Json = [{"role": "user", "content": "Where may I park?"}, {"role": "assistant", "content": "At Pier 4."}]
_ROW: Json = [{"from": "human", "value": "Where may I park?"}, {"from": "gpt", "value": "At Pier 4."}]
_CALLED: JsonObject = {"name": "find", "parameters": {"type": "city", "q": "Rome"}, "result": "Pier 4", "ts": 3}

# With the format that reads what is said in them, "" where none does.
SAYING: dict[str, tuple[Json, str]] = {
    "conversation": ({"tools": [_TOOL], "conversation": _SAID}, "openai-messages"),
    "history": ({"tools": [_TOOL], "history": _SAID}, "openai-messages"),
    "trajectory": ({"tools": [_TOOL], "trajectory": _SAID}, "openai-messages"),
    "lines of them": ([{"tools": [_TOOL], "conversation": _SAID}] * 2, "openai-messages"),
    "request": ({"tools": [_TOOL], "request": {"messages": _SAID}, "response": {}}, "vertex-dataset"),
    "messages": ({"tools": [_TOOL], "messages": _SAID}, "openai-messages"),
    "rows": ([{"tools": [_TOOL], "conversations": _ROW}], ""),
    **{
        name: ({"tools": [_TOOL], name: _ROW}, "")
        for name in ("conversations", "turns", "events", "chat", "dialog", "body", "prompt", "traj", "invocations")
    },
    "declarations": ({"function_declarations": [_TOOL], "chat": _ROW}, ""),
    "metrics": ({"metrics": [{"name": "m", "prompt_template": "x"}], "chat": _ROW}, ""),
    "infos": ({"metrics_info": [{"metric_name": "m"}], "chat": _ROW}, ""),
    "scores": ({"metrics": [{"name": "m", "prompt_template": "x", "score": 1}]}, ""),
    "call": (_CALLED, ""),
    "calls": ([_CALLED, _CALLED], ""),
    "call alone": ({"name": "find", "parameters": {"type": "city"}}, ""),
    "call in function": ([{"type": "function", "function": {"name": "find", "parameters": {"q": "Rome"}}}], ""),
    "calls after declarations": ([{"tools": [_TOOL]}, _CALLED], ""),
    "event": ({"event": "call", "function": {"name": "find", "description": "Finds it."}, "out": 1}, ""),
    "prompt of anybody": ({"name": "polite", "prompt_template": "Say {it}.", "model": "small"}, ""),
    "prompts of anybody": ([{"name": "polite", "prompt_template": "Say {it}."}], ""),
    "schema": ({"$schema": "https://json-schema.org/draft", **_TOOL}, ""),
}


@each("form", SAYING)
def test_what_says_more_than_what_is_declared_is_no_description(tmp_path: Path, form: str) -> None:
    value, name = SAYING[form]
    path = tmp_path / "said.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    lines = tmp_path / "said.jsonl"
    lines.write_text("".join(f"{json.dumps(line)}\n" for line in value) if isinstance(value, list) else "")
    for each_path in (path, lines) if isinstance(value, list) else (path,):
        row = recognise(read(each_path).value)
        assert (row.name if row is not None else "") == name


ODD: dict[str, Json] = {
    "list": [{"name": 3, "parameters": 4}, {"name": "x", "parameters": _SCHEMA}, 3],
    "tools": {"tools": [3, {"function": {"name": "x", "description": 4, "parameters": 0}}]},
    "deep": {"tools": [{"name": "x", "parameters": _SCHEMA}, {"tools": [{"tools": [{"tools": [{"tools": [{}]}]}]}]}]},
}


@each("form", ODD)
def test_odd_descriptions_end_nothing(tmp_path: Path, form: str) -> None:
    assert contents_of(tmp_path, ODD[form]).suites

"""Declarations of tools and descriptions of metrics are shown, not refused."""

from __future__ import annotations

import json
from pathlib import Path

from tests.formats import adk_ports_files
from tests.helpers.tables import each
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.tools import tool_names
from trace_inspector.core.values.values import Json
from trace_inspector.flows.opening.open_file import open_file
from trace_inspector.formats import recognise

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
}


@each("form", FORMS)
def test_tools_are_those_of_an_agent_and_each_stands_under_its_name(tmp_path: Path, form: str) -> None:
    (suite,) = contents_of(tmp_path, FORMS[form]).suites
    (agent,) = suite.agents
    assert tool_names(agent.tools) == _NAMES
    assert [extra.name for extra in suite.extras] == [f"tool: {name}" for name in _NAMES]
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
    (prompts,) = contents_of(tmp_path, [{"name": "polite", "prompt_template": "Is {response} polite?"}]).suites
    assert [extra.name for extra in prompts.extras] == ["metric: polite"]


@each("name", ("messages", "contents"))
def test_a_request_with_tools_is_no_description(name: str) -> None:
    tool: Json = {"name": "find", "parameters": _SCHEMA}
    row = recognise({name: [{"role": "user", "content": "Hi", "parts": [{"text": "Hi"}]}], "tools": [tool]})
    assert row is None or row.name != "descriptions"


ODD: dict[str, Json] = {
    "list": [{"name": 3, "parameters": 4}, {"name": "x", "parameters": _SCHEMA}, 3],
    "tools": {"tools": [3, {"function": {"name": "x", "parameters": 0}}]},
    "deep": {"tools": [{"name": "x", "parameters": _SCHEMA, "tools": [{"tools": [{"tools": [{"tools": [{}]}]}]}]}]},
}


@each("form", ODD)
def test_odd_descriptions_end_nothing(tmp_path: Path, form: str) -> None:
    assert contents_of(tmp_path, ODD[form]).suites

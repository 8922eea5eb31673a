"""Resources of CES without their app: of each kind, alone, in lists, in the service's replies."""

from __future__ import annotations

from tests.formats import ces_app_files as made
from tests.formats.span_files import codes, opened
from tests.helpers.tables import each
from trace_inspector.core.golden.golden import Suite
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.tools import tool_names
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats import recognise

APP = "projects/p/locations/l/apps/a"
KINDS = made.resources()


def read(value: Json) -> tuple[Suite, Contents]:
    contents = opened(value, "thing.json")
    assert contents.format == "ces-resource"
    (suite,) = contents.suites
    return suite, contents


@each("kind", KINDS)
def test_each_kind_alone_in_a_list_and_in_a_reply(kind: str) -> None:
    one = KINDS[kind]
    pages: tuple[Json, ...] = (one, [one], {kind: [one], "nextPageToken": ""})
    for value, place in zip(pages, ("", "/0", f"/{kind}/0"), strict=True):
        suite, contents = read(value)
        assert contents.holds == {kind: 1}
        places = {each.place for listed in (suite.agents, suite.personas, suite.extras) for each in listed}
        assert places == {place}


@each("kind", KINDS)
def test_the_name_alone_says_what_it_is(kind: str) -> None:
    _suite, contents = read({"name": f"{APP}/{kind}/x", "displayName": "x"})
    assert contents.holds == {kind: 1}


def test_an_agent_is_an_agent_and_what_it_names_may_be_elsewhere() -> None:
    agent: JsonObject = {
        "name": f"{APP}/agents/desk",
        "displayName": "Desk",
        "instruction": "agents/desk/instruction.txt",
        "tools": ["book"],
        "toolsets": [{"toolset": "payments"}],
        "childAgents": [f"{APP}/agents/clerk", "elsewhere"],
    }
    suite, contents = read([agent, {"name": f"{APP}/agents/clerk", "displayName": "Clerk"}])
    desk, clerk = suite.agents
    assert (desk.name, desk.sub_agents, tool_names(desk.tools)) == (
        "Desk",
        ("Clerk", "elsewhere"),
        ("book", "payments"),
    )
    assert (clerk.name, clerk.place) == ("Clerk", "/1")
    assert codes(contents) == ["named-only"]


def test_a_tool_is_shown_as_it_is_declared() -> None:
    suite, _contents = read(KINDS["tools"])
    assert [(extra.name, extra.value) for extra in suite.extras] == [
        ("rows, declared", {"name": "rows", "description": "Lists rows.", "parameters": {"type": "OBJECT"}}),
        ("tools/rows", KINDS["tools"]),
    ]


def test_a_version_keeps_a_whole_app() -> None:
    files = made.values()
    snapshot: JsonObject = {
        "app": made.app() | {"rootAgent": "Desk"},
        "agents": [{"displayName": "Desk", "instruction": "Book.", "tools": ["rows"]}],
        "tools": [files["tools/rows/rows"]],
        "guardrails": [files["guardrails/polite/polite"]],
    }
    suite, contents = read({"name": f"{APP}/versions/1", "displayName": "first", "snapshot": snapshot})
    assert [(agent.name, agent.instruction, agent.place) for agent in suite.agents] == [
        ("Desk", "Book.", "/snapshot/agents/0")
    ]
    assert contents.holds == {"apps": 1, "agents": 1, "tools": 1}
    assert contents.criteria is not None
    assert {extra.name for extra in suite.extras} >= {"tools/rows", "guardrails/polite"}
    assert codes(contents) == []


def test_a_list_of_apps_is_a_suite_each() -> None:
    contents = opened({"apps": [made.app(), made.app() | {"displayName": "Rows"}]}, "apps.json")
    assert (contents.format, [suite.id for suite in contents.suites]) == ("ces-resource", ["Seats", "Rows"])


def test_what_is_of_another_kind_is_told() -> None:
    contents = opened([*[KINDS["tools"]] * 20, {"a": 1}], "tools.json")
    assert "not-recognised" in codes(contents)


@each(
    "value",
    [
        {"displayName": "x"},
        {"name": "x", "description": "y"},
        {"name": "agents/x"},
        {"instruction": "x"},
        {"messages": [{"role": "user", "content": "x"}], "name": "x"},
        {"messages": [{"role": "user", "chunks": []}], "displayName": "x", "startTime": "2026-01-01T00:00:00Z"},
        {"displayName": "x", "llmCriteria": {"prompt": "y"}},
        {"displayName": "x", "golden": {"turns": []}},
        {"name": f"{APP}/evaluations/x"},
        [],
        {"tools": []},
    ],
)
def test_what_only_looks_alike_is_none(value: Json) -> None:
    known = recognise(value)
    assert known is None or known.name != "ces-resource"

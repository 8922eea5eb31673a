"""Apps of CES: every file of an export, what names what, and what is odd about it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.formats import ces_app_files as made
from tests.formats.span_files import codes, opened
from tests.helpers.campaigns import examples
from tests.helpers.tables import each
from trace_inspector.cli import main
from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.parts import Transfer
from trace_inspector.core.trace.tools import tool_names
from trace_inspector.core.trace.trace import Agent, calls_of
from trace_inspector.core.values.pointer import resolve
from trace_inspector.core.values.values import ABSENT, Json, JsonObject
from trace_inspector.flows.opening.open_file import open_file
from trace_inspector.formats import recognise


def read(files: dict[str, JsonObject] | None = None, **texts: str) -> tuple[Suite, Contents]:
    contents = opened(made.mapping(files) | dict(texts), "seats")
    assert contents.format == "ces-app"
    (suite,) = contents.suites
    return suite, contents


def changed(name: str, **members: Json) -> dict[str, JsonObject]:
    """The app with members of one file changed; those that are None are gone."""
    files = made.values()
    files[name] = {key: value for key, value in (files[name] | members).items() if value is not None}
    return files


def case_of(suite: Suite, case_id: str) -> Case:
    (found,) = (case for case in suite.cases if case.id == case_id)
    return found


def agent_of(suite: Suite, name: str) -> Agent:
    (found,) = (agent for agent in suite.agents if agent.name == name)
    return found


def test_a_whole_app_is_one_suite_without_findings() -> None:
    suite, contents = read()
    assert (suite.id, suite.name, suite.description) == ("Seats", "Seats", "Books seats.")
    assert {case.suite_id for case in suite.cases} == {"Seats"}
    assert contents.holds == {"apps": 1, "agents": 2, "tools": 2, "datasets": 1, "criteria": 2}
    assert codes(contents) == []


def test_agents_have_their_instructions_tools_and_children_the_root_first() -> None:
    suite, _contents = read()
    desk, clerk = suite.agents
    assert (desk.name, desk.instruction, desk.sub_agents) == ("Desk", "Book seats.\nNothing else.", ("Clerk",))
    assert (clerk.name, clerk.instruction, clerk.description) == ("Clerk", "Name the rows.", "Knows the rows.")
    assert tool_names(desk.tools) == ("book", "end_session", "payments/pay")
    assert (desk.place, clerk.place) == ("/agents~1desk~1desk.json", "/agents~1clerk~1clerk.json")


def test_tools_are_declared_with_the_parameters_of_their_code_or_schema() -> None:
    suite, _contents = read()
    book, rows = agent_of(suite, "Desk").tools[0], agent_of(suite, "Clerk").tools[0]
    assert book == {
        "name": "book",
        "description": "Books a seat.",
        "parameters": {
            "type": "OBJECT",
            "properties": {
                "seat": {"type": "INTEGER"},
                "row": {"type": "STRING"},
                "now": {"type": "BOOLEAN"},
                "notes": {},
            },
            "required": ["seat", "now"],
        },
    }
    assert rows == {"name": "rows", "description": "Lists rows.", "parameters": {"type": "OBJECT"}}


@each(
    "code",
    ["def book(", "x = 1", "", "(" * 5_000, "\0", "def other(a): pass", "a" * (1 << 19), "'\\d'\ndef book(): pass"],
    ids=["broken", "no function", "empty", "deep", "nul", "another name", "long", "odd escape"],
)
def test_code_that_says_nothing_leaves_the_name(code: str) -> None:
    suite, contents = read(None, **{"tools/book/python_function/python_code.py": code})
    assert tool_names(agent_of(suite, "Desk").tools)[0] == "book"
    assert codes(contents) == []


def test_evaluations_are_cases_and_short_ids_lead_into_the_app() -> None:
    suite, _contents = read()
    case = case_of(suite, made.EVALUATION)
    assert case.place == "/evaluations~1Book_a_seat~1Book_a_seat.json"
    (turn,) = case.turns
    assert [call.name for call in calls_of(turn)] == ["book", "pay"]
    transfers = [part for event in turn.events for part in event.parts if isinstance(part, Transfer)]
    assert [part.target for part in transfers] == ["Clerk"]
    assert [(one.reference, one.text) for one in case.expectations] == [("is-kind", "Kind?"), ("Is short", "Short?")]
    scenario = case_of(suite, "Any seat").scenario
    assert scenario is not None
    assert scenario.plan == "Get a seat"


@each(
    "reference",
    [
        "book",
        made.TOOL,
        f"projects/p/locations/l/apps/a/tools/{made.TOOL}",
        "projects/p/locations/l/apps/a/tools/book",
    ],
)
def test_a_tool_is_found_by_each_of_its_names(reference: str) -> None:
    files = made.values()
    files["evaluations/Book_a_seat/Book_a_seat"] = {
        "displayName": "x",
        "golden": {"turns": [{"steps": [{"expectation": {"toolCall": {"tool": reference, "args": {}}}}]}]},
    }
    suite, contents = read(files)
    assert [call.name for call in calls_of(case_of(suite, "x").turns[0])] == ["book"]
    assert "unresolved-reference" not in codes(contents)


@each(
    ("name", "members", "pointer"),
    [
        ("app", {"rootAgent": "nobody"}, "/app.json/rootAgent"),
        ("agents/desk/desk", {"tools": ["book", "gone"]}, "/agents~1desk~1desk.json/tools/1"),
        ("agents/desk/desk", {"childAgents": ["gone"]}, "/agents~1desk~1desk.json/childAgents/0"),
        ("agents/desk/desk", {"toolsets": [{"toolset": "gone"}]}, "/agents~1desk~1desk.json/toolsets/0/toolset"),
        ("agents/desk/desk", {"instruction": "agents/desk/gone.txt"}, "/agents~1desk~1desk.json/instruction"),
        ("evaluationDatasets/all/all", {"evaluations": ["gone"]}, "/evaluationDatasets~1all~1all.json/evaluations/0"),
    ],
)
def test_what_is_named_and_not_there_is_told_with_its_place(name: str, members: JsonObject, pointer: str) -> None:
    files = changed(name, **members)
    del files["evaluations/Book_a_seat/Book_a_seat"]
    files["evaluations/Book_a_seat/Book_a_seat"] = {"displayName": "x", "golden": {"turns": []}}
    _suite, contents = read(files)
    told = [finding.pointer for finding in contents.findings if finding.code == "unresolved-reference"]
    assert pointer in told
    assert resolve(made.mapping(files), pointer) is not ABSENT


def test_what_an_evaluation_names_and_the_app_lacks_is_told_once_each() -> None:
    files = made.values()
    for name in (
        "tools/book/book",
        "agents/clerk/clerk",
        "toolsets/payments/payments",
        "evaluationExpectations/is-short",
    ):
        del files[name]
    suite, contents = read(files)
    place = "/evaluations~1Book_a_seat~1Book_a_seat.json/golden"
    told = [finding.pointer for finding in contents.findings if finding.pointer.startswith(place)]
    assert told == [
        f"{place}/turns/0/steps/1/expectation/toolCall",
        f"{place}/turns/0/steps/2/expectation/toolCall",
        f"{place}/turns/0/steps/3/expectation/agentTransfer",
        f"{place}/evaluationExpectations/1",
    ]
    assert [call.name for call in calls_of(case_of(suite, made.EVALUATION).turns[0])] == ["book", "pay"]


def test_thresholds_of_the_app_are_criteria_and_personas_are_personas() -> None:
    suite, contents = read()
    assert contents.criteria is not None
    lines = {line.metric: (line.threshold, line.options) for line in contents.criteria.items}
    assert lines == {
        "ces_semantic_similarity": (2.0, {}),
        "ces_extra_calls": (None, {"extraToolCallBehavior": "ALLOW"}),
        "ces_hallucination": (None, {"goldenHallucinationMetricBehavior": "DISABLED"}),
    }
    (persona,) = suite.personas
    assert (persona.id, persona.description, persona.place) == (
        "hurried",
        "Wants it now.",
        "/app.json/evaluationPersonas/0",
    )


def test_everything_else_is_told_under_its_own_name() -> None:
    suite, _contents = read()
    names = [extra.name for extra in suite.extras]
    assert names == [
        "guardrails",
        "variableDeclarations",
        "toolExecutionMode",
        "evaluationSettings",
        "evaluationMetricsThresholds",
        "globalInstruction",
        "tools/book",
        "tools/rows",
        "toolsets/payments",
        "guardrails/polite",
        "examples/hello",
        "evaluationDatasets/all",
        "evaluationExpectations/Is kind",
        "evaluationExpectations/Is short",
        "environment.json",
        "agents/desk/before_model_callbacks/log/python_code.py",
        "tools/book/python_function/python_code.py",
    ]
    value = made.mapping()
    assert all(resolve(value, extra.place) is not ABSENT for extra in suite.extras)
    assert {extra.name: extra.value for extra in suite.extras}["globalInstruction"] == "Be brief."


@each(
    ("members", "pointer"),
    [
        ({"toolExecutionMode": "SIDEWAYS"}, "/app.json/toolExecutionMode"),
        ({"evaluationSettings": {"goldenRunMethod": 9}}, "/app.json/evaluationSettings/goldenRunMethod"),
        (
            {"evaluationMetricsThresholds": {"goldenHallucinationMetricBehavior": "ENABLED_STRICT"}},
            "/app.json/evaluationMetricsThresholds/goldenHallucinationMetricBehavior",
        ),
        (
            {"evaluationPersonas": [{"name": "p", "speechConfig": {"environment": "MARS"}}]},
            "/app.json/evaluationPersonas/0/speechConfig/environment",
        ),
    ],
)
def test_a_word_that_ces_does_not_know_is_told_and_kept(members: JsonObject, pointer: str) -> None:
    files = changed("app", **members)
    _suite, contents = read(files)
    told = [finding.pointer for finding in contents.findings if finding.code == "unknown-enum"]
    assert told == [pointer]


def test_agents_below_themselves_are_told_once_a_circle() -> None:
    files = changed("agents/clerk/clerk", childAgents=["desk"])
    files["agents/loner/loner"] = {"displayName": "Loner", "childAgents": ["Loner"]}
    for name, child in (("One", "Two"), ("Two", "Three"), ("Three", "One")):
        files[f"agents/{name}/{name}"] = {"displayName": name, "childAgents": [child]}
    suite, contents = read(files)
    told = sorted(finding.message for finding in contents.findings if finding.code == "agent-circle")
    assert told == [
        "“Desk” is its own sub-agent, by way of Clerk.",
        "“Loner” is its own sub-agent, by way of Loner.",
        "“One” is its own sub-agent, by way of Two, Three.",
    ]
    assert [agent.sub_agents for agent in suite.agents[:3]] == [("Clerk",), ("Desk",), ("Loner",)]


def test_without_the_app_itself_the_rest_is_read() -> None:
    files = made.values()
    files["app"] = {}
    suite, _contents = read(files)
    assert (suite.id, len(suite.cases), len(suite.agents)) == ("seats", 2, 2)
    contents = opened(made.mapping() | {"app.json": None}, "seats")
    assert "no-app" in codes(contents)
    assert len(contents.suites[0].agents) == 2


def test_files_that_hold_no_object_are_told() -> None:
    contents = opened(made.mapping() | {"agents/odd/odd.json": [1], "evaluations/odd/odd.json": {"a": 1}}, "seats")
    told = {finding.code: finding.pointer for finding in contents.findings}
    assert told == {
        "not-an-object": "/agents~1odd~1odd.json",
        "not-recognised": "/evaluations~1odd~1odd.json",
    }


def test_a_folder_may_have_another_name_than_its_file_and_what_lies_beside_is_no_resource() -> None:
    files = made.values()
    files["agents/Old_name/new_name"] = {"displayName": "Renamed"}
    files["tools/book/schema"] = {"openapi": "3.0.0"}
    suite, contents = read(files)
    assert [agent.name for agent in suite.agents] == ["Desk", "Clerk", "Renamed"]
    assert contents.holds["tools"] == 2
    assert "tools/book/schema.json" in [extra.name for extra in suite.extras]


def test_two_evaluations_with_one_id_are_told() -> None:
    files = made.values()
    files["evaluations/Copy/Copy"] = made.evaluation()
    _suite, contents = read(files)
    assert codes(contents) == ["duplicate-id"]


def test_the_file_of_the_app_alone_is_an_app_without_agents() -> None:
    contents = opened(made.app(), "app.json")
    assert contents.format == "ces-app"
    (suite,) = contents.suites
    assert (suite.id, suite.agents, len(suite.personas)) == ("Seats", (), 1)
    assert contents.criteria is not None
    assert codes(contents) == []


@each(
    "value",
    [
        {"name": "app", "displayName": "App"},
        {"expo": {"name": "App"}},
        {"displayName": "x", "golden": {"turns": []}},
        {"displayName": "x", "rootAgent": "y"},
        {"app.json": {}},
    ],
)
def test_what_only_looks_alike_is_no_app(value: Json) -> None:
    known = recognise(value)
    assert known is None or known.name != "ces-app"


@each("as_yaml", [False, True])
@each("above", [None, "", "deep/app/"])
def test_folder_and_archive_json_and_yaml_hold_the_same(as_yaml: bool, above: str | None, tmp_path: Path) -> None:
    files = made.members(as_yaml=as_yaml)
    if above is None:
        path = made.put(tmp_path / "seats", files)
    else:
        path = made.archived(tmp_path / "seats.zip", files, above) / above
    contents = open_file(path).contents
    assert (contents.format, contents.holds, codes(contents)) == (
        "ces-app",
        {"apps": 1, "agents": 2, "tools": 2, "datasets": 1, "criteria": 2},
        [],
    )
    (suite,) = contents.suites
    assert [agent.instruction for agent in suite.agents] == ["Book seats.\nNothing else.", "Name the rows."]
    assert len(suite.cases) == 2


def test_commands_tell_of_a_folder_as_one_file_and_of_findings_by_their_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = made.members() | {"agents/desk/desk.json": b'{\n  "displayName": "Desk",\n  "tools": ["gone"]\n}'}
    path = made.archived(tmp_path / "seats.zip", files)
    assert main(["inspect", str(path)]) == 0
    assert capsys.readouterr().out.startswith(f"{path}: ces-app (apps: 1, agents: 2")
    assert main(["validate", str(path)]) == 0
    assert capsys.readouterr().out.startswith(f"{path}/agents/desk/desk.json:3:13: warning unresolved-reference ")
    assert main(["convert", str(path), "--to", "ces-app", "-o", str(tmp_path / "out")]) == 2
    assert "bundle of files" in capsys.readouterr().err


def test_thousands_of_files_and_a_long_chain_of_agents_are_read() -> None:
    files = made.values()
    for at in range(3_000):
        files[f"agents/a{at}/a{at}"] = {"displayName": f"a{at}", "childAgents": [f"a{at + 1}"]}
    suite, contents = read(files)
    assert len(suite.agents) == 3_002
    assert codes(contents).count("unresolved-reference") == 1


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
KEYS = ("displayName", "name", "tools", "toolsets", "childAgents", "instruction", "rootAgent", "evaluationPersonas")


@examples(40, 1000)
@given(st.sampled_from(sorted(made.values())), st.sampled_from(KEYS), JSON)
def test_whatever_stands_in_a_file_the_others_are_read(name: str, key: str, value: Json) -> None:
    files = made.values()
    files[name] = files[name] | {key: value}
    suite, _contents = read(files)
    assert len(suite.agents) == 2
    assert len(suite.cases) == 2
    for agent in suite.agents:
        assert resolve(made.mapping(files), agent.place) is not ABSENT

"""ADK's older evaluation files: both shapes, and google-adk's rules for what they leave out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.formats.span_files import codes, opened
from tests.helpers.tables import each
from trace_inspector.core.golden.golden import Case, Session
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.parts import Text, ToolCall
from trace_inspector.core.trace.trace import Event, Steps, answer_text, calls_of, user_text
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.flows.opening.open_file import open_file
from trace_inspector.formats import recognise
from trace_inspector.formats.common.fields import objects_in

LOOK: JsonObject = {"tool_name": "look", "tool_input": {"at": "map"}}


def turn(query: Json = "q", **others: Json) -> JsonObject:
    """A turn that leaves nothing to guess."""
    return {"query": query, "expected_tool_use": [], "reference": "r", **others}


def only_case(contents: Contents) -> Case:
    """The one case of a file."""
    (suite,) = contents.suites
    (case,) = suite.cases
    return case


def test_a_list_of_turns_is_one_case_named_like_the_file() -> None:
    contents = opened([turn("first", expected_tool_use=[LOOK]), turn("second")], "roads.test.json")
    case = only_case(contents)
    assert (contents.format, contents.suites[0].id, case.id, case.place) == (
        "adk-legacy",
        "roads",
        "roads.test.json",
        "",
    )
    assert [user_text(each) for each in case.turns] == ["first", "second"]
    assert [each.place for each in case.turns] == ["/0", "/1"]
    call = ToolCall("look", {"at": "map"}, place="/0/expected_tool_use/0")
    assert case.turns[0].events == (Event("", (call,), place=call.place),)
    assert case.turns[0].final_response == (Text("r", "/0/reference"),)
    assert codes(contents) == []


def test_named_cases_with_their_sessions() -> None:
    session: Json = {"app_name": "a", "user_id": "u", "state": {"k": 1}}
    contents = opened(
        [{"name": "n", "data": [turn()], "initial_session": session}, {"name": "m", "data": []}], "set.evalset.json"
    )
    assert [
        (case.id, case.suite_id, len(case.turns), case.session, case.place) for case in contents.suites[0].cases
    ] == [
        ("n", "set", 1, Session("a", "u", None, {"k": 1}, "/0/initial_session"), "/0"),
        ("m", "set", 0, None, "/1"),
    ]
    assert contents.suites[0].cases[0].turns[0].place == "/0/data/0"


def test_an_empty_initial_session_is_none() -> None:
    contents = opened([{"name": "n", "data": [turn()], "initial_session": {}}])
    assert only_case(contents).session is None


def test_intermediate_answers_follow_the_calls() -> None:
    said: Json = [{"author": "scout", "text": "found it"}]
    contents = opened([turn(expected_tool_use=[LOOK], expected_intermediate_agent_responses=said)])
    (only,) = only_case(contents).turns
    place = "/0/expected_intermediate_agent_responses/0"
    assert only.events[1] == Event("scout", (Text("found it", f"{place}/text"),), place=place)
    assert (only.guessed, codes(contents)) == (frozenset({"order"}), ["guessed-order"])


def test_what_is_left_out_is_empty_as_in_google_adk() -> None:
    contents = opened([turn(), {"query": "q2"}])
    silent = only_case(contents).turns[1]
    assert (silent.steps, calls_of(silent)) == (Steps.CALLS, [])
    assert silent.final_response == (Text("", "/1/reference"),)
    assert [(finding.code, finding.pointer) for finding in contents.findings] == [("taken-as-empty", "/1")] * 2


def test_a_null_reference_is_an_answer_without_words() -> None:
    contents = opened([turn(reference=None)])
    assert only_case(contents).turns[0].final_response == ()
    assert codes(contents) == []


def test_mocks_and_other_keys_are_named() -> None:
    contents = opened(
        [turn(expected_tool_use=[{**LOOK, "mock_tool_output": "x"}], mock_responses=[], test_case_id="t")]
    )
    assert {finding.pointer for finding in contents.findings} == {
        "/0/expected_tool_use/0/mock_tool_output",
        "/0/mock_responses",
        "/0/test_case_id",
    }
    assert set(codes(contents)) == {"unknown-key"}


@pytest.mark.parametrize(
    ("value", "pointer"),
    [
        ([turn(), {"reference": "r", "expected_tool_use": []}], "/1"),
        ([turn(expected_tool_use=[{"tool_input": {}}])], "/0/expected_tool_use/0"),
        ([{"name": "n", "data": [turn()]}, {"data": []}], "/1"),
    ],
)
def test_what_google_adk_needs_is_missed(value: Json, pointer: str) -> None:
    contents = opened(value)
    assert [(finding.code, finding.pointer) for finding in contents.findings] == [("missing-field", pointer)]


def test_wrong_types_are_findings() -> None:
    contents = opened([turn(query=5, reference=["r"], expected_tool_use={}), turn()])
    assert codes(contents) == ["wrong-type"] * 3
    assert [answer_text(each) for each in only_case(contents).turns] == ["", "r"]


@pytest.mark.parametrize("name", ["old.evalset.json", "old.json"])
def test_trailing_commas_and_any_name(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(json.dumps([turn()])[:-2] + ",}]")
    contents = open_file(path).contents
    assert (contents.format, codes(contents)) == ("adk-legacy", ["trailing-comma"])
    assert len(only_case(contents).turns) == 1


@each(
    "value",
    [
        [],
        [1],
        [{}],
        [{"name": "n"}],
        [{"query": 1}],
        [{"query": "q", "repo": "r", "instance_id": "i"}],
        {"query": "q", "reference": "r"},
        [{"data": [{"query": "q"}]}],
    ],
)
def test_not_recognised(value: Json) -> None:
    assert recognise(value) is None


@pytest.mark.corpus
def test_files_of_others(corpus: Path) -> None:
    paths = sorted((corpus / "adk-legacy-eval").iterdir())
    assert len(paths) > 20
    for path in paths:
        opened_file = open_file(path)
        value = opened_file.document.value
        assert isinstance(value, list)
        assert opened_file.contents.format == "adk-legacy", path.name
        listed = [item["data"] for item in value if isinstance(item, dict) and "data" in item] or [value]
        counted = [
            [len(objects_in(one["expected_tool_use"], "")) for one in turns if isinstance(one, dict)]
            for turns in listed
            if isinstance(turns, list)
        ]
        assert [
            [len(calls_of(each)) for each in case.turns]
            for suite in opened_file.contents.suites
            for case in suite.cases
        ] == counted, path.name

"""Tables that Vertex's SDK takes for cases: each schema says the same, and look-alikes are left alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.formats import vertex_files as made
from tests.formats.span_files import codes, opened
from tests.helpers.tables import each
from trace_inspector.core.golden.golden import Scenario
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.parts import spoken_text
from trace_inspector.core.trace.trace import Steps, answer_text, calls_of, user_text
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.flows.opening.open_file import open_file
from trace_inspector.formats import recognise

TABLES = made.tables()


def only_row(row: JsonObject) -> Contents:
    """What a table of one row holds."""
    contents = opened([row], "table.jsonl")
    assert contents.format == "vertex-dataset"
    return contents


@each("kind", TABLES)
def test_every_table_says_the_same(kind: str) -> None:
    contents = opened(TABLES[kind], "table.jsonl")
    (suite,) = contents.suites
    (case,) = suite.cases
    assert (contents.format, suite.id, case.id, case.place) == ("vertex-dataset", "table", "row 1", "/0")
    assert [spoken_text(event.parts) for event in case.context] == ["Hello", "Good day."]
    assert [(user_text(turn), turn.final_response) for turn in case.turns] == [("Is seat 2 free?", None)]
    (trace,) = contents.traces
    (turn,) = trace.turns
    assert (user_text(turn), turn.steps) == ("Is seat 2 free?", Steps.EVENTS)
    assert [(call.name, call.args) for call in calls_of(turn)] == [("look_up", {"seat": 2})]
    assert [agent.instruction for agent in trace.agents] == ["Be brief."]
    assert codes(contents) == []


@pytest.mark.parametrize(
    ("request_", "role"),
    [
        ({"contents": [made.said("Is it?", "user"), made.said("It is.")]}, "model"),
        ({"messages": [{"role": "user", "content": "Is it?"}, {"role": "assistant", "content": "It is."}]}, "model"),
    ],
)
def test_a_last_answer_in_the_request_is_the_reference(request_: JsonObject, role: str) -> None:
    contents = only_row({"request": request_, "response": "Yes."})
    (turn,) = contents.suites[0].cases[0].turns
    assert (user_text(turn), answer_text(turn), turn.final_author) == ("Is it?", "It is.", role)
    assert [answer_text(trace.turns[0]) for trace in contents.traces] == ["Yes."]


def test_every_part_of_a_gemini_content_has_its_own_place() -> None:
    content: JsonObject = {"role": "user", "parts": [{"text": "Is"}, {"text": "it?"}]}
    contents = only_row({"request": {"contents": [content]}, "response": {"candidates": [{"content": content}]}})
    (turn,) = contents.traces[0].turns
    assert [part.place for part in turn.user] == [f"/0/request/contents/0/parts/{at}/text" for at in (0, 1)]
    assert [part.place for part in turn.final_response or ()] == [
        f"/0/response/candidates/0/content/parts/{at}/text" for at in (0, 1)
    ]


def test_a_chat_response_may_be_json_in_a_text() -> None:
    response = json.dumps({"choices": [{"message": {"content": "Yes."}}, {"message": {"content": "No."}}]})
    contents = only_row({"request": {"messages": [{"role": "user", "content": "Is it?"}]}, "response": response})
    assert [(trace.id, answer_text(trace.turns[0])) for trace in contents.traces] == [
        ("row 1 (1)", "Yes."),
        ("row 1 (2)", "No."),
    ]


def test_a_response_without_choices_is_no_answer() -> None:
    row: JsonObject = {"request": {"messages": [{"role": "user", "content": "Is it?"}]}, "response": '{"error": 1}'}
    assert only_row(row).traces == ()


def test_flat_rows_have_columns_for_all_else() -> None:
    row: JsonObject = {
        "prompt": made.said("Is it?", "user"),
        "response": "Yes.",
        "reference": "It is.",
        "starting_prompt": "Hi",
        "conversation_plan": "Ask.",
        "rubric_groups": {"tone": [made.rubric("a", "Is polite.")]},
        "eval_case_id": "mine",
    }
    (case,) = only_row(row).suites[0].cases
    assert (case.id, case.scenario) == ("mine", Scenario("Hi", "Ask.", place="/0"))
    assert [(user_text(turn), answer_text(turn)) for turn in case.turns] == [("Is it?", "It is.")]
    assert [rubric.group for rubric in case.rubrics] == ["tone"]


def test_agent_data_may_be_json_in_a_text() -> None:
    row: JsonObject = {"prompt": "Is it?", "response": "Seat 2 is free.", "agent_data": json.dumps(made.agent_data())}
    (trace,) = only_row(row).traces
    assert trace.place == "/0/agent_data"
    assert [call.name for call in calls_of(trace.turns[0])] == ["look_up"]


def test_rows_come_as_lines(tmp_path: Path) -> None:
    path = tmp_path / "inference_results.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in TABLES["chat"] * 2), encoding="utf-8")
    contents = open_file(path).contents
    assert (contents.format, [case.id for case in contents.suites[0].cases]) == ("vertex-dataset", ["row 1", "row 2"])


def test_a_row_that_asks_nothing_is_a_finding() -> None:
    assert codes(only_row({"request": {"messages": [{"role": "system", "content": "x"}]}, "response": "y"})) == [
        "empty-prompt"
    ]


@each(
    "row",
    [
        {"prompt": "p"},
        {"prompt": "p", "response": 5},
        {"prompt": {"a": 1}, "response": "r"},
        {"request": {"contents": [{"text": "x"}]}, "response": {}},
        {"request": {"messages": []}, "response": {}},
        {"request": {"messages": [{"role": "user"}]}},
        {"format": "observability"},
        {**TABLES["gemini"][0], "extracted_data": {}} if isinstance(TABLES["gemini"][0], dict) else {},
    ],
)
def test_what_only_looks_alike_is_left_alone(row: Json) -> None:
    assert recognise([row]) is None

"""Recorded conversations as agent-eval's rows: what the converter does, without what it does wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.engine.builders import numbered
from tests.formats import adk_files
from tests.formats import agent_eval_files as files
from tests.helpers.tables import each
from trace_inspector.cli import main
from trace_inspector.core.rows.contents import Contents, collect
from trace_inspector.core.trace.criteria import Criteria, Criterion
from trace_inspector.core.trace.parts import Text, ToolCall, ToolResult
from trace_inspector.core.trace.trace import Agent, Event, Span, SpanKind, Steps, Trace, Turn, calls_of, paired_calls
from trace_inspector.core.values.values import ABSENT, Json, JsonObject
from trace_inspector.flows.opening.convert_file import convert_files
from trace_inspector.flows.opening.open_file import open_file
from trace_inspector.formats.agent_eval import format as agent_eval
from trace_inspector.formats.agent_eval.writer import write
from trace_inspector.formats.common.format import Source


def turn(*parts: Any, answer: str | None = "Done.", **more: Any) -> Turn:
    """A turn of one agent."""
    said = None if answer is None else (Text(answer),)
    return Turn(
        0, user=(Text("Go"),), events=(Event("desk", parts),), final_response=said, steps=Steps.EVENTS, **more
    )


def row_of(*turns: Turn, **more: Any) -> Any:
    """The row that a conversation of these turns becomes."""
    written = write(Contents("adk-eval-result", traces=(Trace("t", numbered(turns), case_id="c", **more),)))
    (row,) = json.loads(written.text)
    return row


def again(row: Any) -> Trace:
    """The conversation that a row tells."""
    (trace,) = collect("agent-eval", agent_eval.read(Source([row]))).traces
    return trace


@each("value", [0, "", [], False, None, {}, {"result": 0}])
def test_a_result_that_is_nothing_is_a_result(value: Json) -> None:
    row = row_of(turn(ToolCall("f", {}, "1"), ToolResult("f", value, "1")))
    assert row["extracted_data"]["tool_interactions"] == [
        {"tool_name": "f", "call_id": "1", "input_arguments": {}, "output_result": value}
    ]


def test_calls_without_ids_are_kept_and_counted_once() -> None:
    row = row_of(turn(ToolCall("f", {"a_b": 1}), ToolCall("f", {"aB": 2}), ToolResult("f", {"x": 1}), ToolCall("g")))
    assert row["extracted_data"]["tool_interactions"] == [
        {"tool_name": "f", "call_id": None, "input_arguments": {"a_b": 1}, "output_result": {"x": 1}},
        {"tool_name": "f", "call_id": None, "input_arguments": {"aB": 2}, "status": "no_response"},
        {"tool_name": "g", "call_id": None, "status": "no_response"},
    ]
    (told,) = again(row).turns
    assert [(call.name, call.args) for call in calls_of(told)] == [
        ("f", {"a_b": 1}),
        ("f", {"aB": 2}),
        ("g", ABSENT),
    ]
    assert [pair.result is None for pair in paired_calls(told)] == [False, True, True]


def test_no_time_is_made_up() -> None:
    row = row_of(turn(ToolCall("f", {}, "1")), turn())
    assert row["session_trace"] == []
    assert [one["duration_seconds"] for one in row["latency_data"]] == [None, None]
    assert all("timestamp" not in event for event in row["final_session_state"]["events"])
    assert "interaction_datetime" not in row
    assert [one.duration_s for one in again(row).turns] == [None, None]


def test_times_that_are_recorded_are_written() -> None:
    row = row_of(turn(start_s=1_760_000_000.0, duration_s=2.5, model_duration_s=1.0, tool_duration_s=0.5))
    assert row["latency_data"] == [
        {
            "name": "invocation",
            "type": "invocation",
            "duration_seconds": 2.5,
            "children": [
                {"name": "call_llm", "type": "llm", "duration_seconds": 1.0},
                {"name": "execute_tool", "type": "tool", "duration_seconds": 0.5},
            ],
        }
    ]
    assert row["interaction_datetime"] == "2025-10-09T08:53:20+00:00"
    (told,) = again(row).turns
    assert (told.duration_s, told.model_duration_s, told.tool_duration_s) == (2.5, 1.0, 0.5)


def test_durations_that_were_derived_are_not_written() -> None:
    assert row_of(turn(duration_s=9.0, guessed=frozenset({"times"})))["latency_data"][0]["duration_seconds"] is None


def test_spans_keep_their_own_times() -> None:
    spans = (
        Span("a", "invocation", SpanKind.RUN, None, 1_760_000_000.25, 2.5),
        Span("b", "execute_tool f", SpanKind.TOOL, "a", 1_760_000_001.5, 0.125, "timed out"),
        Span("c", "call_llm", SpanKind.MODEL, "a"),
    )
    row = row_of(turn(spans=spans), span_count=3)
    assert [(one["start_time"], one["end_time"]) for one in row["session_trace"][:2]] == [
        (1_760_000_000_250_000_000, 1_760_000_002_750_000_000),
        (1_760_000_001_500_000_000, 1_760_000_001_625_000_000),
    ]
    assert "start_time" not in row["session_trace"][2]
    assert again(row).turns[0].duration_s == 2.5
    assert row["latency_data"][0]["children"] == [
        {"name": "execute_tool f", "type": "tool", "duration_seconds": 0.125}
    ]


def test_what_was_said_is_paired_as_it_was() -> None:
    silent = turn(answer=None)
    row = row_of(turn(answer="One."), silent, turn(answer="Three."))
    assert [(one["role"], one["parts"][0]["text"]) for one in row["request"]["contents"]] == [
        ("user", "Go"),
        ("model", "One."),
        ("user", "Go"),
        ("user", "Go"),
    ]
    assert row["response"]["candidates"][0]["content"]["parts"] == [{"text": "Three."}]
    assert row["user_inputs"] == ["Go", "Go", "Go"]


def test_state_never_takes_the_place_of_what_is_extracted() -> None:
    state: JsonObject = {"city_name": "Rome", "tool_interactions": "mine"}
    row = row_of(turn(ToolCall("f")), final_state=state)
    assert row["extracted_data"]["city_name"] == "Rome"
    assert row["extracted_data"]["tool_interactions"][0]["tool_name"] == "f"
    assert row["extracted_data"]["state_variables"] == row["final_session_state"]["state"] == state
    written = write(Contents("", traces=(Trace("t", (turn(),), final_state=state),)))
    assert "“tool_interactions”" in next(one.message for one in written.losses if one.code == "state-not-copied")


def test_agents_and_tools_are_told_as_they_are() -> None:
    tools: tuple[Json, ...] = ({"function_declarations": [{"name": "f", "description": "Finds."}]},)
    agents = (Agent("desk", "You sell seats.", tools=tools), Agent("booker"))
    events = (Event("desk", (ToolCall("f"),)), Event("booker", (Text("hm"),)))
    told = Turn(0, user=(Text("Go"),), events=events, final_response=(Text("ok"),), final_author="booker")
    row = row_of(told, agents=agents, app="shop")
    assert row["extracted_data"]["system_instruction"] == "You sell seats."
    assert row["extracted_data"]["tool_declarations"] == [*tools]
    assert row["trace_summary"] == ["agent:desk", "tool:f", "sub-agent:booker"]
    assert row["agents_evaluated"] == ["shop"]
    assert again(row).agents[0].instruction == "You sell seats."


def test_agents_of_turns_are_told_and_others_than_the_first_are_named() -> None:
    agents = (Agent("desk"), Agent("booker", "Book.", "books"), Agent("clerk", "File."))
    trace = Trace("t", (turn(ToolCall("f"), agents=agents),), (Agent("booker"),))
    written = write(Contents("", traces=(trace,)))
    (row,) = json.loads(written.text)
    assert row["extracted_data"]["system_instruction"] == "Book."
    assert row["extracted_data"]["tool_declarations"] == [{"function_declarations": [{"name": "f"}]}]
    assert [loss.message for loss in written.losses if loss.code == "agents-lost"] == [
        "Of 2 agents only the first one's instruction has a place in a row."
    ]


def test_a_turn_of_an_agent_alone_took_as_long_as_the_agent() -> None:
    spans = (
        Span("b", "call_llm", SpanKind.MODEL, "a", 1.0, 0.25),
        Span("a", "invoke_agent desk", SpanKind.AGENT, "gone", 1_760_000_000.0, 2.0),
    )
    assert again(row_of(turn(spans=spans))).turns[0].duration_s == 2.0


def test_cases_without_session_details_are_written_too(tmp_path: Path) -> None:
    value = json.loads(adk_files.RESULT)
    bare = {key: one for key, one in value["eval_case_results"][0].items() if key != "session_details"}
    value["eval_case_results"] = [{**bare, "eval_id": "bare", "session_details": None}]
    path = tmp_path / "a.evalset_result.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    before = open_file(path).contents.traces[0]
    made = convert_files([path], "agent-eval")
    (row,) = json.loads(made.data)
    assert row["question_id"] == "bare"
    after = again(row)
    assert [(call.name, call.args) for one in after.turns for call in calls_of(one)] == [
        (call.name, call.args) for one in before.turns for call in calls_of(one)
    ]
    scores = {key: one for key, one in row.items() if key.startswith("adk_score.")}
    assert scores == {f"adk_score.{one.metric}": one.score for one in open_file(path).contents.reported[0].metrics}


def test_goldens_alone_become_questions(tmp_path: Path) -> None:
    path, out = tmp_path / "a.json", tmp_path / "b.json"
    path.write_text(adk_files.EVAL_SET, encoding="utf-8")
    assert main(["convert", str(path), "--to", "agent-eval", "-o", str(out)]) == 0
    questions = json.loads(out.read_bytes())["golden_questions"]
    (suite,) = open_file(path).contents.suites
    assert [one["id"] for one in questions] == [case.id for case in suite.cases]
    told = open_file(out).contents.suites[0].cases
    assert [len(case.turns) for case in told] == [
        len(case.turns) or 1 for case in suite.cases
    ]  # a scenario asks once


def test_what_has_no_place_is_named() -> None:
    row = files.simulated()
    contents = collect("agent-eval", agent_eval.read(Source([row])))
    golden = contents.suites[0]
    stated = Contents("x", (golden,), contents.traces, Criteria((Criterion("safety_v1", 1.0),)))
    assert {loss.code for loss in write(stated).losses} == {
        "criteria-lost",
        "span-attributes-lost",
        "golden-turns-lost",
        "state-not-copied",
    }


@each("suffix", [".jsonl", ".ndjson", ".csv", ".json"])
def test_rows_lie_as_the_name_of_the_file_says(suffix: str, tmp_path: Path) -> None:
    path, out = tmp_path / "a.json", tmp_path / f"rows{suffix}"
    session = json.loads(adk_files.SESSION)
    path.write_text(json.dumps([session, {**session, "id": "two"}]), encoding="utf-8")
    assert main(["convert", str(path), "--to", "agent-eval", "-o", str(out)]) == 0
    lines = out.read_text(encoding="utf-8").splitlines()
    if suffix != ".json":
        assert len(lines) == (3 if suffix == ".csv" else 2)
    contents = open_file(out).contents
    assert contents.format == "agent-eval"
    before = open_file(path).contents.traces
    assert [[calls_of(one) == [] for one in trace.turns] for trace in contents.traces] == [
        [calls_of(one) == [] for one in trace.turns] for trace in before
    ]
    assert [trace.session_id for trace in contents.traces] == [trace.session_id for trace in before]


def test_a_cell_is_never_a_formula(tmp_path: Path) -> None:
    path, out = tmp_path / "a.json", tmp_path / "rows.csv"
    session = json.loads(adk_files.SESSION)
    path.write_text(json.dumps({**session, "id": "=1+1"}), encoding="utf-8")
    main(["convert", str(path), "--to", "agent-eval", "-o", str(out)])
    assert "'=1+1" in out.read_text(encoding="utf-8")
    assert ",=1+1" not in out.read_text(encoding="utf-8")


def test_half_an_emoji_can_be_written(tmp_path: Path) -> None:
    path, out = tmp_path / "a.json", tmp_path / "rows.jsonl"
    value = json.loads(adk_files.SESSION)
    value["events"][0]["content"]["parts"][0]["text"] = "cut \ud83d é"
    path.write_text(json.dumps(value), encoding="utf-8")
    assert main(["convert", str(path), "--to", "agent-eval", "-o", str(out)]) == 0
    assert json.loads(out.read_bytes().splitlines()[0])["user_inputs"][0] == "cut \ud83d é"

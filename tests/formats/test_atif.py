"""ATIF trajectories: what is read, what is written, and how nothing is counted twice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.formats.atif_files import trajectory
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.parts import Media, Text, Thought, ToolCall, ToolResult
from trace_inspector.core.trace.trace import Event, ParentCall, Usage, calls_of, paired_calls, turn_usage
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.flows.opening.convert_file import convert_files
from trace_inspector.flows.opening.open_file import open_file


def contents_of(folder: Path, value: Json) -> Contents:
    """What is read of a trajectory."""
    path = folder / "tour.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    return open_file(path).contents


def steps_of(value: JsonObject) -> list[JsonObject]:
    """The steps of a trajectory, to be changed in place."""
    steps = value["steps"]
    assert isinstance(steps, list)
    return [step for step in steps if isinstance(step, dict)]


def codes(contents: Contents) -> dict[str, str]:
    """The messages of the findings by code."""
    return {finding.code: finding.message for finding in contents.findings}


def test_steps_become_turns(tmp_path: Path) -> None:
    contents = contents_of(tmp_path, trajectory())
    assert contents.format == "atif"
    tour, sub = contents.traces
    assert (tour.id, tour.session_id, tour.app) == ("tour", "run-1", "guide")
    assert (tour.agents[0].instruction, len(tour.agents[0].tools)) == ("Be short.", 1)
    assert {extra.name for extra in tour.extras} == {"final_metrics", "notes", "version", "model_name"}
    first, second = tour.turns
    assert first.user == (Text("Where may I park?", "/steps/1/message"),)
    assert first.final_response == (Text("At Pier 4.", "/steps/3/message"),)
    assert (first.duration_s, first.guessed) == (4.0, frozenset({"times"}))
    asked = first.events[0]
    assert asked.parts[:2] == (
        Thought("A map helps.", "/steps/2/reasoning_content"),
        Text("I look.", "/steps/2/message"),
    )
    assert [(extra.name, extra.value) for extra in asked.extras] == [("llm_call_count", 1), ("cost_usd", 0.01)]
    assert turn_usage(first) == Usage(prompt=100, candidates=20, cached=60)
    assert [(pair.call.name, pair.result.value if pair.result else None) for pair in paired_calls(first)] == [
        ("find_place", "Pier 4"),
        ("ask_helper", None),
    ]
    assert isinstance(second.user[1], Media)
    assert second.user[1].uri == "pictures/1.png"
    assert (second.events[0].role, second.final_response) == ("system", (Text("A bridge.", "/steps/6/message"),))
    assert codes(contents)["records-understood"] == "9 of 9 records are understood."
    assert (sub.id, sub.parent, sub.session_id) == ("sub", ParentCall("tour", "c2"), None)


def test_the_calls_of_a_sub_agent_are_not_those_of_its_parent(tmp_path: Path) -> None:
    tour, sub = contents_of(tmp_path, trajectory()).traces
    assert turn_usage(sub.turns[0]) == Usage(prompt=7, candidates=1)
    assert sum(turn_usage(turn).prompt or 0 for turn in tour.turns) == 100


def test_what_repeats_an_earlier_file_is_not_counted(tmp_path: Path) -> None:
    value = trajectory()
    for step in steps_of(value)[:4]:
        step["is_copied_context"] = True
    contents = contents_of(tmp_path, value)
    (turn,) = contents.traces[0].turns
    assert calls_of(turn) == []
    assert codes(contents)["copied-context"].startswith("4 steps repeat")
    assert "copied_context" in {extra.name for extra in contents.traces[0].extras}


def test_an_observation_of_no_call_belongs_to_the_only_one(tmp_path: Path) -> None:
    value = trajectory()
    step = steps_of(value)[2]
    step["tool_calls"] = [{"tool_call_id": "c1", "function_name": "find_place", "arguments": {}}]
    step["observation"] = {"results": [{"content": "Pier 4"}]}
    (pair,) = paired_calls(contents_of(tmp_path, value).traces[0].turns[0])
    assert pair.result is not None
    assert pair.result.value == "Pier 4"


def test_a_step_of_an_unknown_source_is_shown_and_counted(tmp_path: Path) -> None:
    value = trajectory()
    steps_of(value)[3]["source"] = "oracle"
    contents = contents_of(tmp_path, value)
    assert "8 of 9 records" in codes(contents)["records-understood"]
    assert "“step of oracle” 1" in codes(contents)["records-understood"]
    assert contents.traces[0].turns[0].events[-1].author == "oracle"


def test_what_a_model_took_is_the_agents_step_though_its_source_is_blacked_out(tmp_path: Path) -> None:
    value = trajectory()
    before = turn_usage(contents_of(tmp_path, value).traces[0].turns[0])
    for step in steps_of(value):
        step["source"] = "[redacted]" if "metrics" in step else step["source"]
    contents = contents_of(tmp_path, value)
    assert turn_usage(contents.traces[0].turns[0]) == before
    assert codes(contents)["records-understood"].startswith("9 of 9")


@pytest.mark.parametrize(
    "broken",
    [
        {"steps": [{"step_id": 1, "source": "user", "message": {"odd": 1}}, 3, None]},
        {"steps": [{"source": 4, "message": 5, "tool_calls": {}, "observation": []}]},
        {"steps": [{"source": "agent", "metrics": {"prompt_tokens": -1}, "timestamp": "x" * 10_000}]},
        {"agent": None, "steps": [{"source": "agent", "message": "Hello."}]},
        {"subagent_trajectories": [{"steps": None}, []]},
    ],
)
def test_odd_trajectories_are_read_as_far_as_they_go(tmp_path: Path, broken: JsonObject) -> None:
    contents = contents_of(tmp_path, {**trajectory(), **broken})
    assert contents.format == "atif"
    assert contents.traces


def test_sub_agents_of_sub_agents_end_somewhere(tmp_path: Path) -> None:
    value: JsonObject = {"schema_version": "ATIF-v1.7", "agent": {"name": "a"}, "steps": []}
    for _ in range(40):
        value = {**value, "subagent_trajectories": [value]}
    contents = contents_of(tmp_path, value)
    assert len(contents.traces) < 20
    assert "too-deep" in codes(contents)


def test_written_and_read_again_it_is_the_same_conversation(tmp_path: Path) -> None:
    contents_of(tmp_path, trajectory())
    session = tmp_path / "session.json"
    session.write_bytes(convert_files([tmp_path / "tour.json"], "adk-session").data)
    written = convert_files([session], "atif")
    again = json.loads(written.data)
    assert again["schema_version"].startswith("ATIF-v1.")
    assert [step["step_id"] for step in again["steps"]] == list(range(1, len(again["steps"]) + 1))
    (trace,) = contents_of(tmp_path, again).traces
    first, second = trace.turns
    assert [call.name for call in calls_of(first)] == ["find_place", "ask_helper"]
    assert next(pair.result.value for pair in paired_calls(first) if pair.result) == '{"result": "Pier 4"}'
    assert turn_usage(first) == Usage(prompt=100, candidates=20, cached=60)
    assert [part.text for part in second.final_response or () if isinstance(part, Text)] == ["A bridge."]


def test_calls_without_ids_are_joined_to_their_results(tmp_path: Path) -> None:
    call: Json = {"functionCall": {"name": "x", "args": {}}}
    results: list[Json] = [
        {"parts": [{"functionResponse": {"name": "x", "response": {"n": number}}}]} for number in (1, 2)
    ]
    contents: list[Json] = [{"role": "user", "parts": [{"text": "Go."}]}, {"parts": [call, call]}, *results]
    events = [
        {"author": "a" if number else "user", "invocationId": "i", "content": content}
        for number, content in enumerate(contents)
    ]
    path = tmp_path / "session.json"
    path.write_text(json.dumps({"id": "s", "appName": "a", "userId": "u", "state": {}, "events": events}))
    (trace,) = contents_of(tmp_path, json.loads(convert_files([path], "atif").data)).traces
    pairs = paired_calls(trace.turns[0])
    assert [pair.result.value for pair in pairs if pair.result] == ['{"n": 1}', '{"n": 2}']
    assert len({pair.call.call_id for pair in pairs}) == 2


def plain_counts(value: JsonObject) -> dict[str, int]:
    """Calls, results and tokens of the steps that are no copies, counted without the reader."""
    counts = {"users": 0, "calls": 0, "results": 0, "prompt": 0, "completion": 0}
    for step in steps_of(value):
        if step.get("is_copied_context"):
            continue
        metrics, observation, calls = step.get("metrics"), step.get("observation"), step.get("tool_calls")
        counts["users"] += step.get("source") == "user"
        counts["calls"] += len(calls) if isinstance(calls, list) else 0
        results = observation.get("results") if isinstance(observation, dict) else None
        counts["results"] += len(results) if isinstance(results, list) else 0
        for name in ("prompt", "completion"):
            count = metrics.get(f"{name}_tokens") if isinstance(metrics, dict) else None
            counts[name] += count if isinstance(count, int) else 0
    return counts


@pytest.mark.second_corpus
def test_real_trajectories_hold_what_a_plain_count_finds(second_corpus: Path) -> None:
    paths = sorted((second_corpus / "atif").iterdir())
    assert len(paths) >= 3
    for path in paths:
        opened = open_file(path)
        trace = opened.contents.traces[0]
        events: list[Event] = [event for turn in trace.turns for event in turn.events]
        parts = [part for event in events for part in event.parts]
        usage = [turn_usage(turn) for turn in trace.turns]
        found = {
            "users": sum(bool(turn.user) for turn in trace.turns),
            "calls": sum(isinstance(part, ToolCall) for part in parts),
            "results": sum(isinstance(part, ToolResult) for part in parts),
            "prompt": sum(each.prompt or 0 for each in usage),
            "completion": sum(each.candidates or 0 for each in usage),
        }
        assert found == plain_counts(json.loads(path.read_bytes())), path
        assert convert_files([path], "atif").data == path.read_bytes()

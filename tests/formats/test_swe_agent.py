"""Trajectories of SWE-agent and mini-SWE-agent."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.formats import swe_agent_files
from tests.helpers.tables import each
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.trace import Usage, answer_text, paired_calls, turn_usage, user_text
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.flows.opening.open_file import open_file


def contents_of(folder: Path, value: Json) -> Contents:
    """What is read of a trajectory."""
    path = folder / "task.traj"
    path.write_text(json.dumps(value), encoding="utf-8")
    return open_file(path).contents


def test_a_trajectory_is_a_task_with_its_commands(tmp_path: Path) -> None:
    contents = contents_of(tmp_path, swe_agent_files.trajectory())
    assert contents.format == "swe-agent"
    (trace,) = contents.traces
    assert (trace.id, trace.title, trace.agents[0].name) == ("task", "main", "primary")
    assert trace.agents[0].instruction == "You fix code."
    (turn,) = trace.turns
    assert (user_text(turn), answer_text(turn)) == ("Fix main.py.", "+ x = 2")
    pairs = [(pair.call.name, pair.call.args, pair.result and pair.result.value) for pair in paired_calls(turn)]
    assert pairs == [
        ("open", {"command": "open main.py"}, "1: x = 1"),
        ("submit", {"command": "submit"}, "done"),
    ]
    assert (turn.events[1].duration_s, turn.events[1].state_delta) == (0.25, {"open_file": "main.py"})
    assert turn_usage(turn) == Usage(prompt=300, candidates=40)
    assert turn.events[-1].finish_reason == "submitted"


def test_functions_that_the_model_called_have_their_own_names(tmp_path: Path) -> None:
    value = swe_agent_files.trajectory()
    history = value["history"]
    assert isinstance(history, list)
    assert isinstance(history[-1], dict)
    history[-1]["tool_calls"] = [{"id": "c1", "function": {"name": "view", "arguments": '{"file": "main.py"}'}}]
    (turn,) = contents_of(tmp_path, value).traces[0].turns
    first = paired_calls(turn)[0]
    assert (first.call.name, first.call.args) == ("view", {"file": "main.py"})
    assert first.result is not None


@each("is_wrapped", (False, True))
def test_mini_swe_agent_answers_each_command_with_a_message(tmp_path: Path, is_wrapped: bool) -> None:
    messages = swe_agent_files.mini()
    wrapped: JsonObject = {"trajectory_format": "mini-swe-agent-9", "messages": messages, "info": {}}
    contents = contents_of(tmp_path, wrapped if is_wrapped else messages)
    assert contents.format == "swe-agent"
    (turn,) = contents.traces[0].turns
    assert user_text(turn) == "Fix main.py."
    pairs = [(pair.call.args, pair.result is not None and pair.result.is_error) for pair in paired_calls(turn)]
    assert pairs == [({"command": "cat main.py"}, True), ({"command": "ls -a"}, False)]
    assert contents.traces[0].agents[0].instruction == "You use a shell."


ODD: dict[str, Json] = {
    "steps of no kind": {"trajectory": [{"action": 3, "observation": None}], "history": [1, {}], "info": []},
    "an empty action": {"trajectory": [{"action": " ", "observation": "try again"}], "history": []},
    "messages of no kind": {"trajectory_format": "mini-swe-agent-1", "messages": [3, {"role": 4}, {"role": "user"}]},
}


@each("kind", ODD)
def test_odd_trajectories_are_read_as_far_as_they_go(tmp_path: Path, kind: str) -> None:
    contents = contents_of(tmp_path, ODD[kind])
    assert contents.format == "swe-agent"
    assert len(contents.traces) == 1


@pytest.mark.second_corpus
def test_real_trajectories_hold_what_a_plain_count_finds(second_corpus: Path) -> None:
    paths = sorted((second_corpus / "swe-agent").iterdir())
    assert len(paths) >= 5
    for path in paths:
        (turn,) = open_file(path).contents.traces[0].turns
        value = json.loads(path.read_bytes())
        steps = value["trajectory"]
        pairs = paired_calls(turn)
        assert len(pairs) == sum(bool(step["action"].strip()) for step in steps), path
        assert [pair.result.value for pair in pairs if pair.result] == [step["observation"] for step in steps], path
        assert answer_text(turn) == value["info"]["submission"]


@pytest.mark.corpus
def test_real_messages_of_mini_swe_agent(corpus: Path) -> None:
    for path in sorted((corpus / "other-swe-agent").iterdir()):
        (turn,) = open_file(path).contents.traces[0].turns
        text = path.read_text()
        messages = json.loads(text)
        assert len(paired_calls(turn)) == sum("```mswea_bash" in message["content"] for message in messages[2:])

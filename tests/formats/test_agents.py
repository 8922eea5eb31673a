"""Runs of AutoGen and histories of browser-use."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.formats.agents_files import context, history, message, messages, step, team
from tests.formats.opened import calls_after_converting, codes, opened, spoken
from trace_inspector.core.trace.parts import Media, Text, Thought, Transfer, Unknown
from trace_inspector.core.trace.trace import Usage, calls_of, paired_calls, turn_usage
from trace_inspector.core.values.values import Json

TURNS = [("Where may I park?", "At Pier 4."), ("And this?", "")]


def test_messages_of_autogen_become_turns(tmp_path: Path) -> None:
    contents = opened(tmp_path, messages(), "autogen")
    (trace,) = contents.traces
    assert spoken(trace) == TURNS
    assert [agent.name for agent in trace.agents] == ["guide", "driver"]
    first, second = trace.turns
    assert first.events[0].parts == (Thought("The map knows.", "/1/content"),)
    (pair,) = paired_calls(first)
    assert (pair.call.args, pair.result and (pair.result.value, pair.result.is_error)) == (
        {"what": "garage"},
        ("no map", True),
    )
    assert Transfer("driver", "/4/target") in first.events[3].parts
    assert (turn_usage(first), first.duration_s) == (Usage(prompt=40, candidates=10), 5.0)
    assert second.user == (Text("And this?", "/6/content/0"), Media("image/*", 3, place="/6/content/1", data="AAAA"))
    assert isinstance(second.events[0].parts[0], Unknown)
    assert codes(contents)["records-understood"].startswith("7 of 8 records are understood.")


def test_of_a_team_the_thread_of_its_leader_is_the_conversation(tmp_path: Path) -> None:
    (trace,) = opened(tmp_path, team(), "autogen").traces
    assert spoken(trace) == TURNS


def test_of_a_team_without_a_leader_each_agent_has_a_conversation(tmp_path: Path) -> None:
    state = team()
    states = state["agent_states"]
    assert isinstance(states, dict)
    (trace,) = opened(tmp_path, {**state, "agent_states": {"guide/7": states["guide/7"]}}, "autogen").traces
    assert (trace.id, trace.agents[0].instruction, spoken(trace)) == ("guide", "Be kind.", TURNS[:1])
    (pair,) = paired_calls(trace.turns[0])
    assert pair.result is not None
    assert pair.result.value == "Pier 4"
    assert trace.turns[0].events[0].parts[0] == Thought(
        "The map knows.", "/agent_states/guide~17/agent_state/llm_context/messages/2/thought"
    )


def test_a_run_with_the_reason_it_stopped_for(tmp_path: Path) -> None:
    (trace,) = opened(tmp_path, {"messages": messages(), "stop_reason": "enough"}, "autogen").traces
    assert (spoken(trace), [extra.name for extra in trace.extras]) == (TURNS, ["stop_reason"])


@pytest.mark.parametrize(
    "value",
    [
        [message("user", "Go."), {"type": "TextMessage"}, {}, 7, message("user", [5, None, {}])],
        {"type": "TeamState", "version": "1", "agent_states": {"a": 5, "b": {}, "c": {"agent_state": {}}}},
        {"type": "AssistantAgentState", "version": "1", "llm_context": {"messages": [5, {"type": 7}]}},
        {"messages": [message("a", {"arguments": 5}), message("a", [{"call_id": 7}, {"arguments": 7}])]},
    ],
)
def test_odd_files_of_autogen_are_read_as_far_as_they_go(tmp_path: Path, value: Json) -> None:
    assert "records-understood" in codes(opened(tmp_path, value, "autogen"))


def test_a_run_of_autogen_converts_to_a_session(tmp_path: Path) -> None:
    opened(
        tmp_path, {"type": "AssistantAgentState", "version": "1", "llm_context": {"messages": context()}}, "autogen"
    )
    assert calls_after_converting(tmp_path) == [1]


def test_a_history_of_browser_use_is_one_turn(tmp_path: Path) -> None:
    contents = opened(tmp_path, history(), "browser-use")
    (trace,) = contents.traces
    assert spoken(trace) == [("", "Park at Pier 4.")]
    (turn,) = trace.turns
    assert [
        (pair.call.name, pair.result and (pair.result.value, pair.result.is_error)) for pair in paired_calls(turn)
    ] == [
        ("go_to_url", ("Went there.", False)),
        ("click", ("No such element.", True)),
        ("scroll", ("Scrolled.", False)),
    ]
    assert turn.events[0].parts == (Media("image/png", 3, place="/history/0/state/screenshot", data="AAAA"),)
    assert turn.events[1].parts[0] == Thought("Step 1.", "/history/0/model_output/thinking")
    assert [event.error for event in turn.events if event.error] == ["The model did not answer."]
    assert (turn_usage(turn), turn.duration_s) == (Usage(prompt=300), 4.0)
    assert codes(contents)["records-understood"] == "4 of 4 records are understood."


@pytest.mark.parametrize(
    "steps",
    [
        [step(1, results=[]), {"model_output": 5}, {}, 7, {"model_output": {"action": [5, {}]}, "result": [5]}],
        [step(1, {"done": 5}, results=[{"is_done": True}, {}]), step(2, {"a": None}, results=[{}], metadata=5)],
    ],
)
def test_odd_histories_are_read_as_far_as_they_go(tmp_path: Path, steps: list[Json]) -> None:
    assert "records-understood" in codes(opened(tmp_path, {"history": steps}, "browser-use"))


def test_a_history_of_browser_use_converts_to_a_session(tmp_path: Path) -> None:
    (trace,) = opened(tmp_path, history(), "browser-use").traces
    assert calls_after_converting(tmp_path) == [len(calls_of(turn)) for turn in trace.turns]

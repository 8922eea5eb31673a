"""Sessions of GitHub Copilot CLI: turns, sub-agents under their calls, tokens, what was rewound."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.formats.copilot_cli_files import event, lines, printed
from tests.formats.opened import calls_after_converting, codes, opened, spoken
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.parts import Thought, ToolResult, Unknown
from trace_inspector.core.trace.trace import ParentCall, Usage, calls_of, paired_calls, turn_usage
from trace_inspector.core.values.values import Json
from trace_inspector.formats.coding.copilot_cli.session import _events_in
from trace_inspector.formats.common.fields import Fields


def contents_of(folder: Path, value: Json) -> Contents:
    """What is read of lines, or of one."""
    return opened(folder, value, "copilot-cli")


TURNS = [("Why is the price wrong?", "The price is fixed."), ("Make it three.", "")]


def test_events_become_turns(tmp_path: Path) -> None:
    contents = contents_of(tmp_path, lines())
    trace = contents.traces[0]
    assert (trace.id, trace.title, trace.agents[0].instruction) == ("cp-0001", "A price is wrong", "Mind the prices.")
    assert spoken(trace) == TURNS
    first, second = trace.turns
    assert first.events[0].parts[0] == Thought("Look.", "/4/data/reasoningText")
    assert [(pair.call.name, pair.result and pair.result.value) for pair in paired_calls(first)] == [
        ("view", "price = 3"),
        ("task", "Two rules."),
    ]
    assert turn_usage(first) == Usage(candidates=15)
    assert first.events[1].duration_s == 1.0
    assert [call.name for call in calls_of(second)] == ["bash"]
    assert [step.error for step in second.events if step.error] == ["The line broke."]
    assert isinstance(second.events[-1].parts[0], Unknown)
    assert {extra.name for extra in trace.extras} >= {"copilotVersion", "hook.start", "session.shutdown"}
    assert codes(contents)["records-understood"].startswith("22 of 23 records are understood.")


def test_arguments_in_a_text_are_what_they_say(tmp_path: Path) -> None:
    asked: Json = {"toolCallId": "c1", "name": "view", "arguments": '{"path": "rule.py"}', "type": "function"}
    beside = event("tool.execution_start", 4, toolCallId="c2", toolName="grep", arguments='{"what": "price"}')
    reply = event("assistant.message", 3, messageId="m1", content="", toolRequests=[asked])
    (trace,) = contents_of(tmp_path, [lines()[0], event("user.message", 2, content="Why?"), reply, beside]).traces
    called = [(call.name, call.args) for turn in trace.turns for call in calls_of(turn)]
    assert called == [("view", {"path": "rule.py"}), ("grep", {"what": "price"})]


def test_words_that_a_skill_put_there_are_nobodys(tmp_path: Path) -> None:
    first = contents_of(tmp_path, lines()).traces[0].turns[0]
    assert [step.author for step in first.events if step.role == "system"] == ["system"]


def test_a_sub_agent_is_a_conversation_under_its_call(tmp_path: Path) -> None:
    main, agent = contents_of(tmp_path, lines()).traces
    assert (agent.id, agent.parent, agent.title) == ("c2", ParentCall("cp-0001", "c2"), "Explorer")
    assert spoken(agent) == [("Count the rules.", "Two rules.")]
    (result,) = (part for step in agent.turns[0].events for part in step.parts if isinstance(part, ToolResult))
    assert (result.name, result.value, result.is_error) == ("grep", "no rg", True)
    assert turn_usage(agent.turns[0]) == Usage(candidates=7)
    assert sum(len(calls_of(turn)) for turn in main.turns) == 3


def test_what_it_prints_states_all_tokens(tmp_path: Path) -> None:
    (trace,) = contents_of(tmp_path, printed()).traces
    assert (trace.id, spoken(trace)) == ("cp-0002", [("Why is the price wrong?", "It is three.")])
    whole = Usage(prompt=200, candidates=14, thoughts=4, cached=120, cache_written=14)
    assert turn_usage(trace.turns[0]) == whole


def test_what_was_rewound_is_a_conversation_of_its_own(tmp_path: Path) -> None:
    value: list[Json] = [
        event("session.start", 0, sessionId="cp-0001"),
        event("user.message", 1, content="Go."),
        event("user.message", 2, content="Stay."),
        event("session.snapshot_rewind", 3, upToEventId="e01", eventsRemoved=2),
        event("user.message", 4, content="Wait."),
    ]
    contents = contents_of(tmp_path, value)
    live, dead = contents.traces
    assert (spoken(live), spoken(dead)) == ([("Wait.", "")], [("Go.\nStay.", "")])
    assert (dead.id, dead.abandoned) == ("cp-0001~1", True)


def test_a_place_that_was_gone_back_to_is_told_of_the_newest_with_its_id(tmp_path: Path) -> None:
    rewind = event("session.snapshot_rewind", 3, upToEventId="e01", eventsRemoved=1)
    value: list[Json] = [
        event("session.start", 0, sessionId="cp-0001"),
        event("user.message", 1, content="Go."),
        rewind,
        event("user.message", 1, content="Stay."),
        rewind,
        event("user.message", 4, content="Wait."),
    ]
    live, first, second = contents_of(tmp_path, value).traces
    assert [spoken(trace) for trace in (live, first, second)] == [[("Wait.", "")], [("Go.", "")], [("Stay.", "")]]


def test_an_empty_id_is_no_place_to_go_back_to(tmp_path: Path) -> None:
    value: list[Json] = [
        event("session.start", 0, sessionId="cp-0001"),
        {**event("user.message", 1, content="Go."), "id": ""},
        event("user.message", 2, content="Stay."),
        event("session.snapshot_rewind", 3, upToEventId=""),
    ]
    (trace,) = contents_of(tmp_path, value).traces
    assert spoken(trace) == [("Go.\nStay.", "")]


def test_events_are_looked_through_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """For each of them again it would take minutes for a session of a hundred thousand."""
    asked: list[str] = []
    text = Fields.text

    def noted(fields: Fields, name: str) -> str | None:
        asked.append(name)
        return text(fields, name)

    monkeypatch.setattr(Fields, "text", noted)
    said = [Fields(event("user.message", number, content="Go."), "") for number in range(50)]
    back = [Fields(event("session.snapshot_rewind", 60, upToEventId="unknown"), "")] * 50
    assert len(_events_in([*said, *back]).kept) == 100
    assert asked.count("id") == 100


@pytest.mark.parametrize(
    "value",
    [
        [event("session.start", 0, sessionId="cp"), {"type": "user.message"}, {"type": 5, "data": 7}, {}, 7],
        [event("assistant.message", 1, toolRequests=[5, {}, {"toolCallId": 7}], outputTokens=-1), {"type": "result"}],
        [event("tool.execution_complete", 1, success=False, error=5), event("assistant.usage", 2, inputTokens="x")],
        [event("assistant.message", 1, agent="c1", content="?"), event("session.snapshot_rewind", 2, upToEventId=5)],
        event("session.start", 0, sessionId="cp"),
    ],
)
def test_odd_sessions_are_read_as_far_as_they_go(tmp_path: Path, value: Json) -> None:
    assert "records-understood" in codes(contents_of(tmp_path, value))


def test_it_converts_to_what_an_agent_of_google_adk_would_have_recorded(tmp_path: Path) -> None:
    contents_of(tmp_path, printed())
    assert calls_after_converting(tmp_path) == [0]

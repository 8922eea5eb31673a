"""Sessions of Claude Code: lines that are one message, tokens once, branches, sub-agents, and what nobody said."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.formats.claude_code_files import (
    SESSION,
    answered,
    called,
    line,
    replied,
    said,
    session,
    stream,
    sub_agent,
    text,
)
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.parts import Media, Text, Thought, ToolCall, Unknown
from trace_inspector.core.trace.trace import (
    ParentCall,
    Trace,
    Turn,
    Usage,
    answer_text,
    calls_of,
    paired_calls,
    turn_usage,
    user_text,
)
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.flows.opening.convert_file import convert_files
from trace_inspector.flows.opening.open_file import open_file
from trace_inspector.formats import recognise


def contents_of(folder: Path, lines: Iterable[Json], name: str = "session") -> Contents:
    """What is read of some lines."""
    path = folder / f"{name}.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    contents = open_file(path).contents
    assert contents.format == "claude-code"
    return contents


def said_and_answered(trace: Trace) -> list[tuple[str, str]]:
    """The words of each turn."""
    return [(user_text(turn), answer_text(turn)) for turn in trace.turns]


def results(turn: Turn) -> list[tuple[str, Json | object, bool | None]]:
    """The calls of a turn, what came back, and whether that was a failure."""
    return [
        (pair.call.name, pair.result.value if pair.result else None, pair.result.is_error if pair.result else None)
        for pair in paired_calls(turn)
    ]


def codes(contents: Contents) -> dict[str, str]:
    """The messages of the findings by code."""
    return {finding.code: finding.message for finding in contents.findings}


def test_a_session_becomes_turns(tmp_path: Path) -> None:
    live, _dead = contents_of(tmp_path, session()).traces
    assert (live.id, live.session_id, live.app, live.title) == (SESSION, SESSION, "claude-code", "A price is wrong")
    assert said_and_answered(live) == [
        ("Why is the price wrong?", "The price is fixed."),
        ("Make it three.", "It is three now."),
    ]
    first, second = live.turns
    assert (first.duration_s, "times" in first.guessed) == (8.25, False)
    assert second.guessed == frozenset({"times"})
    assert isinstance(second.user[1], Media)


def test_lines_of_one_message_are_one_reply_and_its_tokens_count_once(tmp_path: Path) -> None:
    first = contents_of(tmp_path, session()).traces[0].turns[0]
    reply = first.events[0]
    assert [type(part) for part in reply.parts] == [Thought, Text, ToolCall, ToolCall]
    assert (reply.model, reply.finish_reason) == ("large", "tool_use")
    assert reply.usage == Usage(prompt=3210, candidates=40, cached=3000, cache_written=200)
    assert turn_usage(first) == Usage(prompt=6420, candidates=80, cached=6000, cache_written=400)


def test_results_find_their_calls_and_say_whether_they_failed(tmp_path: Path) -> None:
    first = contents_of(tmp_path, session()).traces[0].turns[0]
    assert results(first) == [("Read", "1  price = 3", False), ("Bash", "Exit code 2\nno rule", True)]
    assert first.events[1].extras[0].name == "toolUseResult"


def test_what_nobody_said_is_no_turn_but_stays_visible(tmp_path: Path) -> None:
    second = contents_of(tmp_path, session()).traces[0].turns[1]
    beside = [event for event in second.events if event.role == "system"]
    assert [part.text for event in beside for part in event.parts if isinstance(part, Text)] == [
        "Conversation compacted",
        "What was said before: much.",
        "<command-name>/cost</command-name>",
    ]
    assert beside[3].error == "Overloaded"
    assert isinstance(beside[4].parts[0], Unknown)


@pytest.mark.parametrize(
    ("more", "asked"),
    [
        ({"origin": {"kind": "human"}, "promptSource": "typed"}, True),
        ({"promptSource": "sdk"}, True),
        ({"promptSource": "system"}, False),
        ({"origin": {"kind": "task-notification"}}, False),
        ({"origin": {"kind": "coordinator"}}, False),
        ({"origin": {"kind": "coordinator"}, "isSidechain": True, "agentId": "ag1"}, True),
        ({"origin": {"kind": "task-notification"}, "isSidechain": True, "agentId": "ag1"}, False),
        ({"isMeta": True}, False),
    ],
)
def test_newer_lines_say_who_spoke(tmp_path: Path, more: JsonObject, *, asked: bool) -> None:
    lines: list[Json] = [{**said("u0", None, 1, "First."), **side_of(more)}, {**said("u1", "u0", 2, "More."), **more}]
    (trace,) = contents_of(tmp_path, lines).traces
    assert "More." in user_text(trace.turns[0]) if asked else user_text(trace.turns[0]) == "First."


def side_of(more: JsonObject) -> JsonObject:
    """What makes a line one of the same sub-agent."""
    return {name: more[name] for name in ("isSidechain", "agentId") if name in more}


def test_what_the_model_is_given_along_stands_beside_the_turn_and_waiting_words_in_it(tmp_path: Path) -> None:
    waiting: JsonObject = {"type": "queued_command", "prompt": [text("And quickly.")]}
    lines: list[Json] = [
        said("u1", None, 1, "Go."),
        line("attachment", "t1", "u1", 1, attachment={"type": "edited_text_file", "filename": "x"}),
        line("attachment", "t2", "t1", 1, attachment=waiting),
        line("system", "s1", "t2", 1, subtype="stop_hook_summary", hookCount=1),
        line("system", "s2", "s1", 1, subtype="oracle"),
    ]
    (turn,) = contents_of(tmp_path, lines).traces[0].turns
    assert {"edited_text_file", "stop_hook_summary"} <= {extra.name for extra in turn.extras}
    assert [(event.author, type(event.parts[0])) for event in turn.events] == [("user", Text), ("system", Unknown)]


def test_every_line_is_accounted_for(tmp_path: Path) -> None:
    contents = contents_of(tmp_path, session())
    assert codes(contents)["records-understood"] == (
        f"{len(session()) - 1} of {len(session())} records are understood. "
        "The others are shown as they stand: “oracle” 1."
    )
    assert "“progress” 1" in codes(contents)["bookkeeping"]
    assert {"permission-mode", "file-history-snapshot", "session_start"} <= {
        extra.name for extra in contents.traces[0].extras
    }


def test_what_was_taken_back_is_a_conversation_of_its_own(tmp_path: Path) -> None:
    contents = contents_of(tmp_path, session())
    dead = contents.traces[1]
    assert (dead.id, dead.abandoned, dead.session_id) == (f"{SESSION}~1", True, None)
    assert said_and_answered(dead) == [("Make it thre.", "Thre?")]
    assert "abandoned-branches" in codes(contents)


def test_results_of_parallel_calls_are_no_branch(tmp_path: Path) -> None:
    lines: list[Json] = [
        said("u1", None, 1, "Go."),
        replied("a1", "u1", 2, "m1", called("c1", "A")),
        replied("a2", "a1", 3, "m1", called("c2", "B")),
        answered("r1", "a1", 4, "c1", "one"),
        answered("r2", "a2", 5, "c2", "two"),
        replied("a3", "r1", 6, "m2", text("Done.")),
    ]
    (trace,) = contents_of(tmp_path, lines).traces
    assert results(trace.turns[0]) == [("A", "one", False), ("B", "two", False)]
    assert answer_text(trace.turns[0]) == "Done."


def test_a_branch_keeps_its_turns_together_and_may_have_branches_itself(tmp_path: Path) -> None:
    lines: list[Json] = [
        said("u1", None, 1, "Go."),
        replied("a1", "u1", 2, "m1", text("Where?")),
        said("u2", "a1", 3, "Home."),
        replied("a2", "u2", 4, "m2", text("How?")),
        said("u3", "a2", 5, "By car."),
        said("u4", "a2", 6, "By bike."),
        replied("a4", "u4", 7, "m4", text("A bike.")),
        said("u5", "a4", 8, "Fast."),
        said("u6", "a1", 9, "Away."),
    ]
    live, *dead = contents_of(tmp_path, lines).traces
    assert [words for words, _ in said_and_answered(live)] == ["Go.", "Away."]
    assert [[words for words, _ in said_and_answered(trace)] for trace in dead] == [
        ["Home.", "By bike.", "Fast."],
        ["By car."],
    ]
    assert [trace.id for trace in dead] == [f"{SESSION}~1", f"{SESSION}~2"]


def test_beginning_anew_takes_all_back(tmp_path: Path) -> None:
    lines: list[Json] = [
        said("u1", None, 1, "Go."),
        replied("a1", "u1", 2, "m1", text("Where?")),
        said("u2", None, 3, "Stay."),
        replied("a2", "u2", 4, "m2", text("Here?")),
    ]
    live, dead = contents_of(tmp_path, lines).traces
    assert (said_and_answered(live), said_and_answered(dead)) == ([("Stay.", "Here?")], [("Go.", "Where?")])


def test_where_no_line_says_what_it_follows_nothing_was_taken_back(tmp_path: Path) -> None:
    lines: list[Json] = [
        said("u1", None, 1, "Go."),
        replied("a1", None, 2, "m1", text("Gone.")),
        said("u2", None, 3, "Stay."),
    ]
    (trace,) = contents_of(tmp_path, lines).traces
    assert said_and_answered(trace) == [("Go.", "Gone."), ("Stay.", "")]


def test_the_leaf_that_the_file_names_last_is_the_live_one(tmp_path: Path) -> None:
    lines: list[Json] = [
        said("u1", None, 1, "Go."),
        replied("a1", "u1", 2, "m1", text("Where?")),
        said("u2", "a1", 3, "Home."),
        replied("a2", "u2", 4, "m2", text("Home it is.")),
        said("u3", "a1", 5, "Away."),
        {"type": "last-prompt", "leafUuid": "a2", "sessionId": SESSION},
    ]
    live, dead = contents_of(tmp_path, lines).traces
    assert [words for words, _ in said_and_answered(live)] == ["Go.", "Home."]
    assert said_and_answered(dead) == [("Away.", "")]


def test_the_file_of_a_sub_agent_names_its_session(tmp_path: Path) -> None:
    (trace,) = contents_of(tmp_path, sub_agent(), "agent-ag1").traces
    assert (trace.id, trace.session_id, trace.parent) == ("ag1", None, ParentCall(SESSION))
    assert said_and_answered(trace) == [("Find it.", "In price.py.")]


@pytest.mark.parametrize("more", [{}, {"agentId": None}])
def test_a_sub_agent_within_the_session_stands_under_its_call(tmp_path: Path, more: dict[str, Json]) -> None:
    whole = session()
    contents = contents_of(tmp_path, [*whole[:19], *sub_agent(**more), *whole[19:]])
    live, side = contents.traces[0], contents.traces[2]
    assert side.parent == ParentCall(SESSION, "c3")
    assert (side.agents[0].name, side.title) == ("finder", "Find")
    assert [call.name for turn in live.turns for call in calls_of(turn)] == ["Read", "Bash", "Task"]
    assert turn_usage(live.turns[1]).candidates == 80


def test_a_stream_of_a_run_is_read_without_its_words(tmp_path: Path) -> None:
    live, side = contents_of(tmp_path, stream()).traces
    assert (live.id, live.agents[0].tools) == ("run-1", ("Task", "Grep"))
    (turn,) = live.turns
    assert (user_text(turn), answer_text(turn), turn.duration_s) == ("", "It is y.", 1.5)
    assert side.parent == ParentCall("run-1", "c1")
    assert [call.name for call in calls_of(side.turns[0])] == ["Grep"]
    assert {"total_cost_usd", "num_turns"} <= {extra.name for extra in live.extras}


def test_a_run_that_ended_with_an_error_says_so(tmp_path: Path) -> None:
    *lines, last = stream()
    assert isinstance(last, dict)
    broken: Json = {**last, "is_error": True, "subtype": "error_max_turns", "result": None}
    (turn,) = contents_of(tmp_path, [*lines, broken]).traces[0].turns
    assert turn.events[-1].error == "error_max_turns"


def test_a_message_of_the_system_before_all_is_the_instruction(tmp_path: Path) -> None:
    told: JsonObject = {"role": "system", "content": "Be brief."}
    lines: list[Json] = [line("system", "s1", None, 0, message=told), said("u1", "s1", 1, "Go.")]
    (trace,) = contents_of(tmp_path, lines).traces
    assert (trace.agents[0].instruction, said_and_answered(trace)) == ("Be brief.", [("Go.", "")])


def test_a_line_without_a_type_is_of_whom_its_message_is(tmp_path: Path) -> None:
    lines: list[Json] = [said("u1", None, 1, "Go."), replied("a1", "u1", 2, "m1", text("Gone."))]
    for odd in lines:
        assert isinstance(odd, dict)
        odd.pop("type")
    lines.append(said("u2", "a1", 3, "More."))
    (trace,) = contents_of(tmp_path, lines).traces
    assert said_and_answered(trace) == [("Go.", "Gone."), ("More.", "")]


def test_calls_and_results_may_stand_on_lines_of_their_own(tmp_path: Path) -> None:
    lines: list[Json] = [
        said("u1", None, 1, "Go."),
        {"type": "tool_use", "name": "bash", "input": {"command": "ls"}, "sessionId": SESSION, "uuid": "t1"},
        {"type": "tool_result", "name": "bash", "output": "none", "sessionId": SESSION, "uuid": "t2"},
        {"type": "tool", "message": {"tool_name": "bash", "tool_input": "{}", "tool_output": "", "status": "error"}},
    ]
    (turn,) = contents_of(tmp_path, lines).traces[0].turns
    assert results(turn) == [("bash", "none", False), ("bash", "", True)]


def test_an_error_of_the_service_is_no_answer(tmp_path: Path) -> None:
    failed = {**replied("a1", "u1", 2, "m1", text("API Error: 529")), "isApiErrorMessage": True}
    (turn,) = contents_of(tmp_path, [said("u1", None, 1, "Go."), failed]).traces[0].turns
    assert (turn.final_response, turn.events[0].error) == (None, "API Error: 529")


def test_a_web_export_holds_the_same_lines(tmp_path: Path) -> None:
    path = tmp_path / "export.json"
    path.write_text(json.dumps({"loglines": session()}), encoding="utf-8")
    exported = open_file(path).contents.traces
    assert [said_and_answered(trace) for trace in exported] == [
        said_and_answered(trace) for trace in contents_of(tmp_path, session()).traces
    ]


def test_sessions_that_go_on_in_one_file_are_one(tmp_path: Path) -> None:
    first = {**said("u1", None, 1, "Go."), "sessionId": "old"}
    again = replied("a1", "u1", 2, "m1", text("Gone."))
    (trace,) = contents_of(tmp_path, [first, first, again]).traces
    assert (trace.id, said_and_answered(trace)) == (SESSION, [("Go.", "Gone.")])


def test_lines_of_its_cousin_are_told_apart() -> None:
    cousin: Json = [
        {"uuid": "1", "parentUuid": None, "sessionId": "s", "type": "user", "message": {"role": "user", "parts": []}}
    ]
    found = recognise(cousin)
    assert found is None or found.name != "claude-code"


@pytest.mark.parametrize(
    "lines",
    [
        [{**said("u1", "u1", 1, "Go."), "timestamp": 5}, {**said("u2", "u2", 1, "Go."), "isSidechain": True}],
        [
            said("u1", "u2", 1, "Go."),
            said("u2", "u1", 2, {"odd": 1}),
            {"type": "assistant", "message": 7, "uuid": "u3"},
        ],
        [said("u1", None, 1, [None, 3, {"type": 4}, {"type": "tool_result", "content": [1]}]), 7, None],
        [{"type": "summary", "summary": "x", "leafUuid": 5}, {"type": "result", "duration_ms": "x"}],
        [{"type": "user", "message": {"content": "Go."}, "uuid": 7}, {"type": "attachment"}, {"type": {}}],
    ],
)
def test_odd_lines_are_read_as_far_as_they_go(tmp_path: Path, lines: list[Json]) -> None:
    assert "records-understood" in codes(contents_of(tmp_path, lines))


def test_it_converts_to_what_an_agent_of_google_adk_would_have_recorded(tmp_path: Path) -> None:
    contents_of(tmp_path, session())
    converted = tmp_path / "converted.json"
    converted.write_bytes(convert_files([tmp_path / "session.jsonl"], "adk-session").data)
    (trace,) = open_file(converted).contents.traces
    assert [call.name for turn in trace.turns for call in calls_of(turn)] == ["Read", "Bash", "Task"]

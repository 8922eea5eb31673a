"""Sessions of Gemini CLI: turns, results that failed, tokens, lines that replace each other."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.formats.gemini_cli_files import HEAD, lines, message, printed, printed_whole, session
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.parts import Text, Thought, ToolCall, ToolResult, Unknown
from trace_inspector.core.trace.trace import Trace, Usage, answer_text, calls_of, paired_calls, turn_usage, user_text
from trace_inspector.core.values.values import Json
from trace_inspector.flows.opening.convert_file import convert_files
from trace_inspector.flows.opening.open_file import open_file


def contents_of(folder: Path, value: Json) -> Contents:
    """What is read of a session: of an object, or of lines."""
    path = folder / ("session.jsonl" if isinstance(value, list) else "session.json")
    listed = value if isinstance(value, list) else [value]
    path.write_text("".join(json.dumps(line) + "\n" for line in listed), encoding="utf-8")
    contents = open_file(path).contents
    assert contents.format == "gemini-cli"
    return contents


def said_and_answered(trace: Trace) -> list[tuple[str, str]]:
    """The words of each turn."""
    return [(user_text(turn), answer_text(turn)) for turn in trace.turns]


def codes(contents: Contents) -> dict[str, str]:
    """The messages of the findings by code."""
    return {finding.code: finding.message for finding in contents.findings}


def with_messages(*listed: Json) -> Json:
    """A session of these messages."""
    return {**HEAD, "messages": list(listed)}


TURNS = [("Why is the price wrong?", "The price is fixed."), ("Make it three.", "It is three now.")]


def test_a_session_becomes_turns(tmp_path: Path) -> None:
    contents = contents_of(tmp_path, session())
    (trace,) = contents.traces
    assert (trace.id, trace.session_id, trace.app, trace.title) == (
        "9e41-0001",
        "9e41-0001",
        "gemini-cli",
        "A price is wrong",
    )
    assert said_and_answered(trace) == TURNS
    first, second = trace.turns
    assert first.events[0].parts[0] == Thought("Looking: Two files.", "/messages/2/thoughts/0")
    assert (first.events[0].model, first.duration_s) == ("gemini-x", 5.0)
    assert turn_usage(first) == Usage(prompt=200, tool_use_prompt=4, candidates=20, thoughts=10, cached=120)
    assert [step.error for step in second.events] == ["The line broke.", None, None]
    assert isinstance(second.events[1].parts[0], Unknown)
    assert codes(contents)["records-understood"].startswith("8 of 9 records are understood.")
    assert {"info", "kind", "startTime"} <= {extra.name for extra in trace.extras}


def test_results_say_whether_they_failed_also_when_the_call_is_told_as_a_success(tmp_path: Path) -> None:
    first = contents_of(tmp_path, session()).traces[0].turns[0]
    assert [(pair.call.name, pair.result.is_error if pair.result else None) for pair in paired_calls(first)] == [
        ("read_file", False),
        ("run_shell_command", True),
        ("replace", True),
        ("write_file", True),
    ]


def test_the_last_line_of_a_message_counts(tmp_path: Path) -> None:
    contents = contents_of(tmp_path, lines())
    live, dead = contents.traces
    assert (said_and_answered(live), live.title) == (TURNS, "A price is wrong")
    assert len(calls_of(live.turns[0])) == 4
    assert turn_usage(live.turns[0]).prompt == 200
    assert (dead.id, dead.abandoned, said_and_answered(dead)) == ("9e41-0001~1", True, [("Make it thre.", "Thre?")])
    assert "abandoned-branches" in codes(contents)


def test_going_back_to_what_nobody_knows_takes_all_back(tmp_path: Path) -> None:
    value: list[Json] = [HEAD, message("user", "m1", 1, "Go."), {"$rewindTo": "?"}, message("user", "m2", 2, "Stay.")]
    live, dead = contents_of(tmp_path, value).traces
    assert (said_and_answered(live), said_and_answered(dead)) == ([("Stay.", "")], [("Go.", "")])


def test_several_sessions_in_one_file_stay_apart(tmp_path: Path) -> None:
    other: Json = {**HEAD, "sessionId": "9e41-0002"}
    value: list[Json] = [HEAD, message("user", "m1", 1, "Go."), other, message("user", "m1", 1, "Stay.")]
    assert [said_and_answered(trace) for trace in contents_of(tmp_path, value).traces] == [
        [("Go.", "")],
        [("Stay.", "")],
    ]


@pytest.mark.parametrize(
    "value",
    [
        with_messages({"type": "user", "content": {"text": "Go."}}, {"type": 5}, 7, None),
        with_messages({"type": "gemini", "content": [5, None], "tokens": {"input": -1}, "toolCalls": [{}, 5]}),
        [HEAD, {"$set": {"messages": 5}}, {"$rewindTo": "x"}, {"$set": {}}, {}, {"type": "gemini", "toolCalls": 5}],
    ],
)
def test_odd_sessions_are_read_as_far_as_they_go(tmp_path: Path, value: Json) -> None:
    assert "records-understood" in codes(contents_of(tmp_path, value))


def test_it_converts_to_what_an_agent_of_google_adk_would_have_recorded(tmp_path: Path) -> None:
    contents_of(tmp_path, session())
    converted = tmp_path / "converted.json"
    converted.write_bytes(convert_files([tmp_path / "session.json"], "adk-session").data)
    (trace,) = open_file(converted).contents.traces
    assert [len(calls_of(turn)) for turn in trace.turns] == [4, 0]


def plain_counts(records: Iterable[Json]) -> Counter[str]:
    """Counted by independent code from the messages of a file."""
    counts: Counter[str] = Counter()
    for record in records:
        assert isinstance(record, dict)
        listed, tokens = record.get("toolCalls"), record.get("tokens")
        calls = [call for call in listed if isinstance(call, dict)] if isinstance(listed, list) else []
        counts["users"] += record["type"] == "user"
        counts["calls"] += len(calls) if isinstance(calls, list) else 0
        counts["results"] += (
            sum("result" in each for each in calls if isinstance(each, dict)) if isinstance(calls, list) else 0
        )
        for name in ("input", "output"):
            count = tokens.get(name) if isinstance(tokens, dict) else 0
            counts[name] += count if isinstance(count, int) else 0
    return counts


@pytest.mark.second_corpus
def test_real_sessions_hold_what_a_plain_count_finds(second_corpus: Path) -> None:
    paths = sorted((second_corpus / "gemini-cli").iterdir())
    assert len(paths) >= 4
    for path in paths:
        turns = [turn for trace in open_file(path).contents.traces for turn in trace.turns]
        parts = [part for turn in turns for step in turn.events for part in step.parts]
        usage = [turn_usage(turn) for turn in turns]
        found = Counter(
            users=sum(isinstance(part, Text) for turn in turns for part in turn.user),
            calls=sum(isinstance(part, ToolCall) for part in parts),
            results=sum(isinstance(part, ToolResult) for part in parts),
            input=sum(each.prompt or 0 for each in usage),
            output=sum(each.candidates or 0 for each in usage),
        )
        assert found == plain_counts(json.loads(path.read_bytes())["messages"]), path


def test_what_a_run_prints_is_a_turn_with_its_calls_and_its_answer_in_one_piece(tmp_path: Path) -> None:
    contents = contents_of(tmp_path, printed())
    (trace,) = contents.traces
    assert (trace.id, trace.session_id, trace.app) == ("9e41-0002", "9e41-0002", "gemini-cli")
    (turn,) = trace.turns
    assert said_and_answered(trace) == [TURNS[0]]
    assert [
        (pair.call.name, pair.result and pair.result.value, bool(pair.result and pair.result.is_error))
        for pair in paired_calls(turn)
    ] == [
        ("read_file", "price = 3", False),
        ("replace", {"type": "invalid", "message": "no such rule"}, True),
        ("write_file", "success", False),
    ]
    assert turn_usage(turn) == Usage(prompt=100, candidates=10, cached=60)
    assert (turn.duration_s, turn.events[0].model) == (8.0, "gemini-x")
    assert [step.error for step in turn.events if step.author == "system"] == [None]
    assert codes(contents)["records-understood"] == "13 of 13 records are understood."


def test_two_runs_in_one_file_are_two_conversations(tmp_path: Path) -> None:
    asked: Json = {"type": "message", "role": "user", "content": "Again."}
    contents = contents_of(tmp_path, [*printed(), asked, *printed("9e41-0009")])
    assert [(trace.id, len(trace.turns)) for trace in contents.traces] == [("9e41-0002", 1), ("9e41-0009", 1)]
    assert user_text(contents.traces[1].turns[0]).startswith("Again.")


def test_a_run_printed_as_one_object_has_its_answer_and_its_tokens(tmp_path: Path) -> None:
    (trace,) = contents_of(tmp_path, printed_whole()).traces
    (turn,) = trace.turns
    assert (trace.id, answer_text(turn)) == ("9e41-0003", "It is three now.")
    assert turn_usage(turn) == Usage(prompt=100, tool_use_prompt=2, candidates=10, thoughts=5, cached=60)


def test_a_run_that_failed_says_so(tmp_path: Path) -> None:
    ended: Json = {"type": "result", "timestamp": "2026-05-01T10:01:08.000Z", "status": "error",
                   "error": {"type": "Fatal", "message": "No quota."}}  # fmt: skip
    (trace,) = contents_of(tmp_path, [*printed()[:-1], ended]).traces
    assert [step.error for step in trace.turns[0].events if step.error] == ["No quota."]


def test_two_runs_printed_as_one_object_each_are_two_conversations(tmp_path: Path) -> None:
    other: Json = {**printed_whole(), "session_id": "9e41-0008", "response": "It is four."}
    contents = contents_of(tmp_path, [printed_whole(), other])
    assert [(trace.id, answer_text(trace.turns[0])) for trace in contents.traces] == [
        ("9e41-0003", "It is three now."),
        ("9e41-0008", "It is four."),
    ]
    assert codes(contents)["records-understood"] == "2 of 2 records are understood."


def test_one_printed_call_alone_is_read(tmp_path: Path) -> None:
    contents = contents_of(tmp_path, printed()[3])
    (call,) = calls_of(contents.traces[0].turns[0])
    assert (call.name, call.args) == ("read_file", {"what": "price"})
    assert codes(contents)["records-understood"] == "1 of 1 records are understood."


@pytest.mark.parametrize("beside", [[], [printed_whole()]], ids=["alone", "behind another"])
def test_a_run_of_which_only_an_error_was_printed_says_so(tmp_path: Path, beside: list[Json]) -> None:
    failed: Json = {
        "session_id": "9e41-0007",
        "error": {"type": "FatalError", "message": "No quota.", "code": 42},
    }
    contents = contents_of(tmp_path, [*beside, failed] if beside else failed)
    trace = contents.traces[-1]
    assert (trace.id, [step.error for step in trace.turns[0].events]) == ("9e41-0007", ["No quota."])
    assert {extra.name for extra in trace.extras} == {"error"}

"""Sessions of opencode: turns, steps of a reply, tokens, results that failed, what somebody undid."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.formats.opencode_files import messages, printed, session, user
from tests.formats.opened import calls_after_converting, codes, opened, spoken
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.parts import Media, Text, Thought, ToolResult, Unknown
from trace_inspector.core.trace.trace import ParentCall, Usage, paired_calls, turn_usage
from trace_inspector.core.values.values import Json, JsonObject


def contents_of(folder: Path, value: Json) -> Contents:
    """What is read of an export, or of messages."""
    return opened(folder, value, "opencode")


TURNS = [("Why is the price wrong?", "The price is fixed."), ("Make it three.", "")]


def test_an_export_becomes_turns(tmp_path: Path) -> None:
    contents = contents_of(tmp_path, session())
    (trace,) = contents.traces
    assert (trace.id, trace.title, trace.app) == ("ses_1", "A price is wrong", "opencode")
    assert trace.parent == ParentCall("ses_0")
    assert spoken(trace) == TURNS
    first, second = trace.turns
    assert first.user[1] == Media("image/png", uri="file:///price.png", place="/messages/0/parts/2")
    assert first.events[0].parts == (Text("<file>price = 3</file>", "/messages/0/parts/1/text"),)
    assert first.events[1].parts[0] == Thought("Look at the rule.", "/messages/1/parts/1/text")
    assert (first.start_s, first.duration_s) == (1_770_000_001.0, 7.0)
    assert (second.events[0].error, second.events[0].model) == ("Aborted", "m-1")
    assert isinstance(second.events[0].parts[1], Unknown)
    assert codes(contents)["records-understood"].startswith("19 of 20 records are understood.")


def test_tokens_are_those_of_the_steps_each_counted_once(tmp_path: Path) -> None:
    first = contents_of(tmp_path, session()).traces[0].turns[0]
    assert turn_usage(first) == Usage(prompt=338, candidates=13, thoughts=3, cached=300, cache_written=7)


def test_results_say_whether_they_failed(tmp_path: Path) -> None:
    first, second = contents_of(tmp_path, session()).traces[0].turns
    assert [(pair.call.name, pair.result and pair.result.is_error) for pair in paired_calls(first)] == [
        ("read", False),
        ("bash", True),
        ("edit", True),
    ]
    assert [pair.result for pair in paired_calls(second)] == [None]
    timed = [event.duration_s for event in first.events if any(isinstance(part, ToolResult) for part in event.parts)]
    assert timed == [1.5, 1.5, 1.5]


def test_the_messages_alone_are_read_as_well(tmp_path: Path) -> None:
    (trace,) = contents_of(tmp_path, messages()).traces
    assert (trace.id, spoken(trace)) == ("ses_1", TURNS)


def test_what_somebody_undid_is_a_conversation_of_its_own(tmp_path: Path) -> None:
    value = session()
    info = value["info"]
    assert isinstance(info, dict)
    undone: JsonObject = {**value, "info": {**info, "revert": {"messageID": "m4"}}}
    contents = contents_of(tmp_path, undone)
    live, dead = contents.traces
    assert (spoken(live), spoken(dead)) == (TURNS[:1], TURNS[1:])
    assert (dead.id, dead.abandoned) == ("ses_1~1", True)
    assert "abandoned-branches" in codes(contents)


@pytest.mark.parametrize(
    "listed",
    [
        [user("m1", 1), {"info": {"role": "assistant"}, "parts": [{}, 5, None, {"type": "tool", "state": 7}]}],
        [user("m1", 1), {"info": {"role": 5, "time": 7}, "parts": {}}, 5, {"parts": []}],
        [user("m1", 1), {"info": {"role": "assistant", "tokens": {"input": -1, "cache": 5}, "error": {}}}],
        [user("m1", 1), {"info": {"role": "assistant"}, "parts": [{"type": "tool", "state": {"status": "error"}}]}],
    ],
)
def test_odd_messages_are_read_as_far_as_they_go(tmp_path: Path, listed: list[Json]) -> None:
    contents = contents_of(tmp_path, {"info": {"id": "ses_1", "slug": 5}, "messages": listed})
    assert "records-understood" in codes(contents)


def test_it_converts_to_what_an_agent_of_google_adk_would_have_recorded(tmp_path: Path) -> None:
    contents_of(tmp_path, session())
    assert calls_after_converting(tmp_path) == [3, 1]


def test_what_a_run_prints_is_a_turn_without_its_question(tmp_path: Path) -> None:
    contents = contents_of(tmp_path, printed())
    (trace,) = contents.traces
    assert (trace.id, trace.session_id, spoken(trace)) == ("ses_1", "ses_1", [("", "The price is fixed.")])
    (turn,) = trace.turns
    (pair,) = paired_calls(turn)
    assert (pair.call.name, pair.result and pair.result.value, pair.result and pair.result.is_error) == (
        "bash",
        "no rule",
        True,
    )
    assert turn_usage(turn) == Usage(prompt=337, candidates=11, thoughts=3, cached=300, cache_written=7)
    assert [event.error for event in turn.events if event.error] == ["The line broke."]
    assert (turn.start_s, turn.duration_s) == (1_770_000_001.0, 6.0)
    assert codes(contents)["records-understood"] == "7 of 7 records are understood."


def went_wrong(second: int, error: Json) -> Json:
    """What is printed when something goes wrong."""
    return {"type": "error", "timestamp": 1_770_000_000_000 + second * 1000, "sessionID": "ses_1", "error": error}


def test_errors_in_a_row_are_told_each(tmp_path: Path) -> None:
    errors = [
        went_wrong(8, {"name": "APIError", "data": {"message": "Too many."}}),
        went_wrong(9, {"name": "MessageAbortedError", "data": {}}),
        went_wrong(9, "It gave up."),
    ]
    contents = contents_of(tmp_path, [*printed(), *errors])
    (turn,) = contents.traces[0].turns
    assert [event.error for event in turn.events if event.error] == [
        "The line broke.",
        "Too many.",
        "MessageAbortedError",
        "It gave up.",
    ]
    assert turn.duration_s == 8.0
    assert codes(contents)["records-understood"] == "10 of 10 records are understood."


@pytest.mark.parametrize("is_lines", [True, False], ids=["a line", "an object"])
def test_a_run_that_printed_only_an_error_is_recognised(tmp_path: Path, is_lines: bool) -> None:
    error = went_wrong(1, {"name": "UnknownError", "data": {"message": "No such model."}})
    contents = contents_of(tmp_path, [error] if is_lines else error)
    (trace,) = contents.traces
    assert (trace.id, [event.error for event in trace.turns[0].events]) == ("ses_1", ["No such model."])
    assert codes(contents)["records-understood"] == "1 of 1 records are understood."

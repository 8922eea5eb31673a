"""Session databases of the OpenAI Agents SDK: items as turns, with the times of their rows."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from tests.formats.agents_sessions_files import items, session_database
from tests.formats.opened import calls_after_converting, codes, spoken
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.parts import Thought, ToolResult, Unknown
from trace_inspector.core.trace.trace import paired_calls
from trace_inspector.core.values.values import Json
from trace_inspector.flows.opening.open_file import open_file


def opened_database(folder: Path, data: bytes) -> Contents:
    """What is read of a database."""
    path = folder / "file.db"
    path.write_bytes(data)
    contents = open_file(path).contents
    assert contents.format == "openai-agents"
    return contents


TURNS = [("Where may I park?", "At Pier 4."), ("Is it open?", "")]


def test_items_become_turns(tmp_path: Path) -> None:
    contents = opened_database(tmp_path, session_database({"s1": items(), "s2": items()[:1]}))
    first, second = contents.traces
    assert (first.id, first.session_id, spoken(first)) == ("s1", "s1", TURNS)
    assert (second.id, spoken(second)) == ("s2", [("Where may I park?", "")])
    turn = first.turns[0]
    (thought,) = turn.events[0].parts
    assert isinstance(thought, Thought)
    assert thought.text == "The map knows."
    (pair,) = paired_calls(turn)
    assert (pair.call.args, pair.result and pair.result.value) == ({"what": "garage"}, "Pier 4")
    assert (turn.start_s, turn.duration_s) == (1_777_629_600.0, 4.0)
    assert isinstance(first.turns[1].events[0].parts[0], Unknown)
    assert {extra.name for extra in first.extras} == {"created_at", "updated_at"}
    assert codes(contents)["records-understood"].startswith("7 of 8 records are understood.")


def test_rows_without_a_session_of_their_own_are_one_as_well(tmp_path: Path) -> None:
    contents = opened_database(tmp_path, session_database({"s1": items()[:1]}, heads=False))
    assert [(trace.id, spoken(trace)) for trace in contents.traces] == [("s1", [(TURNS[0][0], "")])]


@pytest.mark.parametrize(
    "listed",
    [
        ["", "no json", "[1]", "5", "null", {"role": 5}, {}],
        [{"type": "function_call"}, {"type": "function_call_output", "output": 5}, {"role": "user", "content": {}}],
    ],
)
def test_odd_rows_are_read_as_far_as_they_go(tmp_path: Path, listed: list[Json]) -> None:
    assert "records-understood" in codes(opened_database(tmp_path, session_database({"s1": listed})))


def test_it_converts_to_what_an_agent_of_google_adk_would_have_recorded(tmp_path: Path) -> None:
    opened_database(tmp_path, session_database({"s1": items()}))
    assert calls_after_converting(tmp_path) == [1, 0]


def test_counts_are_those_of_the_rows(tmp_path: Path) -> None:
    contents = opened_database(tmp_path, session_database({"s1": items() * 3}))
    with closing(sqlite3.connect(tmp_path / "file.db")) as database:
        rows = [text for (text,) in database.execute("SELECT message_data FROM agent_messages")]
    expected = Counter(
        calls=sum('"function_call"' in row for row in rows), users=sum('"user"' in row for row in rows)
    )
    turns = contents.traces[0].turns
    results = [
        part for turn in turns for event in turn.events for part in event.parts if isinstance(part, ToolResult)
    ]
    assert (len(results), len(turns)) == (expected["calls"], expected["users"])

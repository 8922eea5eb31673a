"""Calls that a session of Claude Code's form tells twice: those that are one call, and those that are two."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.formats.claude_code_files import answered, called, replied, said, text
from tests.formats.opened import opened
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.parts import ToolCall, ToolResult
from trace_inspector.core.trace.trace import Turn, paired_calls
from trace_inspector.core.values.values import Json, JsonObject


def claude_code(folder: Path, lines: Iterable[Json]) -> Contents:
    """What is read of some lines."""
    return opened(folder, list(lines), "claude-code")


def answers(turn: Turn) -> list[tuple[str, Json | object]]:
    """The calls of a turn and what came back."""
    return [(pair.call.name, pair.result.value if pair.result else None) for pair in paired_calls(turn)]


def test_a_call_that_the_next_reply_tells_again_is_one_call(tmp_path: Path) -> None:
    first, second = called("c1", "read", what="price"), called("c2", "read", what="rule")
    again = {**replied("u3", "u1", 3, "m2", first)}
    message = again["message"]
    assert isinstance(message, dict)
    again["message"] = {**message, "content": [first, second]}
    contents = claude_code(
        tmp_path,
        [
            said("u1", None, 1, "Why is the price wrong?"),
            replied("u2", "u1", 2, "m1", first),
            again,
            answered("u4", "u3", 4, "c1", "price = 3"),
            answered("u5", "u3", 5, "c2", "rule = 5"),
            replied("u6", "u1", 6, "m3", text("It is the rule.")),
        ],
    )
    turn = contents.traces[0].turns[-1]
    parts = [part for event in turn.events for part in event.parts]
    assert [part.call_id for part in parts if isinstance(part, ToolCall)] == ["c1", "c2"]
    assert [part.call_id for part in parts if isinstance(part, ToolResult)] == ["c1", "c2"]


@pytest.mark.parametrize(
    ("again", "found"),
    [
        (called("call_0", "delete"), [("read", "price = 3"), ("delete", "gone")]),
        (called("call_0", "read"), [("read", "price = 3"), ("read", "gone")]),
    ],
    ids=["another call", "the same call"],
)
def test_calls_that_each_reply_numbers_anew_are_calls_of_their_own(
    tmp_path: Path, again: JsonObject, found: list[tuple[str, str]]
) -> None:
    contents = claude_code(
        tmp_path,
        [
            said("u1", None, 1, "Clean up."),
            replied("a1", "u1", 2, "m1", called("call_0", "read")),
            answered("r1", "a1", 3, "call_0", "price = 3"),
            replied("a2", "r1", 4, "m2", again),
            answered("r2", "a2", 5, "call_0", "gone"),
            replied("a3", "r2", 6, "m3", text("It is clean.")),
        ],
    )
    assert answers(contents.traces[0].turns[0]) == found


def test_a_call_told_again_after_its_result_is_one_call_unless_something_was_said_between(tmp_path: Path) -> None:
    first, last = called("c1", "read"), called("c2", "read", what="rule")
    again = replied("a2", "r1", 4, "m2", first)
    message = again["message"]
    assert isinstance(message, dict)
    again["message"] = {**message, "content": [first, last]}
    lines: list[Json] = [
        said("u1", None, 1, "Why?"),
        replied("a1", "u1", 2, "m1", first),
        answered("r1", "a1", 3, "c1", "price = 3"),
        again,
        answered("r2", "a2", 5, "c2", "rule = 5"),
        replied("a3", "r2", 6, "m3", text("I look again.")),
        replied("a4", "a3", 7, "m4", last),
    ]
    turn = claude_code(tmp_path, lines).traces[0].turns[0]
    assert answers(turn) == [("read", "price = 3"), ("read", "rule = 5"), ("read", None)]

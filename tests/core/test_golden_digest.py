"""A changed golden is told from a changed agent; where a digest says too little, nobody claims anything."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.golden_digest import golden_digest, is_another, is_whole, turns_digest
from trace_inspector.core.trace.parts import Text, ToolCall
from trace_inspector.core.trace.trace import Event, Steps, Turn

CALL = Event("guide", (ToolCall("look", {"at": 1}),))
TURN = Turn(0, "t0", (Text("Hi"),), (CALL,), (Text("Hello."),), steps=Steps.EVENTS, start_s=1.0)
CASE = Case("one", "set", (TURN,), tags=("a",), place="/eval_cases/0")


@pytest.mark.parametrize(
    ("one", "other", "another"),
    [
        ("aa", "bb", True),
        ("aa", "aa", False),
        ("aa", "", False),
        ("", "bb", False),
        (None, "bb", False),
        ("aa", None, False),
        ("turns:aa", "turns:bb", True),
        ("turns:aa", "turns:aa", False),
        ("turns:aa", "bb", False),
        ("aa", "turns:bb", False),
    ],
)
def test_digests_of_one_kind_tell_goldens_apart(one: str | None, other: str | None, another: bool) -> None:
    assert is_another(one, other) is another


def test_where_a_golden_stands_and_what_is_noted_on_it_is_no_other_golden() -> None:
    digest = golden_digest(CASE)
    assert is_whole(digest)
    assert golden_digest(replace(CASE, place="/eval_cases/7", tags=("b",))) == digest
    assert golden_digest(replace(CASE, turns=(replace(TURN, user=(Text("Ho"),)),))) != digest


def test_of_turns_the_words_and_calls_count_and_no_ids_or_times() -> None:
    digest = turns_digest((TURN,))
    assert not is_whole(digest)
    assert turns_digest((replace(TURN, id="t9", start_s=9.0),)) == digest
    others = (
        replace(TURN, user=(Text("Ho"),)),
        replace(TURN, final_response=(Text("Bye."),)),
        replace(TURN, events=(Event("guide", (ToolCall("look", {"at": 2}),)),)),
        replace(TURN, steps=Steps.ABSENT),
    )
    assert len({digest, *(turns_digest((other,)) for other in others)}) == 5
    assert turns_digest(()) == ""

"""Turns in which the user says the same, as “yes”: they find each other by what was done in them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from trace_inspector.core.alignment.turn_alignment import align_turns
from trace_inspector.core.trace.parts import Text, ToolCall
from trace_inspector.core.trace.trace import Event, Turn


def conversation(done: str) -> list[Turn]:
    """Each letter is a call behind a “yes”."""
    return [
        Turn(at, None, (Text("yes"),), (Event("agent", (ToolCall(letter, {"x": letter}),)),))
        for at, letter in enumerate(done)
    ]


def paired(left: str, right: str) -> list[tuple[str, str]]:
    pairs = align_turns(conversation(left), conversation(right))
    return [
        ("-" if one.golden is None else left[one.golden], "-" if one.observed is None else right[one.observed])
        for one in pairs
    ]


def test_one_turn_less_does_not_shift_those_behind_it() -> None:
    assert paired("abc", "bc") == [("a", "-"), ("b", "b"), ("c", "c")]
    assert paired("abcd", "acd") == [("a", "a"), ("b", "-"), ("c", "c"), ("d", "d")]
    assert paired("bc", "xbc") == [("-", "x"), ("b", "b"), ("c", "c")]


def test_as_many_turns_stay_where_they_are() -> None:
    assert paired("abc", "bca") == [("a", "b"), ("b", "c"), ("c", "a")]


@given(done=st.text("abc", min_size=1, max_size=7), data=st.data())
def test_turns_that_were_left_out_are_the_only_ones_missing(done: str, data: st.DataObject) -> None:
    kept = data.draw(st.lists(st.booleans(), min_size=len(done), max_size=len(done)))
    right = "".join(letter for letter, keeps in zip(done, kept, strict=True) if keeps)
    pairs = paired(done, right)
    assert all(right_one in ("-", left_one) for left_one, right_one in pairs)
    assert len(pairs) == len(done)
    assert paired(right, done) == [(other, one) for one, other in pairs] or len(set(done)) < len(done)

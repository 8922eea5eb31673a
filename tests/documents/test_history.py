from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trace_inspector.documents.saving import history
from trace_inspector.documents.saving.history import History, Move, Patches, Step, inverse
from trace_inspector.documents.text.patch import Patch, difference, rewritten, shared_start


def change(old: bytes, new: bytes) -> Patches:
    return (Patch(0, old, new),)


def told(*moves: tuple[Move, Patches], done: tuple[Patches, ...] = ()) -> tuple[list[Patches], list[Patches]]:
    """What can be undone and redone after some moves."""
    kept = History(map(Step, done))
    for move, step in moves:
        kept.take(move, step)
    return [step.change for step in kept.done], [step.change for step in kept.undone]


def test_undo_and_redo_move_a_step_from_one_side_to_the_other() -> None:
    first, second = change(b"a", b"b"), change(b"b", b"c")
    made = (Move.EDIT, first), (Move.EDIT, second)
    assert told(*made) == ([first, second], [])
    assert told(*made, (Move.UNDO, inverse(second))) == ([first], [second])
    assert told(*made, (Move.UNDO, inverse(second)), (Move.REDO, second)) == ([first, second], [])
    other = change(b"a", b"x")
    assert told(*made, (Move.UNDO, inverse(second)), (Move.EDIT, other)) == ([first, other], [])


def test_an_undo_of_an_unknown_step_can_be_made_again() -> None:
    step = change(b"a", b"b")
    assert told((Move.UNDO, inverse(step))) == ([], [step])


def test_the_oldest_steps_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "MAX_STEPS", 20)
    steps = [change(b"", b"%d" % at) for at in range(22)]
    assert told((Move.EDIT, steps[-1]), done=tuple(steps[:-1]))[0] == steps[2:]


def test_many_thousand_steps_can_be_taken_back() -> None:
    steps = [change(b"", b"%d" % at) for at in range(5_000)]
    assert told(*((Move.EDIT, step) for step in steps))[0] == steps


def test_the_last_step_stays_however_large_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "MAX_BYTES", 8)
    small, huge = change(b"abc", b"d"), change(b"x" * 10, b"")
    assert told((Move.EDIT, small), done=(small, small))[0] == [small, small]
    assert told((Move.EDIT, huge), done=(small, small))[0] == [huge]
    taken_back = (Move.EDIT, small), (Move.UNDO, inverse(small)), (Move.EDIT, small)
    assert told(*taken_back, done=(small,))[0] == [small, small]


@given(st.binary(max_size=30), st.binary(max_size=30), st.binary(max_size=30), st.binary(max_size=30))
def test_a_difference_leads_from_one_to_the_other(start: bytes, old: bytes, new: bytes, end: bytes) -> None:
    before, after = start + old + end, start + new + end
    patch = difference(before, after)
    assert rewritten(before, (patch,)) == after
    assert rewritten(after, inverse((patch,))) == before
    assert len(patch.old) <= len(old)
    assert not patch.old or not patch.new or (patch.old[:1] != patch.new[:1] and patch.old[-1:] != patch.new[-1:])
    assert shared_start(before, after) == patch.offset


def test_other_bytes_are_not_patched() -> None:
    assert rewritten(b"abc", (Patch(1, b"x", b"y"),)) is None
    assert rewritten(b"abc", (Patch(3, b"x", b"y"),)) is None

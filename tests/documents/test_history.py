from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trace_inspector.documents import history
from trace_inspector.documents.history import Change, History, Move, inverse
from trace_inspector.documents.patch import Patch, difference, rewritten, shared_start


def change(old: bytes, new: bytes) -> Change:
    return (Patch(0, old, new),)


def test_undo_and_redo_move_a_step_from_one_side_to_the_other() -> None:
    first, second = change(b"a", b"b"), change(b"b", b"c")
    both = History().after(Move.EDIT, first).after(Move.EDIT, second)
    assert both == History((first, second))
    undone = both.after(Move.UNDO, inverse(second))
    assert undone == History((first,), (second,))
    assert undone.after(Move.REDO, second) == both
    assert History((), (second, first)).after(Move.EDIT, change(b"a", b"x")) == History((change(b"a", b"x"),))


def test_an_undo_of_an_unknown_step_can_be_made_again() -> None:
    step = change(b"a", b"b")
    assert History().after(Move.UNDO, inverse(step)) == History((), (step,))


def test_the_oldest_steps_are_forgotten() -> None:
    steps = [change(b"", b"%d" % at) for at in range(history.MAX_STEPS + 2)]
    kept = History(tuple(steps[:-1])).after(Move.EDIT, steps[-1])
    assert kept.done == tuple(steps[2:])


def test_the_last_step_stays_however_large_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "MAX_BYTES", 8)
    small, huge = change(b"abc", b"d"), change(b"x" * 10, b"")
    assert History((small, small)).after(Move.EDIT, small).done == (small, small)
    assert History((small, small)).after(Move.EDIT, huge).done == (huge,)


@given(st.binary(max_size=30), st.binary(max_size=30), st.binary(max_size=30), st.binary(max_size=30))
def test_a_difference_leads_from_one_to_the_other(start: bytes, old: bytes, new: bytes, end: bytes) -> None:
    before, after = start + old + end, start + new + end
    patch = difference(before, after)
    assert rewritten(before, (patch,)) == after
    assert rewritten(after, inverse((patch,))) == before
    assert len(patch.old) <= len(old)
    assert not patch.old or not patch.new or (patch.old[:1] != patch.new[:1] and patch.old[-1:] != patch.new[-1:])
    assert shared_start(before, after) == patch.at


def test_other_bytes_are_not_patched() -> None:
    assert rewritten(b"abc", (Patch(1, b"x", b"y"),)) is None
    assert rewritten(b"abc", (Patch(3, b"x", b"y"),)) is None

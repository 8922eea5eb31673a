"""What a child puts together of bodies is what the reader gave, in whatever order goldens and traces stand there."""

from __future__ import annotations

import itertools

import pytest

from tests.models.stories import batches
from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.trace.parts import Text
from trace_inspector.core.trace.trace import Trace, Turn
from trace_inspector.work.reading.contents_from_rows import Bodies, rebuild


def turn(index: int, words: str) -> Turn:
    return Turn(index, user=(Text(words),), place=f"/{words}")


CASES = (Case("a", "first", (turn(0, "a0"), turn(1, "a1"))), Case("b", "first", (turn(0, "b0"),)))
ITEMS: tuple[Suite | Trace, ...] = (
    Suite("first", cases=CASES),
    Suite("second", cases=(Case("c", "second", (turn(0, "c0"),)),)),
    Trace("t", (turn(0, "t0"), turn(1, "t1"))),
)


@pytest.mark.parametrize("order", list(itertools.permutations(range(len(ITEMS)))))
def test_goldens_and_traces_come_back_whole(order: tuple[int, ...]) -> None:
    items = [ITEMS[at] for at in order]
    bodies = [body for batch in batches(*items) for body in batch.bodies]
    contents = rebuild(Bodies("x.json", "made", len(bodies)), iter(bodies))
    assert list(contents.suites) == [item for item in items if isinstance(item, Suite)]
    assert list(contents.traces) == [item for item in items if isinstance(item, Trace)]

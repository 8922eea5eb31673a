"""What turns and calls took stands in each row of a comparison, with how much more than beside it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.engine.test_three_sides import a, case
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.trace import Usage
from trace_inspector.engine.trace_grid.compare import side_by_side
from trace_inspector.engine.trace_grid.facts import call_fact
from trace_inspector.engine.trace_grid.row import RowKind


def took(turn_s: float | None, call_s: float | None = None, prompt: int | None = None) -> Case:
    """A turn with a call."""
    one = case(a())
    (turn,) = one.turns
    first, *others = turn.events
    timed = replace(first, duration_s=call_s, usage=None if prompt is None else Usage(prompt=prompt, candidates=0))
    return replace(one, turns=(replace(turn, duration_s=turn_s, events=(timed, *others)),))


def facts(kind: RowKind, *sides: Case) -> list[str]:
    (row,) = (row for row in side_by_side(sides).rows if row.kind is kind)
    return [cell.fact if cell is not None else "-" for cell in row.cells]


@pytest.mark.parametrize(
    ("before", "after", "wanted"),
    [
        (took(2.0, prompt=900), took(2.5, prompt=1240), ["2.0 s, 900 tokens", "2.5 s (+0.5), 1.2 k tokens (+340)"]),
        (took(2.0, prompt=900), took(1.0, prompt=60), ["2.0 s, 900 tokens", "1.0 s (−1.0), 60 tokens (−840)"]),
        (took(2.0, prompt=9), took(2.04, prompt=9), ["2.0 s, 9 tokens", "2.0 s, 9 tokens"]),
        (took(None), took(2.5), ["", "2.5 s"]),
        (took(2.5), took(None, prompt=3), ["2.5 s", "3 tokens"]),
    ],
)
def test_a_turn_says_what_it_took_more_than_the_one_beside_it(before: Case, after: Case, wanted: list[str]) -> None:
    assert facts(RowKind.TURN, before, after) == wanted


def test_of_three_the_candidate_is_held_against_the_baseline() -> None:
    sides = took(None), took(2.0, 0.5), took(5.5, 0.2)
    assert facts(RowKind.TURN, *sides) == ["", "2.0 s", "5.5 s (+3.5)"]
    assert facts(RowKind.CALL, *sides) == ["", "0.5 s", "0.2 s (−0.3)"]


def test_a_call_says_its_time_where_anybody_waits_for_it() -> None:
    assert call_fact(0.01) == call_fact(None, 3.0) == call_fact(0.01, 0.02) == ""
    assert call_fact(0.01, 2.0) == "0.0 s (−2.0)"
    assert call_fact(0.4, 0.42) == "0.4 s"

"""Calls that a golden does not want judged: they may be made or not, wherever, and never take another's place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trace_inspector.core.alignment.turn_alignment import CallMatch, CallPair
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.parts import Text, ToolCall
from trace_inspector.core.trace.trace import Event, Steps, Turn
from trace_inspector.engine.trace_diff.compared import compared
from trace_inspector.engine.trace_diff.difference_counts import counted
from trace_inspector.engine.trace_diff.judged_calls import Calls, align_judged
from trace_inspector.engine.trace_diff.rows import rows_of
from trace_inspector.engine.trace_diff.rule import COMPARISONS
from trace_inspector.engine.trace_grid.compare import side_by_side

GOLDEN = st.lists(st.tuples(st.sampled_from("fgh"), st.booleans()), max_size=5)
DONE = st.lists(st.sampled_from("fgh"), max_size=5)


def held(*calls: ToolCall, expectations: Sequence[Expectation] = ()) -> Case:
    events = tuple(Event("host", (call,)) for call in calls)
    turn = Turn(0, user=(Text("Q"),), events=events, steps=Steps.EVENTS, expectations=tuple(expectations))
    return Case("one", turns=(turn,))


def golden_of(stated: Sequence[tuple[str, bool]]) -> Case:
    calls = [ToolCall(name, {}, place=f"/{at}") for at, (name, _free) in enumerate(stated)]
    skipped = [
        Expectation(Expects.CALL, (call,), skipped=free) for call, (_name, free) in zip(calls, stated, strict=True)
    ]
    return held(*calls, expectations=skipped)


def in_order(wanted: Sequence[str], given_: Sequence[str]) -> bool:
    left = iter(given_)
    return all(one in left for one in wanted)


@given(stated=GOLDEN, done=DONE)
def test_every_rule_looks_at_judged_calls_and_lets_the_others_explain_the_rest(
    stated: list[tuple[str, bool]], done: list[str]
) -> None:
    judged = [name for name, free in stated if not free]
    there = not Counter(judged) - Counter(done)
    no_others = there and not Counter(done) - Counter(judged) - Counter(name for name, free in stated if free)
    fits = {
        "exact": in_order(judged, done) and no_others,
        "in-order": in_order(judged, done),
        "any-order": there,
        "partial": there,
        "ces": no_others,
    }
    golden, run = golden_of(stated), held(*(ToolCall(name, {}) for name in done))
    for number, rule in enumerate(COMPARISONS):
        pair = compared(golden, run, rule)
        assert counted([pair]).differs is not fits[rule.name], rule.name
        assert any(row.counts for row in rows_of(pair, rule)) is not fits[rule.name], rule.name
        assert (side_by_side((golden, run)).says[number].parting < 0) is fits[rule.name], rule.name
        pairs = pair.turns[0].pairs
        assert sorted(one.expected for one in pairs if one.expected is not None) == [*range(len(stated))]
        assert sorted(one.observed for one in pairs if one.observed is not None) == [*range(len(done))]
        expected = [one.expected for one in pairs if one.expected is not None]
        assert expected == sorted(expected)


def call(name: str, **args: int) -> ToolCall:
    return ToolCall(name, {**args})


@pytest.mark.parametrize(
    ("expected", "observed", "free", "pairs"),
    [
        # What another tool was thought to be in the place of is what a call says that is not judged.
        ([call("f", x=1), call("g", x=1)], [call("g", x=1)], {1}, [(0, None, "MISSING"), (1, 0, "SAME")]),
        ([call("f", x=1), call("g", x=1)], [call("f", x=2)], {0}, [(0, 0, "ARGUMENTS"), (1, None, "MISSING")]),
        ([call("f", x=1), call("f", x=2)], [call("f", x=2)], {0}, [(0, None, "MISSING"), (1, 0, "SAME")]),
        ([call("f"), call("g")], [call("g"), call("f"), call("h")], {0},
         [(0, 1, "SAME"), (1, 0, "SAME"), (None, 2, "EXTRA")]),
    ],
)  # fmt: skip
def test_pairs(
    expected: list[ToolCall],
    observed: list[ToolCall],
    free: set[int],
    pairs: list[tuple[int | None, int | None, str]],
) -> None:
    found = align_judged(Calls(expected, observed, ((), ())), free)
    assert [(one.expected, one.observed, one.match.name) for one in found] == pairs


def test_what_was_paired_by_hand_stays() -> None:
    calls = [call("f"), call("f")]
    found = align_judged(Calls(calls, [call("f"), call("h")], ((), ()), by_hand=[(0, 1)]), {0})
    assert found == [CallPair(CallMatch.RENAMED, 0, 1), CallPair(CallMatch.SAME, 1, 0)]
    found = align_judged(Calls(calls, [call("f"), call("h")], ((), ()), by_hand=[(1, 1)]), {0})
    assert [(one.expected, one.observed) for one in found] == [(0, 0), (1, 1)]

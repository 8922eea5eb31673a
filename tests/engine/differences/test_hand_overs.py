"""Handing over without a call: what of it differs, whether it counts, and how it is told."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.helpers.tables import each
from trace_inspector.core.golden.equivalent_changes import with_transfers
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.golden_change import Expected, HandsOver
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.parts import Part, Text, ToolCall, Transfer
from trace_inspector.core.trace.trace import Event, Steps, Turn
from trace_inspector.engine.trace_diff.compared import compared
from trace_inspector.engine.trace_diff.difference_counts import counted, sentence
from trace_inspector.engine.trace_diff.hand_overs import hand_overs, taken
from trace_inspector.engine.trace_diff.rows import rows_of
from trace_inspector.engine.trace_diff.rule import COMPARISONS
from trace_inspector.engine.trace_grid.compare import side_by_side


def by_call(agent: str) -> ToolCall:
    return ToolCall("transfer_to_agent", {"agent_name": agent})


def turn(*parts: Part, answer: str = "Yes.", expectations: tuple[Expectation, ...] = ()) -> Turn:
    events = tuple(Event("root", (part,)) for part in parts)
    return Turn(
        0, user=(Text("Q"),), events=events, final_response=(Text(answer),), steps=Steps.EVENTS,
        expectations=expectations,
    )  # fmt: skip


def case(*turns: Turn) -> Case:
    return Case("one", turns=turns)


A, B = Transfer("a"), Transfer("apps/x/agents/b")
TOLD = "1 hand-off differs; parts at turn 1"


@each(
    ("left", "right", "rows", "counts"),
    [
        ([A], [A], [], ""),
        ([B], [Transfer("b")], [], ""),
        ([A], [], ["hand-off missing"], "exact in-order any-order partial ces"),
        ([], [A], ["extra hand-off"], "exact"),
        ([A], [Transfer("b")], ["hand-off missing", "extra hand-off"], "exact in-order any-order partial ces"),
        ([A, B], [B, A], ["hand-off moved"], "exact in-order"),
        ([A, B], [B, A, B], ["extra hand-off"], "exact"),
        ([A], [A, A], ["extra hand-off"], "exact"),
        # What a call does is compared as a call.
        ([by_call("a")], [by_call("a"), A], [], ""),
        ([by_call("a"), A], [by_call("a")], [], ""),
        ([by_call("a")], [by_call("a"), A, A], ["extra hand-off"], "exact"),
    ],
)
def test_what_differs(left: list[Part], right: list[Part], rows: list[str], counts: str) -> None:
    for rule in COMPARISONS:
        pair = compared(case(turn(*left)), case(turn(*right)), rule)
        found = list(rows_of(pair, rule))
        assert [row.relation.value for row in found] == rows, rule.name
        assert counted([pair]).differs is (rule.name in counts.split()), rule.name
        assert any(row.counts for row in found) is (rule.name in counts.split()), rule.name
        shown = side_by_side((case(turn(*left)), case(turn(*right)))).rows[0]
        assert shown.differs is bool(rows)
        assert len(shown.hand_offs) == len(rows)


def test_it_is_told() -> None:
    pair = compared(case(turn(A)), case(turn()), COMPARISONS[0])
    assert sentence(counted([pair])) == f"0 of 0 calls match; {TOLD}"
    (row,) = rows_of(pair, COMPARISONS[0])
    assert (row.left, row.right, row.why) == ("transfer to a", "", "this transfer was not made")


def expects(kind: Expects, *parts: Part, skipped: bool) -> Expectation:
    return Expectation(kind, parts, skipped=skipped)


def test_what_a_golden_expects_of_it_is_what_its_expectations_say() -> None:
    golden = turn(expectations=(expects(Expects.TRANSFER, A, skipped=False),))
    assert [one.counts for one in hand_overs(golden, turn(), COMPARISONS[1].policy(None)).differing] == [True]
    assert not hand_overs(golden, turn(A), COMPARISONS[0].policy(None)).differing


def test_what_a_golden_does_not_want_judged_may_be_or_not() -> None:
    call, other = ToolCall("f", {"x": 1}, place="/f"), ToolCall("g", {}, place="/g")
    golden = turn(
        call,
        other,
        expectations=(
            expects(Expects.CALL, call, skipped=True),
            expects(Expects.CALL, other, skipped=False),
            expects(Expects.TRANSFER, A, skipped=True),
            expects(Expects.ANSWER, Text("Yes."), skipped=True),
        ),
    )
    for made in ([other], [call, other], [ToolCall("f", {"x": 2}), other], [A, other], [call, other, A]):
        for one in COMPARISONS:
            pair = compared(case(golden), case(turn(*made, answer="No.")), one)
            assert not counted([pair]).differs, (made, one.name)
            assert not any(row.counts for row in rows_of(pair, one))
    pair = compared(case(golden), case(turn(call)), COMPARISONS[1])
    assert counted([pair]).differs


STATED = st.lists(st.tuples(st.sampled_from("abc"), st.booleans()), min_size=1, max_size=5)
DONE = st.lists(st.tuples(st.sampled_from("abc"), st.booleans()), max_size=5)


@given(stated=STATED, done=DONE)
def test_taking_it_leaves_nothing_that_differs_and_keeps_what_is_not_judged(
    stated: list[tuple[str, bool]], done: list[tuple[str, bool]]
) -> None:
    answers = (Expectation(Expects.ANSWER, (Text("Yes."),), place="/answer"),)
    transfers = tuple(
        Expectation(Expects.TRANSFER, (Transfer(agent, place=f"/{at}/to"),), skipped=skipped, place=f"/{at}")
        for at, (agent, skipped) in enumerate(stated)
    )
    golden = replace(turn(expectations=(*transfers, *answers)), place="/turn")
    observed = turn(*(Transfer(agent) if plain else by_call(agent) for agent, plain in done))
    change = with_transfers(case(golden), golden, taken(golden, observed))
    assert isinstance(change, Expected)
    now = tuple(one.expectation for one in change.expectations)
    assert [one for one in now if one.kind is Expects.ANSWER] == [*answers]
    assert {one.place for one in transfers if one.skipped} <= {one.place for one in now}
    assert all(one in transfers for one in now if one.place and one.kind is Expects.TRANSFER)
    after = replace(golden, expectations=now)
    for rule in COMPARISONS:
        assert not hand_overs(after, observed, rule.policy(None)).differing, rule.name


def test_taken_where_calls_hand_over_it_keeps_what_calls_do() -> None:
    golden = replace(turn(by_call("a"), by_call("b")), place="/turn")
    change = with_transfers(case(golden), golden, taken(golden, turn(Transfer("c"), Transfer("a"))))
    assert change == HandsOver("/turn", ("c", "a", "b"))

"""A call in another turn than the other side's is one call that moved; the same call by another agent is told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.differences.test_page_rows import differences, rows, signs
from tests.helpers.campaigns import examples
from tests.helpers.pages import page
from tests.helpers.tables import each
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.parts import Text, ToolCall
from trace_inspector.core.trace.trace import Event, Steps, Turn
from trace_inspector.engine.reports.trace_diff.as_html import write
from trace_inspector.engine.reports.trace_diff.as_text import row_lines
from trace_inspector.engine.trace_diff.compared import ConversationPair, compared
from trace_inspector.engine.trace_diff.compared_turn import is_another_agent
from trace_inspector.engine.trace_diff.difference_counts import counted, sentence
from trace_inspector.engine.trace_diff.rows import DifferenceKind, rows_of
from trace_inspector.engine.trace_diff.rule import COMPARISONS, ComparisonRule
from trace_inspector.engine.trace_grid.compare import side_by_side
from trace_inspector.engine.trace_grid.row import Relation, RowKind
from trace_inspector.engine.trace_grid.words import reason

EXACT, IN_ORDER, ANY_ORDER, PARTIAL, CES = COMPARISONS
QUESTIONS = ("Find parking", "Book it now", "Send me the bill")


def turn(at: int, calls: str, agent: str = "host", question: str = "") -> Turn:
    """Each word is a call: its tool, and its argument behind a colon."""
    made = [
        ToolCall(name, {"q": given} if given else {}, place=f"/t{at}/{number}")
        for number, (name, _, given) in enumerate(call.partition(":") for call in calls.split())
    ]
    return Turn(
        at, user=(Text(question or QUESTIONS[at]),), events=tuple(Event(agent, (call,)) for call in made),
        steps=Steps.EVENTS,
    )  # fmt: skip


def case(*turns: str, agent: str = "host") -> Case:
    return Case("one", turns=tuple(turn(at, calls, agent) for at, calls in enumerate(turns)))


def told(left: Case, right: Case, rule: ComparisonRule = EXACT) -> str:
    return sentence(counted([compared(left, right, rule)]))


@each("rule", COMPARISONS, ids=lambda rule: rule.name)
def test_a_call_in_a_later_turn_is_one_that_moved(rule: ComparisonRule) -> None:
    golden, other = case("a b:1", "c"), case("a", "b:1 c")
    assert told(golden, other, rule) == "3 of 3 calls match; 1 moved; parts at turn 1, call 2"
    pair = compared(golden, other, rule)
    (row,) = rows_of(pair, rule)
    assert (row.relation, row.turn, row.call, row.counts) == (DifferenceKind.MOVED, 1, 2, True)
    assert row.why == "the same call in another turn (turn 2, call 1)"
    assert (row.left, row.right) == ('b(q="1")', 'b(q="1")')
    assert (row.left_place, row.right_place) == ("/t0/1", "/t1/0")


def test_a_call_in_an_earlier_turn_is_one_that_moved() -> None:
    golden, other = case("a", "b:1 c"), case("a b:1", "c")
    assert told(golden, other) == "3 of 3 calls match; 1 moved; parts at turn 1, call 2"
    assert told(golden, other, CES) == "3 of 3 calls match; 1 moved; parts at turn 1, call 2"
    assert told(golden, other, ANY_ORDER) == "3 of 3 calls match; 1 moved; parts at turn 2, call 1"


def test_other_arguments_or_another_tool_are_no_move() -> None:
    assert told(case("a b:1", "c"), case("a", "b:2 c")) == (
        "2 of 3 calls match; 1 call missing; 1 extra call; parts at turn 1, call 2"
    )
    assert told(case("a b", "c"), case("a", "bb c")) == (
        "2 of 3 calls match; 1 call missing; 1 extra call; parts at turn 1, call 2"
    )


def test_how_the_calls_of_a_turn_pair_stays() -> None:
    """What is taken for another tool in its place counts as missing there, wherever else it stands."""
    golden, other = case("b:1", "c"), case("d:1", "b:1 c")
    assert told(golden, other) == "1 of 2 calls match; 1 call missing; 2 extra calls; parts at turn 1, call 1"


def test_calls_of_turns_that_one_side_does_not_have_are_told_as_turns() -> None:
    golden = case("a", "b:1")
    assert told(golden, case("a b:1")) == (
        "1 of 2 calls match; 1 extra call; 1 turn missing; parts at turn 1, call 2"
    )


def test_a_call_that_is_not_judged_does_not_move() -> None:
    skipped = Expectation(Expects.CALL, (ToolCall("b", {"q": "1"}, place="/t0/1"),), skipped=True)
    first = turn(0, "a b:1")
    golden = Case(
        "one",
        turns=(
            Turn(0, user=first.user, events=first.events, steps=Steps.EVENTS, expectations=(skipped,)),
            turn(1, "c"),
        ),
    )
    assert "moved" not in told(golden, case("a", "b:1 c"))


@pytest.mark.parametrize("sides", [2, 3])
def test_the_window_says_the_same(sides: int) -> None:
    golden, other = case("a b:1", "c"), case("a", "b:1 c")
    shown = side_by_side([golden, *[other] * (sides - 1)])
    for at, rule in enumerate(COMPARISONS):
        assert shown.says[at].counted == (counted([compared(golden, other, rule)]),) * (sides - 1)
    gone, come = (row for row in shown.rows if row.kind is RowKind.CALL and row.elsewhere)
    assert (gone.elsewhere, come.elsewhere) == (2, 1)
    said = [" ".join(reason(row, "EXACT", counts=True)) for row in (gone, come)]
    assert "Called in turn 2 instead" in said[0]
    assert "Expected in turn 1" in said[1]
    if sides == 2:
        assert [row.link_names for row in (gone, come)] == [(Relation.MOVED,)] * 2


def test_the_page_says_the_same() -> None:
    whole = page(write(differences([case("a b:1", "c"), case("a", "b:1 c")])))
    moved = [row for row in rows(whole) if "moved" in signs(row)]
    assert [("in turn 2" in row.text, "in turn 1" in row.text) for row in moved] == [(True, False), (False, True)]
    assert "3 of 3 calls match; 1 moved; parts at turn 1, call 2" in whole.text


CALLS = st.lists(st.sampled_from(["a", "b:1", "b:2", "c:1", "d:1"]), max_size=3).map(" ".join)
CONVERSATIONS = st.lists(CALLS, min_size=3, max_size=3)


def _lone(pair: ConversationPair) -> tuple[list[Counter[str]], list[Counter[str]]]:
    """What each turn alone would call missing and extra, from its calls, as often as it has more of each."""
    here = [Counter(f"{call.name} {call.args}" for call in turn.left_calls) for turn in pair.turns]
    there = [Counter(f"{call.name} {call.args}" for call in turn.right_calls) for turn in pair.turns]
    both = list(zip(here, there, strict=True))
    return [one - other for one, other in both], [other - one for one, other in both]


def _moved(pair: ConversationPair, kept: set[str]) -> int:
    missing, extra = _lone(pair)
    total = [sum(side, Counter[str]()) for side in (missing, extra)]
    return sum(count for call, count in (total[0] & total[1]).items() if call in kept)


@given(CONVERSATIONS, CONVERSATIONS)
@examples(30, 60)
def test_as_many_move_as_are_missing_in_one_turn_and_extra_in_another(
    left: Sequence[str], right: Sequence[str]
) -> None:
    pair = compared(case(*left), case(*right), EXACT)
    found = counted([pair])
    across = sum(len(one.gone) for one in pair.turns)
    # Calls that a turn pairs with others, of their tool or with the same arguments, stay with these.
    assert across >= _moved(pair, {"a {}"})
    assert across <= _moved(pair, {call for side in _lone(pair) for one in side for call in one})
    relations = Counter(row.relation for row in rows_of(pair, EXACT))
    assert (found.moved, found.missing, found.extra) == (
        relations[DifferenceKind.MOVED],
        relations[DifferenceKind.MISSING] + relations[DifferenceKind.RENAMED],
        relations[DifferenceKind.EXTRA] + relations[DifferenceKind.RENAMED],
    )
    assert found.matching + relations[DifferenceKind.ARGUMENTS] + found.missing == found.calls
    shown = side_by_side([case(*left), case(*right)])
    assert [one.counted for one in shown.says] == [
        (counted([compared(case(*left), case(*right), rule)]),) for rule in COMPARISONS
    ]


@given(CONVERSATIONS, CONVERSATIONS)
@examples(30, 60)
def test_seen_from_the_other_side_what_is_missing_is_extra(left: Sequence[str], right: Sequence[str]) -> None:
    there, back = (
        counted([compared(case(*one), case(*other), EXACT)]) for one, other in ((left, right), (right, left))
    )
    assert (there.matching, there.missing, there.extra) == (back.matching, back.extra, back.missing)
    assert there.differs is back.differs is (list(left) != list(right))


@given(CONVERSATIONS, CONVERSATIONS)
@examples(15, 40)
def test_other_names_of_the_same_tools_change_nothing(left: Sequence[str], right: Sequence[str]) -> None:
    renamed = [[calls.translate(str.maketrans("abcd", "dcba")) for calls in side] for side in (left, right)]
    assert told(case(*renamed[0]), case(*renamed[1])) == told(case(*left), case(*right))


def test_who_made_the_same_call_is_told_and_does_not_count() -> None:
    golden, other = case("a b:1", agent="booker"), case("a b:1", agent="payer")
    for rule in COMPARISONS:
        pair = compared(golden, other, rule)
        assert sentence(counted([pair])) == "2 of 2 calls match"
        assert not counted([pair]).differs
        found = list(rows_of(pair, rule))
        assert [(row.relation, row.call, row.counts) for row in found] == [
            (DifferenceKind.AGENT, 1, False),
            (DifferenceKind.AGENT, 2, False),
        ]
    lines = list(row_lines(differences([golden, other])))
    assert lines[0] == "~≈ turn 1, call 1: the same call by a different agent, payer instead of booker: a()"
    whole = page(write(differences([golden, other])))
    assert whole.text.count("called by another agent") == 2
    assert [("differs" in row.kinds) for row in rows(whole)] == [True, True, True]
    shown = [row for row in side_by_side([golden, other]).rows if row.kind is RowKind.CALL]
    assert [reason(row, "EXACT", counts=False) for row in shown] == [("Match", "called by another agent")] * 2


@each(
    ("wanted", "made", "another"),
    [
        ("booker", "payer", True),
        ("booker", "booker", False),
        ("booker", "", False),
        ("", "payer", False),
        ("booker", "model", False),
        ("projects/p/agents/booker", "booker", False),
    ],
)
def test_only_agents_that_both_sides_name_are_others(wanted: str, made: str, *, another: bool) -> None:
    assert is_another_agent(wanted, made) is another
    assert is_another_agent(made, wanted) is another

"""The alignment a careful person would draw, in a catalogue, and what holds for any two trajectories.

A call is written as its tool and its arguments: `f12` is f(x=1, y=2), `f` has no arguments. Brackets hold calls that
were asked for at once. A row is `left=right` for equal calls, `~` for other arguments, `!` for another tool, `-left`
and `+right` for what has no counterpart; `^` behind a row marks a move, `%` another order within one group.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trace_inspector.core.align import CallPair, Match, Policy, align_calls
from trace_inspector.core.aligned import Alignment, Order, align_steps
from trace_inspector.core.likeness import Likeness
from trace_inspector.core.parts import Text, Thought, ToolCall, Transfer
from trace_inspector.core.sequence import GAP, GAP_OPENS, NEVER
from trace_inspector.core.steps import Step, call_steps, steps_of
from trace_inspector.core.trace import Event, Turn
from trace_inspector.core.values import JsonObject

SIGNS = {Match.SAME: "=", Match.ARGUMENTS: "~", Match.RENAMED: "!"}
MARKS = {Order.KEPT: "", Order.MOVED: "^", Order.SWAPPED: "%"}


def calls(written: str) -> tuple[list[ToolCall], list[int]]:
    """Calls and the groups they came in."""
    found, groups = [], []
    for number, asked in enumerate(re.findall(r"\([^)]*\)|\S+", written)):
        for word in asked.strip("()").split():
            args: JsonObject = {"xyzuvw"[at]: int(digit) for at, digit in enumerate(word[1:])}
            found.append(ToolCall(word[0], args))
            groups.append(number)
    return found, groups


def name(call: ToolCall) -> str:
    assert isinstance(call.args, dict)
    return call.name + "".join(map(str, call.args.values()))


def drawn(left: str, right: str) -> str:
    """The alignment of two trajectories, as it is written in the catalogue."""
    (here, here_groups), (there, there_groups) = calls(left), calls(right)
    return " ".join(_row(pair, here, there) for pair in align_calls(here, there, groups=(here_groups, there_groups)))


def _row(pair: CallPair, here: list[ToolCall], there: list[ToolCall]) -> str:
    if pair.observed is None:
        assert pair.expected is not None
        return f"-{name(here[pair.expected])}"
    if pair.expected is None:
        return f"+{name(there[pair.observed])}"
    return f"{name(here[pair.expected])}{SIGNS[pair.match]}{name(there[pair.observed])}{MARKS[pair.order]}"


CATALOGUE = [
    # Nothing differs, or one side has nothing.
    ("", "", ""),
    ("a", "", "-a"),
    ("", "a b", "+a +b"),
    ("a b c", "a b c", "a=a b=b c=c"),
    ("a a a", "a a a", "a=a a=a a=a"),
    ("a11", "a11", "a11=a11"),
    # One call more or less.
    ("a b c", "b c", "-a b=b c=c"),
    ("a b c", "a c", "a=a -b c=c"),
    ("a b c", "a b", "a=a b=b -c"),
    ("b c", "a b c", "+a b=b c=c"),
    ("a c", "a b c", "a=a +b c=c"),
    ("a b", "a b c", "a=a b=b +c"),
    ("a1 b2 c3", "a1 x9 b2 c3", "a1=a1 +x9 b2=b2 c3=c3"),
    ("a b c d e", "a e", "a=a -b -c -d e=e"),
    ("a e", "a b c d e", "a=a +b +c +d e=e"),
    ("a b", "c d", "-a -b +c +d"),
    # Other arguments keep a pair.
    ("a1", "a2", "a1~a2"),
    ("a1 b1", "a2 b2", "a1~a2 b1~b2"),
    ("a12 b1", "a13 b1", "a12~a13 b1=b1"),
    ("a", "a1", "a~a1"),
    ("a1 b c", "a2 c", "a1~a2 -b c=c"),
    ("a1 b c", "b c a2", "-a1 b=b c=c +a2"),
    ("a123 b c", "b c a129", "a123~a129^ b=b c=c"),
    ("a1 a2 a3", "a1 a9 a3", "a1=a1 a2~a9 a3=a3"),
    ("a1 a2 a3", "a1 a3", "a1=a1 -a2 a3=a3"),
    ("a1 a3", "a1 a2 a3", "a1=a1 +a2 a3=a3"),
    # Of several candidates the one that has more in common.
    ("a12", "a39 a19", "+a39 a12~a19"),
    ("a12", "a19 a39", "a12~a19 +a39"),
    ("a1234", "a9999 a1239 a9998", "+a9999 a1234~a1239 +a9998"),
    ("a123 a456", "a129", "a123~a129 -a456"),
    ("a123 a456", "a459", "-a123 a456~a459"),
    ("a123 b a456", "a459 b a129", "a123~a459 b=b a456~a129"),
    # Moves.
    ("a1 b2", "b2 a1", "a1=a1^ b2=b2"),
    ("a b c d", "b c d a", "a=a^ b=b c=c d=d"),
    ("a b c d", "d a b c", "a=a b=b c=c d=d^"),
    ("a b c d e", "a d b c e", "a=a b=b c=c d=d^ e=e"),
    ("a b c d e f", "d e f a b c", "a=a^ b=b^ c=c^ d=d e=e f=f"),
    ("a b c", "c a9 b", "a~a9 b=b c=c^"),
    ("a1 b c a2", "a2 b c a1", "a1=a1^ b=b c=c a2=a2^"),
    ("a b x c d", "x a b c d y", "a=a b=b x=x^ c=c d=d +y"),
    # Another tool with the same arguments.
    ("a12", "b12", "a12!b12"),
    ("a1 f123 c1", "a1 g123 c1", "a1=a1 f123!g123 c1=c1"),
    ("f12", "g34", "-f12 +g34"),
    ("f", "g", "-f +g"),
    ("f123 f456", "g456 f456", "-f123 +g456 f456=f456"),
    ("f12 g12", "g12", "-f12 g12=g12"),
    # Repeats.
    ("a b", "a a a b", "a=a +a +a b=b"),
    ("a a a b", "a b", "a=a -a -a b=b"),
    ("a b a b", "a b", "a=a b=b -a -b"),
    ("a b", "a b a b", "a=a b=b +a +b"),
    ("a b a b a b", "a b a b", "a=a b=b a=a b=b -a -b"),
    ("a1 a1 a1", "a1 a2 a1", "a1=a1 a1~a2 a1=a1"),
    ("a1 a2 a1", "a1 a1 a1", "a1=a1 a2~a1 a1=a1"),
    ("s1 r s1 r s1 r", "s1 r s2 r s1 r", "s1=s1 r=r s1~s2 r=r s1=s1 r=r"),
    # Calls that were asked for at once.
    ("(a b)", "(b a)", "a=a% b=b"),
    ("(a b c)", "(c b a)", "a=a% b=b% c=c"),
    ("s (a b) t", "s (b a) t", "s=s a=a% b=b t=t"),
    ("(a b)", "a b", "a=a b=b"),
    ("(a b)", "b a", "a=a% b=b"),
    ("s (a1 b1) t", "s (b1 a2) t", "s=s a1~a2% b1=b1 t=t"),
    ("(a b) c", "c (a b)", "a=a b=b c=c^"),
    ("(a b c) d", "(b c) d", "-a b=b c=c d=d"),
    # Several things at once.
    ("a1 b2 c3 d4", "a1 c9 d4 e5", "a1=a1 -b2 c3~c9 d4=d4 +e5"),
    ("a b c d e f", "a x c d z f", "a=a -b +x c=c d=d -e +z f=f"),
    ("a1 b1 c1 d1 e1", "b1 a1 c2 x1 e1", "a1=a1^ b1=b1 c1~c2 d1!x1 e1=e1"),
    ("l p12 p34 q", "l p34 q r", "l=l -p12 p34=p34 q=q +r"),
    ("a b c d e f g h", "a b c x d e f g h", "a=a b=b c=c +x d=d e=e f=f g=g h=h"),
]


@pytest.mark.parametrize(("left", "right", "rows"), CATALOGUE)
def test_as_a_careful_person_would_draw_it(left: str, right: str, rows: str) -> None:
    assert drawn(left, right) == rows


TEXTS = st.text(alphabet="ab12 ()", max_size=0) | st.lists(
    st.sampled_from(["a", "a1", "a2", "a12", "a13", "b", "b1", "b12", "(a b)", "(a1 a2)", "(b1 a1)"]), max_size=9
).map(" ".join)


def steps(written: str) -> list[Step]:
    return call_steps(*calls(written))


def links(alignment: Alignment) -> list[tuple[int, int, Order]]:
    return [
        (row.left, row.right, row.order) for row in alignment.rows if row.left is not None and row.right is not None
    ]


def cost(alignment: Alignment, left: list[Step], right: list[Step]) -> int:
    """What the rows cost, gaps opened anew at every row that has no partner."""
    likeness = Likeness(left, right)
    paired = links(alignment)
    gaps = len(left) + len(right) - 2 * len(paired)
    return gaps * (GAP + GAP_OPENS) + sum(likeness.cost(at, to) for at, to, _order in paired)


@given(TEXTS, TEXTS)
def test_every_step_stands_in_exactly_one_row(left: str, right: str) -> None:
    here, there = steps(left), steps(right)
    rows = align_steps(here, there).rows
    assert sorted(row.left for row in rows if row.left is not None) == list(range(len(here)))
    assert sorted(row.right for row in rows if row.right is not None) == list(range(len(there)))
    assert all(
        row.equal == (here[row.left].key == there[row.right].key)
        for row in rows
        if row.left is not None and row.right is not None
    )


@given(TEXTS, TEXTS)
def test_rows_keep_the_order_of_both_sides_but_for_marked_moves(left: str, right: str) -> None:
    rows = align_steps(steps(left), steps(right)).rows
    lefts = [row.left for row in rows if row.left is not None]
    assert lefts == sorted(lefts)
    kept = [row.right for row in rows if row.right is not None and row.order is Order.KEPT]
    assert kept == sorted(kept)


@given(TEXTS, TEXTS)
def test_the_alignment_does_not_depend_on_the_side(left: str, right: str) -> None:
    here, there = steps(left), steps(right)
    turned = [(to, at, order) for at, to, order in links(align_steps(there, here))]
    assert [pair[:2] for pair in links(align_steps(here, there))] == [
        pair[:2] for pair in sorted(turned, key=lambda pair: pair[0])
    ]


@given(TEXTS, TEXTS)
def test_it_is_never_dearer_than_pairing_by_position_or_not_at_all(left: str, right: str) -> None:
    here, there = steps(left), steps(right)
    likeness = Likeness(here, there)
    found = cost(align_steps(here, there), here, there)
    by_position = [likeness.cost(at, at) for at in range(min(len(here), len(there)))]
    paired = [each for each in by_position if each < NEVER]
    alone = len(here) + len(there) - 2 * len(paired)
    assert found <= alone * (GAP + GAP_OPENS) + sum(paired)
    assert found <= (len(here) + len(there)) * (GAP + GAP_OPENS)


@given(TEXTS)
def test_a_trajectory_has_no_difference_from_itself(written: str) -> None:
    assert all(
        row.equal and row.order is Order.KEPT and row.left == row.right
        for row in align_steps(steps(written), steps(written)).rows
    )


@given(TEXTS, TEXTS, st.sampled_from(Policy))
@settings(max_examples=300)
def test_the_order_rules_are_policies_over_one_alignment(left: str, right: str, policy: Policy) -> None:
    expected, observed = calls(left)[0], calls(right)[0]
    kept = not any(pair.counts(policy) for pair in align_calls(expected, observed))
    assert kept == PLAINLY[policy](expected, observed)


def _subsequence(expected: list[ToolCall], observed: list[ToolCall]) -> bool:
    left = iter(observed)
    return all(wanted in left for wanted in expected)


PLAINLY: dict[Policy, Callable[[list[ToolCall], list[ToolCall]], bool]] = {
    Policy.EXACT: lambda expected, observed: expected == observed,
    Policy.IN_ORDER: _subsequence,
    Policy.ANY_ORDER: lambda expected, observed: all(
        expected.count(call) <= observed.count(call) for call in expected
    ),
}


def test_what_a_turn_did_beside_calls_aligns_too() -> None:
    def did(*parts: Text | Thought | ToolCall | Transfer) -> list[Step]:
        return steps_of(Turn(0, events=tuple(Event("guide", (part,)) for part in parts)))

    left = did(Thought("plan the trip"), ToolCall("f", {"x": 1}), Text("One moment please"), Transfer("booker"))
    right = did(Thought("plan a trip"), Text("One moment,  please"), ToolCall("f", {"x": 1}), Transfer("payer"))
    rows = [(row.left, row.right, row.equal, row.order) for row in align_steps(left, right).rows]
    assert rows == [
        (0, 0, False, Order.KEPT),
        (1, 2, True, Order.MOVED),
        (2, 1, False, Order.KEPT),
        (3, None, False, Order.KEPT),
        (None, 3, False, Order.KEPT),
    ]


@given(TEXTS, TEXTS)
@settings(max_examples=300)
def test_calls_align_as_steps_do(left: str, right: str) -> None:
    (here, here_groups), (there, there_groups) = calls(left), calls(right)
    found = align_calls(here, there, groups=(here_groups, there_groups))
    rows = align_steps(steps(left), steps(right)).rows
    assert [(pair.expected, pair.observed, pair.match is Match.SAME, pair.order) for pair in found] == [
        (row.left, row.right, row.equal, row.order) for row in rows
    ]


def test_steps_of_two_kinds_never_pair() -> None:
    left = [Step("text", "guide", ("guide", "done"), 0, "done"), Step("call", "booker", "booker", 1)]
    right = [Step("thought", "guide", ("guide", "done"), 0, "done"), Step("transfer", "booker", "booker", 1)]
    assert links(align_steps(left, right)) == []


def test_matchers_may_call_more_calls_equal() -> None:
    left = [ToolCall("f", {"x": 1}), ToolCall("g", {"x": "^a"}), ToolCall("h", {})]
    right = [ToolCall("g", {"x": "abc"}), ToolCall("f", {"x": 2})]
    found = align_calls(left, right, same=lambda wanted, _made: wanted.name == "g")
    assert [(pair.match, pair.expected, pair.observed) for pair in found if pair.match is Match.SAME] == [
        (Match.SAME, 1, 0)
    ]


def test_too_long_for_the_best_alignment_says_so() -> None:
    left = [ToolCall("f", {"x": number}) for number in range(900)]
    right = [ToolCall("f", {"x": number, "y": 1}) for number in range(900, 0, -1)]
    found = align_steps(call_steps(left, ()), call_steps(right, ()))
    assert not found.exact
    assert {row.left for row in found.rows} >= set(range(900))

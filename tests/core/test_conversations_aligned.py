"""Two conversations side by side: every event once, repeats folded, and where they part."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.campaigns import examples
from tests.helpers.tables import each
from trace_inspector.core.alignment.conversation import (
    AlignedTurn,
    Fold,
    Parting,
    align_conversations,
    first_parting,
    folded,
)
from trace_inspector.core.alignment.step_alignment import Order
from trace_inspector.core.trace.parts import Text, Thought, ToolCall
from trace_inspector.core.trace.trace import Event, Turn


def said(question: str, steps: str = "") -> Turn:
    """A turn whose events are letters: small ones are calls, digits are words; a group stands in brackets."""
    events: list[Event] = []
    for group in steps.replace("(", " (").replace(")", ") ").split():
        letters = [group.strip("()")] if group.startswith("(") else list(group)
        events += [Event("guide", tuple(map(_part, together))) for together in letters]
    return Turn(0, None, (Text(question),), tuple(events))


def _part(letter: str) -> Text | Thought | ToolCall:
    if letter.isdigit():
        return Text(f"step {letter} follows")
    return Thought(letter) if letter.isupper() else ToolCall(letter, {})


def aligned(left: str, right: str) -> AlignedTurn:
    (turn,) = align_conversations([said("q", left)], [said("q", right)])
    return turn


@each(
    ("left", "right", "divergence"),
    [
        ("abc", "abc", None),
        ("", "", None),
        ("abc", "axc", 1),
        ("abc", "ab", 2),
        ("ab", "abc", 2),
        ("abc", "cab", 0),
        ("abc", "bca", 0),
        ("xabc", "xacb", 2),
        ("(ab)c", "(ba)c", None),
        ("a(bc)d", "a(cb)x", 3),
        ("Ta", "Sa", 0),
        ("1ab", "1ba", 1),
    ],
)
def test_where_a_turn_parts(left: str, right: str, divergence: int | None) -> None:
    assert aligned(left, right).divergence == divergence


CONVERSATIONS = [
    ([], [], None),
    ([said("a", "f")], [said("a", "f")], None),
    ([said("a", "f"), said("b", "gh")], [said("a", "f"), said("b", "g")], Parting(1, 1)),
    ([said("a", "f"), said("b", "g")], [said("a", "f")], Parting(1, None)),
    ([said("b", "g")], [said("a", "f"), said("b", "x")], Parting(0, None)),
]


@each(("left", "right", "parting"), CONVERSATIONS)
def test_where_conversations_part_first(left: list[Turn], right: list[Turn], parting: Parting | None) -> None:
    assert first_parting(align_conversations(left, right)) == parting
    back = first_parting(align_conversations(right, left))
    assert (back is None) == (parting is None)


@each(
    ("left", "right", "folds"),
    [
        ("abc", "abc", [(1, 1), (1, 1), (1, 1)]),
        ("aaaa", "aaaa", [(1, 4)]),
        ("aaaaa", "aa", [(1, 2), (1, 3)]),
        ("aa", "aaaaa", [(1, 2), (1, 3)]),
        ("ababab", "ababab", [(2, 3)]),
        ("abababa", "abababa", [(2, 3), (1, 1)]),
        ("xaab", "xaab", [(1, 1), (1, 2), (1, 1)]),
        ("abcabc", "abc", [(1, 1)] * 6),
        ("abcabcabc", "abc", [(1, 1), (1, 1), (1, 1), (3, 2)]),
        ("aabb", "abba", [(1, 1), (1, 1), (1, 2)]),  # the second “a” moved
        ("", "", []),
    ],
)
def test_repeats_are_folded(left: str, right: str, folds: list[tuple[int, int]]) -> None:
    found = list(folded(aligned(left, right)))
    assert [(fold.period, fold.times) for fold in found] == folds
    assert [fold.start for fold in found] == [0, *(fold.end for fold in found)][: len(found)]


LETTERS = st.text("ab(1T", max_size=10).map(lambda text: text.replace("(", "(ab)"))
TALKS = st.lists(st.builds(said, st.sampled_from(["", "a", "b", "how is the weather"]), LETTERS), max_size=4)


@examples(40, 1000)
@given(TALKS, TALKS)
def test_every_event_stands_in_one_row(left: list[Turn], right: list[Turn]) -> None:
    turns = align_conversations(left, right)
    assert [turn.left for turn in turns if turn.left is not None] == list(range(len(left)))
    assert [turn.right for turn in turns if turn.right is not None] == list(range(len(right)))
    for turn in turns:
        rows = turn.alignment.rows
        assert sorted(row.left for row in rows if row.left is not None) == list(range(len(turn.left_steps)))
        assert sorted(row.right for row in rows if row.right is not None) == list(range(len(turn.right_steps)))
        folds = list(folded(turn))
        assert [at for fold in folds for at in range(fold.start, fold.end)] == list(range(len(rows)))
        assert all(fold.times > 1 or fold == Fold(fold.start, fold.start + 1) for fold in folds)


@given(TALKS)
def test_a_conversation_never_parts_from_itself(talk: list[Turn]) -> None:
    turns = align_conversations(talk, talk)
    assert first_parting(turns) is None
    assert all(row.order is Order.KEPT for turn in turns for row in turn.alignment.rows)

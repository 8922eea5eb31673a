"""Alignment: examples that mislead simpler rules, and what holds for any two trajectories."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.campaigns import examples
from tests.helpers.tables import each
from trace_inspector.core.alignment.turn_alignment import (
    WHOLE,
    CallMatch,
    CallPair,
    TurnPair,
    align_calls,
    align_turns,
    how_they_differ,
)
from trace_inspector.core.trace.parts import Text, ToolCall
from trace_inspector.core.trace.trace import Turn
from trace_inspector.core.values.values import ABSENT, Json, JsonObject

CALLS = st.lists(
    st.builds(
        ToolCall, st.sampled_from("fgh"), st.dictionaries(st.sampled_from("ab"), st.integers(0, 2), max_size=2)
    ),
    max_size=7,
)
TURNS = st.lists(
    st.tuples(st.sampled_from(["", "a", "b", "a b c", "a b d"]), st.sampled_from(["", "1", "2"])), max_size=7
)


def turns(listed: list[tuple[str, str]]) -> tuple[Turn, ...]:
    """Turns with these questions and ids."""
    return tuple(Turn(at, name or None, (Text(text),)) for at, (text, name) in enumerate(listed))


def indices(golden: str, observed: str) -> list[tuple[int | None, int | None]]:
    """Turn pairs of questions of one letter each."""
    pairs = align_turns(turns([(text, "") for text in golden]), turns([(text, "") for text in observed]))
    return [(pair.golden, pair.observed) for pair in pairs]


@each(
    ("golden", "observed", "expected"),
    [
        ("abc", "abc", [(0, 0), (1, 1), (2, 2)]),
        ("abc", "xabc", [(None, 0), (0, 1), (1, 2), (2, 3)]),
        ("abc", "ac", [(0, 0), (1, None), (2, 1)]),
        ("abc", "axc", [(0, 0), (1, 1), (2, 2)]),
        ("abc", "", [(0, None), (1, None), (2, None)]),
        ("", "ab", [(None, 0), (None, 1)]),
    ],
)
def test_turns(golden: str, observed: str, expected: list[tuple[int | None, int | None]]) -> None:
    assert indices(golden, observed) == expected


@each(
    ("golden", "observed", "expected"),
    [
        # One is missing or new in the middle; one question comes in several turns.
        ("abcde", "abde", [(0, 0), (1, 1), (2, None), (3, 2), (4, 3)]),
        ("abde", "abcde", [(0, 0), (1, 1), (None, 2), (2, 3), (3, 4)]),
        ("aba", "ba", [(0, None), (1, 0), (2, 1)]),
        ("aba", "ab", [(0, 0), (1, 1), (2, None)]),
        ("yayby", "yaby", [(0, 0), (1, 1), (2, None), (3, 2), (4, 3)]),
        ("aaa", "aa", [(0, 0), (1, 1), (2, None)]),
        ("aa", "aaa", [(0, 0), (1, 1), (None, 2)]),
        # Turns never cross: what changed places is missing here and extra there.
        ("abc", "acb", [(0, 0), (None, 1), (1, 2), (2, None)]),
        ("abc", "bca", [(0, None), (1, 0), (2, 1), (None, 2)]),
        # Both sides have something else between the same turns.
        ("axb", "ayzb", [(0, 0), (1, None), (None, 1), (None, 2), (2, 3)]),
        ("axyb", "azb", [(0, 0), (1, None), (2, None), (None, 1), (3, 2)]),
        ("axyb", "awzb", [(0, 0), (1, 1), (2, 2), (3, 3)]),
        ("abc", "xyz", [(0, 0), (1, 1), (2, 2)]),
        ("ab", "xyz", [(0, None), (1, None), (None, 0), (None, 1), (None, 2)]),
    ],
)
def test_turns_as_a_careful_person_would_pair_them(
    golden: str, observed: str, expected: list[tuple[int | None, int | None]]
) -> None:
    assert indices(golden, observed) == expected


def test_two_turns_that_came_as_one() -> None:
    golden = turns([("hello", ""), ("find parking near the shop", ""), ("and a museum", ""), ("bye", "")])
    observed = turns([("hello", ""), ("find parking near the shop and a museum", ""), ("bye", "")])
    assert align_turns(golden, observed) == [
        TurnPair(0, 0),
        TurnPair(1, 1),
        TurnPair(2, None),
        TurnPair(3, 2),
    ]


def test_numbered_turns_do_not_outweigh_what_was_asked() -> None:
    pairs = align_turns(turns([("a", "1"), ("b", "2")]), turns([("x", "1"), ("a", "2"), ("b", "3")]))
    assert pairs == [TurnPair(None, 0), TurnPair(0, 1), TurnPair(1, 2)]


def test_ids_decide_between_equal_questions() -> None:
    pairs = align_turns(turns([("yes", "e1"), ("yes", "e2")]), turns([("yes", "e2")]))
    assert pairs == [TurnPair(0, None), TurnPair(1, 0)]


def test_ids_decide_where_the_questions_say_nothing() -> None:
    pairs = align_turns(turns([("rain?", "e1")]), turns([("hello", "e0"), ("umbrella weather?", "e1")]))
    assert pairs == [TurnPair(None, 0), TurnPair(0, 1)]


def test_a_reworded_question_beside_an_extra_one() -> None:
    golden = turns([("find parking near the shop", ""), ("bye", "")])
    observed = turns([("hello", ""), ("find parking close to the shop", ""), ("bye", "")])
    assert align_turns(golden, observed) == [TurnPair(None, 0), TurnPair(0, 1), TurnPair(1, 2)]


@examples(40, 1000)
@given(TURNS, TURNS)
def test_every_turn_stands_in_one_pair_in_order(left: list[tuple[str, str]], right: list[tuple[str, str]]) -> None:
    pairs = align_turns(turns(left), turns(right))
    assert [pair.golden for pair in pairs if pair.golden is not None] == list(range(len(left)))
    assert [pair.observed for pair in pairs if pair.observed is not None] == list(range(len(right)))


@given(TURNS, TURNS)
def test_turns_pair_alike_from_both_sides(left: list[tuple[str, str]], right: list[tuple[str, str]]) -> None:
    there = {(pair.golden, pair.observed) for pair in align_turns(turns(left), turns(right))}
    assert {(pair.observed, pair.golden) for pair in align_turns(turns(right), turns(left))} == there


@given(TURNS)
def test_a_conversation_pairs_with_itself(listed: list[tuple[str, str]]) -> None:
    same = turns(listed)
    assert align_turns(same, same) == [TurnPair(at, at) for at in range(len(listed))]


@examples(40, 1000)
@given(CALLS, CALLS)
def test_every_call_stands_in_one_pair(left: list[ToolCall], right: list[ToolCall]) -> None:
    pairs = align_calls(left, right)
    assert sorted(pair.expected for pair in pairs if pair.expected is not None) == list(range(len(left)))
    assert sorted(pair.observed for pair in pairs if pair.observed is not None) == list(range(len(right)))
    for pair in pairs:
        assert (pair.expected is None) == (pair.match is CallMatch.EXTRA)
        assert (pair.observed is None) == (pair.match is CallMatch.MISSING)


@examples(40, 1000)
@given(CALLS)
def test_equal_calls_are_all_the_same(calls: list[ToolCall]) -> None:
    assert {pair.match for pair in align_calls(calls, calls)} <= {CallMatch.SAME}


@examples(40, 1000)
@given(CALLS, CALLS)
def test_counts_do_not_depend_on_the_side(left: list[ToolCall], right: list[ToolCall]) -> None:
    there = [pair.match for pair in align_calls(left, right)]
    back = [pair.match for pair in align_calls(right, left)]
    assert there.count(CallMatch.SAME) == back.count(CallMatch.SAME)
    assert there.count(CallMatch.MISSING) - back.count(CallMatch.EXTRA) == there.count(CallMatch.EXTRA) - back.count(
        CallMatch.MISSING
    )


def test_a_changed_call_is_paired_and_named() -> None:
    expected = [ToolCall("f", {"a": 1}), ToolCall("search", {"query": "parking", "radius": 500})]
    observed = [ToolCall("f", {"a": 1}), ToolCall("search", {"query": "parking lots", "radius": 500})]
    assert align_calls(expected, observed) == [
        CallPair(CallMatch.SAME, 0, 0),
        CallPair(CallMatch.ARGUMENTS, 1, 1, ("query",)),
    ]


@each(
    ("left", "right", "names"),
    [
        ({"a": 1}, {"a": 1.0}, ()),
        ({"a": None}, {}, ("a",)),
        ({}, {"b": 1}, ("b",)),
        ({"a": 1}, None, WHOLE),
        (None, None, ()),
        ({"a": [1, 2]}, {"a": [2, 1]}, ("a",)),
    ],
)
def test_differing_arguments(left: Json, right: Json, names: tuple[str, ...]) -> None:
    assert how_they_differ(ToolCall("f", left), ToolCall("f", right)) == names
    assert how_they_differ(ToolCall("f", left), ToolCall("g", right)) == WHOLE


@each(
    ("said", "match", "names"),
    [
        ((), CallMatch.SAME, ()),
        (("q",), CallMatch.ARGUMENTS, ("q",)),
        (("r", "q"), CallMatch.ARGUMENTS, ("r", "q")),
        (WHOLE, CallMatch.ARGUMENTS, ()),
    ],
)
@each("made", [{"q": 1}, {"q": 2, "r": 3}, {}], ids=["equal", "other", "none"])
def test_a_rule_alone_says_which_calls_are_the_same_and_what_differs(
    made: JsonObject, said: tuple[str, ...], match: CallMatch, names: tuple[str, ...]
) -> None:
    """Also of equal ones: a pattern may refuse the golden's own value."""
    (pair,) = align_calls([ToolCall("f", {"q": 1})], [ToolCall("f", made)], differing=lambda _wanted, _made: said)
    assert (pair.match, pair.differing) == (match, names)


def test_no_arguments_are_null_and_not_an_empty_object() -> None:
    assert align_calls([ToolCall("f", ABSENT)], [ToolCall("f", None)])[0].match is CallMatch.SAME
    assert align_calls([ToolCall("f", ABSENT)], [ToolCall("f", {})])[0].match is CallMatch.ARGUMENTS


def test_long_trajectories_without_anything_in_common_end() -> None:
    left = [ToolCall("f", {"n": number}) for number in range(1500)]
    right = [ToolCall("g", {"m": number}) for number in range(1500)]
    assert len(align_calls(left, right)) == 3000

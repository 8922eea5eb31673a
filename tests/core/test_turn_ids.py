"""Ids of turns: those that name a turn decide, those that merely count the turns of their side say nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from uuid import NAMESPACE_OID, uuid5

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.tables import each
from trace_inspector.core.alignment.turn_alignment import TurnPair, align_turns
from trace_inspector.core.trace.parts import Text, ToolCall
from trace_inspector.core.trace.trace import Event, Turn
from trace_inspector.core.trace.turn_ids import IdEvidence, evidence_of_ids, only_count

COUNTS: dict[str, Callable[[int], str]] = {
    "from 0": str,
    "from 1": lambda at: str(at + 1),
    "with a word": lambda at: f"turn-{at}",
    "with a word from 1": lambda at: f"inv_{at + 1}",
    "with a letter": lambda at: f"t{at}",
    "with zeros": lambda at: f"t{at:04d}",
    "in tens": lambda at: str(10 * at + 10),
    "with the id of the session": lambda at: f"s3c9-2f/turn-{at + 1}",
    "with a unit": lambda at: f"{at + 1}. turn",
}


@dataclass(frozen=True)
class Said:
    """What the user says in a turn, and the argument of the call that follows; "" is no call."""

    question: str
    call: str = ""

    def turn(self, at: int, turn_id: str | None = None) -> Turn:
        events = (Event("agent", (ToolCall("do", {"what": self.call}),)),) if self.call else ()
        return Turn(at, turn_id, (Text(self.question),), events)


def turns(said: Sequence[Said], ids: Sequence[str | None] | None = None) -> list[Turn]:
    return [one.turn(at, ids[at] if ids else None) for at, one in enumerate(said)]


def numbered(said: Sequence[Said], count: Callable[[int], str]) -> list[Turn]:
    return turns(said, [count(at) for at in range(len(said))])


YES = [Said("Yes", letter) for letter in "abcde"]


@each("count", COUNTS.values(), ids=COUNTS)
@each("lost", [{0}, {1}, {2}, {4}, {0, 2}, {1, 3}, {0, 1, 2, 3}])
def test_a_lost_turn_does_not_shift_those_behind_it(count: Callable[[int], str], lost: set[int]) -> None:
    kept = [at for at in range(5) if at not in lost]
    golden, observed = numbered(YES, count), numbered([YES[at] for at in kept], count)
    places = {at: to for to, at in enumerate(kept)}
    assert align_turns(golden, observed) == [TurnPair(at, places.get(at)) for at in range(5)]
    back = {(pair.observed, pair.golden) for pair in align_turns(observed, golden)}
    assert back == {(pair.golden, pair.observed) for pair in align_turns(golden, observed)}


def test_sides_may_count_from_different_numbers() -> None:
    golden, observed = numbered(YES, COUNTS["from 0"]), numbered(YES[:4], COUNTS["from 1"])
    assert align_turns(golden, observed) == [*(TurnPair(at, at) for at in range(4)), TurnPair(4, None)]


@pytest.mark.parametrize("calls", ["aaaaa", "abcde"], ids=["the same done", "something else done each time"])
def test_ids_that_name_the_turns_decide(calls: str) -> None:
    names = [str(uuid5(NAMESPACE_OID, str(at))) for at in range(5)]
    golden = turns([Said("Yes", call) for call in calls], names)
    observed = turns([Said("Yes", "z")] * 3, [names[0], names[2], names[4]])
    assert align_turns(golden, observed) == [
        TurnPair(0, 0), TurnPair(1, None), TurnPair(2, 1), TurnPair(3, None), TurnPair(4, 2),
    ]  # fmt: skip


def test_numbers_that_were_kept_decide_where_nothing_speaks_against_them() -> None:
    golden = numbered([Said("Yes", "a")] * 5, str)
    observed = turns([Said("Yes", "a")] * 4, ["0", "2", "3", "4"])
    assert align_turns(golden, observed)[:2] == [TurnPair(0, 0), TurnPair(1, None)]


def test_numbers_of_messages_that_are_equal_by_chance_do_not() -> None:
    golden = turns(YES, ["0", "3", "5", "9", "12"])
    observed = turns(YES[1:], ["0", "4", "9", "12"])
    assert align_turns(golden, observed) == [TurnPair(0, None), *(TurnPair(at, at - 1) for at in range(1, 5))]


def test_an_id_that_several_turns_have_tells_none_from_another() -> None:
    golden = turns([Said("hello"), Said("parking?")], ["session", "session"])
    observed = turns([Said("good day"), Said("a garage?"), Said("bye")], ["session"] * 3)
    assert all(None in (pair.golden, pair.observed) for pair in align_turns(golden, observed))


def test_turns_without_words_find_each_other_by_what_was_done() -> None:
    silent = [Said("", letter) for letter in "abcde"]
    golden, observed = numbered(silent, str), numbered(silent[1:], str)
    assert align_turns(golden, observed) == [TurnPair(0, None), *(TurnPair(at, at - 1) for at in range(1, 5))]


def test_equal_numbers_of_turns_and_fewer_of_one_question() -> None:
    golden = [Said("Hello"), *YES, Said("Thanks")]
    observed = [Said("Hello"), *YES[1:], Said("Thanks"), Said("What else?")]
    pairs = align_turns(turns(golden), turns(observed))
    assert pairs == [
        TurnPair(0, 0), TurnPair(1, None), *(TurnPair(at, at - 1) for at in range(2, 7)), TurnPair(None, 6),
    ]  # fmt: skip


def test_of_some_turns_the_ids_are_understood_from_all() -> None:
    """Two of five that stand alone so far, as in a comparison of three sides, still only count."""
    golden, observed = numbered(YES, str), numbered([YES[0], *YES[2:]], str)
    assert align_turns(golden, observed, ((2, 3), (1,))) == [TurnPair(2, 1), TurnPair(3, None)]


@each(
    ("left", "right", "says"),
    [
        (["0", "1", "2"], ["0", "1"], IdEvidence.NOTHING),
        (["0", "1", "2"], ["1", "2"], IdEvidence.NOTHING),
        (["1", "2", "3"], ["1"], IdEvidence.NOTHING),
        (["1", "2", "3"], ["2"], IdEvidence.MAYBE),
        (["0", "1", "2"], ["0", "2"], IdEvidence.MAYBE),
        (["5", "6", "7"], ["6", "7"], IdEvidence.MAYBE),
        (["0", "1", "", "3"], ["0", "1"], IdEvidence.NOTHING),
        (["0", "1", "2"], ["2", "0", "1"], IdEvidence.SAME_TURN),
        (["a-1", "b-2"], ["a-1"], IdEvidence.SAME_TURN),
        (["e-1f03", "e-2a77"], ["e-2a77"], IdEvidence.SAME_TURN),
        (["1" * 5000, "2" * 5000], ["1" * 5000], IdEvidence.SAME_TURN),
        ([], ["1"], IdEvidence.SAME_TURN),
    ],
)
def test_what_ids_say(left: list[str], right: list[str], says: IdEvidence) -> None:
    assert evidence_of_ids(left, right) is says
    assert evidence_of_ids(right, left) is says


@each(
    ("ids", "counts"),
    [
        (["invocation-1", "invocation-2"], True),
        (["invocation-1"], True),
        (["invocation-0007"], False),
        (["invocation-0007", "invocation-0009"], False),
        (["e-1f03ac52"], False),
        (["4af1-turn-1", "4af1-turn-2"], False),
        ([""], False),
        ([], False),
    ],
)
def test_ids_of_one_conversation_that_only_count(ids: list[str], counts: bool) -> None:
    assert only_count(ids) is counts


SAID = st.lists(st.builds(Said, st.sampled_from(["yes", "no", ""]), st.sampled_from(["a", "b", ""])), max_size=6)
COUNT = st.sampled_from(list(COUNTS.values()))


@given(SAID, SAID, COUNT)
def test_counting_is_as_good_as_no_ids(left: list[Said], right: list[Said], count: Callable[[int], str]) -> None:
    assert align_turns(numbered(left, count), numbered(right, count)) == align_turns(turns(left), turns(right))


@given(SAID, SAID, COUNT, COUNT)
def test_both_ways_the_same(
    left: list[Said], right: list[Said], count: Callable[[int], str], other: Callable[[int], str]
) -> None:
    here, there = numbered(left, count), numbered(right, other)
    back = {(pair.observed, pair.golden) for pair in align_turns(there, here)}
    assert {(pair.golden, pair.observed) for pair in align_turns(here, there)} == back


# The best pairing, by trying all of them.


def _pairings(left: Sequence[Said], right: Sequence[Said]) -> Iterator[list[tuple[int, int]]]:
    """Every pairing in order of turns that ask the same."""
    for size in range(min(len(left), len(right)) + 1):
        for here in combinations(range(len(left)), size):
            for there in combinations(range(len(right)), size):
                links = list(zip(here, there, strict=True))
                if all(left[at].question == right[to].question for at, to in links):
                    yield links


def _gaps(links: Sequence[tuple[int, int]], left: int, right: int) -> int:
    edges = [(-1, -1), *links, (left, right)]
    steps = [(to[side] - at[side]) for at, to in pairwise(edges) for side in (0, 1)]
    return sum(step > 1 for step in steps)


def _value(links: Sequence[tuple[int, int]], left: Sequence[Said], right: Sequence[Said]) -> tuple[int, int, int]:
    """The most pairs, then the fewest in which something else was done, then the fewest gaps."""
    others = sum(left[at].call != right[to].call for at, to in links)
    return -len(links), others, _gaps(links, len(left), len(right))


def _kept(said: Sequence[Said], keeps: Sequence[bool]) -> list[Said]:
    return [one for one, is_kept in zip(said, keeps, strict=False) if is_kept]


@given(
    st.lists(st.builds(Said, st.sampled_from(["yes", "no"]), st.sampled_from("abc")), min_size=1, max_size=6),
    st.lists(st.booleans(), min_size=6, max_size=6),
    COUNT,
)
def test_what_was_lost_is_found_as_trying_all_pairings_finds_it(
    golden: list[Said], keeps: list[bool], count: Callable[[int], str]
) -> None:
    observed = _kept(golden, keeps)
    pairs = align_turns(numbered(golden, count), numbered(observed, count))
    links = [(pair.golden, pair.observed) for pair in pairs if pair.golden is not None and pair.observed is not None]
    best = min(_value(one, golden, observed) for one in _pairings(golden, observed))
    assert _value(links, golden, observed) == best
    assert best[1] == 0


@given(SAID.filter(bool), st.data())
def test_a_turn_said_once_more_is_the_one_that_is_extra(said: list[Said], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(said) - 1))
    more = [*said[: at + 1], said[at], *said[at + 1 :]]
    pairs = align_turns(numbered(said, str), numbered(more, str))
    assert [pair.golden for pair in pairs if pair.observed is None] == []
    (extra,) = [pair.observed for pair in pairs if pair.golden is None]
    assert extra is not None
    left = [one for to, one in enumerate(more) if to != extra]
    assert left == said

"""What compares with other programs finds each difference, makes it small, and lets only named ones pass."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Sequence

import pytest

from tests.helpers.tables import each
from tests.peers.comparison import Comparison, KnownDifference, compare
from tests.peers.peer import Peer, PeerFailed
from tests.peers.shrinking import shrunk
from trace_inspector.core.values.values import Json

TOY = "tests.helpers.toy_peer"


class Echo:
    """A peer in this process."""

    def __init__(self, answer: Callable[[Json], Json]) -> None:
        self._answer = answer
        self._cases: Sequence[Json] = ()

    def ask(self, _job: str, cases: Sequence[Json]) -> None:
        self._cases = cases

    def answers(self) -> list[Json]:
        return [self._answer(case) for case in self._cases]


def made(rng: random.Random) -> Json:
    return {"words": [rng.choice("abcdef") for _word in range(5)], "more": rng.random()}


def has_an_a(case: Json) -> Json:
    return isinstance(case, dict) and isinstance(case.get("words"), list) and "a" in str(case["words"])


def comparison(ours: Callable[[Json], Json], *known: KnownDifference) -> Comparison:
    return Comparison("toy", "toy", "count", 50, made, ours, known, batch=7)


def test_the_same_answers_are_no_disagreement() -> None:
    outcome = compare(comparison(has_an_a), Echo(has_an_a), "seed", range(50))
    assert (outcome.cases, outcome.disagreements) == (50, [])


def test_every_disagreement_is_found_and_can_be_made_again_and_small() -> None:
    toy, peer = comparison(lambda _case: False), Echo(has_an_a)
    outcome = compare(toy, peer, "seed", range(50))
    with_a = [index for index in range(50) if has_an_a(toy.case("seed", index))]
    assert [answered.index for answered in outcome.disagreements] == with_a
    assert with_a
    again = compare(toy, peer, "seed", with_a[:1]).disagreements[0]
    assert again.case == outcome.disagreements[0].case
    assert shrunk(toy, peer, again).case == {"words": ["a"]}


def test_a_named_difference_is_counted_and_passes() -> None:
    known = KnownDifference("letter", "it has that letter", lambda case, _theirs, _ours: bool(has_an_a(case)))
    outcome = compare(comparison(lambda _case: False, known), Echo(has_an_a), "seed", range(50))
    assert outcome.disagreements == []
    assert outcome.known["letter"] > 0


@each(
    ("theirs", "ours", "agree"),
    [
        (1, 1.0, False),
        (0.1, 0.1, True),
        (0.0, -0.0, False),
        (float("nan"), float("nan"), True),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ({"error": "x"}, {"error": "y"}, True),
        ({"error": "x"}, None, False),
        ({"refused": "x"}, 1, True),
    ],
)
def test_answers_agree_to_the_last_bit_or_not_at_all(theirs: Json, ours: Json, agree: bool) -> None:
    outcome = compare(comparison(lambda _case: ours), Echo(lambda _case: theirs), "seed", [0])
    assert (outcome.disagreements == []) is agree


def test_what_raises_on_our_side_is_no_error_that_counts_as_the_same() -> None:
    def broken(_case: Json) -> Json:
        raise ValueError("ours")

    (answered,) = compare(comparison(broken), Echo(lambda _case: {"error": "theirs"}), "seed", [0]).disagreements
    assert answered.ours == {"crashed": "ValueError: ours"}


def test_a_process_answers_in_batches() -> None:
    with Peer(sys.executable, TOY) as peer:
        peer.ask("count", ["abc", None, 3])
        first = peer.answers()
        peer.ask("count", ["ü" * 300_000])
        second = peer.answers()
    assert first == [3, {"refused": "no text"}, {"error": "TypeError: object of type 'int' has no len()"}]
    assert second == [300_000]


def test_a_process_that_dies_is_told_with_its_last_words() -> None:
    with Peer(sys.executable, TOY) as peer:
        peer.ask("end", [0])
        with pytest.raises(PeerFailed, match="status 3: …out of memory"):
            peer.answers()

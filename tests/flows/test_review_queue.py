"""What is drawn for the queue: seeded, without giving a verdict away, by strata or by what stands out."""

from __future__ import annotations

import hashlib
import random

import pytest
from msgspec.structs import replace

from trace_inspector.core.review.label import Label, Level
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.flows.review.queue import BY, Candidate, asked_again, drawn


def candidate(number: int, **fields: object) -> Candidate:
    subject = hashlib.sha256(str(number).encode()).hexdigest()
    case = str(fields.pop("case", number))
    return replace(Candidate(Label(subject, Level.TURN, "m", case=case, turn=number)), **fields)


def numbers(labels: list[Label]) -> list[int]:
    return [label.turn or 0 for label in labels]


MANY = [candidate(number, status=Status.PASSED if number >= 20 else Status.FAILED) for number in range(400)]


@pytest.mark.parametrize("by", ["", *BY])
def test_the_same_seed_draws_the_same_whatever_the_order(by: str) -> None:
    voted = [
        replace(one, votes=(1.0, float(nth % 3 > 0), 1.0), score=nth / 400, threshold=0.5, grounded=nth % 2 == 0)
        for nth, one in enumerate(MANY)
    ]
    queue = drawn(voted, 30, 7, by)
    for seed in range(3):
        random.Random(seed).shuffle(voted)
        assert drawn([*voted, *voted], 30, 7, by) == queue
    assert len({*numbers(queue)}) == 30
    assert drawn(voted, 30, 8, by) != queue


def test_strata_are_drawn_alike_and_the_order_does_not_tell_them() -> None:
    assert sum(number < 20 for number in numbers(drawn(MANY, 40, 1, "verdict"))) == 20
    assert sum(number < 20 for number in numbers(drawn(MANY, 100, 1, "verdict"))) == 20  # all there are
    middle = [
        sum(place for place, number in enumerate(numbers(drawn(MANY, 40, seed, "verdict"))) if number < 20) / 20
        for seed in range(40)
    ]
    assert 17.5 < sum(middle) / len(middle) < 21.5  # 19.5 without an order
    cases = [candidate(number, case=str(number % 4 if number < 100 else 4)) for number in range(400)]
    by_case = [label.case for label in drawn(cases, 50, 1, "case")]
    assert {by_case.count(case) for case in "01234"} == {10}


def test_each_conversation_without_a_case_is_a_stratum_of_its_own() -> None:
    without = [candidate(number, case="") for number in range(40)]
    without = [
        replace(one, label=replace(one.label, file="a.json", trace=str(min(number, 3))))
        for number, one in enumerate(without)
    ]
    assert {0, 1, 2} < {*numbers(drawn(without, 4, 1, "case"))}


def test_of_what_is_answered_a_share_is_asked_again() -> None:
    answered = {(one.label.subject, one.label.question) for one in MANY[:200]}

    def again(share: float, seed: int = 1) -> set[int]:
        asked = numbers([one.label for one in asked_again(MANY, answered, share, seed)])
        assert asked == sorted(asked)
        assert {*range(200, 400)} <= {*asked}
        return {*asked} - {*range(200, 400)}

    assert again(0.0) == set()
    assert again(1.0) == {*range(200)}
    assert 70 < len(again(0.5)) < 130
    assert again(0.2) < again(0.5)
    assert again(0.5, seed=2) != again(0.5)


def test_what_stands_out_comes_first() -> None:
    votes = [(1.0, 1.0, 1.0), (1.0, 0.0, 1.0, 1.0), (1.0, 0.0), (None, 1.0), ()]
    by_votes = [candidate(number, votes=own) for number, own in enumerate(votes)]
    assert numbers(drawn(by_votes, 1, 0, "votes")) == [2]
    assert sorted(numbers(drawn(by_votes, 9, 0, "votes"))) == [1, 2]
    scored = [candidate(number, score=number / 10, threshold=0.5) for number in range(10)]
    assert sorted(numbers(drawn([*scored, candidate(99)], 3, 0, "threshold"))) == [4, 5, 6]
    grounded = [
        candidate(0, status=Status.PASSED, grounded=True),
        candidate(1, status=Status.PASSED, grounded=False),
        candidate(2, status=Status.FAILED, grounded=True),
        candidate(3, status=Status.INFORMATIONAL, grounded=False),
        candidate(4, status=Status.FAILED),
    ]
    assert sorted(numbers(drawn(grounded, 9, 0, "grounding"))) == [1, 2]


def test_one_output_is_asked_once_for_each_question() -> None:
    one = candidate(1)
    other = replace(one, label=replace(one.label, question="n"))
    again = replace(one, label=replace(one.label, file="another"), status=Status.FAILED)
    assert sorted(label.question for label in drawn([one, other, again], 9, 0)) == ["m", "n"]
    assert {label.file for label in drawn([one, again], 9, 0)} == {""}

"""Figures that stand nowhere: those that follow from the results are not flagged, those that do not are."""

from __future__ import annotations

from typing import Final

import pytest

from tests.engine.grounding.test_grounding_decision import FLAGS, judge
from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.verdict import SentenceSupport

TILLS: Final[Json] = {
    "currency": "EUR",
    "tills": [
        {"till": "north", "shift": "early", "takings_cents": 41250, "receipts": 33},
        {"till": "south", "shift": "early", "takings_cents": 28915, "receipts": 21},
        {"till": "quay", "shift": "late", "takings_cents": 19470, "receipts": 12},
    ],
}
BACKUP: Final[Json] = {"job": "backup-7c1f-x9kpt", "began": "2026-02-03T22:14:05Z", "ended": "2026-02-03T23:52:47Z"}
CRUISE: Final[Json] = {"from": "DEKEL", "sails_at": "18:35", "crossing_minutes": 95, "state": "OUTSIDE_21_DAY_WINDOW"}
NOTED: Final[Json] = "| lane | waiting | note |\n|---|---|---|\n| A | 14 | |\n| B | 9 | slow |\nRead at 12:40"


@pytest.mark.parametrize(
    ("result", "sentence"),
    [
        (TILLS, "The north till took 412.50 euros."),
        (TILLS, "The two early tills took 701.65 euros."),
        (BACKUP, "It ran for 98 minutes and 42 seconds."),
        (BACKUP, "Job x9kpt has ended."),
        (CRUISE, "The ferry from Kiel gets in at 20:10."),
        (CRUISE, "The window of 21 days has passed."),
        (NOTED, "Lane B has 5 fewer waiting than lane A."),
    ],
)
def test_what_follows_is_not_flagged(result: Json, sentence: str) -> None:
    (judged,) = judge(sentence, result)
    assert judged.support not in FLAGS, judged.reason


@pytest.mark.parametrize(
    ("result", "sentence"),
    [
        (TILLS, "The north till was robbed of 6,317.40 euros."),
        (BACKUP, "It wrote 731.6 gigabytes."),
        (CRUISE, "A cabin costs 187.20 euros."),
    ],
)
def test_what_follows_from_nothing_is_flagged(result: Json, sentence: str) -> None:
    (judged,) = judge(sentence, result)
    assert judged.support in FLAGS, judged.reason


def test_the_calculation_is_shown() -> None:
    (judged,) = judge("Both early tills together took 701.65 euros.", TILLS)
    assert judged.support is SentenceSupport.SUPPORTED
    assert "70165" in judged.reason


@pytest.mark.parametrize("number", [10**400, -(10**400), 1e308, float("inf"), float("nan")])
def test_a_number_beyond_calculation_is_passed_over(number: float) -> None:
    result: Json = {"tills": [{"till": "north", "takings": 412, "id": number}, {"till": "south", "takings": 289}]}
    (judged,) = judge("Both tills together took 701 in all.", result)
    assert judged.support is SentenceSupport.SUPPORTED, judged.reason
    (judged,) = judge("The quay till took 7,731.60 euros.", result)
    assert judged.support in FLAGS, judged.reason


def test_what_is_remembered_of_a_sentence_is_not_what_the_results_say_of_it() -> None:
    sentence = "Both tills together took 701 in all."
    follows: Json = {"tills": [{"till": "north", "takings": 412}, {"till": "south", "takings": 289}]}
    differs: Json = {"tills": [{"till": "north", "takings": 412}, {"till": "south", "takings": 913}]}
    supports = [judge(sentence, result)[0].support for result in (follows, differs, follows, differs)]
    assert supports == [SentenceSupport.SUPPORTED, SentenceSupport.UNSUPPORTED] * 2


def test_what_is_alike_but_of_another_type_is_read_anew() -> None:
    written = [
        judge("The lift is working.", {"lift": "B", "working": value})[0] for value in (True, 1, True, 0, False)
    ]
    assert written[0] == written[2]
    assert written[0].support is SentenceSupport.SUPPORTED
    assert written[4].support is SentenceSupport.CONTRADICTORY
    assert written[3].support is not SentenceSupport.CONTRADICTORY

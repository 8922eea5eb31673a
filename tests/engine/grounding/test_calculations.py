"""Counts, sums, extremes, differences and shares of records: what they support, contradict and leave alone."""

from __future__ import annotations

import pytest

from tests.engine.grounding.result_tables import tables_of_result
from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.verdict import SentenceSupport
from trace_inspector.engine.grounding.calculations.calculations import check_calculation
from trace_inspector.engine.grounding.facts.claim import read_claim
from trace_inspector.engine.grounding.tables.record import RecordFinding
from trace_inspector.engine.grounding.text.sentences import Form

LODGINGS: list[Json] = [
    {"name": "Casa Lima", "eur_per_night": 120, "rating": 8.1, "distance_km": 2.5, "free_rooms": 3, "pool": True,
     "pets_allowed": False, "status": "available"},
    {"name": "Hotel Brisa", "eur_per_night": 95, "rating": 7.4, "distance_km": 0.8, "free_rooms": 6, "pool": False,
     "pets_allowed": True, "status": "sold_out"},
    {"name": "Torre Alta", "eur_per_night": 210, "rating": 9.2, "distance_km": 5.1, "free_rooms": 1, "pool": True,
     "pets_allowed": True, "status": "available"},
    {"name": "Pension Kurz", "eur_per_night": 60, "rating": 6.9, "distance_km": 3.3, "free_rooms": 2, "pool": False,
     "pets_allowed": False, "status": "available"},
]  # fmt: skip
PURCHASES: list[Json] = [
    {"order_id": "K-7", "total_usd": 40.5, "items": 2, "ordered_on": "2026-02-03", "status": "shipped"},
    {"order_id": "K-8", "total_usd": 99, "items": 5, "ordered_on": "2026-02-10", "status": "cancelled"},
    {"order_id": "K-9", "total_usd": 15, "items": 1, "ordered_on": "2026-01-28", "status": "shipped"},
    {"order_id": "K-10", "total_usd": 60, "items": 4, "ordered_on": "2026-02-20", "status": "pending"},
    {"order_id": "K-11", "total_usd": 60, "items": 3, "ordered_on": "2026-02-21", "status": "delivered"},
]
STAFF: list[Json] = [
    {"employee": "Ana Ruiz", "team": "Ops", "hired": "2020-05-04", "vacation_days_left": 12, "remote": True},
    {"employee": "Bo Lind", "team": "Ops", "hired": "2018-01-15", "vacation_days_left": 3, "remote": False},
    {"employee": "Cem Kaya", "team": "Sales", "hired": "2023-09-01", "vacation_days_left": 20, "remote": True},
]
TICKETS: list[Json] = [
    {"id": "T-1", "status": "open", "priority": "high", "age_days": 3, "assignee": "Mo", "comments": 4},
    {"id": "T-2", "status": "closed", "priority": "low", "age_days": 14, "assignee": "Lea", "comments": 9},
    {"id": "T-3", "status": "open", "priority": "low", "age_days": 1, "assignee": None, "comments": 0},
    {"id": "T-4", "status": "in_progress", "priority": "high", "age_days": 7, "assignee": "Mo", "comments": 2},
]
YES, NO = SentenceSupport.SUPPORTED, SentenceSupport.CONTRADICTORY


def _check(result: Json, sentence: str) -> RecordFinding | None:
    return check_calculation(read_claim(sentence, Form.PROSE), tables_of_result(result))


@pytest.mark.parametrize(
    ("result", "sentence", "support"),
    [
        # extremes
        (LODGINGS, "The cheapest option is Pension Kurz.", YES),
        (LODGINGS, "The cheapest option is Hotel Brisa.", NO),
        (LODGINGS, "The highest rated hotel is Torre Alta.", YES),
        (LODGINGS, "Das günstigste Hotel ist Pension Kurz.", YES),
        (LODGINGS, "Am teuersten ist Torre Alta.", YES),
        (LODGINGS, "Hotel Brisa hat die meisten freien Zimmer.", YES),
        (LODGINGS, "Torre Alta hat die meisten freien Zimmer.", NO),
        (LODGINGS, "L'hôtel le mieux noté est Casa Lima.", NO),
        (LODGINGS, "El más barato es Pension Kurz.", YES),
        (LODGINGS, "O hotel mais barato é o Pension Kurz.", YES),
        (LODGINGS, "最も安いのはPension Kurzです。", YES),
        (LODGINGS, "最も安いのはCasa Limaです。", NO),
        (LODGINGS, "सबसे सस्ता Pension Kurz है।", YES),
        (PURCHASES, "The latest order is K-11.", YES),
        (PURCHASES, "Your oldest order is K-10.", NO),
        (TICKETS, "The oldest open ticket is T-1.", YES),
        (LODGINGS, "The cheapest hotel with a pool is Casa Lima.", YES),
        # counts
        (LODGINGS, "Zwei der vier Hotels haben einen Pool.", YES),
        (LODGINGS, "Drei der vier Hotels haben einen Pool.", NO),
        (LODGINGS, "Deux hôtels sur quatre ont une piscine.", YES),
        (LODGINGS, "Dois dos quatro hotéis têm piscina.", YES),
        (LODGINGS, "4件中2件にプールがあります。", YES),
        (LODGINGS, "Two hotels cost more than 100 euros.", YES),
        (LODGINGS, "Three hotels cost more than 100 euros.", NO),
        (PURCHASES, "Three orders have been shipped.", NO),
        (PURCHASES, "The search returned five orders.", YES),
        (PURCHASES, "The search returned six orders.", NO),
        (TICKETS, "Only one of the four tickets is closed.", YES),
        # shares
        (LODGINGS, "75 % der Hotels sind verfügbar.", YES),
        (LODGINGS, "50 % der Hotels sind verfügbar.", NO),
        (TICKETS, "Half of the tickets are open.", YES),
        (TICKETS, "Three quarters of the tickets are open.", NO),
        # sums and averages
        (LODGINGS, "Insgesamt sind noch 12 Zimmer frei.", YES),
        (LODGINGS, "Au total, il reste 11 chambres.", NO),
        (LODGINGS, "合計で12室空いています。", YES),
        (LODGINGS, "On average a night costs 121.25 euros.", YES),
        (LODGINGS, "De media, una noche cuesta 119 euros.", NO),
        (PURCHASES, "Together K-10 and K-11 cost 120 dollars.", YES),
        (PURCHASES, "Together K-10 and K-11 cost 130 dollars.", NO),
        (STAFF, "Together Ana and Bo have 15 days of leave left.", YES),
        (LODGINGS, "Three nights at the Casa Lima come to 360 euros.", YES),
        # two records
        (LODGINGS, "Torre Alta kostet 90 Euro mehr als Casa Lima.", YES),
        (LODGINGS, "Torre Alta kostet 80 Euro mehr als Casa Lima.", NO),
        (LODGINGS, "Hotel Brisa cuesta 25 euros más que Casa Lima.", NO),
        (LODGINGS, "Hotel Brisa is 1.7 km closer to the centre than Casa Lima.", YES),
        (LODGINGS, "Hotel BrisaはCasa Limaより高いです。", NO),
        (LODGINGS, "Torre Alta is more than twice as expensive as Hotel Brisa.", YES),
        (PURCHASES, "K-8 was placed a week after K-7.", YES),
        (PURCHASES, "K-11 was ordered two days after K-10.", NO),
        (PURCHASES, "K-7 contains fewer items than K-8.", YES),
    ],
)  # fmt: skip
def test_a_calculation_decides(result: Json, sentence: str, support: SentenceSupport) -> None:
    finding = _check(result, sentence)
    assert finding is not None
    assert finding.support is support


@pytest.mark.parametrize(
    ("result", "sentence"),
    [
        (LODGINGS, "Torre Alta is the best choice."),
        (LODGINGS, "Casa Lima is the most charming."),
        (LODGINGS, "The second most expensive is Casa Lima."),
        (LODGINGS, "Le deuxième hôtel le plus cher est Casa Lima."),
        (LODGINGS, "The best rated hotel under 150 euros is Casa Lima."),
        (LODGINGS, "The cheapest hotel with a garden is Torre Alta."),
        (LODGINGS, "The two hotels with a pool cost 120 and 210 euros."),
        (LODGINGS, "Apart from Torre Alta, all hotels cost less than 150 euros."),
        (LODGINGS, "Casa Lima has three rooms left."),
        (LODGINGS, "Two rooms are available."),
        (TICKETS, "Ticket 7 is open."),
        (LODGINGS, "Is Torre Alta the cheapest?"),
        (LODGINGS, "The Grand Palace and the Astoria have 40 rooms together."),
        (STAFF, "Ana has two and a half weeks of leave left."),
        (TICKETS, "Build 7 fixed it two days before the release."),
    ],
)
def test_what_may_be_right_is_left_alone(result: Json, sentence: str) -> None:
    finding = _check(result, sentence)
    assert finding is None


def test_the_reason_shows_the_calculation() -> None:
    reasons = [
        _check(LODGINGS, "Torre Alta costs 90 euros more than Casa Lima."),
        _check(PURCHASES, "Together K-10 and K-7 cost 110 dollars."),
        _check(LODGINGS, "Three of the four hotels have a pool."),
    ]
    assert [finding and finding.reason for finding in reasons] == [
        "eur_per_night: 210 − 120 = 90",
        "total_usd: 40.5 + 60 = 100.5",
        "2 of 4 records have pool: Casa Lima, Torre Alta.",
    ]


def test_a_part_of_a_list_is_not_counted() -> None:
    result: Json = {"orders": PURCHASES, "total": 48, "has_more": True}
    assert _check(result, "Three orders have been shipped.") is None
    assert _check(result, "The search returned six orders.") is None
    in_all = _check(result, "There are 48 orders in total.")
    assert in_all is not None
    assert in_all.support is YES


def test_an_invented_figure_that_some_sum_hits_is_not_supported() -> None:
    assert _check(PURCHASES, "The courier charged 120 dollars.") is None
    assert _check(LODGINGS, "It takes 12 minutes to get there.") is None


def test_a_tie_is_true_of_both() -> None:
    result: Json = [
        {"shop": "Nord", "price_eur": 5},
        {"shop": "Süd", "price_eur": 5},
        {"shop": "West", "price_eur": 9},
    ]
    for shop in ("Nord", "Süd"):
        finding = _check(result, f"The cheapest is {shop}.")
        assert finding is not None
        assert finding.support is YES


def test_what_closes_after_midnight_closes_last() -> None:
    bars: Json = [
        {"bar": "Anker", "closes": "23:30"},
        {"bar": "Birne", "closes": "01:00"},
        {"bar": "Cello", "closes": "22:00"},
    ]
    right, wrong = _check(bars, "Birne is the last one to close."), _check(bars, "Anker is the last one to close.")
    assert [finding and finding.support for finding in (right, wrong)] == [YES, NO]


def test_a_missing_value_leaves_an_extreme_open() -> None:
    result: Json = [
        {"shop": "Nord", "price_eur": 5},
        {"shop": "Ost", "price_eur": None},
        {"shop": "West", "price_eur": 9},
    ]
    assert _check(result, "The cheapest is Nord.") is None


def test_prose_has_no_calculation() -> None:
    text = (
        "The bridge was opened in 1932 and is the longest of its kind. It carries six lanes and two railway"
        " lines. About 160,000 vehicles cross it every day, more than any other bridge in the region."
    )
    assert _check(text, "The bridge is the longest and carries six lanes.") is None

"""Right sentences that a hasty calculation would contradict: parts of a set, other ranks, two attributes at once."""

from __future__ import annotations

import pytest

from tests.engine.grounding.result_tables import tables_of_result
from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.verdict import SentenceSupport
from trace_inspector.engine.grounding.calculations.calculations import check_calculation
from trace_inspector.engine.grounding.facts.claim import read_claim
from trace_inspector.engine.grounding.text.sentences import Form

FLIGHTS: list[Json] = [
    {"flight": "LX8", "to": "OSL", "fare_usd": 300, "seats_left": 12, "stopovers": 0, "departure": "08:10"},
    {"flight": "LX9", "to": "RIX", "fare_usd": 150, "seats_left": 4, "stopovers": 1, "departure": "07:05"},
    {"flight": "QA4", "to": "DOH", "fare_usd": 75, "seats_left": 30, "stopovers": 2, "departure": "21:45"},
]
MEETINGS: list[Json] = [
    {"title": "Standup", "date": "2026-05-04", "start": "09:00", "end": "09:15", "attendees": 8, "online": True},
    {"title": "Design talk", "date": "2026-05-04", "start": "13:30", "end": "15:00", "attendees": 5, "online": False},
    {"title": "Retro", "date": "2026-05-08", "start": "16:00", "end": "17:00", "attendees": 8, "online": True},
]
SALES: list[Json] = [
    {"month": "January", "revenue_eur": 12000, "orders": 240, "returns": 12},
    {"month": "February", "revenue_eur": 15000, "orders": 300, "returns": 9},
    {"month": "March", "revenue_eur": 9000, "orders": 200, "returns": 20},
]
VAULTS: list[Json] = [
    {"name": "Amber", "rating": 8.1, "distance_km": 2.5, "pool": True, "status": "open"},
    {"name": "Basalt", "rating": 9.2, "distance_km": 5.1, "pool": True, "status": "closed"},
    {"name": "Coral", "rating": 7.0, "distance_km": 0.8, "pool": False, "status": "open"},
]


@pytest.mark.parametrize(
    ("result", "sentence"),
    [
        (FLIGHTS, "LX8 and LX9 both cost more than 100 dollars."),
        (FLIGHTS, "LX9 costs 150 dollars, less than LX8."),
        (FLIGHTS, "LX9 has 4 seats left, LX8 more."),
        (FLIGHTS, "LX8 kostet 300 Dollar, das ist mehr als LX9."),
        (FLIGHTS, "LX8は300ドルで、LX9より高いです。"),
        (FLIGHTS, "LX8 is dearer than LX9 but has no stopover."),
        (FLIGHTS, "Compared with LX8, LX9 is 150 dollars cheaper."),
        (FLIGHTS, "LX8 costs more than LX9 and QA4 together."),
        (FLIGHTS, "The most expensive flight leaves at 8:10."),
        (FLIGHTS, "Two flights have stopovers."),
        (FLIGHTS, "LX9 has less than half the seats of LX8."),
        (FLIGHTS, "LX8 and QA4 are cheaper in May."),
        (MEETINGS, "The Retro starts an hour after the Design talk ends."),
        (MEETINGS, "The Standup is before the Design talk."),
        (MEETINGS, "Standup and Retro have eight attendees each."),
        (MEETINGS, "The two meetings on May 4 are the Standup and the Design talk."),
        (MEETINGS, "The first meeting on Monday is the Standup."),
        (SALES, "In March revenue was lowest, but returns were highest."),
        (SALES, "From February to March revenue fell by 40 percent."),
        (SALES, "January and February together brought in 27,000 euros."),
        (SALES, "An order in January was worth 50 euros on average."),
        (VAULTS, "Of those with a pool, Amber is the closest."),
        (VAULTS, "The best rated one under 4 km is Amber."),
        (VAULTS, "Amber is second best."),
        (VAULTS, "The two open ones are on average 1.65 km away."),
        (VAULTS, "Together Amber and the Old Town house have 40 rooms."),
    ],
)
def test_right_sentences_are_not_contradicted(result: Json, sentence: str) -> None:
    finding = check_calculation(read_claim(sentence, Form.PROSE), tables_of_result(result))
    assert finding is None or finding.support is SentenceSupport.SUPPORTED


def test_a_number_beside_a_part_of_a_list_is_left_alone() -> None:
    part: Json = {"orders": [{"id": "K-1", "total": 5}, {"id": "K-2", "total": 9}], "total": 48}
    tables = tables_of_result(part) + tables_of_result(SALES)
    assert check_calculation(read_claim("I found 40 orders.", Form.PROSE), tables) is None


def test_years_are_moments_and_no_lengths_of_time() -> None:
    cars: Json = [{"car": "Astra", "year": 2019, "range_km": 600}, {"car": "Leaf", "year": 2022, "range_km": 270}]
    older = check_calculation(
        read_claim("The Astra is three years older than the Leaf.", Form.PROSE), tables_of_result(cars)
    )
    newest = check_calculation(read_claim("The Astra is the newest.", Form.PROSE), tables_of_result(cars))
    assert older is not None
    assert newest is not None
    assert (older.support, newest.support) == (SentenceSupport.SUPPORTED, SentenceSupport.CONTRADICTORY)


def test_money_without_a_name_is_the_amount_and_no_fee() -> None:
    payments: Json = [
        {"payment": "TX-1", "debit_eur": 950, "fee_eur": 6},
        {"payment": "TX-2", "debit_eur": 220, "fee_eur": 3},
    ]
    finding = check_calculation(read_claim("TX-1 exceeds TX-2 by €730.", Form.PROSE), tables_of_result(payments))
    assert finding is not None
    assert finding.support is SentenceSupport.SUPPORTED


@pytest.mark.parametrize(
    ("sentence", "support"),
    [
        ("Revenue fell by 25 % from January to February.", SentenceSupport.CONTRADICTORY),
        ("Revenue rose by 25 % from January to February.", SentenceSupport.SUPPORTED),
        ("Revenue rose by 35 % from January to February.", SentenceSupport.CONTRADICTORY),
        ("Revenue rose by 25 % from February to January.", SentenceSupport.CONTRADICTORY),
        ("In February revenue was 25 % higher than in January.", SentenceSupport.SUPPORTED),
    ],
)
def test_changes_in_percent(sentence: str, support: SentenceSupport) -> None:
    finding = check_calculation(read_claim(sentence, Form.PROSE), tables_of_result(SALES))
    assert finding is not None
    assert finding.support is support
    assert finding.reason == (
        "revenue_eur: from 12000 (January) to 15000 (February) is +25 %"
        if "February to" not in sentence
        else "revenue_eur: from 15000 (February) to 12000 (January) is −20 %"
    )


@pytest.mark.parametrize(
    ("sentence", "support"),
    [
        ("On market days it has 5,300 callers a day.", None),
        ("There are four stalls on market days.", SentenceSupport.CONTRADICTORY),
    ],
)
def test_a_figure_that_stands_in_a_record_is_no_count_of_records(
    sentence: str, support: SentenceSupport | None
) -> None:
    stalls: list[Json] = [{"stall": "Old Quay", "day": "market day", "callers_per_day": 5300}]
    finding = check_calculation(read_claim(sentence, Form.PROSE), tables_of_result(stalls, "stalls"))
    assert (finding.support if finding else None) is support

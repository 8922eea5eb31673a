"""What one record says, in other units, rounded, as a time between its moments or a weekday."""

from __future__ import annotations

import pytest

from tests.engine.grounding.result_tables import tables_of_result
from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.verdict import SentenceSupport
from trace_inspector.engine.grounding.calculations.calculations import check_calculation
from trace_inspector.engine.grounding.calculations.durations import compound_duration
from trace_inspector.engine.grounding.calculations.statement import Statement
from trace_inspector.engine.grounding.facts.claim import read_claim
from trace_inspector.engine.grounding.text.sentences import Form

YES, NO = SentenceSupport.SUPPORTED, SentenceSupport.CONTRADICTORY
FLIGHTS: list[Json] = [
    {"flight": "LX8", "departure": "23:10", "arrival": "01:40", "price_usd": 300},
    {"flight": "LX9", "departure": "08:00", "arrival": "11:30", "price_usd": 150},
]
FILMS: list[Json] = [
    {"title": "Night Train", "duration_min": 95, "premiere": "2026-03-05", "size_mb": 1800},
    {"title": "Red Dunes", "duration_min": 128, "premiere": "2026-03-12", "size_mb": 2400},
]
PARCELS: list[Json] = [
    {"parcel": "PX-1", "weight_kg": 2.5, "distance_km": 16, "postage_cents": 450},
    {"parcel": "PX-2", "weight_kg": 4, "distance_km": 40, "postage_cents": 900},
]
PLACES: list[Json] = [{"city": "Oslo", "temp_c": -3}, {"city": "Cairo", "temp_c": 24}]


@pytest.mark.parametrize(
    ("result", "sentence", "support"),
    [
        (FLIGHTS, "LX8 takes two and a half hours.", YES),
        (FLIGHTS, "LX8 takes 3 h 30 min.", NO),
        (FLIGHTS, "Der Flug LX9 dauert 3 Stunden und 30 Minuten.", YES),
        (FLIGHTS, "LX9便の所要時間は3時間30分です。", YES),
        (FILMS, "Night Train lasts 1 hour and 35 minutes.", YES),
        (FILMS, "Night Train dure 1 h 45.", NO),
        (FILMS, "The premiere of Red Dunes is on a Thursday.", YES),
        (FILMS, "The premiere of Red Dunes is on a Friday.", NO),
        (FILMS, "The file of Night Train has a size of 1.8 GB.", YES),
        (FILMS, "Red Dunes runs for about 130 minutes.", YES),
        (FILMS, "Night Train runs for about 120 minutes.", NO),
        (PARCELS, "PX-1 weighs 2,500 grams.", YES),
        (PARCELS, "PX-1 weighs 3,500 grams.", NO),
        (PARCELS, "It is 10 miles to the address of PX-1.", YES),
        (PLACES, "In Cairo it is 75.2 °F.", YES),
        (PLACES, "In Oslo it is 35 °F.", NO),
    ],
)
def test_one_record_in_other_words(result: Json, sentence: str, support: SentenceSupport) -> None:
    finding = check_calculation(read_claim(sentence, Form.PROSE), tables_of_result(result))
    assert finding is not None
    assert finding.support is support


@pytest.mark.parametrize("sentence", ["PX-1 arrives in 40 minutes.", "PX-1 is insured for 50 dollars."])
def test_a_unit_of_nothing_in_the_record_is_left_alone(sentence: str) -> None:
    assert check_calculation(read_claim(sentence, Form.PROSE), tables_of_result(PARCELS)) is None


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("2 hours and 4 minutes", 7440),
        ("1 h 5", 3900),
        ("20 min 30 s", 1230),
        ("2 Stunden und 10 Minuten", 7800),
        ("1時間12分", 4320),
        ("3 hours", None),
        ("5 minutes and 2 hours", None),
        ("one hour and 35 minutes", 5700),
        ("an hour and twenty minutes", 4800),
        ("eine Stunde und 35 Minuten", 5700),
        ("une heure et 20 minutes", 4800),
        ("una hora y cinco minutos", 3900),
        ("uma hora e 10 minutos", 4200),
        ("1 h 35 min", 5700),
        ("1 h 35", 5700),
        ("2 days, 3 hours and 5 minutes", 183_900),
        ("an hour, 90 minutes", None),
        ("an hour", None),
    ],
)
def test_compound_durations(text: str, seconds: float | None) -> None:
    figure = compound_duration(Statement(read_claim(text, Form.PROSE)))
    assert (figure.amount.values[0] * figure.amount.unit[0][1] if figure else None) == seconds

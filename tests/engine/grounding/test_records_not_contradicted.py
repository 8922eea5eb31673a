"""Sentences that records do not contradict although a figure, a state or a line of theirs is near; and their like."""

from __future__ import annotations

from typing import Final

import pytest

from tests.engine.grounding.records_figures import evidence_of
from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.verdict import SentenceSupport
from trace_inspector.engine.grounding.facts.claim import read_claim
from trace_inspector.engine.grounding.records.check import check_records
from trace_inspector.engine.grounding.tables.tables import tables_of
from trace_inspector.engine.grounding.text.sentences import Form

DRILLS: Final[Json] = [
    {"drill": "Torque 9", "guarantee_years": 3, "price_eur": 120},
    {"drill": "Auger", "guarantee_years": 5, "price_eur": 180},
]
STALLS: Final[Json] = [
    {"stall": "ST-31", "area_m2": 12, "sockets": 4, "footfall_pct": 2.5},
    {"stall": "ST-32", "area_m2": 20, "sockets": 6, "footfall_pct": -1.5},
]
STOPS: Final[Json] = [{"stop": "Mill Lane", "distance_m": 420}, {"stop": "Ford Bridge", "distance_m": 900}]
SHOWS: Final[Json] = [
    {"title": "Harbour tour", "minutes": 50},
    {"title": "Cellar visit", "minutes": 30},
    {"title": "Tower climb", "minutes": 25},
]
TOUR: Final[Json] = {
    "title": "Harbour tour",
    "stations": [{"station": "quay", "minutes": 10}, {"station": "lock", "minutes": 15}],
}
PROBES: Final[Json] = (
    "2026-04-02T06:10:00Z INFO rollout: deploying to shard-7\n"
    "2026-04-02T06:10:20Z WARN search: health check 1/4 failed\n"
    "2026-04-02T06:11:50Z ERROR search: health check 4/4 failed\n"
    "2026-04-02T06:12:05Z INFO search: recovered"
)
LOANS: Final[Json] = {
    "loans": [
        {"loan": "L-11", "approved_by": "Novak", "amount_eur": 900},
        {"loan": "L-12", "approved_by": None, "amount_eur": 400},
    ]
}
TRAMS: Final[Json] = [{"line": "T4", "status": "cancelled"}, {"line": "T7", "status": "on time"}]
TENTS: Final[Json] = "Tent Alder weighs 3 kg. Tent Beech weighs 6 kg."
GARDENS: Final[Json] = (
    "O Jardim Azul fica no centro. O Azul abre no domingo. A entrada do Azul custa 4 euros. "
    "O Museu Verde encontra-se no porto. O Verde recebe grupos no inverno. O teto do Verde tem 6 metros."
)

YES, NO = SentenceSupport.SUPPORTED, SentenceSupport.CONTRADICTORY


def support(result: Json, sentence: str) -> SentenceSupport | None:
    evidence = evidence_of([result])
    finding = check_records(read_claim(sentence, Form.PROSE), evidence, tables_of(evidence))
    return finding.support if finding else None


@pytest.mark.parametrize(
    ("result", "sentence"),
    [
        (DRILLS, "The Auger takes 40 minutes to charge."),
        (DRILLS, "The Auger needs about 40 minutes to charge."),
        (STALLS, "ST-31 has a 50 cm shelf."),
        (STALLS, "About 3,000 people pass ST-31 in a day, and footfall is stable."),
        (STOPS, "Mill Lane is about 6 minutes on foot."),
        (SHOWS, "The tour takes 55 minutes in total."),
        (TOUR, "The tour takes 50 minutes in total."),
        (PROBES, "Les quatre contrôles de santé ont échoué entre 6:10 et 6:11."),
        (PROBES, "Les quatre contrôles de santé de search ont échoué sur shard-7."),
        (PROBES, "Search was healthy again 15 seconds after its error."),
    ],
)
def test_what_is_only_near_a_figure_of_the_records_is_not_contradicted(result: Json, sentence: str) -> None:
    assert support(result, sentence) is not NO


@pytest.mark.parametrize(
    ("result", "sentence", "expected"),
    [
        (DRILLS, "The guarantee of the Auger is 24 months.", NO),
        (STOPS, "The distance to Mill Lane is about 2 km.", NO),
        (STOPS, "Mill Lane is 0.42 km away.", YES),
        (SHOWS, "All of them together take 95 minutes in total.", NO),
        (SHOWS, "All of them together take 105 minutes in total.", YES),
        (STALLS, "ST-32 is 215 square feet.", None),
        (PROBES, "Search recovered 15 seconds after its error.", YES),
        (PROBES, "Search recovered 25 seconds after its error.", None),
        (PROBES, "Search recovered once.", YES),
        (PROBES, "Search recovered twice.", None),
        (LOANS, "No one has approved L-11.", NO),
        (LOANS, "Nobody has approved L-12.", YES),
        (LOANS, "Niemand hat L-11 gesehen.", None),
        (TRAMS, "Die T4 fällt aus.", YES),
        (TRAMS, "Die T7 fällt aus.", NO),
        (TRAMS, "La T4 est supprimée.", YES),
        (TENTS, "Tent Beech is twice as heavy as Tent Alder.", YES),
        (TENTS, "Tent Beech weighs 3 kg.", NO),
        (SHOWS, "The Harbour tour is dearer than the Cellar visit.", None),
    ],
)
def test_what_the_records_do_tell_is_told(result: Json, sentence: str, expected: SentenceSupport | None) -> None:
    assert support(result, sentence) is expected


def test_the_portuguese_word_for_in_the_denies_nothing() -> None:
    (table,) = tables_of(evidence_of([GARDENS]))
    states = [field.value for record in table.records for field in record.fields if isinstance(field.value, bool)]
    assert states
    assert all(states)


@pytest.mark.parametrize(
    "text",
    [
        "Rome was founded in 753 BC. Carthage fell in 146 BC.",
        "The Seine is 777 km long. It ends in the Channel.",
        "Alder weighs 3 kg. Alder weighs 6 kg.",
    ],
)
def test_a_few_sentences_that_are_not_alike_are_no_table(text: str) -> None:
    assert tables_of(evidence_of([text])) == []

"""What strangers' data showed to be judged wrongly: each kind once, in sentences of our own."""

from __future__ import annotations

from typing import Final

import pytest

from tests.engine.grounding.grounding_example import judged_one, label_of
from trace_inspector.core.values.values import Json

FERRIES: Final[Json] = [
    {"to": "HEL", "fare_eur": 310, "departs": "07:40", "arrives": "09:10", "state": "on_time"},
    {"to": "RIX", "fare_eur": 275, "departs": "11:05", "arrives": "15:35", "state": "delayed"},
    {"to": "GDN", "fare_eur": 190, "departs": "18:20", "arrives": "23:50", "state": "cancelled"},
]
PARCELS: Final[Json] = {
    "parcels": [
        {"parcel": "P-771", "status": "delivered", "weight_kg": 2.0, "insured": True, "signed_by": None},
        {"parcel": "P-772", "status": "cancelled", "weight_kg": 5.5, "insured": False, "signed_by": "Olsen"},
        {"parcel": "P-773", "status": "delivered", "weight_kg": 1.5, "insured": False, "signed_by": "Berg"},
    ]
}
FORECAST: Final[Json] = {"city": "Turin", "condition": "rain", "temp_c": 14, "wind_kph": 20}
ROOMS: Final[Json] = "Studio Ash costs 100 dollars. Studio Birch costs 200 dollars."
LOG: Final[Json] = (
    "[08:01:10] INFO mailer: started\n[08:01:12] WARN mailer: retry 1 of 3\n"
    "[08:02:40] ERROR billing: connection refused\n[08:03:00] INFO billing: recovered"
)

WRONG = frozenset({"unsupported", "contradictory"})
UNFLAGGED = frozenset({"supported", "not_applicable", "cannot_tell"})


@pytest.mark.parametrize(
    ("result", "sentence"),
    [
        (FERRIES, "The ferry to HEL costs 275 euros."),
        (FERRIES, "The RIX ferry was cancelled."),
        (FERRIES, "The ferry to GDN departs at 11:05."),
        (PARCELS, "Parcel P-771 was cancelled."),
        (PARCELS, "P-772 is insured."),
        (PARCELS, "P-773 weighs 5.5 kg."),
        (FORECAST, "It is sunny in Turin, 14 degrees."),
        (FORECAST, "Turin has 20 degrees."),
        (ROOMS, "Studio Ash costs 200 dollars."),
        (PARCELS, "All parcels were delivered."),
        (PARCELS, "No one signed for P-773."),
    ],
)
def test_a_swap_of_records_values_or_states_is_wrong(result: Json, sentence: str) -> None:
    assert label_of(result, sentence) in WRONG


@pytest.mark.parametrize(
    ("result", "sentence"),
    [
        (FERRIES, "The ferry to HEL costs 310 euros."),
        (FERRIES, "Das Schiff nach GDN fällt aus."),
        (FERRIES, "The cheapest ferry goes to GDN."),
        (FERRIES, "The crossing to HEL takes an hour and a half."),
        (FERRIES, "HEL is 120 euros dearer than GDN."),
        (PARCELS, "Two of the three parcels were delivered."),
        (PARCELS, "Together they weigh 9 kg."),
        (PARCELS, "P-772 has been called off."),
        (PARCELS, "There is no signature for P-771."),
        (PARCELS, "P-771 est assuré."),
        (PARCELS, "A third of the parcels is insured."),
        (FORECAST, "Expect rain in Turin."),
        (FORECAST, "It has 57 °F there."),
        (ROOMS, "Studio Birch is twice as expensive as Studio Ash."),
        (LOG, "Billing recovered 20 seconds after its error."),
        (LOG, "The mailer retried once."),
    ],
)
def test_what_follows_from_the_records_is_not_flagged(result: Json, sentence: str) -> None:
    assert label_of(result, sentence) in UNFLAGGED


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("The museum is open daily (the café is closed on Mondays).", "The museum is open daily."),
        ("Entry is free. Nothing in the shop is free.", "Entry is free."),
        ("The trail takes one to three hours.", "The trail takes 1 to 3 hours."),
        ("Dogs are not allowed. Cats are.", "Dogs are not allowed."),
    ],
)
def test_what_stands_there_is_supported_whatever_stands_beside_it(text: str, sentence: str) -> None:
    assert label_of(text, sentence) == "supported"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("No cards are accepted on board.", "Cards are accepted on board."), ("The gate was reopened.", "Opened.")],
)
def test_what_stands_there_behind_a_negation_or_in_a_word_is_not_word_for_word(text: str, sentence: str) -> None:
    assert "word for word" not in judged_one(text, sentence).reason

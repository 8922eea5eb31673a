"""A field that is rightly called missing is supported, one that is there is not missing."""

from __future__ import annotations

import pytest

from tests.engine.grounding.grounding_example import judged_one, label_of
from trace_inspector.core.values.values import Json

FERRIES: Json = [
    {"to": "HEL", "fare_eur": 310, "berth": None},
    {"to": "TLL", "fare_eur": 275, "berth": None},
]
ONE: dict[str, Json] = {"lab": "North", "sample": "S-4", "volume_ml": 12, "operator": "Berg", "note": ""}


@pytest.mark.parametrize(
    ("result", "sentence"),
    [
        (FERRIES, "No pier is given."),
        (FERRIES, "The pier is not stated."),
        (FERRIES, "The results don’t mention a pier."),
        (FERRIES, "No berth is given."),
        (FERRIES, "No pier is given for HEL."),
        (ONE, "No expiry date is listed."),
        (ONE, "No note is recorded."),
        (ONE, "Es ist kein Ablaufdatum angegeben."),
    ],
)
def test_a_field_rightly_called_missing_is_supported(result: Json, sentence: str) -> None:
    assert label_of(result, sentence) == "supported"


@pytest.mark.parametrize(
    ("result", "sentence"),
    [(FERRIES, "No fare is given."), (ONE, "No operator is named."), (ONE, "The volume is not stated.")],
)
def test_a_field_that_is_there_is_not_missing(result: Json, sentence: str) -> None:
    assert label_of(result, sentence) == "contradictory"


@pytest.mark.parametrize("sentence", ["Es ist kein Bediener genannt.", "Es ist kein Fahrpreis angegeben."])
def test_a_word_of_another_language_may_be_that_of_a_key(sentence: str) -> None:
    assert label_of(ONE | {"fare_eur": 9}, sentence) != "supported"


def test_that_a_user_asks_for_it_gives_no_field() -> None:
    judged = judged_one(FERRIES, "No pier is given.", user="From which pier does the ferry to HEL leave?")
    assert judged.support.value == "supported"
    assert judged.reason == "No result says anything of “pier”."

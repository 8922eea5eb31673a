"""Times in words and in two parts, held against figures whose unit stands in the key."""

from __future__ import annotations

import pytest

from tests.engine.grounding.grounding_example import label_of
from trace_inspector.core.values.values import Json
from trace_inspector.engine.grounding.facts.reading import read

FERRIES = {
    "duration_minutes": (95, 80),
    "minutes": (95, 80),
    "mins": (95, 80),
    "duration_ms": (5_700_000, 4_800_000),
    "seconds": (5_700, 4_800),
    "crossing_s": (5_700, 4_800),
    "trip_h": (1.5833, 1.3333),
}


def ferries(key: str) -> Json:
    return [{"to": name, key: value} for name, value in zip(("HEL", "TLL"), FERRIES[key], strict=True)]


@pytest.mark.parametrize("key", FERRIES)
@pytest.mark.parametrize(
    "sentence",
    [
        "The ferry to HEL takes one hour and 35 minutes.",
        "The ferry to HEL takes 1 h 35 min.",
        "The ferry to HEL takes 95 minutes.",
        "The ferry to TLL takes an hour and twenty minutes.",
    ],
)
def test_the_same_time_in_other_words_is_supported(key: str, sentence: str) -> None:
    assert label_of(ferries(key), sentence) == "supported"


@pytest.mark.parametrize("key", [key for key in FERRIES if key not in ("crossing_s", "trip_h")])
@pytest.mark.parametrize(
    "sentence",
    [
        "The ferry to HEL takes two hours.",
        "The ferry to HEL takes one hour and 20 minutes.",
        "Die Fähre nach HEL dauert zwei Stunden.",
    ],
)
def test_another_time_is_contradictory(key: str, sentence: str) -> None:
    assert label_of(ferries(key), sentence) == "contradictory"


@pytest.mark.parametrize(
    ("sentence", "label"),
    [
        ("Die Fähre nach HEL dauert eine Stunde und 35 Minuten.", "supported"),
        ("Le ferry pour HEL dure une heure et 35 minutes.", "supported"),
        ("El ferry a HEL dura una hora y 35 minutos.", "supported"),
        ("O ferry para HEL dura uma hora e 35 minutos.", "supported"),
        ("The ferry to HEL takes about an hour and a half.", "supported"),
        ("The ferry to HEL takes over an hour and a half.", "supported"),
        ("The ferry to TLL takes almost an hour and a half.", "supported"),
        ("The ferry to TLL takes an hour and a half.", "contradictory"),
        ("The ferry to HEL takes an hour.", "contradictory"),
    ],
)
def test_a_time_is_exact_unless_a_word_makes_it_wider(sentence: str, label: str) -> None:
    assert label_of(ferries("duration_minutes"), sentence) == label


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("half an hour", 1_800),
        ("an hour and a half", 5_400),
        ("two hours and a half", 9_000),
        ("an hour and three quarters", 6_300),
        ("three quarters of an hour", 2_700),
        ("eine halbe Stunde", 1_800),
        ("eine Dreiviertelstunde", 2_700),
        ("anderthalb Stunden", 5_400),
        ("viereinhalb Minuten", 270),
        ("une heure et demie", 5_400),
        ("un quart d’heure", 900),
        ("una hora y media", 5_400),
        ("uma hora e meia", 5_400),
        ("2 days, 3 hours and 5 minutes", 183_900),
    ],
)
def test_a_time_in_words_is_one_figure(text: str, seconds: float) -> None:
    (fact,) = read(text).facts
    assert fact.amount is not None
    assert [value * fact.amount.unit[0][1] for value in fact.amount.values] == [seconds]
    assert text[fact.start : fact.end] in text


@pytest.mark.parametrize("text", ["an hour", "a day later", "quarter past the hour", "half the seats"])
def test_what_is_no_time_in_parts_is_no_figure(text: str) -> None:
    assert read(text).facts == ()


def test_the_length_of_a_list_is_no_time() -> None:
    assert label_of([{"a": "x"}, {"a": "y"}, {"a": "z"}], "The wait is three hours.") == "unsupported"

"""What the rules read out of a text: numbers, dates, times, identifiers, in many spellings."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.tables import each
from trace_inspector.engine.grounding.facts.amounts import readings
from trace_inspector.engine.grounding.facts.fact import Fact, FactKind
from trace_inspector.engine.grounding.facts.reading import read_facts
from trace_inspector.engine.grounding.text.units import number_words, unit_of
from trace_inspector.engine.grounding.text.words import find_words, folded_set, keys_of


def read(text: str) -> list[Fact]:
    return read_facts(text, folded_set(find_words(text)))


def keys(text: str) -> set[str]:
    return {key for fact in read(text) for key in fact.keys}


def numbers(text: str) -> list[float]:
    return sorted(fact.amount.values[0] for fact in read(text) if fact.kind is FactKind.NUMBER and fact.amount)


@each(
    ("digits", "values"),
    [
        ("1,000", (1000.0, 1.0)),
        ("1.000", (1000.0, 1.0)),
        ("1 000", (1000.0,)),
        ("1\u202f000", (1000.0,)),
        ("1'000", (1000.0,)),
        ("1,234.50", (1234.5,)),
        ("1.234,50", (1234.5,)),
        ("1,00,000", (100000.0,)),
        ("0.125", (0.125,)),
        ("3,5", (3.5,)),
        ("1.2.3", ()),
        ("٤٠", (40.0,)),
        ("४०", (40.0,)),
    ],
)
def test_digits_are_read_as_every_country_writes_them(digits: str, values: tuple[float, ...]) -> None:
    assert readings(digits)[0] == values


@each(
    ("text", "found"),
    [
        ("1.5k users and 2.5 million dollars", [1500.0, 2_500_000.0]),
        ("40K and 2M", [40_000.0, 2_000_000.0]),
        ("12.34e5 and 1e-3", [0.001, 1_234_000.0]),
        ("10-15 guests", [10.0, 15.0]),
        ("between 5–7 days", [5.0, 7.0]),
        ("-5°C outside", [-5.0]),
        ("½ cup, 1/2 litre, 2½ hours", [0.5, 0.5, 2.5]),
        ("half an hour, a quarter mile", [0.25, 0.5]),
        ("twenty-five guests", [25.0]),
        ("two hundred and ten rooms, three thousand beds", [210.0, 3000.0]),
        ("a dozen eggs", [12.0]),
        ("fünfundzwanzig Gäste, zwölf Zimmer", [12.0, 25.0]),
        ("treinta y dos habitaciones", [32.0]),
        ("三つの部屋", [3.0]),
        ("1.5万円", [15_000.0]),
        ("दो कमरे", [2.0]),
        ("one of them, no one, once", []),
        ("1e999", []),
    ],
)
def test_numbers_are_found_with_their_factors(text: str, found: list[float]) -> None:
    assert numbers(text) == found


@each(
    ("text", "key"),
    [
        ("2025-03-05", "date:2025-03-05"),
        ("2025/03/05", "date:2025-03-05"),
        ("3/5/2025", "date:2025-03-05"),
        ("5.3.2025", "date:2025-03-05"),
        ("5 March 2025", "date:2025-03-05"),
        ("5th of March, 2025", "date:2025-03-05"),
        ("March 5, 2025", "date:2025-03-05"),
        ("Mar. 5th 2025", "date:2025-03-05"),
        ("am 5. März 2025", "date:2025-03-05"),
        ("le 5 mars 2025", "date:2025-03-05"),
        ("el 5 de marzo de 2025", "date:2025-03-05"),
        ("2025年3月5日", "date:2025-03-05"),
        ("5 मार्च 2025", "date:2025-03-05"),
        ("2025-03-05T20:00:00Z", "time:20:00"),
        ("March 5", "yearless:03-05"),
        ("March 2025", "month:2025-03"),
        ("8 pm", "time:20:00"),
        ("8 p.m.", "time:20:00"),
        ("12 am", "time:00:00"),
        ("8:30 PM", "time:20:30"),
        ("20 Uhr", "time:20:00"),
        ("20.30 Uhr", "time:20:30"),
        ("20h30", "time:20:30"),
        ("午後8時", "time:20:00"),
        ("午後8時半", "time:20:30"),
        ("from 8 to 10 pm", "time:20:00"),
        ("at noon", "time:12:00"),
        ("on Wednesday", "weekday:2"),
        ("montags", "weekday:0"),
        ("水曜日", "weekday:2"),
        ("बुधवार", "weekday:2"),
        ("order R-2041", "id:r2041"),
        ("seat 12A", "id:12a"),
        ("flight LH 454", "id:lh454"),
        ("v2.1.3", "id:213"),
        ("10.0.12.20", "id:1001220"),
        ("+1 415 555 0100", "id:14155550100"),
        ("zip 02139", "id:02139"),
        ("123e4567-e89b-12d3-a456-426614174000", "id:123e4567e89b12d3a456426614174000"),
        ("a.b@c.example.", "mail:a.b@c.example"),
        ("(https://www.a.example/b/).", "url:a.example/b"),
    ],
)
def test_spellings_of_one_value_have_one_key(text: str, key: str) -> None:
    assert key in keys(text)


def test_an_ambiguous_date_has_both_readings() -> None:
    assert keys("03/04/2025") == {"date:2025-04-03", "date:2025-03-04"}


def test_no_part_of_a_date_or_a_code_is_a_number_too() -> None:
    assert numbers("On 2025-03-05 at 20:00, order R-2041 from 10.0.12.20.") == []


def test_a_span_of_weekdays_implies_the_days_between() -> None:
    implied = {key for fact in read("Fri-Mon") for key in fact.implied}
    assert implied == {"weekday:4", "weekday:5", "weekday:6", "weekday:0"}


def test_short_weekdays_need_their_capital() -> None:
    assert keys("we sat in the sun") == set()


@each(
    ("one", "other", "shared"),
    [
        ("€", "EUR", {"money EUR"}),
        ("dollars", "USD", {"money USD"}),
        ("km", "miles", {"length"}),
        ("m", "minutes", {"time"}),
        ("m", "feet", {"length"}),
        ("minutes", "%", set()),
        ("spots", "km", set()),
    ],
)
def test_units_that_measure_the_same_share_a_dimension(one: str, other: str, shared: set[str]) -> None:
    assert {dimension for dimension, _ in unit_of(one)} & {dimension for dimension, _ in unit_of(other)} == shared


@each(
    ("one", "other"),
    [
        ("garages", "Garage"),
        ("cities", "city"),
        ("closes", "closed"),
        ("Plätze", "Platz"),
        ("cubierta", "cubiertos"),
        ("availableSpots", "spots available"),
        ("price", "cost"),
        ("Café", "CAFE"),
    ],
)
def test_forms_of_a_word_share_their_keys(one: str, other: str) -> None:
    assert keys_of(find_words(one)) == keys_of(find_words(other)) != set()


def test_marks_belong_to_the_letters_they_stand_on() -> None:
    assert find_words("यह गैराज खुला है। Café a_b 🎉") == ["यह", "गैराज", "खुला", "है", "Café", "a", "b"]


PIECES = st.sampled_from(
    ["1", "0", "٤", "½", ",", ".", " ", "-", "/", ":", "$", "€", "%", "e", "E", "pm", "Uhr", "R-", "@", "https://",
     "May", "three", "and", "hundred", "Mon", "年", "月", "日", "時", "万", "三つ", "\ud800", "\x00", "\u202e"]
)  # fmt: skip


@given(st.one_of(st.text(), st.lists(PIECES, max_size=40).map("".join), st.lists(PIECES, max_size=40).map(" ".join)))
def test_any_text_can_be_read(text: str) -> None:
    for fact in read(text):
        assert 0 <= fact.start < fact.end <= len(text)
    for start, end, value in number_words(text):
        assert 0 <= start < end <= len(text)
        assert value >= 0
    keys_of(find_words(text))


def test_a_small_number_with_a_large_exponent_is_read() -> None:
    text = "It is 0.00001e308 or 5e999 or 2e-3 of it"
    values = [fact.amount.values for fact in read_facts(text, set()) if fact.amount]
    assert values == [(1e303,), (0.002,)]

"""`trajectory_match` with `any_spelling`: names of arguments that a converter wrote in camelCase."""

from __future__ import annotations

from msgspec.structs import replace

from tests.engine.builders import case, judged, trace, turn
from tests.helpers.tables import each
from trace_inspector.core.golden.matcher import Match, Matcher
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.verdict import MetricVerdict

ON: dict[str, Json] = {"any_spelling": True}


def verdict(wanted: Json, given: Json, options: dict[str, Json]) -> MetricVerdict:
    """What is said of one call with these arguments."""
    golden = case("c", turn("hi", calls=[ToolCall("f", wanted, place="/call")]))
    return judged(
        golden, trace("c", turn("hi", calls=[ToolCall("f", given)])), "trajectory_match", 1.0, options
    ).metrics[0]


@each(
    ("wanted", "given", "score"),
    [
        ({"city_name": "Rome"}, {"cityName": "Rome"}, 1.0),
        ({"cityName": "Rome"}, {"city_name": "Rome"}, 1.0),
        ({"city_name": "Rome"}, {"cityName": "Oslo"}, 0.0),
        ({"seat": {"row_id": 1}, "all_of": [{"row_id": 2}]}, {"seat": {"rowId": 1}, "allOf": [{"rowId": 2}]}, 1.0),
        ({"city_name": 1}, {"cityName": 1, "city_name": 1}, 0.0),  # both are there: nothing is renamed
        ({"city_name": "cityName"}, {"cityName": "city_name"}, 0.0),  # values are no names
        ({"a": 1}, {"b": 1}, 0.0),
        (None, None, 1.0),
        ([{"a_b": 1}], [{"aB": 1}], 1.0),
    ],
)
def test_names_agree_whatever_their_spelling(wanted: Json, given: Json, score: float) -> None:
    assert verdict(wanted, given, ON).score == score


def test_it_is_off_unless_asked_for_and_says_so_when_on() -> None:
    assert verdict({"a_b": 1}, {"aB": 1}, {}).score == 0.0
    assert verdict({"a_b": 1}, {"a_b": 1}, {}).reason == ""
    assert verdict({"a_b": 1}, {"aB": 1}, ON).reason == "names of arguments may differ in snake_case and camelCase"


def test_matchers_of_the_golden_still_hold() -> None:
    golden = case("c", turn("hi", calls=[ToolCall("f", {"city_name": "Rome"}, place="/call")]))
    golden = replace(golden, matchers=(Matcher("/call/args/city_name", Match.ANY),))
    observed = trace("c", turn("hi", calls=[ToolCall("f", {"cityName": "Oslo"})]))
    assert judged(golden, observed, "trajectory_match", 1.0, ON).metrics[0].score == 1.0
    assert judged(golden, observed, "trajectory_match", 1.0, {}).metrics[0].score == 0.0


def test_a_word_that_is_neither_is_refused() -> None:
    assert "all else is true or false" in verdict({}, {}, {"any_spelling": "perhaps"}).reason

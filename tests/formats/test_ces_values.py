"""Protobuf's own types in both spellings, times to the nanosecond, enumerations by name and number."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.campaigns import examples
from tests.helpers.tables import each
from trace_inspector.core.values.values import ABSENT, Absent, Json, JsonObject
from trace_inspector.formats.ces.common import enums as ces_enums
from trace_inspector.formats.ces.common.enums import OUTCOME, SPAN_TYPE, Enumeration, enum_word
from trace_inspector.formats.ces.common.values import any_message, duration_nanos, plain, seconds, time_nanos
from trace_inspector.formats.common.extras import extras_of
from trace_inspector.formats.common.fields import Fields, Report

_SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
_JSON: st.SearchStrategy[Any] = st.recursive(
    _SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3), max_leaves=12
)


def as_value(value: Json, *, snake: bool) -> Json:
    """A plain value as the message that a Value is."""

    def named(kind: str) -> str:
        return f"{kind}_value" if snake else f"{kind}Value"

    if isinstance(value, dict):
        return {named("struct"): as_struct(value, snake=snake)}
    if isinstance(value, list):
        return {named("list"): {"values": [as_value(one, snake=snake) for one in value]}}
    if value is None:
        return {named("null"): 0}
    kind = "bool" if isinstance(value, bool) else "string" if isinstance(value, str) else "number"
    return {named(kind): value}


def as_struct(value: JsonObject, *, snake: bool) -> Json:
    """A plain object as the message that a Struct is."""
    return {"fields": {key: as_value(held, snake=snake) for key, held in value.items()}}


@examples(40, 1000)
@given(st.dictionaries(st.text(), _JSON, max_size=4), st.booleans())
def test_a_struct_field_by_field_is_the_object_it_says(value: JsonObject, snake: bool) -> None:
    assert plain(as_struct(value, snake=snake)) == value


@each(
    "value",
    [
        {"fields": {"fare": 3}},
        {"fields": ["name", "age"]},
        {"fields": {"a": {"stringValue": "x"}}, "more": 1},
        {"fields": {"a": {"stringValue": "x", "boolValue": True}}},
        {"stringValue": "an argument of that name"},
        {"fields": []},
        [1, 2.0, None],
        "3.5s",
        9007199254740993,
    ],
)
def test_what_is_no_message_stays_as_it_stands(value: Json) -> None:
    assert plain(value) is value


def test_entries_and_a_repeated_kind_are_seen_through() -> None:
    listed: Json = {"fields": [{"key": "seat", "value": {"stringValue": "4a", "kind": "stringValue"}}]}
    assert plain(listed) == {"seat": "4a"}
    assert plain({"fields": {"seat": {"listValue": [{"numberValue": 6}]}}}) == {"seat": [6]}


def test_a_struct_too_deep_to_follow_ends_as_it_stands() -> None:
    value: Json = {"stringValue": "bottom"}
    for _ in range(400):
        value = {"structValue": {"fields": {"down": value}}}
    inner = plain({"fields": {"down": value}})
    for _ in range(40):
        assert isinstance(inner, dict)
        inner = inner["down"]
    assert isinstance(inner, dict)


@each(
    ("text", "nanos"),
    [
        ("1970-01-01T00:00:00Z", 0),
        ("1970-01-01T00:00:01.000000001Z", 1_000_000_001),
        ("1970-01-01T05:30:00.5+05:30", 500_000_000),
        ("1969-12-31T23:59:59.9Z", -100_000_000),
        ("2026-11-20t20:00:00z", 1_795_204_800_000_000_000),
        ("2026-11-20T20:00:00.123456Z", 1_795_204_800_123_456_000),
        ({"seconds": "1795204800", "nanos": 7}, 1_795_204_800_000_000_007),
        ({"seconds": 1}, 1_000_000_000),
    ],
)
def test_a_timestamp_is_known_to_the_nanosecond(text: Json, nanos: int) -> None:
    assert time_nanos(text) == nanos


@each(
    ("text", "nanos"),
    [
        ("3.5s", 3_500_000_000),
        ("3.500s", 3_500_000_000),
        ("3.500000001s", 3_500_000_001),
        ("-0.25s", -250_000_000),
        ("0s", 0),
        ({"seconds": "3", "nanos": 500_000_000}, 3_500_000_000),
        ({"nanos": 5}, 5),
    ],
)
def test_a_duration_is_known_to_the_nanosecond(text: Json, nanos: int) -> None:
    assert duration_nanos(text) == nanos
    assert seconds(nanos) == nanos / 1e9


@each(
    "value",
    [
        ABSENT, None, True, 3.5, "", "3.5", "s", "1e3s", "٣s", "3.5S", ".5s", "3.1234567891s", "999999999999s", [],
        {}, {"seconds": "x"}, {"seconds": 1.5}, {"seconds": True}, {"minutes": 2}, {"seconds": "1", "nanos": None},
        {"seconds": 10**15},
    ],
)  # fmt: skip
def test_what_is_no_duration_is_none(value: Json | Absent) -> None:
    assert duration_nanos(value) is None


@each(
    "value",
    [ABSENT, None, 0, "", "yesterday", "2026-13-01T00:00:00Z", "2026-01-01", "2026-01-01T00:00:00+99:00", {}, "3.5s"],
)
def test_what_is_no_timestamp_is_none(value: Json | Absent) -> None:
    assert time_nanos(value) is None
    assert seconds(time_nanos(value)) is None


def test_all_else_is_an_extra_but_what_dumps_fill_in() -> None:
    said: JsonObject = {
        "a/b": 0,
        "off": False,
        "nothing": None,
        "empty": {},
        "noText": "",
        "noList": [],
        "readHere": 1,
    }
    extras = extras_of(Fields(said, "/x"), "read_here")
    assert [(extra.name, extra.value, extra.place) for extra in extras] == [
        ("a/b", 0, "/x/a~1b"),
        ("off", False, "/x/off"),
        ("nothing", None, "/x/nothing"),
        ("empty", {}, "/x/empty"),
    ]


@each(
    ("value", "kind", "held"),
    [
        ({"@type": "host/google.protobuf.Struct", "value": {"a": 1}}, "google.protobuf.Struct", {"a": 1}),
        ({"@type": "host/some.Reply", "value": 1, "a": 2}, "some.Reply", {"value": 1, "a": 2}),
        ({"type_url": "host/some.Reply", "value": "AA=="}, "some.Reply", None),
        ({"typeUrl": "host/some.Reply", "value": "AA=="}, "some.Reply", None),
        ({"a": 1}, "", {"a": 1}),
        ([1], "", [1]),
    ],
)  # fmt: skip
def test_an_any_is_its_type_and_what_it_holds(value: Json, kind: str, held: Json) -> None:
    assert any_message(value) == (kind, value if held is None else held)


@each(
    ("value", "word"),
    [
        ("PASS", "PASS"), (1, "PASS"), ("2", "FAIL"), (3.0, "SKIPPED"), ("Outcome.FAIL", "FAIL"),
        (ABSENT, ""), (None, ""), (0, ""), ("OUTCOME_UNSPECIFIED", ""), ("", ""),
    ],
)  # fmt: skip
def test_an_outcome_by_name_or_number(value: Json | Absent, word: str) -> None:
    report = Report()
    assert enum_word(Fields({} if value is ABSENT else {"outcome": value}, ""), "outcome", OUTCOME, report) == word
    assert [*report.drain()] == []


@each("value", ["GREAT", "pass", 4, -1, 1.5, True, [1], {"a": 1}, "١"])
def test_an_unknown_outcome_stays_and_is_told(value: Json) -> None:
    report = Report()
    assert enum_word(Fields({"outcome": value}, "/a"), "outcome", OUTCOME, report) == str(value)
    (finding,) = report.drain()
    assert (finding.code, finding.pointer) == ("unknown-enum", "/a/outcome")
    assert f"“{value}” is not a known outcome" in finding.message


def test_every_enumeration_reads_its_names_and_numbers() -> None:
    enumerations = [one for one in vars(ces_enums).values() if isinstance(one, Enumeration)]
    assert len(enumerations) == 28
    for one in enumerations:
        assert len(set(one.numbers.values())) == len(one.numbers)
        assert all(one.word(name) == one.word(number) == name for name, number in one.numbers.items())
    assert SPAN_TYPE.numbers == {"TOOL": 1, "USER_CALLBACK": 2, "GUARDRAIL": 3, "LLM": 4}

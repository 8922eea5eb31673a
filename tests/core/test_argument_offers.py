"""Which values a schema names for an argument, and which arguments it needs."""

from __future__ import annotations

from tests.helpers.tables import each
from trace_inspector.core.golden.argument_check import allowed_values, argument_problems, missing_arguments
from trace_inspector.core.values.values import ABSENT, Json


@each(
    ("told", "values"),
    [
        ({"type": "STRING", "enum": ["a", "b"]}, ["a", "b"]),
        ({"type": "boolean"}, [True, False]),
        ({"type": "BOOLEAN", "nullable": True}, [True, False, None]),
        ({"anyOf": [{"enum": [1, 2]}, {"type": "null"}]}, [1, 2, None]),
        ({"$ref": "#/$defs/Mode"}, ["slow", "fast"]),
        ({"$ref": "http://elsewhere/"}, []),
        ({"type": ["string", "null"]}, []),
        ({"type": "string"}, []),
        ({"anyOf": [{"$ref": "#/properties/it"}]}, []),  # itself
        ("no schema", []),
    ],
    ids=[
        "enum",
        "boolean",
        "nullable",
        "either",
        "reference",
        "outside",
        "text-or-null",
        "text",
        "circle",
        "no-schema",
    ],
)
def test_values_that_a_schema_names(told: Json, values: list[Json]) -> None:
    schema: Json = {"properties": {"it": told}, "$defs": {"Mode": {"enum": ["slow", "fast"]}}}
    assert allowed_values(schema, "it") == values
    assert allowed_values(schema, "other") == []


def test_many_values_are_bounded() -> None:
    assert len(allowed_values({"properties": {"it": {"enum": list(range(10_000))}}}, "it")) == 60


def test_alternatives_that_lead_back_to_themselves_come_to_an_end() -> None:
    schema: Json = {"properties": {"it": {"anyOf": [{"$ref": "#/properties/it"}] * 3}}}
    assert allowed_values(schema, "it") == []
    assert argument_problems({"it": 1}, schema) == []


def test_what_is_needed_and_not_there() -> None:
    schema: Json = {"required": ["a", "b", 3, "b", "c"]}
    assert missing_arguments({"a": 1}, schema) == ["b", "c"]
    assert missing_arguments(ABSENT, schema) == ["a", "b", "c"]
    assert missing_arguments({}, {"required": "a"}) == []
    assert missing_arguments({}, None) == []

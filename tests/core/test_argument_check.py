"""Arguments against declared schemas: what is wrong is said with its place, and hostile schemas do no harm."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.campaigns import examples
from tests.helpers.tables import each
from trace_inspector.core.golden.argument_check import argument_problems
from trace_inspector.core.trace.tools import declared_arguments
from trace_inspector.core.values.values import ABSENT, Json

GEMINI: Json = {
    "type": "OBJECT",
    "properties": {
        "city": {"type": "STRING"},
        "seats": {"type": "INTEGER", "nullable": True},
        "when": {"type": "STRING", "enum": ["noon", "night"]},
        "tags": {"type": "ARRAY", "items": {"type": "STRING"}},
        "price": {"anyOf": [{"type": "NUMBER"}, {"type": "STRING"}]},
        "guest": {"$ref": "#/defs/guest"},
    },
    "required": ["city"],
    "defs": {"guest": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}},
}


@each(
    ("args", "pointers"),
    [
        ({"city": "Rome"}, []),
        ({"city": "Rome", "seats": None, "when": "noon", "tags": ["a"], "price": 3, "guest": {"name": "Ann"}}, []),
        (ABSENT, ["/city"]),
        (None, ["/city"]),
        ("Rome", [""]),
        ({"city": 4}, ["/city"]),
        ({"city": "Rome", "seats": 2.5}, ["/seats"]),
        ({"city": "Rome", "seats": 2.0}, []),
        ({"city": "Rome", "seats": True}, ["/seats"]),
        ({"city": "Rome", "when": "dawn"}, ["/when"]),
        ({"city": "Rome", "tags": ["a", 1]}, ["/tags/1"]),
        ({"city": "Rome", "price": []}, ["/price"]),
        ({"city": "Rome", "guest": {}}, ["/guest/name"]),
        ({"city": "Rome", "town/x": 1}, ["/town~1x"]),
    ],
)
def test_each_misfit_has_its_place(args: Json, pointers: list[str]) -> None:
    assert [misfit.pointer for misfit in argument_problems(args, GEMINI)] == pointers


def test_a_schema_that_leads_in_circles_or_away_says_nothing() -> None:
    circle: Json = {"$ref": "#/a", "a": {"$ref": "#/a"}}
    deep: Json = {"properties": {"x": {"$ref": "#"}, "y": {"$ref": "https://example.org/schema"}}}
    value: Json = {}
    for _ in range(500):
        value = {"x": value, "y": 1}
    assert argument_problems({}, circle) == []
    assert argument_problems(value, deep) == []
    assert argument_problems({"a": 1}, None) == []


def test_many_misfits_are_bounded() -> None:
    assert len(argument_problems(["a"] * 1000, {"type": "array", "items": {"type": "integer"}})) == 20


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(0, 3) | st.sampled_from(["type", "object", "string", "#/x"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "properties", "required", "items", "anyOf", "enum", "$ref", "x"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@examples(40, 1000)
@given(JSON, JSON)
def test_any_schema_gives_sentences_about_what_is_there(args: Json, schema: Json) -> None:
    for misfit in argument_problems(args, schema):
        assert misfit.sentence
        assert misfit.pointer == "" or misfit.pointer.startswith("/")


def test_schemas_of_declared_tools() -> None:
    tools: list[Json] = [
        {"functionDeclarations": [{"name": "a", "parameters": GEMINI}, {"name": "b", "parametersJsonSchema": True}]},
        {"type": "function", "function": {"name": "c", "parameters": {"type": "object"}}},
        {"name": "d", "inputSchema": {}},
        "e",
        7,
    ]
    assert declared_arguments(tools) == {"a": GEMINI, "b": True, "c": {"type": "object"}, "d": {}, "e": None}

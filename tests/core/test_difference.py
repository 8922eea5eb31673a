"""Differences: laid over one value they give the other, to the spelling of numbers and the order of keys."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.campaigns import examples
from tests.helpers.tables import each
from trace_inspector.core.values.difference import difference, overlaid, same
from trace_inspector.core.values.json_numbers import json_text, parse_exactly
from trace_inspector.core.values.values import Json

_numbers = st.sampled_from(["0", "-0", "1", "1.0", "1e400", "-1e400", "0.10", "9007199254740993", "1E3", "0.1"])
_texts = st.text(max_size=4).map(json.dumps)
_keys = st.sampled_from(['"a"', '"b"', '"a/b"', '"~"', '""', '"é"'])


def _list_of(texts: list[str]) -> str:
    return f"[{', '.join(texts)}]"


def _object_of(members: dict[str, str]) -> str:
    return "{" + ", ".join(f"{key}: {text}" for key, text in members.items()) + "}"


_values = st.recursive(
    _numbers | _texts | st.sampled_from(["null", "true", "false"]),
    lambda inner: (
        st.lists(inner, max_size=3).map(_list_of) | st.dictionaries(_keys, inner, max_size=3).map(_object_of)
    ),
    max_leaves=8,
).map(parse_exactly)


@examples(40, 1000)
@given(_values, _values)
def test_laid_over_the_one_it_is_the_other(wanted: Json, plain: Json) -> None:
    before = json_text(plain)
    assert same(overlaid(plain, difference(wanted, plain)), wanted)
    assert json_text(plain) == before


@examples(40, 1000)
@given(_values)
def test_nothing_sets_a_value_apart_from_itself(value: Json) -> None:
    assert difference(value, value) == {}


@examples(40, 1000)
@given(_values)
def test_text_spells_numbers_as_they_were_spelled(value: Json) -> None:
    assert same(parse_exactly(json_text(value)), value)


@each(
    ("wanted", "plain", "left"),
    [
        ('{"a": 1, "b": [1, 2]}', '{"a": 1, "b": [1]}', {"/b/1": 2}),
        ('{"a": 1.0}', '{"a": 1}', {"/a": 1.0}),
        ('{"a": true}', '{"a": 1}', {"/a": True}),
        ('{"a": {"x": 1}, "b": null}', '{"a": {"x": 2}}', {"/a/x": 1, "/b": None}),
        ('{"b": 1, "a": 2}', '{"a": 2, "b": 1}', {"keys:": ["b", "a"]}),
        ('{"b": 1, "a": {"x": 2}}', '{"a": {"x": 3}, "c": 0}', {"/b": 1, "/a/x": 2, "keys:": ["b", "a"]}),
        ("[1]", "[1, 2]", {"length:": 1}),
    ],
)
def test_only_what_differs_is_told(wanted: str, plain: str, left: Json) -> None:
    assert same(difference(parse_exactly(wanted), parse_exactly(plain)), left)


def test_what_json_has_no_word_for_is_written_all_the_same() -> None:
    assert json_text([float("inf"), float("-inf"), float("nan")]) == "[\n  1e999,\n  -1e999,\n  null\n]\n"
    assert json_text({"x": "\ud800é"}) == '{\n  "x": "\\ud800\\u00e9"\n}\n'


def test_text_is_laid_out_as_everybody_does() -> None:
    value: Json = {"a": [], "b": {}, "c": [{"d": None}, [1.5, "é\n"]]}
    assert json_text(value) == json.dumps(value, indent=2, ensure_ascii=False) + "\n"


@each("text", ["NaN", "[Infinity]", "{", ""])
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        parse_exactly(text)

"""Equal values have one spelling, and different ones two: what digests of outputs rest on."""

from __future__ import annotations

import json
import math

from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.campaigns import examples
from trace_inspector.core.values.canonical_json import canonical_json
from trace_inspector.core.values.json_numbers import parse_exactly
from trace_inspector.core.values.values import ABSENT, Json

_VALUES: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def test_keys_are_in_order_and_nothing_stands_between() -> None:
    assert (
        canonical_json({"b": [1, {}, []], "a": {"ä": True, "z": None}}) == '{"a":{"z":null,"ä":true},"b":[1,{},[]]}'
    )


def test_numbers_count_by_value_however_they_are_spelled() -> None:
    spelled = parse_exactly("[6, 6.0, 6e0, 0.6E1, -0, -0.0, 0.10, 1e-1, 1E22]")
    assert canonical_json(spelled) == "[6,6,6,6,0,0,0.1,0.1,10000000000000000000000]"
    assert canonical_json([math.inf, math.nan, ABSENT]) == "[null,null,null]"  # type: ignore[list-item]


def test_half_a_character_has_bytes_too() -> None:
    assert canonical_json("a\ud83d\n") == '"a\\ud83d\\n"'
    assert canonical_json("\U0001f600") == '"\U0001f600"'


@examples(100, 5_000)
@given(_VALUES)
def test_the_text_is_the_value_and_keeps_its_spelling(value: Json) -> None:
    text = canonical_json(value)
    again = json.loads(text)
    assert again == value
    assert canonical_json(again) == text
    assert canonical_json(json.loads(json.dumps(value, indent=3))) == text

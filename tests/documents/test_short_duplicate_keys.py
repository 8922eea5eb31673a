"""A key that stands twice is noticed in short texts too, whatever else has quotation marks."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trace_inspector.documents.json.strict import fast_value

_KEYS = st.sampled_from(["a", "b", 'say "x"', "back\\slash", "é", ":"])
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=3),
    max_leaves=8,
)


@given(value=_VALUES, ascii_only=st.booleans())
def test_without_keys_that_stand_twice_it_is_read(value: object, ascii_only: bool) -> None:
    try:
        data = json.dumps(value, ensure_ascii=ascii_only).encode()
    except UnicodeEncodeError:
        return
    if b"\\ud" not in data:
        assert fast_value(data) == value


@given(pairs=st.lists(st.tuples(_KEYS, _VALUES), min_size=1, max_size=4), key=_KEYS, again=_VALUES)
def test_a_key_that_stands_twice_is_refused_at_any_depth(
    pairs: list[tuple[str, object]], key: str, again: object
) -> None:
    members = [*dict(pairs).items(), (key, 1), (key, again)]
    inner = ", ".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in members)
    for text in (f"{{{inner}}}", f'[{{"outer": {{{inner}}}}}]'):
        with pytest.raises(ValueError, match="duplicate"):
            fast_value(text.encode())


def test_a_mark_that_is_written_as_a_number_hides_no_key() -> None:
    with pytest.raises(ValueError, match="duplicate"):
        fast_value(b'{"a": 1, "a": "\\u0022\\u0022"}')

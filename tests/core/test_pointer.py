from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.tables import each
from trace_inspector.core.errors import EditError
from trace_inspector.core.values import pointer
from trace_inspector.core.values.values import ABSENT


@given(st.lists(st.text()))
def test_what_is_joined_splits_into_the_same_tokens(tokens: list[str]) -> None:
    assert pointer.split(pointer.join("", *tokens)) == tokens


def test_a_pointer_must_begin_with_a_slash() -> None:
    with pytest.raises(EditError, match="must be empty or begin with"):
        pointer.split("name")


@each(
    ("place", "expected"),
    [
        ("", {"a/b": [1, {"~": None}]}),
        ("/a~1b/0", 1),
        ("/a~1b/1/~0", None),
        ("/a~1b/2", ABSENT),
        ("/a~1b/01", ABSENT),
        ("/a~1b/-1", ABSENT),
        ("/a~1b/0/x", ABSENT),
        ("/nothing", ABSENT),
    ],
)
def test_resolve_tells_null_from_absent(place: str, expected: object) -> None:
    assert pointer.resolve({"a/b": [1, {"~": None}]}, place) == expected


@each("token", ["²", "٣", "1.0", "", "+1"])
def test_only_plain_digits_are_an_index(token: str) -> None:
    assert pointer.index_of(token) is None

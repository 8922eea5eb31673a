"""Three-way merging: an edit lands where the richer value has its counterpart, and nothing else moves."""

from __future__ import annotations

from tests.helpers.tables import each
from trace_inspector.core.values.difference import same
from trace_inspector.core.values.values import Json
from trace_inspector.formats.extension.merge import Conflict, merged


@each("conflict", list(Conflict))
@each(
    ("base", "kept", "now", "result"),
    [
        ({"a": 1}, {"a": 1, "x": 2}, {"a": 3}, {"a": 3, "x": 2}),
        ({"a": 1, "b": 2}, {"b": 2, "x": 0, "a": 1}, {"a": 1, "b": 3}, {"b": 3, "x": 0, "a": 1}),
        ({"user_id": "u"}, {"userId": "u"}, {"user_id": "v"}, {"userId": "v"}),
        ({"a": 1, "b": 2}, {"a": 1, "b": 2}, {"a": 1}, {"a": 1}),
        ({"a": 1}, {"a": 1, "x": 2}, {"a": 1, "n": 3}, {"a": 1, "x": 2, "n": 3}),
        ({"made_up": 1, "a": 1}, {"a": 1}, {"made_up": 1, "a": 2}, {"a": 2}),
        ([1, 2], [{"k": 1}, 2, 9], [1, 3], [{"k": 1}, 3, 9]),
        ([1, 2, 3], ["a", "b", "c"], [1, 3], ["a", "c"]),
        ([1, 2], ["a", "b"], [1, 5, 2], ["a", 5, "b"]),
        ([1, 2], ["a", "b"], [1, 2, 3], ["a", "b", 3]),
        ([1], ["a"], [], []),
        (0.1, 0.10, 5, 5),
        ({"a": [1]}, {"a": None}, {"a": [1]}, {"a": None}),
    ],
)
def test_an_edit_lands(base: Json, kept: Json, now: Json, result: Json, conflict: Conflict) -> None:
    assert same(merged(base, kept, now, conflict), result)


@each(
    ("base", "kept", "now"),
    [
        (1, 2, 3),
        ({"a": 1}, [1], {"a": 2}),
        ([1, 2], ["a"], [1, 3]),
        ({}, {"a": 1}, {"a": 2}),
        ({"a": 1}, {"a": 2}, {}),
    ],
)
def test_where_the_origin_said_something_else_one_side_wins(base: Json, kept: Json, now: Json) -> None:
    assert same(merged(base, kept, now, Conflict.KEPT), kept)
    assert same(merged(base, kept, now, Conflict.EDIT), now)

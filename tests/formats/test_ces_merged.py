"""A raw value of CES that says something else, spelt as it was where nothing is different."""

from __future__ import annotations

from tests.helpers.tables import each
from trace_inspector.core.values.values import Json
from trace_inspector.formats.ces.common.value_overlay import merged


def test_what_is_not_different_is_the_very_same() -> None:
    raw: Json = {"display_name": "Seats", "args": {"n": 2.0}}
    assert merged(raw, {"displayName": "Seats"}, {"displayName": "Seats"}) is raw


@each(
    ("raw", "old", "new", "then"),
    [
        # Keys of ours are spelt as the file does, those of arguments as people do.
        (
            {"display_name": "A", "args": {"x": 1}},
            {"displayName": "A", "args": {"x": 1}},
            {"displayName": "B", "args": {"x": 1, "newKey": 2}},
            {"display_name": "B", "args": {"x": 1, "newKey": 2}},
        ),
        (
            {"args": {"seatRow": 1, "seat_row": 2}},
            {"args": {"seatRow": 1, "seat_row": 2}},
            {"args": {"seatRow": 7, "seat_row": 2}},
            {"args": {"seatRow": 7, "seat_row": 2}},
        ),
        ({"a_b": 1}, {"aB": 1}, {"aB": 1, "cD": 2}, {"a_b": 1, "c_d": 2}),
        ({"aB": 1}, {"aB": 1}, {"aB": 1, "cD": 2}, {"aB": 1, "cD": 2}),
        # What is said no more goes, with what stands beside it; what the file has beyond stays.
        ({"a": 1, "own": {"x": 1}}, {"a": 1}, {}, {"own": {"x": 1}}),
        ({"in": {"a": 1, "own": 2}}, {"in": {"a": 1}}, {}, {}),
        # A list of as many: what stood there stands there still, however it is ordered.
        (
            [{"a": 1, "own": "one"}, {"a": 2}],
            [{"a": 1}, {"a": 2}],
            [{"a": 2}, {"a": 1}],
            [{"a": 2}, {"a": 1, "own": "one"}],
        ),
        (  # one of two alike is kept, and the other is no more
            [{"a": 1, "own": "one"}, {"a": 1, "own": "two"}],
            [{"a": 1}, {"a": 1}],
            [{"a": 1}, {"a": 1}, {"a": 1}],
            [{"a": 1, "own": "one"}, {"a": 1, "own": "two"}, {"a": 1}],
        ),
        ([{"a": 1, "own": "one"}], [{"a": 1}], [{"a": 3}], [{"a": 3, "own": "one"}]),
        # A list with something that is not said cannot be told item by item.
        ([{"a": 1, "own": "one"}, "odd"], [{"a": 1}], [{"a": 3}], [{"a": 3}]),
        # What has moved takes what it has beyond along, and what comes to its place has none of it.
        (
            [{"a": 1, "own": "one"}, {"a": 2}],
            [{"a": 1}, {"a": 2}],
            [{"a": 3}, {"a": 1}],
            [{"a": 3}, {"a": 1, "own": "one"}],
        ),
        # What a reader takes for said though the file leaves it out.
        ({}, {"a": 1}, {"a": 2}, {"a": 2}),
    ],
)  # fmt: skip
def test_what_is_different_is_said(raw: Json, old: Json, new: Json, then: Json) -> None:
    assert merged(raw, old, new) == then


def test_what_the_file_has_beyond_an_object_may_stay() -> None:
    raw: Json = {"in": {"a": 1, "own": 2, "deep": {"b": 1, "own": 3}}}
    old: Json = {"in": {"a": 1, "deep": {"b": 1}}}
    assert merged(raw, old, {}, keeps=True) == {"in": {"own": 2, "deep": {"own": 3}}}
    assert merged(raw, old, {"in": {"a": 1}}, keeps=True) == {"in": {"a": 1, "own": 2, "deep": {"own": 3}}}

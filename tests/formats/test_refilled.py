"""Items that are wanted otherwise in a list, with others between them that stay where they are."""

from __future__ import annotations

from tests.helpers.tables import each
from trace_inspector.core.values.values import Json
from trace_inspector.formats.writing.list_merge import refilled

LISTED: tuple[Json, ...] = ("x", "a", "y", "b", "z")  # of which a and b are stated
NEW = (None, "new")


@each(
    ("wanted", "first", "then"),
    [
        ([(1, "a"), (3, "b")], 5, ["x", "a", "y", "b", "z"]),
        ([(1, "A"), (3, "b")], 5, ["x", "A", "y", "b", "z"]),
        ([(3, "b"), (1, "a")], 5, ["x", "b", "y", "a", "z"]),
        ([(3, "b")], 5, ["x", "y", "b", "z"]),
        ([(1, "a"), NEW, (3, "b")], 5, ["x", "a", "new", "y", "b", "z"]),
        ([NEW, (3, "b")], 5, ["x", "y", "new", "b", "z"]),  # goes before the first that is kept
        ([NEW], 5, ["x", "y", "z", "new"]),  # nothing is kept: where the caller says
        ([NEW], 2, ["x", "new", "y", "z"]),  # before what is not stated
        ([], 5, ["x", "y", "z"]),
    ],
)
def test_what_is_not_stated_stays_where_it_is(wanted: list[tuple[int | None, Json]], first: int, then: Json) -> None:
    assert refilled(LISTED, (1, 3), wanted, first) == then

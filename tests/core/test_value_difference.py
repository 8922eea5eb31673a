"""Two JSON values told apart by key path, as people would point at what differs."""

from __future__ import annotations

from tests.helpers.tables import each
from trace_inspector.core.alignment.value_difference import MOST_DIFFERENCES, value_differences
from trace_inspector.core.values.values import ABSENT, Absent, Json

CASES: dict[str, tuple[Json, Json, list[tuple[str, Json | Absent, Json | Absent]]]] = {
    "equal": ({"a": 1}, {"a": 1.0}, []),
    "a member": ({"a": 1, "b": 2}, {"a": 1, "b": 3}, [("/b", 2, 3)]),
    "deep": ({"a": {"b": {"c": "x"}}}, {"a": {"b": {"c": "y"}}}, [("/a/b/c", "x", "y")]),
    "only on one side": ({"a": 1}, {"b": 2}, [("/a", 1, ABSENT), ("/b", ABSENT, 2)]),
    "another type": ({"a": "5"}, {"a": 5}, [("/a", "5", 5)]),
    "null is a value": ({"a": None}, {}, [("/a", None, ABSENT)]),
    "a slash in a key": ({"a/b": 1}, {"a/b": 2}, [("/a~1b", 1, 2)]),
    "items by key": (
        [{"id": 1, "n": "x"}, {"id": 2, "n": "y"}],
        [{"id": 2, "n": "z"}, {"id": 1, "n": "x"}],
        [
            ("/1/n", "y", "z"),
            ("", [{"id": 1, "n": "x"}, {"id": 2, "n": "y"}], [{"id": 2, "n": "z"}, {"id": 1, "n": "x"}]),
        ],
    ),
    "an item more": (["a", "b"], ["a", "c", "b"], [("/1", ABSENT, "c")]),
    "an item less": (["a", "b", "c"], ["a", "c"], [("/1", "b", ABSENT)]),
    "items by likeness": ([{"n": "x", "m": 1}], [{"n": "x", "m": 2}], [("/0/m", 1, 2)]),
    "a list of plain values that are all others": ([1, 2], [3, 4], [("", [1, 2], [3, 4])]),
    "no object at all": ({"a": 1}, "text", [("", {"a": 1}, "text")]),
}


@each("case", CASES)
def test_what_differs_is_told_by_key_path(case: str) -> None:
    left, right, wanted = CASES[case]
    assert [(one.place, one.left, one.right) for one in value_differences(left, right)] == wanted


def test_an_item_that_stands_elsewhere_says_where() -> None:
    found = value_differences([{"id": 1, "n": 1}, {"id": 2, "n": 1}], [{"id": 2, "n": 9}, {"id": 1, "n": 1}])
    assert [(one.place, one.other_place) for one in found] == [("/1/n", "/0/n"), ("", "")]


def test_very_deep_and_very_long_values_end() -> None:
    deep: Json = 1
    other: Json = 2
    for _level in range(900):
        deep, other = {"a": deep}, {"a": other}
    assert len(value_differences(deep, other)) == 1
    assert len(value_differences({str(at): at for at in range(5_000)}, {})) == MOST_DIFFERENCES
    assert len(value_differences([{"n": at} for at in range(5_000)], [{"n": -at} for at in range(5_000)])) == 1

"""What is unequal is told apart, whatever it is: items of a list that stand in another order, too."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from trace_inspector.core.alignment.value_difference import (
    MOST_DIFFERENCES,
    differences_among,
    place_beside,
    same_kinds,
    same_value,
    value_differences,
)
from trace_inspector.core.values.value_paths import with_member, with_value, without_value
from trace_inspector.core.values.values import Json, present

_PLAIN: st.SearchStrategy[Json] = st.none() | st.booleans() | st.integers(0, 3) | st.sampled_from(["", "a", "b"])


def _keyed(numbers: dict[int, int]) -> Json:
    return [{"id": at, "n": number} for at, number in numbers.items()]


_KEYED = st.dictionaries(st.integers(0, 5), st.integers(0, 1), max_size=5).map(_keyed)
_VALUES: st.SearchStrategy[Json] = st.recursive(
    _PLAIN | _KEYED,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["id", "x", "a/b"]), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(_VALUES, _VALUES)
def test_unequal_values_differ_somewhere_and_taking_one_after_another_makes_them_equal(
    left: Json, right: Json
) -> None:
    mine = left
    for _step in range(MOST_DIFFERENCES):
        found = value_differences(mine, right)
        assert bool(found) is not same_value(mine, right)
        if not found:
            return
        one = found[0]
        if not present(one.right):
            mine = without_value(mine, one.place)
        elif present(one.left):
            mine = with_value(mine, one.place, one.right)
        else:
            owner, _, token = one.place.rpartition("/")
            held, other = _at(mine, owner), _at(right, (one.other_place or one.place).rpartition("/")[0])
            if isinstance(held, list) and isinstance(other, list):
                token = str(place_beside(held, other, int((one.other_place or one.place).rpartition("/")[2])))
            mine = with_member(mine, f"{owner}/{token}", one.right)
    raise AssertionError((left, right))


def _at(value: Json, place: str) -> Json:
    from trace_inspector.core.values.pointer import resolve

    found = resolve(value, place)
    assert present(found)
    return found


def test_items_in_another_order_differ_as_a_list_behind_what_differs_in_them() -> None:
    here: Json = {"of": [{"id": 1, "n": 1}, {"id": 2, "n": 2}]}
    there: Json = {"of": [{"id": 2, "n": 2}, {"id": 1, "n": 1}]}
    assert [one.place for one in value_differences(here, there)] == ["/of"]
    changed: Json = {"of": [{"id": 2, "n": 9}, {"id": 1, "n": 1}]}
    assert [one.place for one in value_differences(here, changed)] == ["/of/1/n", "/of"]


def test_of_three_it_is_known_who_has_them_in_another_order() -> None:
    here: list[Json] = [{"id": 1}, {"id": 2}]
    found = differences_among([here, here, here[::-1]])
    assert [(one.places, sorted(one.reordered)) for one in found] == [(("", "", ""), [2])]


def test_equal_values_may_be_of_other_kinds() -> None:
    assert same_kinds({"a": [1, {"b": 2.0}]}, {"a": [1.0, {"b": 2}]})
    assert not same_kinds({"a": [1, {"b": 1}]}, {"a": [1, {"b": True}]})

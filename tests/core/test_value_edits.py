"""Edits between two values: they lead from one to the other, and change no more than they must."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.campaigns import examples
from tests.helpers.tables import each
from trace_inspector.core.values.difference import same
from trace_inspector.core.values.edit import Edit, Insert, Remove, Set
from trace_inspector.core.values.pointer import resolve, split
from trace_inspector.core.values.value_edits import (
    Add,
    Put,
    ValueStep,
    after_step,
    edits_of,
    pointer_after,
    pointers_after,
    steps_between,
)
from trace_inspector.core.values.values import ABSENT, Json

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(0, 5) | st.text("ab", max_size=2),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text("abc", max_size=1), inner, max_size=4),
    max_leaves=25,
)


def spell(step: Put | Add) -> str:
    return json.dumps(step.value)


def edits_between(old: Json, new: Json) -> list[Edit]:
    return list(edits_of(steps_between(old, new), spell))


def made(value: Json, edits: list[Edit]) -> Json:
    """What comes of edits made one after the other."""
    top: list[Any] = [copy.deepcopy(value)]
    for edit in edits:
        owner: Any = top
        *way, last = ["0", *split(edit.pointer)]
        for token in way:
            owner = owner[int(token) if isinstance(owner, list) else token]
        key: Any = int(last) if isinstance(owner, list) else last
        match edit:
            case Remove():
                del owner[key]
            case Insert() if isinstance(owner, list):
                assert int(last) <= len(owner)
                owner.insert(key, json.loads(edit.text))
            case Insert() | Set():
                assert isinstance(edit, Set) is (isinstance(owner, list) or last in owner)
                owner[key] = json.loads(edit.text)
    found: Json = top[0]
    return found


@examples(40, 1000)
@given(JSON, JSON)
def test_edits_lead_from_one_value_to_the_other(old: Json, new: Json) -> None:
    assert made(old, edits_between(old, new)) == new
    value = old
    for step in steps_between(old, new):
        value = after_step(value, step)
    assert value == new


@given(st.lists(st.lists(st.integers(0, 3), max_size=2), max_size=7), st.data())
def test_items_in_another_order_are_moved_and_changed(old: list[Json], data: st.DataObject) -> None:
    picked = data.draw(st.permutations(old))[: data.draw(st.integers(0, len(old)))]
    new: list[Json] = [[item, 9] if data.draw(st.booleans()) else item for item in picked]
    assert same(made(old, edits_between(old, new)), new)


FIRST: Json = {"n": 1}
SECOND: Json = {"n": 2}
THIRD: Json = {"n": 3}


@each(
    ("old", "new", "edits"),
    [
        ([FIRST, SECOND], [FIRST, SECOND], []),
        ([FIRST, SECOND], [FIRST, THIRD, SECOND], [Insert("/1", '{"n": 3}')]),
        ([FIRST, SECOND, THIRD], [FIRST, THIRD], [Remove("/1")]),
        ([FIRST, SECOND, THIRD], [FIRST, {"n": 4}, THIRD], [Set("/1/n", "4")]),
        ([FIRST, SECOND, THIRD], [THIRD, FIRST, SECOND], [Remove("/2"), Insert("/0", '{"n": 3}')]),
        ({"a": FIRST, "b": 1}, {"a": FIRST, "c": 1}, [Remove("/b"), Insert("/c", "1")]),
        (1, 1.0, [Set("", "1.0")]),
        ([1, 1], [1], [Remove("/1")]),
    ],
)
def test_no_more_changes_than_must(old: Json, new: Json, edits: list[Edit]) -> None:
    assert edits_between(old, new) == edits


def test_what_moves_says_from_where() -> None:
    steps = list(steps_between([FIRST, SECOND, THIRD], [THIRD, FIRST, {"n": 5}, SECOND], "/cases"))
    assert steps == [
        Remove("/cases/2"), Add("/cases/0", THIRD, "/cases/2"), Add("/cases/2", {"n": 5}),
    ]  # fmt: skip


@given(st.integers(1, 7), st.data())
def test_pointers_follow_what_they_lead_to(count: int, data: st.DataObject) -> None:
    old: list[Json] = [{"n": at, "inner": [{"deep": at}]} for at in range(count)]
    picked = data.draw(st.permutations(old))[: data.draw(st.integers(0, count))]
    fresh: Json = {"n": -1}
    new = [item for each in picked for item in ([fresh, each] if data.draw(st.booleans()) else [each])]
    steps = list(steps_between({"cases": old}, {"cases": new}))
    for at, item in enumerate(old):
        to = next((index for index, other in enumerate(new) if other is item), None)
        wanted = None if to is None else f"/cases/{to}/inner/0/deep"
        found = pointer_after(f"/cases/{at}/inner/0/deep", steps)
        places = [f"/cases/{at}/inner/0/deep", f"/cases/{at}", f"/cases/{at}/inner"]
        assert pointers_after(places, steps) == {place: pointer_after(place, steps) for place in places}
        # An item that is gone may be said to have become a new one in its place.
        assert found == wanted or (wanted is None and resolve({"cases": new}, found or "") is ABSENT)


def test_cases_that_change_inside_are_not_followed_through_each_change(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []

    def counted(pointer: str, steps: Sequence[ValueStep]) -> str:
        looked.append(len(steps))
        return pointer

    monkeypatch.setattr("trace_inspector.core.values.value_edits.pointer_after", counted)
    inside = [Add(f"/cases/{at}/rules/-", at) for at in range(50)]
    places = [f"/cases/{at}" for at in range(50)]
    assert pointers_after(places, [*inside, Remove("/cases/7")]) == {place: place for place in places}
    assert set(looked) == {1}

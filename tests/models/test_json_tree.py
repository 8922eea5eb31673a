"""Finding and unfolding in a JSON value, however large it is."""

from __future__ import annotations

import pytest

from tests.helpers.tables import each
from trace_inspector.core.values.values import Json
from trace_inspector.models.details import json_tree
from trace_inspector.models.details.json_tree import JsonTreeModel
from trace_inspector.models.search import json_find
from trace_inspector.models.search.json_find import JsonSearch

VALUE: Json = {"Name": "park", "list": [1, {"deep/er": "No Parking"}, None, True], "n": 12}


def found(value: Json, text: str) -> list[tuple[str | int, ...]]:
    search = JsonSearch(value, text)
    while not search.go_on(0.0):
        pass
    return search.paths


@each(
    ("text", "paths"),
    [
        ("PARK", [("Name",), ("list", 1, "deep/er")]),
        ("name", [("Name",)]),
        ("1", [("list", 0), ("n",)]),
        ("null", [("list", 2)]),
        ("true", [("list", 3)]),
        ("", []),
        ("elsewhere", []),
    ],
)
def test_names_and_values_are_found_whatever_their_case(text: str, paths: list[tuple[str | int, ...]]) -> None:
    assert found(VALUE, text) == paths


def test_a_search_ends_where_too_much_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_find, "MOST_FOUND", 7)
    assert len(found(["x"] * 5_000, "x")) == 7


def test_a_search_goes_on_where_it_was() -> None:
    search = JsonSearch(["a"] * 3_000, "a")
    assert not search.go_on(0.0)
    some = len(search.paths)
    assert 0 < some < 3_000
    assert found(["a"] * 3_000, "a")[:some] == search.paths


def test_a_search_is_not_deep_in_calls() -> None:
    value: Json = "needle"
    for _level in range(5_000):
        value = [value]
    assert len(found(value, "needle")) == 1


def test_the_way_to_a_value_is_made() -> None:
    model = JsonTreeModel({"many": list(range(2_000)), "b": {"c": "d"}})
    index = model.index_at(("many", 1_700))
    assert index.siblingAtColumn(1).data() == "1700"
    assert model.path_at(index) == "/many/1700"
    assert model.path_at(model.index_at(("b", "c"))) == "/b/c"
    assert model.path_at(model.index_at(("b", "gone"))) == "/b"


def test_what_is_too_far_down_leads_to_what_holds_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_tree, "FARTHEST", 10)
    model = JsonTreeModel({"many": list(range(100))})
    assert model.path_at(model.index_at(("many", 50))) == "/many"
    assert JsonTreeModel("plain").index_at(()).isValid()


def test_as_much_is_unfolded_as_stays_quick() -> None:
    assert JsonTreeModel({"a": {"b": {"c": 1}}}).quick_depth() == 2
    wide: Json = {"a": [[0] * 100] * 100}
    assert JsonTreeModel(wide).quick_depth() == 1
    assert JsonTreeModel([0] * 100_000).quick_depth() == 0

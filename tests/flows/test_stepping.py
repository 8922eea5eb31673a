"""Steps in the items of a list, each made in its item: the same file as when the whole is made anew for each step."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.documents.test_place_cache import CASES, LAYOUTS, some_step
from tests.helpers.campaigns import examples
from trace_inspector.core.errors import EditError
from trace_inspector.core.values.pointer import resolve
from trace_inspector.core.values.value_edits import Add, Put, ValueStep, after_step
from trace_inspector.core.values.values import Json
from trace_inspector.documents.editing.places import with_place_cache
from trace_inspector.documents.reading.reading import parse
from trace_inspector.documents.saving.history import inverse
from trace_inspector.documents.text.patch import Patch, rewritten
from trace_inspector.flows.goldens.apply_steps import after_steps


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("listed", ["", "/deep/cases"], ids=["top", "deep"])
@examples(15, 60)
@given(data=st.data())
def test_items_changed_by_themselves_make_the_same_file(layout: str, listed: str, data: st.DataObject) -> None:
    value: Json = {"before": [1], "deep": {"cases": CASES, "more": {}}, "after": [[]]} if listed else CASES
    document = parse(LAYOUTS[layout](value).encode(), Path("x.json"))
    steps: list[ValueStep] = []
    for _ in range(data.draw(st.integers(1, 8))):
        step = some_step(data, value, listed)
        if not isinstance(resolve(after_step(value, step), listed), list):
            break
        steps.append(step)
        value = after_step(value, step)
    after, patches = after_steps(document, steps, listed)
    assert after.data == after_steps(document, steps)[0].data
    assert after.value == value
    assert after.place_cache in (with_place_cache(parse(after.data, after.path), listed).place_cache, None)
    assert rewritten(document.data, patches) == after.data
    assert rewritten(after.data, inverse(tuple(patches))) == document.data


def in_each(count: int) -> list[ValueStep]:
    return [Add(f"/{at}/new", [at]) for at in range(count)]


def test_items_on_lines_of_another_depth() -> None:
    text = '  [{"a": 1}, {"b": {\n      "c": 1}},\n{"d": 1},\n        {}\n]'
    document = parse(text.encode(), Path("x.json"))
    steps = [*in_each(4), Add("/3/deep", {"k": {}}), Add("/1/b/more", {"k": 1})]
    assert after_steps(document, steps, "")[0].data == after_steps(document, steps)[0].data


def test_an_item_that_looks_encoded_twice_by_itself_is_written_as_the_rest_of_its_file() -> None:
    document = parse('[{"a": "Zürich"}, {"a": "ZÃ¼rich"}]'.encode(), Path("x.json"))
    after, _patches = after_steps(document, [Put("/0/a", "Köln"), Add("/1/b", "Köln")], "")
    assert json.loads(after.data) == [{"a": "Köln"}, {"a": "ZÃ¼rich", "b": "Köln"}]


def test_what_an_item_refuses_is_told_as_of_the_whole_file() -> None:
    document = parse(json.dumps([{"a": 1}, {"b": 1}]).encode(), Path("x.json"))
    with pytest.raises(EditError, match="“/1/a”"):
        after_steps(document, [Put("/0/a", 2), Put("/1/a", 2)], "")


def test_all_items_are_changed_in_one_copy_of_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    copied: list[int] = []

    def counted(data: bytes, patches: Iterable[Patch]) -> bytes | None:
        copied.append(len(data))
        return rewritten(data, patches)

    monkeypatch.setattr("trace_inspector.documents.editing.splice.rewritten", counted)
    document = parse(json.dumps([{"a": "x" * 1_000}] * 50, indent=1).encode(), Path("x.json"))
    after, patches = after_steps(document, in_each(50), "")
    assert (len(patches), copied.count(len(document.data))) == (50, 1)
    assert sum(copied) < 3 * len(after.data)

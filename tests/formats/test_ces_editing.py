"""Edits of CES's evaluations: one value changes, and every other byte stays."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.formats import ces_golden_files as made
from trace_inspector.core.edit import Set
from trace_inspector.core.pointer import join
from trace_inspector.core.values import Json
from trace_inspector.flows.edit_file import edited
from trace_inspector.flows.open_file import open_file


def values_in(value: Json, pointer: str = "") -> Iterator[tuple[str, Json]]:
    """Every value with its place."""
    yield pointer, value
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from values_in(item, join(pointer, key))


@pytest.mark.parametrize(
    ("kind", "words"), [("golden", "Looks it up"), ("snake", "Looks it up"), ("scenario", "Book seat 2.")]
)
def test_an_edit_leaves_unknown_keys_at_every_level_as_they_stand(kind: str, words: str, tmp_path: Path) -> None:
    value = copy.deepcopy(made.EVALUATIONS[kind])
    for _, holder in [*values_in(value)]:
        if isinstance(holder, dict):
            holder["unknownKey"] = "kept"
    path = tmp_path / "a.json"
    path.write_text(json.dumps(value, indent=1), encoding="utf-8")
    opened = open_file(path)
    assert opened.contents.format == "ces-evaluation"
    place = next(place for place, item in values_in(value) if item == words)
    changed, _ = edited(opened.document, [Set(place, '"Other words"')])
    text = path.read_text(encoding="utf-8")
    assert changed.data.decode() == text.replace(f'"{words}"', '"Other words"', 1)
    assert text.count("unknownKey") > 10

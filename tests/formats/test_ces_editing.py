"""Edits of CES's evaluations: one value changes, and every other byte stays."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.formats import ces_golden_files as made
from trace_inspector.core.golden.golden_change import Answers, Noted, Tagged, UserSays
from trace_inspector.core.values.edit import Set
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import Json
from trace_inspector.documents.reading.reading import parse
from trace_inspector.flows.goldens.edit_file import edited
from trace_inspector.flows.goldens.edit_session import EditSession
from trace_inspector.flows.goldens.golden_session import GoldenSession
from trace_inspector.flows.opening.open_file import open_file
from trace_inspector.formats import BY_NAME

FORMAT = BY_NAME["ces-evaluation"]


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


@pytest.mark.parametrize(("kind", "place"), [("golden", ""), ("list", "/0"), ("reply", "/evaluations/0")])
def test_changes_of_a_golden_are_made_in_its_file_and_taken_back(kind: str, place: str) -> None:
    original = json.dumps(made.EVALUATIONS[kind], indent="\t").replace("\n", "\r\n").encode()
    turn = f"{place}/golden/turns/0"
    with closing(EditSession(parse(original, Path("x.json")), lambda _journal: None)) as session:
        goldens = GoldenSession(session, FORMAT)
        assert place in goldens.places
        goldens.change(place, UserSays(turn, "Is seat 3 free?"), Answers(turn, "No."), Tagged(("a", "b")))
        goldens.change(place, Noted(f"{turn}/steps/4/expectation", "Why"))
        now = session.state.document
        assert parse(now.data, now.path).value == now.value
        lines, before = now.data.split(b"\r\n"), original.split(b"\r\n")
        assert {line.strip(b"\t,") for line in lines} - {line.strip(b"\t,") for line in before} == {
            b'"text": "Is seat 3 free?"',
            b'"text": "No."',
            b'"a"',
            b'"b"',
            b'"note": "Why"',
        }
        goldens.undo()
        goldens.undo()
        assert session.state.document.data == original
        session.discard()

"""What holds for each format in each container: recognised, saved byte for byte, every pointer leads somewhere."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TypeAlias

import pytest
from msgspec import Struct

from tests.formats.every_sample import Pack, Sample, every_sample, ways_of
from tests.helpers.json_text import text_at
from tests.helpers.tables import each
from trace_inspector.cli import main
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.values import pointer
from trace_inspector.core.values.values import ABSENT, Absent, Json, present
from trace_inspector.documents.base.document import TEXTLESS
from trace_inspector.documents.editing.places import find_all
from trace_inspector.flows.opening.open_file import Opened, open_file, stream_file
from trace_inspector.formats import FORMATS

SAMPLES = every_sample()
EACH = [
    pytest.param(sample, pack, id=f"{sample} {way}") for sample in SAMPLES for way, pack in ways_of(sample).items()
]
Open: TypeAlias = Callable[[Sample, Pack], tuple[Path, Opened]]
# Names of fields that hold a pointer into the document.
_POINTERS = ("place", "pointer", "golden_place", "trace_place")


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Open:
    """Each sample in each container lies in a folder of its own, and is read once for all that must hold of it."""
    base = tmp_path_factory.mktemp("samples")

    @cache
    def once(sample: Sample, pack: Pack) -> tuple[Path, Opened]:
        folder = base / str(len([*base.iterdir()]))
        folder.mkdir()
        path = pack(sample, folder)
        return path, open_file(path)

    return once


def pointers_in(value: object) -> Iterator[str]:
    """Every pointer that a value of the core carries, however deep."""
    if isinstance(value, Struct):
        for name in value.__struct_fields__:
            held = getattr(value, name)
            if name in _POINTERS and isinstance(held, str):
                yield held
            else:
                yield from pointers_in(held)
    elif isinstance(value, tuple | list):
        for item in value:
            yield from pointers_in(item)


def seen_through(value: Json, tokens: list[str]) -> Json | Absent:
    """What stands at a pointer that may lead into JSON in strings."""
    for token in tokens:
        if isinstance(value, str):
            value = json.loads(value)
        found = pointer.resolve(value, pointer.join("", token))
        if found is ABSENT:
            return ABSENT
        value = found
    return value


def summary(contents: Contents) -> list[object]:
    """What a file holds, without where it stands."""
    turns = [turn for trace in contents.traces for turn in trace.turns]
    return [
        contents.format,
        [len(case.turns) for suite in contents.suites for case in suite.cases],
        [(turn.user, turn.final_response) == ((), None) for turn in turns],
        [len(turn.events) for turn in turns],
        [len(turn.spans) for turn in turns],
        contents.holds,
        len(contents.reported),
    ]


def test_every_format_has_a_sample() -> None:
    assert {sample.format for sample in SAMPLES} == {known.name for known in FORMATS}


@each(("sample", "pack"), EACH)
def test_one_format_is_surest(sample: Sample, pack: Pack, opened: Open) -> None:
    value = opened(sample, pack)[1].document.value
    scores = {known.name: known.recognise(value) for known in FORMATS}
    assert all(0 <= score <= 100 for score in scores.values())
    assert [name for name, score in scores.items() if score == max(scores.values())] == [sample.format]


@each(("sample", "pack"), EACH)
def test_it_holds_the_same_in_every_container_whole_or_streamed(sample: Sample, pack: Pack, opened: Open) -> None:
    expected = summary(opened(sample, ways_of(sample)["plain"])[1].contents)
    path, whole = opened(sample, pack)
    assert summary(whole.contents) == expected
    assert len([*stream_file(path)]) > 1


@each(("sample", "pack"), EACH)
def test_saved_without_an_edit_it_is_the_same_bytes(
    sample: Sample, pack: Pack, opened: Open, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, _ = opened(sample, pack)
    out = tmp_path / "out"
    assert main(["convert", str(path), "--to", sample.format, "-o", str(out)]) == 0, capsys.readouterr().err
    assert out.read_bytes() == (path.read_bytes() if path.is_file() else sample.data)


@each(("sample", "pack"), EACH)
def test_every_pointer_leads_somewhere(sample: Sample, pack: Pack, opened: Open) -> None:
    _, whole = opened(sample, pack)
    given = {place for place in pointers_in(whole.contents) if place}
    assert given or sample.format == "adk-eval-config"
    if whole.document.container in TEXTLESS:
        lost = {place for place in given if not present(seen_through(whole.document.value, pointer.split(place)))}
    else:
        # Strings in YAML that hold JSON are looked into one at a time.
        found = find_all(whole.document, given).keys()
        lost = {place for place in given - found if text_at(whole.document, place) is None}
    assert lost == set()


@each(("sample", "pack"), EACH)
def test_findings_say_where(sample: Sample, pack: Pack, opened: Open) -> None:
    for finding in opened(sample, pack)[1].contents.findings:
        assert finding.line > 0
        assert finding.message.endswith((".", "!", "?"))

"""Logs of Inspect too large to be held: the same contents, each sample read when it is asked for."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from tests.formats.inspect_files import header, sample
from trace_inspector.core.trace.trace import Trace
from trace_inspector.core.values.values import JsonObject
from trace_inspector.documents.base.document import Document
from trace_inspector.documents.bundles import bundle_document
from trace_inspector.documents.reading import reading
from trace_inspector.flows.opening.open_file import open_file, stream_file
from trace_inspector.work.reading.excerpts import ExcerptReader, ExcerptRequest

SAMPLES = 4


def archive(*more: tuple[str, bytes]) -> bytes:
    """A log of a few samples, and other files in it."""
    out = io.BytesIO()
    with ZipFile(out, "w") as file:
        file.writestr("_journal/start.json", json.dumps(header()))
        for number in range(SAMPLES):
            one: JsonObject = {**sample(), "id": number}
            file.writestr(f"samples/{number}_epoch_1.json", json.dumps(one))
        for name, data in more:
            file.writestr(name, data)
        file.writestr("header.json", json.dumps(header()))
    return out.getvalue()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "log.eval"
    file.write_bytes(archive())
    return file


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the samples that were read, in order; archives count as large."""
    names: list[str] = []
    parse = reading.parse

    def noted(data: bytes, place: Path, **more: Any) -> Document:
        if place.parent.name == "samples":
            names.append(place.name)
        return parse(data, place, **more)

    monkeypatch.setattr(reading, "parse", noted)
    monkeypatch.setattr(bundle_document, "MOST_BYTES", 5_000)
    return names


def test_a_large_log_has_the_same_contents(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = open_file(path)
    monkeypatch.setattr(bundle_document, "MOST_BYTES", 5_000)
    found = open_file(path)
    assert found.contents == expected.contents
    assert len(found.contents.traces) == SAMPLES
    assert found.document.data != expected.document.data
    assert type(found.document.members) is not type(expected.document.members)


def test_each_sample_is_read_once_and_none_before_the_header_is_told(path: Path, reads: list[str]) -> None:
    items = stream_file(path)
    next(items)
    assert reads == []
    first = next(item for item in items if isinstance(item, Trace))
    assert (first.id, reads) == ("0", ["0_epoch_1.json"])
    assert sum(1 for item in items if isinstance(item, Trace)) == SAMPLES - 1
    assert reads[:SAMPLES] == [f"{number}_epoch_1.json" for number in range(SAMPLES)]
    assert set(reads[SAMPLES:]) <= {"0_epoch_1.json"}  # a finding in it is given its line


def test_raw_of_a_sample_reads_no_other(path: Path, reads: list[str]) -> None:
    reader = ExcerptReader()
    shown = reader(ExcerptRequest(str(path), "/samples~13_epoch_1.json/id", 0))
    assert "".join(shown.lines)[shown.start[1] : shown.end[1]] == "3"
    assert reads == ["3_epoch_1.json"]
    reader(ExcerptRequest(str(path), "/samples~13_epoch_1.json/epoch", 0))
    assert reads == ["3_epoch_1.json"]


def test_whoever_goes_through_the_whole_reads_no_sample(path: Path, reads: list[str]) -> None:
    value = reading.read(path).value
    assert isinstance(value, dict)
    assert [*value] == ["_journal/start.json", "header.json"]
    assert reads == []
    sample_2 = value["samples/2_epoch_1.json"]
    assert isinstance(sample_2, dict)
    assert (sample_2["id"], reads) == (2, ["2_epoch_1.json"])
    with pytest.raises(KeyError):
        value["samples/9_epoch_1.json"]


def test_a_sample_that_cannot_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle_document, "MOST_BYTES", 5_000)
    file = tmp_path / "log.eval"
    file.write_bytes(archive(("samples/9_epoch_1.json", b"PK\x03\x04 inside")))
    contents = open_file(file).contents
    assert len(contents.traces) == SAMPLES
    (told,) = (finding for finding in contents.findings if finding.code == "sample-unread")
    assert told.pointer == "/samples~19_epoch_1.json"


def test_a_further_sample_changes_the_digest(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle_document, "MOST_BYTES", 5_000)
    before = reading.read(path).data
    assert reading.read(path).data == before
    path.write_bytes(archive(("samples/4_epoch_1.json", json.dumps({**sample(), "id": 4}).encode())))
    assert reading.read(path).data != before

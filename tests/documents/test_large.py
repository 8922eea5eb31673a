"""Large files where they lie: what is taken for one, its places in Raw, and bytes that stay the file's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.helpers.tables import each
from trace_inspector.core.errors import ReadError
from trace_inspector.core.values.values import Json
from trace_inspector.documents.editing.places import excerpt
from trace_inspector.documents.large import large
from trace_inspector.documents.reading.reading import read
from trace_inspector.work.reading.excerpts import ExcerptReader, ExcerptRequest

VALUE: Json = {"data": [{"spans": [{"spanID": str(at), "tags": [at, at + 1]} for at in range(50)]}]}


@pytest.fixture(autouse=True)
def _small_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large, "LARGE_BYTES", 500)


def put(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


@each("pointer", ["", "/data/0/spans/49/tags/1", "/data/0/spans/0"])
@each("mark", [b"", b"\xef\xbb\xbf"])
def test_raw_shows_the_same_without_reading_the_file(tmp_path: Path, pointer: str, mark: bytes) -> None:
    path = put(tmp_path / "t.json", mark + json.dumps(VALUE, indent=1).encode())
    expected = excerpt(read(path), pointer, 2)
    with large.large_file(path) as found:
        assert found is not None
        assert found.excerpt(pointer, 2) == expected
    assert ExcerptReader()(ExcerptRequest(str(path), pointer, 2)) == expected


def test_raw_in_lines(tmp_path: Path) -> None:
    path = put(tmp_path / "t.json", b"".join(json.dumps(VALUE).encode() + b"\n" for _ in range(3)))
    assert ExcerptReader()(ExcerptRequest(str(path), "/2/data/0/spans/7", 0)).first_line == 3


def test_raw_of_a_damaged_file_is_an_excerpt_or_a_sentence(tmp_path: Path) -> None:
    data = json.dumps(VALUE).encode()
    path = put(tmp_path / "t.json", data[: len(data) // 2])
    assert ExcerptReader()(ExcerptRequest(str(path), "/data/0/spans/3", 0)).total_bytes > 0
    with pytest.raises(ReadError):
        ExcerptReader()(ExcerptRequest(str(path), "/data/0/spans/49", 0))


@each(
    "data",
    [
        b"{}",
        b"\x1f\x8b" + bytes(600),
        json.dumps(VALUE).encode("utf-16"),
        b"name: value\n" * 60,
        b" " * 600,
    ],
)
def test_what_is_small_packed_or_no_json_is_read_whole(tmp_path: Path, data: bytes) -> None:
    with large.large_file(put(tmp_path / "t.json", data)) as found:
        assert found is None


def test_a_folder_and_a_name_without_a_file_are_left_to_others(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "gone.json", tmp_path / "a\0b"):
        with large.large_file(path) as found:
            assert found is None


@pytest.mark.parametrize(("text", "is_lines"), [("{}\n{}\n", True), ('{\n"a": 1}\n', False), ('{"a":1}\n', False)])
def test_lines_are_told_from_one_document(tmp_path: Path, text: str, is_lines: bool) -> None:
    padding = text.replace("{}", '{"text": "' + "x" * 600 + '"}').replace("1}", '"' + "x" * 600 + '"}')
    with large.large_file(put(tmp_path / "t.json", padding.encode())) as found:
        assert found is not None
        assert isinstance(found.sketch(lambda: None), list) == is_lines

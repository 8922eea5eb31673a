"""What in a folder or an archive is worth opening."""

from __future__ import annotations

import gzip
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path, PurePath

import pytest

from tests.documents.archives import JSON, zipped
from tests.helpers.tables import each
from trace_inspector.core.errors import ReadError
from trace_inspector.documents.bundles.candidates import may_be_document
from trace_inspector.documents.bundles.folders import files_in, is_folder
from trace_inspector.documents.packing.packing import is_file, spot_of
from trace_inspector.documents.reading.reading import read, stamp_at

DEEP = 1200
BY_NAME = ["a.json", "A.JSON", "a.jsonl", "a.ndjson", "a.yaml", "a.yml", "a.csv", "a.pb", "a.binpb"]


@each("name", BY_NAME)
def test_known_names_are_taken_whatever_is_in_them(name: str) -> None:
    def head() -> bytes:
        pytest.fail("it was looked at")

    assert may_be_document(PurePath(name), head)


@each(
    "head",
    [
        b'{"a', b"{}", b"{",
        b' \r\n\t{ "a"', b"[{", b"[[1", b"[]", b'["a"', b"[ \n {", b'"{\\"a', b'"[1', b"{ // note",
        b'\xef\xbb\xbf{"a', '\ufeff{"a":1}'.encode("utf-16-le"), '\ufeff{"a":1}'.encode("utf-16-be"),
        b"SQLite format 3\0", b"PK\x03\x04", gzip.compress(b'{"a": 1}', mtime=0), gzip.compress(JSON * 999, mtime=0),
    ],
)  # fmt: skip
@each("name", ["a", "a.log", "a.traj", "a.db", "a.gz"])
def test_other_names_are_taken_for_their_first_bytes(name: str, head: bytes) -> None:
    assert may_be_document(PurePath(name), lambda: head[:512])


@each(
    "head",
    [
        b"", b"   ", b"words", b"[INFO] started", b"[2026-01-01 10:00] {", b"{{ template }}", b"{ return 1; }",
        b"a,b\n1,2", b"key: value", b"\x89PNG", b"\x7fELF", bytes(512), b"<html>",
        b"version https://git-lfs", b'"quoted" words',
        gzip.compress(b"words", mtime=0), b"\x1f\x8b", b"\x1f\x8b\x08\0\0\0\0\0\0\0\xff",
        "\ufeffwords".encode("utf-16-le"),
    ],
)  # fmt: skip
@each("name", ["a", "a.log", "a.db", "a.gz", "a.sqlite"])
def test_what_begins_like_no_document_is_left(name: str, head: bytes) -> None:
    assert not may_be_document(PurePath(name), lambda: head)


@each("name", ["a.docx", "b.WHL", "c.jar", "a.json.trace-inspector.json"])
def test_names_that_nobody_means(name: str) -> None:
    assert not may_be_document(PurePath(name), lambda: b"PK\x03\x04")


@pytest.mark.parametrize(
    ("name", "inner"), [("a.csv.gz", b"a,b\n"), ("a.yaml.gz", b"a: 1\n"), ("a.JSON.GZ", b"oops")]
)
def test_a_packed_name_counts_too(name: str, inner: bytes) -> None:
    assert may_be_document(PurePath(name), lambda: gzip.compress(inner))


def put(path: Path, data: bytes = JSON) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def inside(folder: Path) -> list[str]:
    return [path.relative_to(folder).as_posix() for path in files_in(folder)]


@each("named", ["", "app", "app/.adk", "app/.adk/eval_history"])
def test_the_history_that_adk_hides_is_found(tmp_path: Path, named: str) -> None:
    put(tmp_path / "app" / ".adk" / "eval_history" / "app_set_1.evalset_result.json")
    put(tmp_path / "app" / ".venv" / "x.json")
    assert [path.name for path in files_in(tmp_path / named)] == ["app_set_1.evalset_result.json"]


def test_archives_in_a_folder_are_folders(tmp_path: Path) -> None:
    put(tmp_path / "b.zip", zipped({"x.json": JSON, "notes.txt": b"words"}))
    put(tmp_path / "c.eval", zipped({"header.json": JSON}))
    put(tmp_path / "d.zip", zipped({"notes.txt": b"words"}))
    put(tmp_path / "e.zip", b"PK\x03\x04 broken")
    put(tmp_path / "a.json")
    assert inside(tmp_path) == ["a.json", "b.zip/x.json", "c.eval/header.json", "e.zip"]


def test_databases_are_found(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "sessions.db")
    connection.execute("create table t (a)")
    connection.commit()
    connection.close()
    put(tmp_path / "Thumbs.db", b"\xd0\xcf\x11\xe0")
    assert inside(tmp_path) == ["sessions.db"]


def test_the_order_is_that_of_paths(tmp_path: Path) -> None:
    for name in ("b.json", "b/z.json", "b-c/a.json", "a/b/c.json", "a/a.json", "c"):
        put(tmp_path / name)
    found = list(files_in(tmp_path))
    assert found == sorted(found)
    put(tmp_path / "x.zip", zipped({"b.json": JSON, "b/z.json": JSON, "b-c/a.json": JSON}))
    found = list(files_in(tmp_path / "x.zip"))
    assert found == sorted(found)


@pytest.fixture
def deep(tmp_path: Path) -> Iterator[Path]:
    """More folders in each other than there are calls in each other; taken away again, as few programs can."""
    for _ in range(DEEP):
        (tmp_path / "next").mkdir()
        if (tmp_path / "d").exists():
            (tmp_path / "d").rename(tmp_path / "next" / "d")
        (tmp_path / "next").rename(tmp_path / "d")
    yield tmp_path
    for _ in range(DEEP):
        if (tmp_path / "d" / "d").exists():
            (tmp_path / "d" / "d").rename(tmp_path / "next")
        (tmp_path / "d").rmdir()
        if (tmp_path / "next").exists():
            (tmp_path / "next").rename(tmp_path / "d")


def test_folders_nested_by_the_thousand_are_walked(deep: Path) -> None:
    assert sys.getrecursionlimit() < DEEP
    put(deep / "e.json")
    put(deep / "d" / "d" / "d" / "a.json")
    assert inside(deep) == ["d/d/d/a.json", "e.json"]
    (deep / "d" / "d" / "d" / "a.json").unlink()


def test_what_is_a_folder(tmp_path: Path) -> None:
    put(tmp_path / "x.zip", zipped({"a/b.json": JSON}))
    put(tmp_path / "y.json")
    (tmp_path / "link").symlink_to("x.zip")
    folders = [tmp_path, tmp_path / "x.zip", tmp_path / "link", tmp_path / "x.zip" / "a", tmp_path / "link" / "a"]
    files = [tmp_path / "y.json", tmp_path / "x.zip" / "a" / "b.json"]
    neither = [tmp_path / "gone", tmp_path / "x.zip" / "b", tmp_path / "x.zip" / "a" / "b.json" / "c", Path("a\0b")]
    assert [is_folder(path) for path in folders + files + neither] == [True] * 5 + [False] * 6
    assert [is_file(path) for path in files] == [True] * 2
    assert [is_file(path) for path in [tmp_path, tmp_path / "x.zip" / "a", *neither]] == [False] * 6


def test_where_paths_lead(tmp_path: Path) -> None:
    put(tmp_path / "x.zip", zipped({"a.json": JSON}))
    put(tmp_path / "y.json")
    assert (spot_of(tmp_path / "x.zip").file, spot_of(tmp_path / "x.zip").member) == (tmp_path / "x.zip", "")
    assert (spot_of(tmp_path / "x.zip/b/c").file, spot_of(tmp_path / "x.zip/b/c").member) == (
        tmp_path / "x.zip",
        "b/c",
    )
    for plain in (tmp_path / "y.json", tmp_path / "y.json" / "b", tmp_path / "gone" / "b", Path("gone.json")):
        assert spot_of(plain).file == plain
    assert stamp_at(tmp_path / "x.zip" / "a.json") == stamp_at(tmp_path / "x.zip")
    assert stamp_at(tmp_path / "y.json") == read(tmp_path / "y.json").stamp
    assert stamp_at(tmp_path / "gone") is None


def test_a_folder_where_a_file_is_needed(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="a folder without any file that can be read"):
        read(tmp_path)
    put(tmp_path / "a" / "x.json")
    with pytest.raises(ReadError, match=r"a single file is needed. Name one in it, such as .*x\.json"):
        read(tmp_path)

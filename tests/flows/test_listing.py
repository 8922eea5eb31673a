"""Folders as the files inside that may be documents."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.documents.archives import zipped
from trace_inspector.core.errors import ReadError
from trace_inspector.flows.opening import listing
from trace_inspector.flows.opening.listing import expand


def put(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{}", encoding="utf-8")


def test_a_folder_is_what_may_be_json_inside(tmp_path: Path) -> None:
    for name in (
        "b/two.json",
        "a.JSONL",
        "c.ndjson",
        ".hidden.json",
        ".git/x.json",
        "node_modules/y.json",
        "notes.txt",
    ):
        put(tmp_path / name)
    put(tmp_path / "b" / "bare")
    (tmp_path / "b" / "prose").write_text("words")
    (tmp_path / "loop").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "pipe.json")
    named = [str(path.relative_to(tmp_path)) for path in expand([tmp_path, tmp_path / "b" / "prose"])]
    assert named == ["a.JSONL", "b/bare", "b/two.json", "c.ndjson", "notes.txt", "b/prose"]


def test_too_large_a_folder_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "MOST_FILES", 3)
    for at in range(4):
        put(tmp_path / f"{at}.json")
    with pytest.raises(ReadError, match="more than 3 files"):
        expand([tmp_path])


def test_archives_are_folders_and_what_is_empty_stands_for_itself(tmp_path: Path) -> None:
    (tmp_path / "x.eval").write_bytes(zipped({"b/two.json": b"{}", "one.json": b"{}", "notes.txt": b"words"}))
    (tmp_path / "empty.zip").write_bytes(zipped({}))
    (tmp_path / "empty").mkdir()
    asked = [
        tmp_path / "x.eval",
        tmp_path / "empty.zip",
        tmp_path / "empty",
        tmp_path / "gone",
        tmp_path / "x.eval" / "b",
    ]
    named = [path.relative_to(tmp_path).as_posix() for path in expand(asked)]
    assert named == ["x.eval/b/two.json", "x.eval/one.json", "empty.zip", "empty", "gone", "x.eval/b/two.json"]

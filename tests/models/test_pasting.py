from __future__ import annotations

import json
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from trace_inspector.models.files import pasting
from trace_inspector.models.files.pasting import FOLDER, LONG_CHARS, keep_long, pasted
from trace_inspector.work.processes.jobs import Jobs


def test_a_path_stands_for_its_file(tmp_path: Path) -> None:
    file = tmp_path / "a b.json"
    file.write_text("{}")
    for text in (str(file), f'  "{file}"\n', f"'{file}'"):
        assert pasted(text, tmp_path) == [file]
    assert pasted(f"{file}#/cases/0", tmp_path) == [Path(f"{file}#/cases/0")]


def test_any_other_text_becomes_a_file_each_its_own(tmp_path: Path) -> None:
    first, second = pasted('{"a": "é"}', tmp_path)[0], pasted('{"b": 2}', tmp_path)[0]
    assert first != second
    assert json.loads(first.read_bytes()) == {"a": "é"}
    assert json.loads(second.read_bytes()) == {"b": 2}
    assert first.parent.stat().st_mode & 0o077 == 0


def test_hostile_text_is_text(tmp_path: Path) -> None:
    for text in ("\x00", "a" * 5_000, "/" + "n" * 300, "\ud800"):
        (made,) = pasted(text, tmp_path)
        assert made.parent.parent == tmp_path


def test_nothing_is_nothing(tmp_path: Path) -> None:
    assert pasted(" \n", tmp_path) == []
    assert list(tmp_path.iterdir()) == []


class Told:
    """What comes of a long text."""

    def __init__(self) -> None:
        self.paths: list[Path] = []
        self.said: list[str] = []

    def keep(self, text: str, folder: Path, jobs: Jobs) -> None:
        keep_long(text, folder, jobs, self.paths.append, self.said.append)


def test_a_long_text_becomes_a_file_in_the_background(tmp_path: Path, jobs: Jobs, qtbot: QtBot) -> None:
    told, texts = Told(), ("é" * (2 * LONG_CHARS + 1), "\ud800" * (LONG_CHARS + 1))
    for text in texts:
        told.keep(text, tmp_path, jobs)
        assert not told.paths  # nobody waited for it
        qtbot.waitUntil(lambda: bool(told.paths), timeout=60_000)
        (path,) = told.paths
        assert path.read_bytes().decode("utf-8", "surrogatepass") == text
        told.paths.clear()
    assert len(list((tmp_path / FOLDER).iterdir())) == len(texts)
    assert told.said == []


def test_a_long_text_that_cannot_be_kept_says_why(
    tmp_path: Path, jobs: Jobs, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    # There before the child starts: replaced afterwards, the file may have been written already.
    monkeypatch.setattr(pasting, "create_new", Path.mkdir)
    told = Told()
    told.keep("x" * LONG_CHARS, tmp_path, jobs)
    qtbot.waitUntil(lambda: bool(told.said), timeout=60_000)
    assert told.said[0].startswith("The text from the clipboard could not be written to a file")
    assert told.paths == []


def test_of_a_long_text_that_was_stopped_nothing_stays(tmp_path: Path, jobs: Jobs) -> None:
    told = Told()
    told.keep("x" * LONG_CHARS, tmp_path, jobs)
    jobs.stop(jobs.jobs[0].number)
    assert (told.paths, told.said) == ([], [])
    assert list((tmp_path / FOLDER).iterdir()) == []

"""A file in a format that is not read: what it looks like is said once, its text is shown, nothing false is said."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel

from tests.models.stories import put, trace, turn
from tests.views.doing import wait_for, whole_details
from trace_inspector.models.base.open_file import FileState
from trace_inspector.models.base.selection import Selection
from trace_inspector.views.details.panel import CONTENT, RAW
from trace_inspector.views.shell.main_window import MainWindow

pytestmark = pytest.mark.shared_window


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRACE_INSPECTOR_DATA", str(tmp_path / "data"))


def opened_trace_of_langfuse(window: MainWindow, folder: Path) -> int:
    path = folder / "langfuse.json"
    path.write_text(json.dumps({"trace": {"id": "t"}, "observations": [{"name": "search_web"}]}, indent=1))
    window.desk.workspace.files.open([path])
    (file,) = window.desk.workspace.files
    assert wait_for(lambda: file.state is FileState.FAILED)
    return file.number


def words_in_sight(window: MainWindow) -> list[str]:
    return [label.text() for label in window.findChildren(QLabel) if label.isVisible()]


def test_it_says_once_what_it_looks_like_and_what_to_do(window: MainWindow, tmp_path: Path) -> None:
    opened_trace_of_langfuse(window, tmp_path)
    details = whole_details(window)
    told = [words for words in words_in_sight(window) if "Langfuse" in words]
    assert len(told) == 1, told
    assert any("OTLP JSON instead. Details shows its text under Raw." in words for words in words_in_sight(window))
    assert not any("adk-eval-set" in words or "could not be read" in words for words in words_in_sight(window))
    (problem,) = window.desk.workspace.problems.every
    assert problem.sentence.startswith(told[0].rstrip("."))
    details.tabs.setCurrentIndex(CONTENT)
    whole_details(window)
    assert len([words for words in words_in_sight(window) if "Langfuse" in words]) == 2, "the view and the finding"


def test_its_text_is_shown_and_the_next_file_is_shown_as_before(window: MainWindow, tmp_path: Path) -> None:
    number = opened_trace_of_langfuse(window, tmp_path)
    details = whole_details(window)
    assert details.tabs.currentIndex() == RAW
    assert wait_for(lambda: "search_web" in details.raw.text.toPlainText())
    known = put(window.desk.workspace, "/made/run.json", trace("t", turn(0, "one?")))
    window.desk.workspace.selection.select(Selection(known.number))
    assert details.tabs.currentIndex() == CONTENT
    window.desk.workspace.selection.select(Selection(number))
    assert details.tabs.currentIndex() == RAW
    details.tabs.setCurrentIndex(CONTENT)
    window.desk.workspace.files.changed.emit(number)
    assert details.tabs.currentIndex() == CONTENT, "a person who turns away from it is left there"


def test_of_a_database_it_is_said_what_is_in_it(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "saver.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE checkpoints (thread_id)")
        connection.execute("CREATE TABLE writes (thread_id)")
    window.desk.workspace.files.open([path])
    (file,) = window.desk.workspace.files
    assert wait_for(lambda: file.state is FileState.FAILED)
    details = whole_details(window)
    assert details.tabs.currentIndex() == CONTENT, "there is no text to show"
    words = words_in_sight(window)
    assert any("checkpoints of LangGraph" in told for told in words)
    assert any("“checkpoints” (0 rows)" in told for told in words)


def test_an_archive_named_eval_is_a_folder_in_the_window_too(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "log.eval"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("header.json", json.dumps({"version": 2, "eval": {}, "plan": {}}))
        archive.writestr("samples/1.json", json.dumps({"id": 1, "epoch": 1, "input": "", "target": ""}))
    workspace = window.desk.workspace
    workspace.files.open([path])
    assert wait_for(lambda: [file.unrecognised for file in workspace.files] == [True, True])
    assert all("log of Inspect" in file.sentence for file in workspace.files)

"""The recordings in the Listen dialog: what another process writes stays, and the question says what is deleted."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.helpers.sent_spans import request, turn_spans
from tests.views.test_listen_dialog import WAIT_MS, dialog, listening, post, send, stopped
from trace_inspector.documents.recording.recordings import parts
from trace_inspector.flows.live.receiver import FOLDER
from trace_inspector.models.base.open_file import FileState
from trace_inspector.settings import data_folder
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.work.live.listening import NotJudged, ReceiverTrouble


def old(*names: str) -> list[Path]:
    """Recordings that nobody writes."""
    folder = data_folder() / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{name}.otlp.jsonl" for name in names]
    for path in paths:
        path.write_bytes(request(turn_spans(1, "c1", "one?", "1")) + b"\n")
    return paths


@contextmanager
def other_listener() -> Iterator[tuple[int, Path, subprocess.Popen[str]]]:
    """`listen` in a process of its own, in the same data folder."""
    command = [sys.executable, "-m", "trace_inspector", "listen", "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        assert process.stdout is not None
        found = re.search(r"127\.0\.0\.1:(\d+); recording into (.*)", process.stdout.readline())
        assert found is not None
        yield int(found[1]), Path(found[2].strip()), process
    finally:
        process.kill()
        process.communicate()


def test_what_another_process_records_stays_whatever_is_cleared(window: MainWindow) -> None:
    (before,) = old("before")
    with other_listener() as (port, record, _process):
        assert post(port, request(turn_spans(1, "c1", "one?", "1"))) == 200
        kept = dialog(window).kept
        assert {file.path for file in kept.recordings.records} == {before, record}
        kept.list.selectAll()
        kept.clear.click()
        size_bytes = before.stat().st_size
        assert kept.question.text() == (
            f"Delete {before.name} ({size_bytes / 1000:.1f} kB) for good? The one being written stays."
        )
        kept.confirm.click()
        assert not before.exists()
        kept.list.selectAll()
        assert not kept.delete.isEnabled()
        assert not kept.clear.isEnabled()
        assert post(port, request(turn_spans(2, "c2", "two?", "2"))) == 200
        assert len(record.read_bytes().splitlines()) == 2


def test_who_begins_to_write_after_the_question_keeps_the_recording(window: MainWindow) -> None:
    first, second = old("a", "b")
    kept = dialog(window).kept
    told: list[str] = []
    kept.failed.connect(told.append)
    kept.clear.click()
    assert kept.question.text().startswith("Delete all 2 recordings (")
    with first.open("ab") as file:
        file.write(b"{}\n")
    kept.confirm.click()
    assert (first.exists(), second.exists()) == (True, False)
    assert told == [f"{first.name} was written since, and stays."]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows deletes nothing that is open")
def test_a_recording_deleted_by_hand_goes_on_in_a_file_that_is_there(window: MainWindow, qtbot: QtBot) -> None:
    shown = listening(window, qtbot)
    assert send(shown.live.port, 1, "1") == 200
    qtbot.waitUntil(lambda: len(shown.live.turns.records) == 1, timeout=WAIT_MS)
    shown.live.record.unlink()
    assert send(shown.live.port, 2, "2") == 200
    (second,) = parts(shown.live.record)
    assert b"c2" in second.read_bytes()
    qtbot.waitUntil(lambda: "was deleted while it was written" in shown.sentence.text(), timeout=WAIT_MS)
    qtbot.waitUntil(lambda: len(shown.live.turns.records) == 2, timeout=WAIT_MS)
    stopped(shown, qtbot)


def test_only_what_was_not_judged_is_taken_back_by_another_golden(window: MainWindow, qtbot: QtBot) -> None:
    shown = listening(window, qtbot)
    live, where = shown.live, shown.live.sentence
    for message, after in ((NotJudged("No."), where), (ReceiverTrouble("The disk is full."), "The disk is full.")):
        live._ordered = None  # as where a golden changed
        if isinstance(message, NotJudged):
            live._grown(message)
        else:
            live._take(message)
        assert shown.sentence.text() == message.sentence
        live._order_now()
        assert shown.sentence.text() == after
    stopped(shown, qtbot)


def test_the_question_says_what_is_open_and_esc_and_closing_end_it(window: MainWindow, qtbot: QtBot) -> None:
    first, second = old("a", "b")
    files = window.desk.workspace.files
    files.open([first])
    qtbot.waitUntil(lambda: [file.state for file in files] == [FileState.READY], timeout=WAIT_MS)
    shown = dialog(window)
    shown.kept.clear.click()
    assert shown.kept.question.text().endswith(" for good? 1 of them is open in this window.")
    qtbot.waitUntil(shown.isActiveWindow, timeout=WAIT_MS)
    QTest.keyClick(shown.turns, Qt.Key.Key_Escape)
    assert not shown.kept.is_asking
    assert shown.isVisible()
    second.unlink()
    shown.kept.clear.click()
    assert shown.kept.question.text().startswith(f"Delete {first.name} (")
    assert shown.kept.question.text().endswith(" for good? It is open in this window.")
    shown.close()
    assert not shown.isVisible()
    assert not shown.kept.is_asking
    shown.kept.confirm.click()
    assert first.exists()
    QTest.keyClick(dialog(window).turns, Qt.Key.Key_Escape)
    assert not shown.isVisible()

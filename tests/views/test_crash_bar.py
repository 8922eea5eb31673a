from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QPlainTextEdit
from pytestqt.qtbot import QtBot

from tests.models.stories import put, trace, turn
from trace_inspector import crash
from trace_inspector.resources import folder
from trace_inspector.settings import data_folder
from trace_inspector.store.open_windows import FOLDER, take_unclosed_files
from trace_inspector.views.shell.application import OpenFilesRecord
from trace_inspector.views.shell.crash_bar import CrashBar
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.widgets.controls import Button

LIMIT_MS = 60_000
SECRET = "the customer's address"
TURN = {"user_content": {"parts": [{"text": SECRET}]}}
EVAL_SET = {"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "conversation": [TURN]}]}


@pytest.fixture
def left(qtbot: QtBot, tmp_path: Path) -> Path:
    """A file that a window had open when it was killed."""
    path = tmp_path / "set.json"
    path.write_text(json.dumps(EVAL_SET))
    command = [sys.executable, "-m", "trace_inspector", str(path)]
    with subprocess.Popen(command, env=os.environ, stderr=subprocess.DEVNULL) as program:
        try:
            qtbot.waitUntil(lambda: path.name in noted() or program.poll() is not None, timeout=LIMIT_MS)
        finally:
            program.kill()
    return path


def leave(path: str) -> None:
    """What a window leaves behind that had this file open."""
    (data_folder() / FOLDER).mkdir(parents=True)
    (data_folder() / FOLDER / "x.open").write_text(json.dumps(path) + "\n")


def noted() -> str:
    return "".join(file.read_text() for file in (data_folder() / FOLDER).glob("*"))


def bar_of(window: MainWindow) -> CrashBar:
    (bar,) = window.findChildren(CrashBar)
    return bar


def press(window: MainWindow, words: str) -> None:
    button = next(one for one in bar_of(window).findChildren(Button) if one.text().startswith(words))
    button.setFocus()
    QTest.keyClick(button, Qt.Key.Key_Return)


def test_after_a_kill_what_was_open_is_offered_and_reopened_when_asked_for(
    window: MainWindow, qtbot: QtBot, left: Path
) -> None:
    remembering = OpenFilesRecord(window)
    remembering.offer("")
    assert bar_of(window).isVisible()
    assert not window.desk.workspace.files.in_order
    assert left.name in noted()  # until somebody decided, it would be offered again
    press(window, "Reopen 1 file")
    assert [file.path for file in window.desk.workspace.files] == [left]
    qtbot.waitUntil(lambda: window.findChildren(CrashBar) == [])
    remembering.end()
    assert take_unclosed_files(data_folder()) is None


def test_the_report_has_nothing_of_the_files(window: MainWindow) -> None:
    leave(f"/{SECRET}.json")
    remembering = OpenFilesRecord(window)
    remembering.offer("")
    press(window, "Report")
    (dialog,) = window.findChildren(QDialog)
    (text,) = [text.toPlainText() for text in dialog.findChildren(QPlainTextEdit)]
    assert text == crash.unseen()
    assert SECRET not in text
    dialog.close()
    remembering.end()


def test_what_failed_in_the_program_is_the_report(window: MainWindow) -> None:
    leave("/gone.json")
    remembering = OpenFilesRecord(window)
    remembering.offer("builtins.ValueError\n  views/x.py:1 in y")
    assert window.desk.fault.startswith("builtins.ValueError")
    press(window, "Dismiss")
    assert noted() == ""
    remembering.end()


def test_the_samples_come_back_with_their_recorded_replies(window: MainWindow) -> None:
    sample = next(folder("samples").glob("run-*.json"))
    bar = CrashBar(window.desk, (str(sample),), lambda: None)
    window.add_bar(bar)
    press(window, "Reopen")
    assert window.desk.workspace.evaluation.recorded is not None
    assert sample in [file.path for file in window.desk.workspace.files]


def test_a_good_end_and_a_first_start_say_nothing(window: MainWindow) -> None:
    remembering = OpenFilesRecord(window)
    remembering.offer("")
    assert window.findChildren(CrashBar) == []
    remembering.end()


def test_what_is_open_is_noted_and_what_was_closed_is_not(window: MainWindow, qtbot: QtBot) -> None:
    remembering = OpenFilesRecord(window)
    remembering.offer("")
    file = put(window.desk.workspace, "/made/one.json", trace("one", turn(0, "One?")))
    qtbot.waitUntil(lambda: noted() == '"/made/one.json"\n')
    window.desk.workspace.files.close(file.number)
    qtbot.waitUntil(lambda: noted() == "")
    remembering.end()

"""Pressing F5 while files are being read: what is asked for is done once they are read, and said."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.views.doing import trigger, wait_for
from tests.views.saving_doing import says
from trace_inspector.resources import folder
from trace_inspector.views.shell.main_window import MainWindow

pytestmark = pytest.mark.shared_window

SAMPLES = folder("samples")


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRACE_INSPECTOR_DATA", str(tmp_path / "data"))


def test_f5_while_files_are_read_evaluates_when_they_are_read_and_says_so(window: MainWindow) -> None:
    window.desk.workspace.files.open([SAMPLES / "run-0405.json", SAMPLES / "retail.evalset.json"])
    QTest.keyClick(window, Qt.Key.Key_F5)
    assert says(window, "still being read. They will be evaluated as soon as that is done")
    assert wait_for(lambda: (run := window.desk.workspace.run.value) is not None and not run.running)
    run = window.desk.workspace.run.value
    assert run is not None
    assert sum(bool(case.trace_id) for case in run.cases) == 5


def test_files_of_a_folder_are_waited_for_too(window: MainWindow) -> None:
    window.desk.workspace.files.open([SAMPLES / "other-systems"])
    QTest.keyClick(window, Qt.Key.Key_F5)
    assert says(window, "still being read")
    assert wait_for(lambda: window.desk.workspace.run.value is not None)
    run = window.desk.workspace.run.value
    assert run is not None
    assert wait_for(lambda: not run.running)
    assert run.cases


def test_esc_takes_the_wish_back(window: MainWindow, qtbot: QtBot) -> None:
    files = window.desk.workspace.files
    with qtbot.waitSignal(files.all_read):
        files.open([SAMPLES / "run-0405.json", SAMPLES / "retail.evalset.json"])
        QTest.keyClick(window, Qt.Key.Key_F5)
        trigger(window, "stop")
        assert says(window, "will not be evaluated by themselves")
    assert len(files) == 2
    assert window.desk.workspace.run.value is None

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSettings
from pytestqt.qtbot import QtBot

from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.work.processes.jobs import Jobs


def test_the_first_window_is_no_larger_than_its_screen(theme: Theme, qtbot: QtBot, tmp_path: Path) -> None:
    jobs = Jobs()
    settings = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    window = MainWindow(theme, Workspace(jobs), jobs, settings)
    qtbot.addWidget(window, before_close_func=lambda _window: window.saving.leave())
    room = window.screen().availableSize()
    assert room.width() < 1600  # else nothing would be shown
    assert window.width() <= room.width()
    assert window.height() <= room.height()
    jobs.stop_all()

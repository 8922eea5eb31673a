"""The real window in this process, for pictures and measurements: its state is fresh, its platform quiet."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QSettings, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from trace_inspector import log
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.views.appearance.appearance import Scheme, Theme
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.work.processes.jobs import Jobs


@contextmanager
def main_window(state: Path, width_px: int = 1600, height_px: int = 1000) -> Iterator[MainWindow]:
    """A shown window that keeps its layout in the file `state`; closed, with all its jobs, afterwards."""
    app = QApplication.instance() or QApplication([])
    if not isinstance(app, QApplication):
        raise TypeError("A Qt application without windows is running already.")
    app.setStyle("Fusion")
    theme = Theme(app)
    theme.choose(Scheme.LIGHT)
    jobs = Jobs()
    with log.recording(logging.ERROR):
        qInstallMessageHandler(log.take_qt_message)
        window = MainWindow(theme, Workspace(jobs), jobs, QSettings(str(state), QSettings.Format.IniFormat))
        window.resize(width_px, height_px)
        window.show()
        try:
            yield window
        finally:
            window.saving.leave()
            jobs.stop_all()
            qInstallMessageHandler(None)

"""Run as a program: show the Golden tab of a file with all its sections open, and print what is imported then."""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QSettings
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.views.golden_doing import opened, unfold
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.work.processes.jobs import Jobs


def main(path: Path) -> None:
    """In a process of its own: another one may have imported anything."""
    app = QApplication([])
    jobs = Jobs()
    settings = QSettings(str(path.parent / "window.ini"), QSettings.Format.IniFormat)
    window = MainWindow(Theme(app), Workspace(jobs), jobs, settings)
    window.show()
    tab = opened(window, path, turn=0)
    for name, group in tab.groups.items():
        if not group.isHidden():
            unfold(tab, name)
    QTest.qWait(1)
    shown = sum(not group.isHidden() for group in tab.groups.values())
    sys.stdout.write("\n".join([f"sections {shown}", *sys.modules]))
    window.saving.leave()
    jobs.stop_all()


if __name__ == "__main__":
    main(Path(sys.argv[1]))

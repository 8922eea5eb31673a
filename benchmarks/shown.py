"""Runs the command line, prints the clock when the window has been painted, and quits."""

from __future__ import annotations

import sys
import time
from unittest.mock import patch

from trace_inspector.cli import main


def run() -> int:
    """The window is painted when it is exposed and nothing more waits to be drawn."""
    from PySide6.QtCore import QCoreApplication
    from PySide6.QtWidgets import QApplication

    def until_painted(*_application: object) -> int:
        while not any(_painted(window) for window in QApplication.topLevelWidgets()):
            QCoreApplication.processEvents()
        print(time.time(), flush=True)
        QApplication.closeAllWindows()
        QCoreApplication.processEvents()
        return 0

    with patch.object(QApplication, "exec", until_painted):
        return main(sys.argv[1:])


def _painted(window: object) -> bool:
    from PySide6.QtWidgets import QWidget

    if not isinstance(window, QWidget) or not window.isVisible():
        return False
    handle = window.windowHandle()
    return handle is not None and handle.isExposed()


if __name__ == "__main__":
    sys.exit(run())

"""Runs the command line, prints the clock and the processor time when the window has been painted, and quits."""

from __future__ import annotations

import sys
import time

import trace_inspector.views.shell.before_qt  # noqa: F401 — as the command line does

# isort: split
from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt
from PySide6.QtWidgets import QApplication, QMainWindow

from trace_inspector.cli import main

EVENT_LOOP = "exec"  # replaced without the tools of tests, whose import would be measured, too


class FirstPaint(QObject):
    """Notes the clock as soon as the first painting of a window, with all that is in it, is done."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__()
        self.at_s = self.spent_s = 0.0
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The window's own background comes first; what is posted now is delivered after the rest is painted."""
        if event.type() == QEvent.Type.Paint:
            watched.removeEventFilter(self)
            QCoreApplication.postEvent(self, QEvent(QEvent.Type.User), Qt.EventPriority.HighEventPriority.value)
        return False

    def event(self, event: QEvent) -> bool:
        """The rest is painted."""
        if event.type() == QEvent.Type.User:
            self.at_s, self.spent_s = time.time(), time.process_time()
        return super().event(event)


def until_painted(*_application: object) -> int:
    """In the place of the event loop."""
    (window,) = (one for one in QApplication.topLevelWidgets() if isinstance(one, QMainWindow))
    first = FirstPaint(window)
    while not first.at_s:
        QCoreApplication.processEvents()
    print(first.at_s, first.spent_s, flush=True)
    window.close()
    return 0


if __name__ == "__main__":
    setattr(QApplication, EVENT_LOOP, until_painted)
    sys.exit(main(sys.argv[1:]))

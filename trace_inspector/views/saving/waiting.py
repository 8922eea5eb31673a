"""Waits until the last typing is stored; but not forever for a process that does not answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QTimer

from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.views.window_context.desk import Desk

LONGEST_WAIT_MS = 5000


def when_written(desk: Desk, files: Sequence[OpenFile], then: Callable[[], None]) -> None:
    """Call `then` when all requests about these files are done: at once, where none is pending."""
    if any(desk.workspace.goldens.is_coming(file.number) for file in files):
        when_done(desk, then)
    else:
        then()


def when_done(desk: Desk, then: Callable[[], None]) -> None:
    """Call `then` once: when all present requests are done, or when that takes too long."""
    waits = [then]

    def go_on() -> None:
        if waits:
            waits.pop()()

    desk.workspace.goldens.done(go_on)
    QTimer.singleShot(LONGEST_WAIT_MS, desk.window, go_on)

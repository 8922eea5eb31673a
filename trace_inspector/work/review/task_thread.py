"""A thread that does what it is asked for, one thing after the other."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress

from PySide6.QtCore import QObject, Signal

from trace_inspector.core.errors import InspectorError

_LEAVING_S = 5.0  # the longest wait for a slow disk at the end


class TaskThread(QObject):
    """Signals that tasks emit arrive in the main thread, in the order of the requests. It ends when all is done."""

    failed = Signal(str)

    def __init__(self, name: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._lock = threading.Lock()
        self._inbox: deque[Callable[[], None]] = deque()
        self._thread: threading.Thread | None = None

    def do(self, what: Callable[[], None]) -> None:
        """Ask for something."""
        with self._lock:
            self._inbox.append(what)
            if self._thread is None or not self._thread.is_alive():  # a task that failed unforeseen ended it
                self._thread = threading.Thread(target=self._work, name=self._name, daemon=True)
                self._thread.start()

    def finish(self) -> None:
        """Wait until what was asked for is done: it must be on the disk before the program ends."""
        with self._lock:
            thread = self._thread
        if thread is not None:
            thread.join(_LEAVING_S)

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._inbox:
                    self._thread = None
                    return
                what = self._inbox.popleft()
            with suppress(RuntimeError):  # the window is closed
                try:
                    what()
                except InspectorError as problem:
                    self.failed.emit(str(problem))

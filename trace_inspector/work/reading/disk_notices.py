"""Notices of the system that files or folders changed, in a thread of their own: a sleeping drive may answer late.

The system tells of every write. So a file is watched for one notice, and then again when that was seen to.
The thread is Python's: a `QThread` that a drive holds up while the window is closed ends the program by a crash.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TypeAlias

from PySide6.QtCore import QEventLoop, QFileSystemWatcher, QObject, Signal

MOST_WATCHED = 4_000  # files and folders together; the others are looked at from time to time
_LEAVING_S = 0.5  # the longest wait for a drive at the end


class _Watching(QObject):
    """Lives in the thread."""

    file_changed = Signal(str)
    folder_changed = Signal(str)

    def __init__(self, requests: _Requests) -> None:
        super().__init__()
        self._requests = requests
        self._loop = QEventLoop()
        self._is_over = False
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(self._tell)
        self._watcher.directoryChanged.connect(self._tell_of_folder)
        self._watched: set[str] = set()  # the watcher drops by itself what was deleted or replaced

    def run(self) -> None:
        """Answer requests and the system until the end."""
        self.take_requests()
        if not self._is_over:
            self._loop.exec()

    def take_requests(self) -> None:
        """Do what was asked for."""
        with suppress(Empty):
            while not self._is_over:
                what, path = self._requests.get_nowait()
                what(self, path)

    def watch(self, path: str) -> None:
        """Tell of the next change of a file, or of every one of a folder."""
        if len(self._watched) >= MOST_WATCHED or path in self._watched:
            return
        # A member of an archive is no file of the system.
        if Path(path).exists() and self._watcher.addPath(path):
            self._watched.add(path)

    def forget(self, path: str) -> None:
        """Tell no more of it."""
        if path in self._watched:
            self._watched.discard(path)
            self._watcher.removePath(path)

    def end(self, _path: str) -> None:
        """Answer nothing any more."""
        self._is_over = True
        self._loop.quit()

    def _tell(self, path: str) -> None:
        self.forget(path)
        self.file_changed.emit(path)

    def _tell_of_folder(self, path: str) -> None:
        if path not in self._watcher.directories():
            self._watched.discard(path)
        self.folder_changed.emit(path)


_Requests: TypeAlias = SimpleQueue[tuple[Callable[[_Watching, str], None], str]]


class DiskNotices(QObject):
    """`file_changed` once after each `watch`; `folder_changed` when something came into a folder or went."""

    file_changed = Signal(str)
    folder_changed = Signal(str)
    asked = Signal()  # the thread for something

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._requests: _Requests = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._is_over = False

    def watch(self, path: str) -> None:
        """Watch a file or a folder."""
        if self._is_over:
            return
        self._ask(_Watching.watch, path)
        if self._thread is None:
            self._thread = threading.Thread(
                target=_work, args=(self, self._requests), name="disk notices", daemon=True
            )
            self._thread.start()

    def forget(self, path: str) -> None:
        """Watch it no more."""
        if self._thread is not None:
            self._ask(_Watching.forget, path)

    def stop(self) -> None:
        """End the thread for good; where a drive does not answer it is left alone, and ends when the drive does."""
        self._is_over = True
        if self._thread is not None:
            self._ask(_Watching.end, "")
            self._thread.join(_LEAVING_S)
            self._thread = None

    def _ask(self, what: Callable[[_Watching, str], None], path: str) -> None:
        self._requests.put((what, path))
        self.asked.emit()


def _work(notices: DiskNotices, requests: _Requests) -> None:
    """The thread."""
    watching = _Watching(requests)
    with suppress(RuntimeError):  # the window was closed before this began
        watching.file_changed.connect(notices.file_changed)
        watching.folder_changed.connect(notices.folder_changed)
        notices.asked.connect(watching.take_requests)
    watching.run()

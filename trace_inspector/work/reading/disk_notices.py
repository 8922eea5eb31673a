"""Notices of the system that files or folders changed, in a thread of their own: a sleeping drive may answer late.

The system tells of every write. So a file is watched for one notice, and then again when that was seen to.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QThread, Signal

MOST_WATCHED = 4_000  # files and folders together; the others are looked at from time to time
_LEAVING_MS = 500


class _Watching(QObject):
    """Lives in the thread."""

    file_changed = Signal(str)
    folder_changed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._watcher: QFileSystemWatcher | None = None
        self._watched: set[str] = set()  # the watcher drops by itself what was deleted or replaced

    def watch(self, path: str) -> None:
        """Tell of the next change of a file, or of every one of a folder."""
        if self._watcher is None:
            self._watcher = QFileSystemWatcher(self)
            self._watcher.fileChanged.connect(self._tell)
            self._watcher.directoryChanged.connect(self._tell_of_folder)
        if len(self._watched) >= MOST_WATCHED or path in self._watched:
            return
        # A member of an archive is no file of the system.
        if Path(path).exists() and self._watcher.addPath(path):
            self._watched.add(path)

    def forget(self, path: str) -> None:
        """Tell no more of it."""
        if self._watcher is not None and path in self._watched:
            self._watched.discard(path)
            self._watcher.removePath(path)

    def end(self) -> None:
        """Let go of everything in the thread that it belongs to, and end that."""
        if self._watcher is not None:
            self._watcher.deleteLater()
            self._watcher = None
        QThread.currentThread().quit()

    def _tell(self, path: str) -> None:
        self.forget(path)
        self.file_changed.emit(path)

    def _tell_of_folder(self, path: str) -> None:
        if self._watcher is not None and path not in self._watcher.directories():
            self._watched.discard(path)
        self.folder_changed.emit(path)


class DiskNotices(QObject):
    """`file_changed` once after each `watch`; `folder_changed` when something came into a folder or went."""

    file_changed = Signal(str)
    folder_changed = Signal(str)
    _watch = Signal(str)
    _forget = Signal(str)
    _end = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thread: QThread | None = None
        self._watching: _Watching | None = None

    def watch(self, path: str) -> None:
        """Watch a file or a folder."""
        if self._thread is None:
            self._thread, self._watching = QThread(self), _Watching()
            self._watching.moveToThread(self._thread)
            self._watch.connect(self._watching.watch)
            self._forget.connect(self._watching.forget)
            self._end.connect(self._watching.end)
            self._watching.file_changed.connect(self.file_changed)
            self._watching.folder_changed.connect(self.folder_changed)
            self._thread.start()
        self._watch.emit(path)

    def forget(self, path: str) -> None:
        """Watch it no more."""
        self._forget.emit(path)

    def stop(self) -> None:
        """End the thread."""
        if self._thread is not None:
            self._end.emit()
            self._thread.wait(_LEAVING_MS)
            self._thread = self._watching = None

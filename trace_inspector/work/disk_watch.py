"""Notices when open files change on disk. Asks in a thread of its own: a sleeping drive must not hold the window."""

from __future__ import annotations

import stat
import threading
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal

EVERY_S = 1.5
_LEAVING_S = 0.5  # a drive that does not answer is not waited for


@dataclass(frozen=True, slots=True)
class Stamp:
    """What tells one state of a file from another; None in place of it: the file is gone."""

    modified_ns: int
    size_bytes: int
    node: int


class DiskWatch(QObject):
    """`changed` once for each new state of a file, with whether it is still there."""

    changed = Signal(int, bool)

    def __init__(self, parent: QObject | None = None, every_s: float = EVERY_S) -> None:
        super().__init__(parent)
        self._every_s = every_s
        self._lock = threading.Lock()
        self._watched: dict[int, Path] = {}
        self._known: dict[int, Stamp | None] = {}
        self._leave = threading.Event()
        self._thread: threading.Thread | None = None

    def watch(self, number: int, path: Path) -> None:
        """Follow a file from its present state on."""
        with self._lock:
            self._watched[number] = path
        if self._thread is None:
            self._leave.clear()
            self._thread = threading.Thread(target=self._follow, name="disk watch", daemon=True)
            self._thread.start()

    def forget(self, number: int) -> None:
        """Follow it no more."""
        with self._lock:
            self._watched.pop(number, None)
            self._known.pop(number, None)

    def stop(self) -> None:
        """End the thread."""
        self._leave.set()
        if self._thread is not None:
            self._thread.join(_LEAVING_S)
            self._thread = None

    def _follow(self) -> None:
        while not self._leave.is_set():
            with self._lock:
                watched = list(self._watched.items())
            for number, path in watched:
                if self._leave.is_set():
                    return
                self._compare(number, _stamp(path))
            self._leave.wait(self._every_s)

    def _compare(self, number: int, now: Stamp | None) -> None:
        with self._lock:
            if number not in self._watched:
                return  # forgotten meanwhile
            first = number not in self._known
            before = self._known.get(number)
            self._known[number] = now
        if not first and now != before:
            self.changed.emit(number, now is not None)


def _stamp(path: Path) -> Stamp | None:
    """Of the file, or of the archive that it lies in."""
    for at in (path, *path.parents):
        try:
            found = at.stat()
        except OSError:
            continue
        return Stamp(found.st_mtime_ns, found.st_size, found.st_ino) if stat.S_ISREG(found.st_mode) else None
    return None

"""Notices when open files change on disk. Asks in a thread of its own: a sleeping drive must not hold the window."""

from __future__ import annotations

import stat
import threading
from collections import Counter
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from trace_inspector.documents.document import Stamp, stamp_of
from trace_inspector.documents.packing import is_real_folder
from trace_inspector.work.bundle_members import BundleMembers, Look

EVERY_S = 1.5
MOST_MEMBERS = 2_000  # files of all bundles together; the first of each are followed
_LEAVING_S = 0.5  # a drive that does not answer is not waited for


class DiskWatch(QObject):
    """`changed` once for each new state of a file, with whether it is still there."""

    changed = Signal(int, bool)
    _seen = Signal(int, object, int)  # from the thread: a file looks like that, in that turn

    def __init__(self, parent: QObject | None = None, every_s: float = EVERY_S) -> None:
        super().__init__(parent)
        self._every_s = every_s
        self._lock = threading.Lock()
        self._watched: dict[int, Path] = {}
        self._known: dict[int, Stamp | Look | None] = {}  # None: the file is gone
        self._bundles: dict[int, BundleMembers] = {}  # of the thread alone
        self._held: set[int] = set()
        self._turns: Counter[int] = Counter()  # what was seen of a file before it was written here says nothing
        self._leave = threading.Event()
        self._thread: threading.Thread | None = None
        self._seen.connect(self._tell)

    def watch(self, number: int, path: Path) -> None:
        """Follow a file from its present state on."""
        with self._lock:
            self._watched[number] = path
        if self._thread is None:
            self._leave.clear()
            self._thread = threading.Thread(target=self._follow, name="disk watch", daemon=True)
            self._thread.start()

    def hold(self, number: int) -> None:
        """Say nothing of a file while it is written here."""
        with self._lock:
            self._held.add(number)
            self._turns[number] += 1

    def go_on(self, number: int, path: Path, written: Stamp | None) -> None:
        """Follow it again, from the state in which it was written; without one, from the state before."""
        with self._lock:
            self._held.discard(number)
            self._turns[number] += 1
            if number in self._watched:
                self._watched[number] = path
                if written is not None:
                    self._known[number] = written

    def forget(self, number: int) -> None:
        """Follow it no more."""
        with self._lock:
            self._held.discard(number)
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
                watched, turns = list(self._watched.items()), self._turns.copy()
            for number, path in watched:
                if self._leave.is_set():
                    return
                self._compare(number, self._state(number, path), turns[number])
            for number in self._bundles.keys() - dict(watched).keys():
                del self._bundles[number]
            self._leave.wait(self._every_s)

    def _state(self, number: int, path: Path) -> Stamp | Look | None:
        """What a file looks like now, or each file of a bundle."""
        bundle = self._bundles.get(number)
        if bundle is None and is_real_folder(path):
            others = sum(len(other) for other in self._bundles.values())
            bundle = self._bundles[number] = BundleMembers(path, MOST_MEMBERS - others)
        return _stamp(path) if bundle is None else bundle.look()

    def _compare(self, number: int, now: Stamp | Look | None, turn: int) -> None:
        with self._lock:
            if not self._is_news(number, turn) or self._known.setdefault(number, now) == now:
                return
        with suppress(RuntimeError):  # the window went while a sleeping drive was asked
            self._seen.emit(number, now, turn)

    def _tell(self, number: int, now: Stamp | Look | None, turn: int) -> None:
        """In the thread of the window: between there and here the file may have been written or put together."""
        with self._lock:
            if not self._is_news(number, turn) or self._known.get(number) == now:
                return
            self._known[number] = now
        self.changed.emit(number, now is not None)

    def _is_news(self, number: int, turn: int) -> bool:
        followed = number in self._watched and number not in self._held
        return followed and turn == self._turns[number] and not self._leave.is_set()


def _stamp(path: Path) -> Stamp | None:
    """Of the file, or of the archive that it lies in."""
    for at in (path, *path.parents):
        try:
            found = at.stat()
        except OSError:
            continue
        return stamp_of(found) if stat.S_ISREG(found.st_mode) else None
    return None

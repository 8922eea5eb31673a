"""Detects when open files change on disk, in a thread: a sleeping drive must not block the window."""

from __future__ import annotations

import threading
from collections import Counter
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from trace_inspector.documents.packing.packing import is_real_folder
from trace_inspector.work.reading.disk_state import BundleMembers, FileLook, State

EVERY_S = 1.5
A_ROUND = 300  # files that are looked at every time; of more, some after the others
MOST_MEMBERS = 2_000  # files of all bundles together; the first of each are followed
_LEAVING_S = 0.5  # the longest wait for a drive at the end


class DiskWatch(QObject):
    """Emits `changed` once for each new state of a file, with whether it still exists."""

    changed = Signal(int, bool)
    as_before = Signal(int)  # it is again as last read or written here
    _seen = Signal(int, object, int)  # from the thread: file, state, and the turn in which it was read

    def __init__(self, parent: QObject | None = None, every_s: float = EVERY_S) -> None:
        super().__init__(parent)
        self._every_s = every_s
        self._lock = threading.Lock()
        self._watched: dict[int, Path] = {}
        self._states: dict[int, State] = {}
        self._shown: dict[int, State] = {}  # the state when last read or written here
        self._looks: dict[int, tuple[Path, FileLook | BundleMembers]] = {}  # used only in the thread
        self._paused: set[int] = set()
        self._turns: Counter[int] = Counter()  # to ignore states from before a file was written here
        self._next = 0  # of the watched files, the first of the next round
        self._leave = threading.Event()
        self._thread: threading.Thread | None = None
        self._seen.connect(self._tell)

    def watch(self, number: int, path: Path) -> None:
        """Follow a file from its present state on."""
        with self._lock:
            self._watched[number] = path
        if self._thread is None and not self._leave.is_set():
            self._thread = threading.Thread(target=self._follow, name="disk watch", daemon=True)
            self._thread.start()

    def hold(self, number: int) -> None:
        """Ignore a file while it is written here."""
        with self._lock:
            self._paused.add(number)
            self._turns[number] += 1

    def go_on(self, number: int, path: Path, written: State) -> None:
        """Follow it again, from the state in which it was written; without one, from the state before."""
        with self._lock:
            self._paused.discard(number)
            self._turns[number] += 1
            if number in self._watched:
                self._watched[number] = path
                if written is not None:
                    self._states[number] = self._shown[number] = written

    def forget(self, number: int) -> None:
        """Stop following a file."""
        with self._lock:
            self._paused.discard(number)
            self._watched.pop(number, None)
            self._states.pop(number, None)
            self._shown.pop(number, None)

    def stop(self) -> None:
        """End the thread for good: a window that closes may still hear of files."""
        self._leave.set()
        if self._thread is not None:
            self._thread.join(_LEAVING_S)
            self._thread = None

    def _follow(self) -> None:
        while not self._leave.is_set():
            with self._lock:
                watched, turns = list(self._watched.items()), self._turns.copy()
            for number, path in self._round(watched):
                if self._leave.is_set():
                    return
                self._compare(number, self._state(number, path), turns[number])
            for number in self._looks.keys() - dict(watched).keys():
                del self._looks[number]
            self._leave.wait(self._every_s)

    def _round(self, watched: list[tuple[int, Path]]) -> list[tuple[int, Path]]:
        """The files to look at now: all, or of thousands the next ones, so that a round is short."""
        first = self._next if self._next < len(watched) and len(watched) > A_ROUND else 0
        self._next = first + A_ROUND
        return watched[first : first + A_ROUND]

    def _state(self, number: int, path: Path) -> State:
        """The current state of a file, or of each file of a bundle. A file replaced by a folder counts as gone."""
        previous, look = self._looks.get(number, (None, None))
        if look is None or previous != path:
            look = self._bundle(number, path) if is_real_folder(path) else FileLook(path)
            self._looks[number] = path, look
        return look.look()

    def _bundle(self, number: int, path: Path) -> BundleMembers:
        looks = (look for other, (_path, look) in self._looks.items() if other != number)
        others = sum(len(look) for look in looks if isinstance(look, BundleMembers))
        return BundleMembers(path, MOST_MEMBERS - others)

    def _compare(self, number: int, now: State, turn: int) -> None:
        with self._lock:
            if not self._is_news(number, turn):
                return
            self._shown.setdefault(number, now)
            if self._states.setdefault(number, now) == now:
                return
        with suppress(RuntimeError):  # the window was closed while a sleeping drive was read
            self._seen.emit(number, now, turn)

    def _tell(self, number: int, now: State, turn: int) -> None:
        """In the main thread: the file may have been written or merged since the state was read."""
        with self._lock:
            if not self._is_news(number, turn) or self._states.get(number) == now:
                return
            self._states[number] = now
            as_before = now == self._shown[number]
        if as_before:
            self.as_before.emit(number)
        else:
            self.changed.emit(number, now is not None)

    def _is_news(self, number: int, turn: int) -> bool:
        followed = number in self._watched and number not in self._paused
        return followed and turn == self._turns[number] and not self._leave.is_set()

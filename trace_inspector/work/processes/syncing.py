"""Syncs edit journals to disk in the background, soon after each edit."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Protocol


class Synced(Protocol):
    """A journal that is being written."""

    path: Path

    def sync(self) -> None:
        """Wait until everything written so far is on disk; OSError when that fails."""


class Syncer:
    """A thread that syncs written journals. `failed` is called from it with a sentence."""

    def __init__(self, failed: Callable[[str], None]) -> None:
        self._failed = failed
        self._waiting: dict[Synced, None] = {}
        self._is_over = False
        self._wake = threading.Condition()
        self._thread = threading.Thread(target=self._work, name="journal syncer", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def soon(self, journal: Synced) -> None:
        """Sync a journal after those before it."""
        with self._wake:
            self._waiting[journal] = None
            self._wake.notify()

    def stop(self) -> None:
        """Sync what is pending, and end."""
        with self._wake:
            self._is_over = True
            self._wake.notify()
        self._thread.join()

    def _work(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._waiting or self._is_over)
                waiting, self._waiting = self._waiting, {}
                if not waiting:
                    return
            for journal in waiting:
                self._sync(journal)

    def _sync(self, journal: Synced) -> None:
        try:
            journal.sync()
        except OSError as problem:
            self._failed(
                f"{journal.path}: The last edits may not outlive a power cut: the disk does not take their journal "
                f"({problem.strerror or problem}). Save, or see that there is space."
            )

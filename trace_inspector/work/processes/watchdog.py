"""Detects when the main thread is stuck, and reports where."""

from __future__ import annotations

import faulthandler
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from itertools import takewhile
from pathlib import Path

from PySide6.QtCore import QObject, QTimer

SWITCH = "TRACE_INSPECTOR_WATCHDOG"
_TICK_MS = 10
_LEAVING_S = 1.0  # the thread may be stuck in writing its report
_FRAMES = 20  # the innermost; those of the event loop itself are of no use


class Watchdog(QObject):
    """A timer ticks on the main thread, a thread checks it; `tell` is called from the thread with the stack."""

    def __init__(
        self, *, limit_s: float = 0.1, tell: Callable[[str], None] | None = None, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.worst_s = 0.0
        self._limit_s = limit_s
        self._tell = tell or _to_stderr
        self._main = threading.get_ident()
        self._clock = ThreadClock(threading.get_native_id())
        self._ticked_s = self._clock.now_s()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, name="watchdog", daemon=True)
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._tick)

    def start(self) -> None:
        """Start checking; called on the main thread just before its event loop."""
        self._ticked_s = self._clock.now_s()
        self._timer.start(_TICK_MS)
        self._thread.start()

    def stop(self) -> None:
        """Stop checking and wait for the thread."""
        self._timer.stop()
        self._note(self._clock.now_s())
        self._over.set()
        if self._thread.is_alive():
            self._thread.join(_LEAVING_S)

    def _tick(self) -> None:
        now_s = self._clock.now_s()
        self._note(now_s)
        self._ticked_s = now_s

    def _note(self, now_s: float) -> None:
        self.worst_s = max(self.worst_s, now_s - self._ticked_s - _TICK_MS / 1000)

    def _look(self) -> None:
        reported_s = 0.0
        while not self._over.wait(self._limit_s / 4):
            ticked_s = self._ticked_s
            stuck_s = self._clock.now_s() - ticked_s
            if stuck_s > self._limit_s and reported_s != ticked_s:
                reported_s = ticked_s
                self._tell(f"The main thread is stuck for {stuck_s * 1000:.0f} ms:\n{stack_of(self._main)}")


def stack_of(thread: int) -> str:
    """The stack of a thread, innermost first.

    Its frames are not touched: whoever holds one last lets go of what was in it, and a Qt object that goes in
    another thread than its own can wait for the main thread for ever while that waits for it.
    """
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as room:
        faulthandler.dump_traceback(room)
        room.seek(0)
        lines = iter(room)
        for line in lines:
            if f"hread {thread:#018x} " in line:
                break
        stack = [line for line, _index in zip(takewhile(str.strip, lines), range(_FRAMES), strict=False)]
    return "".join(stack)


class ThreadClock:
    """The time in which a thread ran or slept, without waiting for a processor on a busy machine."""

    def __init__(self, thread: int) -> None:
        self._waits = Path(f"/proc/self/task/{thread}/schedstat")  # Linux only; elsewhere the waiting counts as well

    def now_s(self) -> float:
        """Seconds since an arbitrary moment."""
        try:
            waited_ns = int(self._waits.read_bytes().split()[1])
        except (OSError, IndexError, ValueError):
            waited_ns = 0
        return time.perf_counter() - waited_ns / 1e9


def is_enabled() -> bool:
    """Whether the watchdog is switched on in the environment."""
    return os.environ.get(SWITCH) == "1"


def _to_stderr(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()

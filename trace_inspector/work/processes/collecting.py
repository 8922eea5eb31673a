"""Runs the cyclic garbage collector on the main thread only.

Left to itself, Python does it in whichever thread makes the next object. A Qt object that goes there holds a lock
that the main thread may wait for, while it waits for the main thread: the window would stand still for ever.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

_EVERY_MS = 1_000


class Collecting(QObject):
    """From `start` on. Lives in the main thread."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._timer = QTimer(self, interval=_EVERY_MS)
        self._timer.timeout.connect(collect)

    def start(self) -> None:
        """Switch automatic collection off; the main thread checks every second whether to collect."""
        gc.disable()
        self._timer.start()

    def stop(self) -> None:
        """Stop collecting: while Qt destroys a window, a collection would deadlock."""
        self._timer.stop()


def collect() -> None:
    """Collect the oldest generation that is due, and the younger ones."""
    due = [
        generation
        for generation, (count, most) in enumerate(zip(gc.get_count(), gc.get_threshold(), strict=True))
        if count > most
    ]
    if due:
        gc.collect(due[-1])

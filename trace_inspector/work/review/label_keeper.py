"""Writes labels to the store in a thread: the window waits for the disk, but never stands still."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from queue import SimpleQueue

from msgspec import Struct
from PySide6.QtCore import QObject, Signal

from trace_inspector.core.errors import InspectorError
from trace_inspector.core.review.label import Label

_LEAVING_S = 5.0  # the longest wait for a slow disk at the end


class ReviewRead(Struct, frozen=True):
    """What the data folder holds of a review: its queue, and all labels of everybody."""

    queue: tuple[Label, ...]
    labels: tuple[Label, ...]


class LabelKeeper(QObject):
    """Its signals arrive in the main thread, in the order of the requests."""

    read = Signal(object)  # ReviewRead, of a queue that was kept before
    begun = Signal(object)  # the same, of a new one
    kept = Signal(object)  # a Label that is on the disk
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._inbox: SimpleQueue[Callable[[], None] | None] | None = None  # None in it ends the thread
        self._thread: threading.Thread | None = None

    def begin(self, queue: Sequence[Label]) -> None:
        """Keep another queue, then read the labels."""
        self._do(partial(self._begin, tuple(queue)))

    def look(self) -> None:
        """Read the kept queue, and the labels."""
        self._do(self._look)

    def keep(self, label: Label) -> None:
        """Write a label."""
        self._do(partial(self._keep, label))

    def stop(self) -> None:
        """Let the thread end once what was asked for is done."""
        if self._inbox is not None:
            self._inbox.put(None)
            self._inbox = None

    def finish(self) -> None:
        """The same, and wait for it: what is asked for must be on the disk before the program ends."""
        self.stop()
        if self._thread is not None:
            self._thread.join(_LEAVING_S)

    def _do(self, what: Callable[[], None]) -> None:
        if self._inbox is None:
            self._inbox = SimpleQueue()
            work = partial(self._work, self._inbox, self._thread)
            self._thread = threading.Thread(target=work, name="label keeper", daemon=True)
            self._thread.start()
        self._inbox.put(what)

    # In the thread

    def _work(self, inbox: SimpleQueue[Callable[[], None] | None], before: threading.Thread | None) -> None:
        if before is not None:
            before.join()  # so that everything is done in the order in which it was asked for
        while (what := inbox.get()) is not None:
            with suppress(RuntimeError):  # the window is closed
                try:
                    what()
                except InspectorError as problem:
                    self.failed.emit(str(problem))

    def _begin(self, queue: tuple[Label, ...]) -> None:
        from trace_inspector.flows.review.kept_queue import keep_queue
        from trace_inspector.flows.review.stored_labels import kept

        keep_queue(queue)
        self.begun.emit(ReviewRead(queue, tuple(kept())))

    def _look(self) -> None:
        from trace_inspector.flows.review.kept_queue import kept_queue
        from trace_inspector.flows.review.stored_labels import kept

        self.read.emit(ReviewRead(kept_queue(), tuple(kept())))

    def _keep(self, label: Label) -> None:
        from trace_inspector.flows.review.stored_labels import keep

        keep([label])
        self.kept.emit(label)

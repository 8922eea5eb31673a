"""Writes labels to the store in a thread: the window waits for the disk, but never stands still."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from msgspec import Struct
from PySide6.QtCore import QObject, Signal

from trace_inspector.core.review.label import Label
from trace_inspector.work.review.task_thread import TaskThread


class ReviewRead(Struct, frozen=True):
    """What the data folder holds of a review: its queue, and all labels of everybody."""

    queue: tuple[Label, ...]
    labels: tuple[Label, ...]


class LabelKeeper(TaskThread):
    """Its signals arrive in the main thread, in the order of the requests."""

    read = Signal(object)  # ReviewRead, of a queue that was kept before
    begun = Signal(object)  # the same, of a new one
    kept = Signal(object)  # a Label that is on the disk

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__("label keeper", parent)

    def begin(self, queue: Sequence[Label]) -> None:
        """Keep another queue, then read the labels."""
        self.do(partial(self._begin, tuple(queue)))

    def look(self) -> None:
        """Read the kept queue, and the labels."""
        self.do(self._look)

    def keep(self, label: Label) -> None:
        """Write a label."""
        self.do(partial(self._keep, label))

    # In the thread

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

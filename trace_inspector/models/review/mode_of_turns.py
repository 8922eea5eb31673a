"""A failure mode of many turns at once: they are read a few at a time, as the window cannot wait for all of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from PySide6.QtCore import QObject, Qt, QTimer

from trace_inspector.core.review.subjects import turn_subject
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.base.translation import tr
from trace_inspector.models.files.files import Files
from trace_inspector.models.review.drawing import whole_turn
from trace_inspector.models.review.failure_modes import FailureModes

MOST_OUTPUTS = 200  # that are put into a mode at once
LAST = -1  # of the turns of a conversation
_BUDGET_S = 0.008  # at a time


class ModeOfTurns(QObject):
    """One at a time; `then` gets what came of it in words."""

    def __init__(self, files: Files, modes: FailureModes, parent: QObject) -> None:
        super().__init__(parent)
        self._files, self._modes = files, modes
        self._reading: Iterator[None] = iter(())
        self._go_on = QTimer(self, interval=0)
        self._go_on.timeout.connect(self._read_further)

    @property
    def busy(self) -> bool:
        """Whether turns are being read."""
        return self._go_on.isActive()

    def make(self, name: str, places: Iterable[Selection], turn: int, then: Callable[[str], object]) -> None:
        """Put a turn of each conversation into a mode of this name: the one that is meant, else its last one."""
        if not self.busy:
            self._reading = self._steps(name, places, turn, then)
            self._go_on.start()

    def _read_further(self) -> None:
        until_s = time.perf_counter() + _BUDGET_S
        while next(self._reading, self) is not self:
            if time.perf_counter() >= until_s:
                return
        self._go_on.stop()

    def _steps(
        self, name: str, places: Iterable[Selection], turn: int, then: Callable[[str], object]
    ) -> Iterator[None]:
        subjects: list[str] = []
        for place in islice(places, MOST_OUTPUTS):
            file = self._files.get(place.file)
            rows = file.table.turns(place.row) if file is not None else ()
            if file is not None and rows:
                whole = whole_turn(file.table, rows[turn] if turn < len(rows) else rows[LAST])
                subjects += [turn_subject(whole)] if whole is not None else []
            yield
        if not subjects:
            then(tr("These runs are not in the open files any more."))
        elif self._modes.codebook is not None:
            self._put(name, subjects, then)
        else:
            once = Qt.ConnectionType.SingleShotConnection
            self._modes.changed.connect(lambda: self._put(name, subjects, then), once)
            self._modes.look()  # the codebook is read first

    def _put(self, name: str, subjects: list[str], then: Callable[[str], object]) -> None:
        if self._modes.edit(tr("Failure mode “{0}”").format(name), lambda book: book.placed(name, subjects)):
            words = tr("“{0}” is a failure mode of {1} turns now; Ctrl+Z takes it back.")
            then(words.format(name, len(subjects)))
        else:
            then(self._modes.problem or tr("The failure mode could not be made."))

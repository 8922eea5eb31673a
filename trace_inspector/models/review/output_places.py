"""Where the outputs of labels are in the open files; digests are kept, so that each turn is read once for all."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias
from weakref import WeakKeyDictionary

from msgspec import Struct
from PySide6.QtCore import QObject, QTimer

from trace_inspector.core.review.label import Label, Level
from trace_inspector.core.review.subjects import turn_subject
from trace_inspector.core.trace.summary import one_line
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.row_table import RowTable
from trace_inspector.models.files.files import Files
from trace_inspector.models.review.drawing import whole_turn

_MOST_TRACES = 1_000  # that are looked through for one
_BUDGET_S = 0.008  # at a time


class Place(Struct, frozen=True):
    """Where the turn is."""

    file: OpenFile
    row: int

    @property
    def top(self) -> int:
        """Its conversation."""
        return self.file.table.top_of(self.row)


Found: TypeAlias = Callable[[Place | None], None]


class OutputPlaces(QObject):
    """Looks for outputs, a little at a time: a conversation without a name may be any of a thousand."""

    def __init__(self, files: Files, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._files = files
        self._digests: WeakKeyDictionary[RowTable, dict[int, tuple[tuple[bytes, ...], str]]] = WeakKeyDictionary()
        self._steps: Iterator[Place | None] = iter(())
        self._then: Found | None = None
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._go_on)

    def steps(self, label: Label) -> Iterator[Place | None]:
        """None for each conversation that is looked at in vain, then the place where there is one.

        A label on a whole conversation is found by its name alone.
        """
        for file in self._files.in_order:
            if str(file.path) != label.file:
                continue
            for top in _tops(file.table, label):
                if label.level is Level.CASE:
                    yield Place(file, top)
                    return
                rows = file.table.turns(top)
                turn = -1 if label.turn is None else label.turn
                row = rows[turn] if 0 <= turn < len(rows) else -1
                if row >= 0 and self.digest(file.table, row) == label.subject:
                    yield Place(file, row)
                    return
                yield None

    def find(self, label: Label, then: Found) -> None:
        """Tell the place: at once where it is found in a moment, else later. Only what was asked last is told."""
        self._steps, self._then = self.steps(label), then
        self._go_on()

    def stop(self) -> None:
        """Nobody wants to know any more."""
        self._then = None
        self._timer.stop()

    def _go_on(self) -> None:
        until_s = time.perf_counter() + _BUDGET_S
        while time.perf_counter() < until_s:
            place = next(self._steps, self)
            if place is not None:
                then = self._then
                self.stop()
                if then is not None:
                    then(place if isinstance(place, Place) else None)
                return
        self._timer.start()

    def digest(self, table: RowTable, row: int) -> str:
        """That of a turn; "" where it cannot be read, or is missing: such a row has no body."""
        if not 0 <= row < len(table):
            return ""
        known = self._digests.setdefault(table, {})
        stored = table.bodies()
        bodies = tuple(stored[number] for number in table.turn_bodies(row))
        if (
            row not in known or known[row][0] != bodies
        ):  # in a file that grows the row may be that of another turn now
            turn = whole_turn(table, row)
            known[row] = bodies, turn_subject(turn) if turn is not None else ""
        return known[row][1]


def _tops(table: RowTable, label: Label) -> Sequence[int]:
    return (table.named.called(one_line(label.trace)) or table.tops)[:_MOST_TRACES]

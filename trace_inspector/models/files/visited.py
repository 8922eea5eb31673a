"""Back and forward, as in a browser: the history of selected turns."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from trace_inspector.models.base.selection import CurrentSelection, Selection
from trace_inspector.models.files.files import Files

KEPT = 500


class Visited(QObject):
    """Follows the selection. All rows of a turn are one place; the last selected row is remembered."""

    changed = Signal()

    def __init__(self, files: Files, selection: CurrentSelection, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._files = files
        self._selection = selection
        self._places: list[Selection] = []
        self._index = -1
        self._going = False
        selection.changed.connect(self._visit)
        for signal in (files.closed, files.renewed):
            signal.connect(self._forget)

    def can_go(self, step: int) -> bool:
        """Whether there is a place that many steps on (1) or back (-1)."""
        return 0 <= self._index + step < len(self._places)

    def go(self, step: int) -> bool:
        """Select the place before (-1) or after (1); false when there is none."""
        if not self.can_go(step):
            return False
        self._index += step
        self._going = True
        try:
            self._selection.select(self._places[self._index])
        finally:
            self._going = False
        self.changed.emit()
        return True

    def _visit(self, selection: Selection | None) -> None:
        if selection is None or self._going:
            return
        here = self._places[self._index] if self._index >= 0 else None
        if here is not None and self._place(here) == self._place(selection):
            self._places[self._index] = selection
            return
        self._places[self._index + 1 :] = [selection]
        del self._places[: max(0, len(self._places) - KEPT)]
        self._index = len(self._places) - 1
        self.changed.emit()

    def _place(self, selection: Selection) -> tuple[int, int]:
        """The turn, or the case or trace as a whole."""
        file = self._files.get(selection.file)
        if file is None or selection.row < 0:
            return selection.file, selection.row
        turn = file.table.turn_of(selection.row)
        return selection.file, turn if turn >= 0 else file.table.top_of(selection.row)

    def _forget(self, number: int) -> None:
        """Drop the places of a closed file, and repetitions of a place, which would be steps to nowhere."""
        kept: list[Selection] = []
        index = -1
        for which, place in enumerate(self._places):
            if place.file != number and not (kept and self._place(kept[-1]) == self._place(place)):
                kept.append(place)
            if which <= self._index:
                index = len(kept) - 1
        self._places, self._index = kept, max(index, 0) if kept else -1
        self.changed.emit()

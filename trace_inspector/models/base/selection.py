"""What is selected: one row of one file, the same everywhere."""

from __future__ import annotations

from msgspec import Struct
from PySide6.QtCore import QObject, Signal


class Selection(Struct, frozen=True):
    """A row of an open file. `row` -1 means the file itself."""

    file: int
    row: int = -1


class CurrentSelection(QObject):
    """The current selection. Views set it; the open files update it when the selected row moves."""

    changed = Signal(object)  # Selection or None

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._value: Selection | None = None

    @property
    def value(self) -> Selection | None:
        """What is selected."""
        return self._value

    def select(self, selection: Selection | None) -> None:
        """Select it everywhere."""
        if selection != self._value:
            self._value = selection
            self.changed.emit(selection)

    def select_again(self, place: Selection) -> None:
        """Restore the selection after its file was read again, unless another file was selected meanwhile."""
        if self._value is None or self._value.file == place.file:
            self.select(place)

    def row_in(self, file: int) -> int | None:
        """The row that is selected in a file; None where something else is."""
        return self._value.row if self._value is not None and self._value.file == file else None

    def put_at(self, row: int) -> None:
        """Move the selection to another row of its file. `tell` announces it later, when the rows are there."""
        if self._value is not None:
            self._value = Selection(self._value.file, row)

    def tell(self) -> None:
        """Announce that the selected row may have changed."""
        self.changed.emit(self._value)

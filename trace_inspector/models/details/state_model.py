"""Two states beside each other as a table: key path, before, after."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from trace_inspector.core.trace.summary import compact, one_line
from trace_inspector.core.values.values import Absent
from trace_inspector.models.base.roles import Role
from trace_inspector.models.details.state_changes import Change, StateLine, scope_of

Index = QModelIndex | QPersistentModelIndex

COLUMNS = ("Key", "Before", "After", "Scope")
_NOWHERE = QModelIndex()
_SAID = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole)
_MARKS = {Change.ADDED: "extra", Change.CHANGED: "differs", Change.REMOVED: "missing", Change.SAME: ""}


class StateModel(QAbstractTableModel):
    """What differs stands first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lines: Sequence[StateLine] = ()

    def show_lines(self, lines: Sequence[StateLine]) -> None:
        """Another place."""
        self.beginResetModel()
        self._lines = lines
        self.endResetModel()

    def line(self, row: int) -> StateLine | None:
        """The key at that row."""
        return self._lines[row] if 0 <= row < len(self._lines) else None

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._lines)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(COLUMNS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        line = self.line(index.row()) if index.isValid() else None
        if line is None:
            return None
        if role in _SAID:
            return _text(line, index.column())
        if role == Role.MARK:
            return _MARKS[line.change]
        return line.change is Change.SAME if role == Role.DIM else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return COLUMNS[section]
        return None


def _text(line: StateLine, column: int) -> str:
    if column == 0:
        return one_line(line.path.removeprefix("/") if line.path.count("/") == 1 else line.path)
    if column < COLUMNS.index("Scope"):
        side = line.before if column == 1 else line.after
        return "–" if isinstance(side, Absent) else compact(side)
    return scope_of(line.path) or "this session"

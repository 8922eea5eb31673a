"""The preview of a bulk edit as a flat table, with a check box for each golden."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from trace_inspector.core.golden.bulk_change import Row
from trace_inspector.core.trace.summary import one_line
from trace_inspector.documents.text.patch import shared_start
from trace_inspector.models.bulk.edit import BulkEdit

Index = QModelIndex | QPersistentModelIndex

_NOWHERE = QModelIndex()
_FLAGS = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
_CHARS = 300
_LEAD = 10
_CELLS: tuple[tuple[str, Callable[[Row], str]], ...] = (
    ("Golden", lambda row: row.case),
    ("Turn", lambda row: "" if row.turn is None else str(row.turn + 1)),
    ("What", lambda row: row.what),
    ("Before", lambda row: _from_change(row.before, row.after)),
    ("After", lambda row: _from_change(row.after, row.before)),
)


def _from_change(text: str, other: str) -> str:
    """A text from shortly before the first place where it is another one."""
    shared = shared_start(text, other)
    return text if shared <= _LEAD else f"…{text[shared - _LEAD :]}"


class BulkTable(QAbstractTableModel):
    """Follows a bulk edit."""

    def __init__(self, edit: BulkEdit, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._edit = edit
        self._names = {file.number: PurePath(file.path).name for file in edit.files}
        self._rows = edit.rows
        edit.changed.connect(self._follow)
        edit.marked.connect(self._mark)

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(_CELLS)

    def flags(self, index: Index) -> Qt.ItemFlag:
        return _FLAGS if index.isValid() else Qt.ItemFlag.NoItemFlags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        number, row = self._rows[index.row()]
        text = one_line(_CELLS[index.column()][1](row), _CHARS)
        if index.column() == 0 and len(self._edit.scope) > 1:
            text = f"{text}  ·  {self._names.get(number, '')}"
        if role == Qt.ItemDataRole.DisplayRole:
            return text
        if index.column() == 0 and role == Qt.ItemDataRole.CheckStateRole:
            left = (number, row.case_place) in self._edit.left
            return Qt.CheckState.Unchecked if left else Qt.CheckState.Checked
        if role == Qt.ItemDataRole.AccessibleTextRole and index.column() == 0:
            return f"{text}, left out" if (number, row.case_place) in self._edit.left else text
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return _CELLS[section][0]
        return None

    def _follow(self) -> None:
        if self._rows is not self._edit.rows:
            self.beginResetModel()
            self._rows = self._edit.rows
            self.endResetModel()

    def _mark(self) -> None:
        if self._rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._rows) - 1, len(_CELLS) - 1))

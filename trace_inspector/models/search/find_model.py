"""What was found as a flat table that grows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from trace_inspector.models.base.roles import Role
from trace_inspector.models.search.finding import Finding, Hit

Index = QModelIndex | QPersistentModelIndex

EXCERPT = 0
_NOWHERE = QModelIndex()
_FLAGS = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
_COLUMNS: tuple[tuple[str, Callable[[Hit], str]], ...] = (
    ("Found", lambda hit: hit.excerpt.text),
    ("Where", lambda hit: hit.where),
    ("Kind", lambda hit: hit.kind),
    ("File", lambda hit: hit.file),
)


class FindModel(QAbstractTableModel):
    """In the order in which it was found until somebody sorts; what comes later stands at the end until then."""

    def __init__(self, finding: Finding, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._finding = finding
        self._rows: list[Hit] = []
        finding.began.connect(self._begin)
        finding.changed.connect(self._follow)

    def hit(self, row: int) -> Hit:
        """What stands there."""
        return self._rows[row]

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(_COLUMNS)

    def flags(self, index: Index) -> Qt.ItemFlag:
        return _FLAGS if index.isValid() else Qt.ItemFlag.NoItemFlags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        hit = self._rows[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return _COLUMNS[index.column()][1](hit)
        if role == Role.SELECTION:
            return hit.selection
        if role == Role.TINTS and index.column() == EXCERPT:
            return ((hit.excerpt.start, hit.excerpt.end),)
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return _COLUMNS[section][0]
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """By a column's text; -1 gives back the order of finding."""
        self.layoutAboutToBeChanged.emit()
        kept, before = self.persistentIndexList(), self._rows
        if column < 0:
            self._rows = list(self._finding.hits[: len(before)])
        else:
            backwards = order is Qt.SortOrder.DescendingOrder
            self._rows = sorted(before, key=_COLUMNS[column][1], reverse=backwards)
        now = {id(hit): row for row, hit in enumerate(self._rows)}
        self.changePersistentIndexList(
            kept, [self.index(now[id(before[index.row()])], index.column()) for index in kept]
        )
        self.layoutChanged.emit()

    def _begin(self) -> None:
        self.beginResetModel()
        self._rows = list(self._finding.hits)
        self.endResetModel()

    def _follow(self) -> None:
        new = self._finding.hits[len(self._rows) :]
        if new:
            self.beginInsertRows(QModelIndex(), len(self._rows), len(self._rows) + len(new) - 1)
            self._rows += new
            self.endInsertRows()

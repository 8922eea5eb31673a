"""A flat table of records: columns as data, sorting, and updates by difference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import compress
from operator import is_not
from typing import Any, Generic, TypeAlias, TypeVar

from msgspec import Struct, field
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from trace_inspector.models.base.roles import Role
from trace_inspector.models.base.tips import plain_tip
from trace_inspector.models.base.translation import tr

T = TypeVar("T")
Index: TypeAlias = QModelIndex | QPersistentModelIndex
Cells: TypeAlias = Mapping[int, Callable[[T], object]]  # what a cell gives, by role
_Name: TypeAlias = tuple[int, int]

_ROOT = QModelIndex()
_NO_FLAGS = Qt.ItemFlag(0)
TEXT_ROLES = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole)


class Column(Struct, Generic[T], frozen=True):
    """The content of a column and its initial width. Numbers are aligned right.

    `sort_key` defaults to the text; records whose key is None come last in either order. `meaning`
    is the tool tip of the header. `cells` has further roles, and the roles in which the text is another one.
    `flags` come on top of those of every cell, in an `EditableTable`.
    """

    title: str
    text: Callable[[T], str]
    width_px: int = 0
    number: bool = False
    meaning: str = ""
    sort_key: Callable[[T], Any] | None = None
    cells: Cells[T] = field(default_factory=dict)
    flags: Qt.ItemFlag = _NO_FLAGS

    def by_role(self, shared: Cells[T]) -> Cells[T]:
        """All roles of a cell; `shared` are the roles that all columns have."""
        number: Cells[T] = {Role.NUMBER: lambda _record: True} if self.number else {}
        return {**dict.fromkeys(TEXT_ROLES, self.text), **number, **shared, **self.cells}


def header_data(columns: Sequence[Column[T]], section: int, orientation: Qt.Orientation, role: int) -> Any:
    """The data of a horizontal header for these columns."""
    if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(columns):
        return None
    column = columns[section]
    match role:
        case Qt.ItemDataRole.DisplayRole:
            return tr(column.title)
        case Qt.ItemDataRole.ToolTipRole:
            return plain_tip(tr(column.meaning))
        case Qt.ItemDataRole.TextAlignmentRole if column.number:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
    return None


class RecordTable(QAbstractTableModel, Generic[T]):
    """Records in the order in which they are given, or sorted by a column; equal keys are interchangeable."""

    def __init__(
        self,
        columns: Sequence[Column[T]],
        key: Callable[[T], Hashable],
        parent: QObject | None = None,
        cells: Cells[T] | None = None,
    ) -> None:
        super().__init__(parent)
        self._key = key
        self._shared: Cells[T] = cells or {}
        self._given: list[T] = []
        self._records: list[T] = []
        self._sorted_by, self._order = -1, Qt.SortOrder.AscendingOrder
        self._take_columns(columns)

    @property
    def columns(self) -> Sequence[Column[T]]:
        """The columns."""
        return self._columns

    @property
    def records(self) -> Sequence[T]:
        """The record of each row; callers must not change the list."""
        return self._records

    @property
    def is_sorted(self) -> bool:
        """Whether the rows are in the order of a column, not in the one in which they were given."""
        return 0 <= self._sorted_by < len(self._columns)

    def record(self, row: int) -> T | None:
        """The record of a row; None where there is no such row."""
        return self._records[row] if 0 <= row < len(self._records) else None

    def row_of(self, key: Hashable) -> int:
        """The first row of a key; -1 for none."""
        return next((row for row, record in enumerate(self._records) if self._key(record) == key), -1)

    def show(self, records: Iterable[T]) -> None:
        """Update the list: rows are matched by key, which keeps selection and scroll position."""
        self._given = list(records)
        self._update(self._sorted(), self._key)

    def reset(self, records: Iterable[T], columns: Sequence[Column[T]] | None = None) -> None:
        """Show another list, of which nothing is selected."""
        self.beginResetModel()
        if columns is not None:
            self._take_columns(columns)
        self._given = list(records)
        self._records = self._sorted()
        self.endResetModel()

    def append(self, records: Sequence[T]) -> None:
        """Add records at the end, in any sort order."""
        self._given += records
        self._insert(len(self._records), records)

    def refresh(self) -> None:
        """Everything that is computed for the cells may have changed."""
        self._refresh(range(len(self._records)))

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._records)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        cell = self._cells[index.column()].get(role) if index.isValid() else None
        return cell(self._records[index.row()]) if cell is not None else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        return header_data(self._columns, section, orientation, role)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by the key of a column; -1 restores the order in which the records were given."""
        self._sorted_by, self._order = column, order
        self._update(self._sorted(), id)

    def _take_columns(self, columns: Sequence[Column[T]]) -> None:
        self._columns = tuple(columns)
        self._cells = [column.by_role(self._shared) for column in columns]

    def _sorted(self) -> list[T]:
        if not self.is_sorted:
            return list(self._given)
        column = self._columns[self._sorted_by]
        key = column.sort_key or column.text
        comparable = [record for record in self._given if key(record) is not None]
        comparable.sort(key=key, reverse=self._order is Qt.SortOrder.DescendingOrder)
        return [*comparable, *(record for record in self._given if key(record) is None)]

    def _update(self, target: list[T], key: Callable[[T], Hashable]) -> None:
        """Emit at most four changes of rows, however many differ: views lay out all rows after each."""
        before = self._records
        head = _shared_length(before, target, key)
        tail = _shared_length(before[head:][::-1], target[head:][::-1], key)
        numbers: dict[Hashable, int] = {}  # of keys: to hash a key may take long
        old = _by_key(before[head : len(before) - tail], key, numbers)
        new = _by_key(target[head : len(target) - tail], key, numbers)
        staying, leaving = [name for name in old if name in new], [name for name in old if name not in new]
        arriving = [name for name in new if name not in old]
        self._arrange(head, [*old], [*staying, *leaving])
        self._remove(head + len(staying), len(leaving))
        self._insert(head + len(staying), [new[name] for name in arriving])
        self._arrange(head, [*staying, *arriving], [*new])
        before, self._records = self._records, target
        self._refresh([row for row in _other_objects(before, target) if before[row] != target[row]])

    def _arrange(self, first: int, before: Sequence[_Name], after: Sequence[_Name]) -> None:
        """Reorder the rows from `first` on, which have these keys."""
        if before == after:
            return
        self.layoutAboutToBeChanged.emit()
        places = {name: place for place, name in enumerate(after, first)}
        rows = {row: places[name] for row, name in enumerate(before, first)}
        moved = [self._records[row] for row in sorted(rows, key=rows.__getitem__)]
        self._records[first : first + len(moved)] = moved
        indexes = self.persistentIndexList()
        self.changePersistentIndexList(  # all together: Qt loses indexes that meet on the way
            indexes, [self.index(rows.get(index.row(), index.row()), index.column()) for index in indexes]
        )
        self.layoutChanged.emit()

    def _remove(self, first: int, count: int) -> None:
        if count:
            self.beginRemoveRows(QModelIndex(), first, first + count - 1)
            del self._records[first : first + count]
            self.endRemoveRows()

    def _insert(self, first: int, records: Sequence[T]) -> None:
        if records:
            self.beginInsertRows(QModelIndex(), first, first + len(records) - 1)
            self._records[first:first] = records
            self.endInsertRows()

    def _refresh(self, rows: Sequence[int]) -> None:
        if rows:
            self.dataChanged.emit(self.index(rows[0], 0), self.index(rows[-1], len(self._columns) - 1))


class EditableTable(RecordTable[T]):
    """Cells of some columns are edited or switched. Views ask for flags row by row: other tables need no Python."""

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | self._columns[index.column()].flags if index.isValid() else flags


def _by_key(records: Iterable[T], key: Callable[[T], Hashable], numbers: dict[Hashable, int]) -> dict[_Name, T]:
    """Records by the numbers of their keys; equal keys are distinguished by how many came before."""
    counts: Counter[int] = Counter()
    named: dict[_Name, T] = {}
    for record in records:
        number = numbers.setdefault(key(record), len(numbers))
        named[number, counts[number]] = record
        counts[number] += 1
    return named


def _shared_length(before: Sequence[T], target: Sequence[T], key: Callable[[T], Hashable]) -> int:
    """How many records of equal keys both have at their beginning."""
    differing = (row for row in _other_objects(before, target) if key(before[row]) != key(target[row]))
    return next(differing, min(len(before), len(target)))


def _other_objects(before: Sequence[T], target: Sequence[T]) -> Iterator[int]:
    """The rows with another object. Nearly all are the same, and `map` compares them without a Python step each."""
    return compress(range(min(len(before), len(target))), map(is_not, before, target))

"""A JSON value as a tree: rows are made when a node is opened, in batches; strings are cut to one line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, overload

from msgspec import Struct, field
from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from trace_inspector.core.trace.summary import compact, one_line
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import Json

Index = QModelIndex | QPersistentModelIndex

AT_A_TIME = 500
FARTHEST = 20_000  # children of one value that a search leads to
MOST_UNFOLDED = 3_000
_DEEPEST = 60
_NOWHERE = QModelIndex()
_ROOT = 0
_COLUMNS = ("Name", "Value")


class _Node(Struct):
    key: str | int
    value: Json
    parent: int
    row: int
    children: list[int] = field(default_factory=list)  # those made so far


class JsonTreeModel(QAbstractItemModel):
    """Two columns, name and value. A value that is neither object nor array is one row without a name."""

    def __init__(self, value: Json, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._nodes = [_Node("", value, _ROOT, 0)]
        if _size(value):
            self._make_more(_ROOT)
        elif not isinstance(value, list | dict):
            self._nodes.append(_Node("", value, _ROOT, 0))
            self._nodes[_ROOT].children.append(1)

    def json_at(self, index: Index) -> str:
        """The whole value as JSON text."""
        return json.dumps(self._nodes[_id(index)].value, ensure_ascii=False, indent=2)

    def path_at(self, index: Index) -> str:
        """The value's JSON pointer, relative to the root of this tree."""
        tokens: list[str | int] = []
        node = _id(index)
        while node != _ROOT and self._is_container(self._nodes[node].parent):
            tokens.append(self._nodes[node].key)
            node = self._nodes[node].parent
        return join("", *reversed(tokens))

    def index_at(self, path: Sequence[str | int]) -> QModelIndex:
        """The index of the value at a path, making the rows above it; else of its last ancestor within reach."""
        index = QModelIndex()
        for key in path:
            below = self._below(index, key)
            if not below.isValid():
                break
            index = below
        if not path and not self._is_container(_ROOT):
            return self.index(0, 0)
        return index

    def quick_depth(self) -> int:
        """The depth to which all nodes can be expanded without making too many rows."""
        level, depth, rows = [self._nodes[_ROOT].value], -1, 0
        while level and depth < _DEEPEST:
            rows += sum(_size(value) for value in level)
            if rows > MOST_UNFOLDED:
                break
            level = [each for value in level for each in _inside(value) if _size(each)]
            depth += 1
        return max(0, depth)

    def _below(self, above: QModelIndex, key: str | int) -> QModelIndex:
        node = self._nodes[_id(above)]
        row = key if isinstance(key, int) else -1
        if isinstance(node.value, dict):
            row = next((row for row, name in enumerate(islice(node.value, FARTHEST)) if name == key), -1)
        if not 0 <= row < min(_size(node.value), FARTHEST):
            return QModelIndex()
        while row >= len(node.children):
            self.fetchMore(above)
        return self.index(row, 0, above)

    def index(self, row: int, column: int, parent: Index = _NOWHERE) -> QModelIndex:
        children = self._nodes[_id(parent)].children
        if not 0 <= row < len(children) or not 0 <= column < len(_COLUMNS):
            return QModelIndex()
        return self.createIndex(row, column, children[row])

    @overload
    def parent(self, /) -> QObject | None: ...
    @overload
    def parent(self, child: Index, /) -> QModelIndex: ...
    def parent(self, child: Index | None = None) -> QObject | QModelIndex | None:
        if child is None:
            return super().parent()
        above = self._nodes[_id(child)].parent
        return self.createIndex(self._nodes[above].row, 0, above) if above != _ROOT else QModelIndex()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.column() > 0 else len(self._nodes[_id(parent)].children)

    def columnCount(self, parent: Index = _NOWHERE) -> int:  # noqa: ARG002
        return len(_COLUMNS)

    def hasChildren(self, parent: Index = _NOWHERE) -> bool:
        node = self._nodes[_id(parent)]
        return parent.column() <= 0 and bool(node.children or _size(node.value))

    def canFetchMore(self, parent: Index) -> bool:
        node = self._nodes[_id(parent)]
        return parent.column() <= 0 and len(node.children) < _size(node.value)

    def fetchMore(self, parent: Index) -> None:
        node = self._nodes[_id(parent)]
        first = len(node.children)
        last = min(first + AT_A_TIME, _size(node.value)) - 1
        if last >= first:
            above = self.createIndex(node.row, 0, _id(parent)) if parent.isValid() else QModelIndex()
            self.beginInsertRows(above, first, last)
            self._make_more(_id(parent))
            self.endInsertRows()

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return None
        node = self._nodes[_id(index)]
        return one_line(str(node.key)) if index.column() == 0 else compact(node.value)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return _COLUMNS[section]
        return None

    def _is_container(self, node: int) -> bool:
        return isinstance(self._nodes[node].value, list | dict)

    def _make_more(self, number: int) -> None:
        node = self._nodes[number]
        first, value = len(node.children), node.value
        items: list[tuple[str | int, Json]] = []
        if isinstance(value, dict):
            items = list(islice(value.items(), first, first + AT_A_TIME))
        elif isinstance(value, list):
            items = list(enumerate(value[first : first + AT_A_TIME], first))
        for row, (key, child) in enumerate(items, first):
            node.children.append(len(self._nodes))
            self._nodes.append(_Node(key, child, number, row))


def _id(index: Index) -> int:
    return int(index.internalId()) if index.isValid() else _ROOT


def _inside(value: Json) -> Iterable[Json]:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def _size(value: Json) -> int:
    return len(value) if isinstance(value, list | dict) else 0

"""What is open as a small tree: headings, and the files under them."""

from __future__ import annotations

from typing import Any, overload

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from trace_inspector.core.rows import Kind
from trace_inspector.models.open_file import FileState, Group, OpenFile
from trace_inspector.models.roles import MARK_NAMES, Role
from trace_inspector.models.selection import Selection
from trace_inspector.models.workspace import Workspace

Index = QModelIndex | QPersistentModelIndex

_NOWHERE = QModelIndex()
_HEADING = 0  # the id of headings; files have their own numbers, from 1
_ICONS = {
    Group.TRACES: "trace",
    Group.SUITES: "star",
    Group.RESULTS: "result",
    Group.CRITERIA: "sliders",
    Group.OTHER: "file",
}
_STATES = {FileState.LOADING: "reading…", FileState.FAILED: "could not be read", FileState.STOPPED: "stopped"}


class WorkspaceModel(QAbstractItemModel):
    """Follows the workspace. Headings without files are left out."""

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._groups: list[tuple[Group, list[OpenFile]]] = []
        self._places: dict[int, tuple[int, int]] = {}  # file → heading and place under it
        workspace.file_added.connect(self._follow)
        workspace.file_closed.connect(self._follow)
        workspace.file_changed.connect(self._follow)
        workspace.rows_arrived.connect(self._refresh)
        workspace.run_changed.connect(self._refresh_all)
        self._follow()

    def index_of(self, number: int) -> QModelIndex:
        """Where a file stands; invalid when it is not open."""
        if number not in self._places:
            return QModelIndex()
        return self.createIndex(self._places[number][1], 0, number)

    def index(self, row: int, column: int, parent: Index = _NOWHERE) -> QModelIndex:
        if column != 0 or not 0 <= row < self.rowCount(parent):
            return QModelIndex()
        if not parent.isValid():
            return self.createIndex(row, 0, _HEADING)
        return self.createIndex(row, 0, self._groups[parent.row()][1][row].number)

    @overload
    def parent(self, /) -> QObject | None: ...
    @overload
    def parent(self, child: Index, /) -> QModelIndex: ...
    def parent(self, child: Index | None = None) -> QObject | QModelIndex | None:
        if child is None:
            return super().parent()
        if not child.isValid() or child.internalId() == _HEADING:
            return QModelIndex()
        return self.createIndex(self._places[child.internalId()][0], 0, _HEADING)

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        if not parent.isValid():
            return len(self._groups)
        return len(self._groups[parent.row()][1]) if parent.internalId() == _HEADING else 0

    def columnCount(self, parent: Index = _NOWHERE) -> int:  # noqa: ARG002
        return 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if index.internalId() == _HEADING:
            return self._heading(index.row(), role)
        file = self._workspace.file(index.internalId())
        return self._file(file, role) if file else None

    def _heading(self, row: int, role: int) -> Any:
        group, files = self._groups[row]
        if role == Qt.ItemDataRole.DisplayRole:
            return group.value
        return str(len(files)) if role == Role.CAPTION else None

    def _file(self, file: OpenFile, role: int) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            return file.name
        if role == Role.SELECTION:
            return Selection(file.number)
        if role == Role.ICON:
            return _ICONS[file.group]
        if role == Role.COUNTS:
            return self._counts(file)
        if role == Role.NUMBER:
            return file.number
        if role == Role.CAPTION:
            return _STATES.get(file.state) or self._size(file)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            said = [f"{count} {MARK_NAMES[mark]}" for mark, count in self._counts(file)]
            return ", ".join([file.name, *(said or [_STATES.get(file.state) or self._size(file)])])
        return None

    def _counts(self, file: OpenFile) -> tuple[tuple[str, int], ...]:
        """What of its cases or traces fared how; nothing before a run."""
        counts = self._workspace.counts(file.number)
        shown = (
            ("failed", counts.failed),
            ("warning", counts.errors),
            ("pending", counts.pending),
            ("none", counts.not_evaluated),
            ("passed", counts.passed),
        )
        return tuple((mark, count) for mark, count in shown if count)

    @staticmethod
    def _size(file: OpenFile) -> str:
        tops = len(file.table.tops)
        if not tops:
            return ""
        noun = "case" if file.table.kind(file.table.tops[0]) is Kind.CASE else "trace"
        return f"{tops} {noun}" if tops == 1 else f"{tops} {noun}s"

    def _follow(self) -> None:
        """Files came, went or turned out to be of another kind: the tree is small enough to lay out anew."""
        by_group: dict[Group, list[OpenFile]] = {group: [] for group in Group}
        for file in self._workspace.files:
            by_group[file.group].append(file)
        groups = [(group, files) for group, files in by_group.items() if files]
        if groups == self._groups:
            self._refresh_all()
            return
        self.beginResetModel()
        self._groups = groups
        self._places = {
            file.number: (at, place) for at, (_group, files) in enumerate(groups) for place, file in enumerate(files)
        }
        self.endResetModel()

    def _refresh(self, number: int) -> None:
        index = self.index_of(number)
        if index.isValid():
            self.dataChanged.emit(index, index)

    def _refresh_all(self) -> None:
        for number in self._places:
            self._refresh(number)

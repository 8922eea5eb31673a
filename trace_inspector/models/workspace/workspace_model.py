"""The open files as a small tree: headings, and the files under them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Any, overload

from PySide6.QtCore import QAbstractItemModel, QMimeData, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from trace_inspector.core.rows.rows import Kind
from trace_inspector.models.base.counting import counted
from trace_inspector.models.base.figures import when_text
from trace_inspector.models.base.open_file import FileState, Group, OnDisk, OpenFile
from trace_inspector.models.base.roles import MARK_NAMES, Role
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.workspace.workspace import Workspace

Index = QModelIndex | QPersistentModelIndex

_NOWHERE = QModelIndex()
_FILE_TYPE = "application/x-trace-inspector-file"  # the number of an open file of this window
_HEADING = 0  # the id of headings; files have their own numbers, from 1
_ICONS = {
    Group.TRACES: "trace",
    Group.SUITES: "star",
    Group.RESULTS: "result",
    Group.CRITERIA: "sliders",
    Group.OTHER: "file",
}
_ORDER = {group: index for index, group in enumerate(Group)}
_STATES = {FileState.LOADING: "reading…", FileState.FAILED: "could not be read", FileState.STOPPED: "stopped"}


class WorkspaceModel(QAbstractItemModel):
    """Follows the workspace. Headings without files are hidden."""

    dropped = Signal(int, int)  # a file, and the one it was dropped on

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._headings: list[Group] = []
        self._files: dict[Group, list[int]] = {}  # by number, which is the order in which they were opened
        self._group_of: dict[int, Group] = {}
        for file in workspace.files:
            self._add(file.number)
        workspace.files.added.connect(self._add)
        workspace.files.closed.connect(self._remove)
        workspace.files.changed.connect(self._change)
        workspace.files.rows_arrived.connect(self._refresh)
        workspace.run.changed.connect(self._refresh_all)
        workspace.filtering.changed.connect(self._refresh_all)
        workspace.goldens.changed.connect(self._refresh)
        workspace.goldens.drafts.changed.connect(self._refresh)

    def index_of(self, number: int) -> QModelIndex:
        """The index of a file; invalid when it is not open."""
        group = self._group_of.get(number)
        if group is None:
            return QModelIndex()
        return self.createIndex(bisect_left(self._files[group], number), 0, number)

    def index(self, row: int, column: int, parent: Index = _NOWHERE) -> QModelIndex:
        if column != 0 or not 0 <= row < self.rowCount(parent):
            return QModelIndex()
        if not parent.isValid():
            return self.createIndex(row, 0, _HEADING)
        return self.createIndex(row, 0, self._files[self._headings[parent.row()]][row])

    @overload
    def parent(self, /) -> QObject | None: ...
    @overload
    def parent(self, child: Index, /) -> QModelIndex: ...
    def parent(self, child: Index | None = None) -> QObject | QModelIndex | None:
        if child is None:
            return super().parent()
        if not child.isValid() or child.internalId() == _HEADING:
            return QModelIndex()
        group = self._group_of.get(child.internalId())
        return QModelIndex() if group is None else self._heading_index(group)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """A file with conversations can be dropped on another one."""
        number = index.internalId() if index.isValid() else _HEADING
        others = self._workspace.file_pair.others(number) if number != _HEADING else []
        drags = Qt.ItemFlag.ItemIsDragEnabled | Qt.ItemFlag.ItemIsDropEnabled
        return super().flags(index) | drags if others else super().flags(index)

    def mimeTypes(self) -> list[str]:  # noqa: N802
        return [_FILE_TYPE]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        dragged = QMimeData()
        dragged.setData(_FILE_TYPE, str(indexes[0].internalId() if indexes else _HEADING).encode())
        return dragged

    def canDropMimeData(  # noqa: N802
        self, data: QMimeData, _action: Qt.DropAction, _row: int, _column: int, parent: Index
    ) -> bool:
        dragged = self._workspace.files.get(_number_in(data))
        target = parent.internalId() if parent.isValid() else _HEADING
        return dragged is not None and dragged in self._workspace.file_pair.others(target)

    def dropMimeData(  # noqa: N802
        self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index
    ) -> bool:
        """Ask for a comparison. Nothing is moved: false keeps the view from removing what was dragged."""
        if self.canDropMimeData(data, action, row, column, parent):
            self.dropped.emit(_number_in(data), parent.internalId())
        return False

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        if not parent.isValid():
            return len(self._headings)
        return len(self._files[self._headings[parent.row()]]) if parent.internalId() == _HEADING else 0

    def columnCount(self, parent: Index = _NOWHERE) -> int:  # noqa: ARG002
        return 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if index.internalId() == _HEADING:
            return self._heading(index.row(), role)
        file = self._workspace.files.get(index.internalId())
        return self._file(file, role) if file else None

    def _heading(self, row: int, role: int) -> Any:
        group = self._headings[row]
        if role == Qt.ItemDataRole.DisplayRole:
            return group.value
        return str(len(self._files[group])) if role == Role.CAPTION else None

    def _file(self, file: OpenFile, role: int) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            return file.label
        if role == Role.SELECTION:
            return Selection(file.number)
        if role == Role.ICON:
            return _ICONS[file.group]
        if role == Role.COUNTS:
            return self._counts(file)
        if role == Role.NUMBER:
            return file.number
        if role == Role.CAPTION:
            return _state(file) or file.on_disk.value or self._shown_size(file)
        if role == Role.FAILING:
            return file.on_disk is not OnDisk.SAME
        if role == Role.UNSAVED:
            return self._workspace.saving.is_unsaved(file)
        if role == Qt.ItemDataRole.ToolTipRole:
            return "\n".join([str(file.path), *_facts(file), *self._unsaved(file)])
        if role == Qt.ItemDataRole.AccessibleTextRole:
            counts = [f"{count} {MARK_NAMES[mark]}" for mark, count in self._counts(file)]
            disk = [f"{file.on_disk.value} on disk"] if file.on_disk.value else []
            disk += self._unsaved(file)
            return ", ".join([file.label, *disk, *(counts or [_state(file) or self._shown_size(file)])])
        return None

    def _unsaved(self, file: OpenFile) -> list[str]:
        """Texts about unsaved edits of a file."""
        unfinished = len(self._workspace.goldens.drafts.unfinished(file.number))
        edits = [counted(file.unsaved, "unsaved edit")] if file.unsaved else []
        return [*edits, *([counted(unfinished, "unfinished text")] if unfinished else [])]

    def _counts(self, file: OpenFile) -> tuple[tuple[str, int], ...]:
        """The counts of a file's marks; none without a run, and with a filter, which has counts of its own."""
        if self._workspace.filtering.showing(file.number) is not None:
            return ()
        counts = self._workspace.verdicts.counts(file.number)
        shown = (
            ("failed", counts.failed),
            ("warning", counts.errors),
            ("pending", counts.pending),
            ("none", counts.not_evaluated),
            ("passed", counts.passed),
        )
        return tuple((mark, count) for mark, count in shown if count)

    def _shown_size(self, file: OpenFile) -> str:
        """The number of cases or traces, or how many of them a filter shows."""
        showing = self._workspace.filtering.showing(file.number)
        return f"{showing.shown:,} of {showing.total:,}" if showing and showing.total else self._size(file)

    @staticmethod
    def _size(file: OpenFile) -> str:
        tops = len(file.table.tops)
        if not tops:
            return ""
        noun = "case" if file.table.kind(file.table.tops[0]) is Kind.CASE else "trace"
        return f"{tops} {noun}" if tops == 1 else f"{tops} {noun}s"

    def _heading_index(self, group: Group) -> QModelIndex:
        return self.createIndex(self._headings.index(group), 0, _HEADING)

    def _add(self, number: int) -> None:
        file = self._workspace.files.get(number)
        if file is None or number in self._group_of:
            return
        self._add_heading(file.group)
        files = self._files[file.group]
        row = bisect_left(files, number)
        self.beginInsertRows(self._heading_index(file.group), row, row)
        files.insert(row, number)
        self._group_of[number] = file.group
        self.endInsertRows()
        self._refresh_heading(file.group)

    def _remove(self, number: int) -> None:
        group = self._group_of.get(number)
        if group is None:
            return
        row = bisect_left(self._files[group], number)
        self.beginRemoveRows(self._heading_index(group), row, row)
        del self._files[group][row]
        del self._group_of[number]
        self.endRemoveRows()
        self._remove_heading(group)

    def _change(self, number: int) -> None:
        """Follow a change of a file, which may move it under another heading."""
        file, group = self._workspace.files.get(number), self._group_of.get(number)
        if file is not None and group is not None and file.group is not group:
            self._add_heading(file.group)
            row, to = bisect_left(self._files[group], number), bisect_left(self._files[file.group], number)
            self.beginMoveRows(self._heading_index(group), row, row, self._heading_index(file.group), to)
            del self._files[group][row]
            self._files[file.group].insert(to, number)
            self._group_of[number] = file.group
            self.endMoveRows()
            self._remove_heading(group)
            self._refresh_heading(file.group)
        self._refresh(number)

    def _add_heading(self, group: Group) -> None:
        """Add a heading if it is missing."""
        if group not in self._files:
            row = sum(_ORDER[other] < _ORDER[group] for other in self._headings)
            self.beginInsertRows(QModelIndex(), row, row)
            self._headings.insert(row, group)
            self._files[group] = []
            self.endInsertRows()

    def _remove_heading(self, group: Group) -> None:
        """Remove a heading without files, or update it."""
        if self._files[group]:
            self._refresh_heading(group)
            return
        row = self._headings.index(group)
        self.beginRemoveRows(QModelIndex(), row, row)
        del self._files[group]
        del self._headings[row]
        self.endRemoveRows()

    def _refresh_heading(self, group: Group) -> None:
        index = self._heading_index(group)
        self.dataChanged.emit(index, index)

    def _refresh(self, number: int) -> None:
        index = self.index_of(number)
        if index.isValid():
            self.dataChanged.emit(index, index)

    def _refresh_all(self) -> None:
        for number in self._group_of:
            self._refresh(number)


def _facts(file: OpenFile) -> list[str]:
    """What the beginning of a session tells: when it began, its model, its size, whose sub-agent it is."""
    told = file.outline
    if told is None:
        return []
    began = when_text(told.start_s) if told.start_s is not None else ""
    below = f"sub-agent of {told.parent}" if told.parent else ""
    return [" · ".join(filter(None, (began, told.model, f"{told.size_bytes / 1e6:,.2f} MB", below)))]


def _number_in(data: QMimeData) -> int:
    """The file that is dragged; 0 for anything else."""
    text = bytes(data.data(_FILE_TYPE).data())[:20] if data.hasFormat(_FILE_TYPE) else b""
    return int(text) if text.isdigit() else _HEADING


def _state(file: OpenFile) -> str:
    """The state of a file that is not read to its end; "" for the others."""
    return "not read here" if file.unrecognised else _STATES.get(file.state, "")

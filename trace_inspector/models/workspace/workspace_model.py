"""The open files as a small tree: headings, files and folders of sessions under them, and sessions under those."""

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
from trace_inspector.models.files.session_rows import SessionRow
from trace_inspector.models.workspace.session_cells import (
    folder_cell,
    second_line,
    session_cell,
    session_facts,
    session_icon,
)
from trace_inspector.models.workspace.workspace import Workspace

Index = QModelIndex | QPersistentModelIndex

_NOWHERE = QModelIndex()
_FILE_TYPE = "application/x-trace-inspector-file"  # the number of an open file of this window
_HEADING = 0  # the id of headings; files, folders of sessions and their rows have their own numbers, from 1
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
        self._sessions = workspace.session_folders
        self._files: dict[Group, list[int]] = {}  # by number, which is the order in which they were opened
        self._group_of: dict[int, Group] = {}
        for number in sorted([*workspace.files.by_number, *self._sessions.by_number]):
            self._add(number)
        workspace.files.added.connect(self._add)
        workspace.files.closed.connect(self._remove)
        workspace.files.changed.connect(self._change)
        workspace.files.rows_arrived.connect(self._refresh)
        workspace.run.changed.connect(self._refresh_all)
        workspace.filtering.changed.connect(self._refresh_all)
        workspace.goldens.changed.connect(self._refresh)
        workspace.goldens.drafts.changed.connect(self._refresh)
        self._follow_sessions()

    def _follow_sessions(self) -> None:
        sessions = self._sessions
        sessions.added.connect(self._add)
        sessions.closing.connect(self._remove)
        sessions.changed.connect(self._refresh)
        sessions.adopting.connect(self._remove)
        sessions.adopted.connect(self._refresh)
        sessions.inserting.connect(lambda above, first, last: self.beginInsertRows(self.index_of(above), first, last))
        sessions.inserted.connect(self.endInsertRows)
        sessions.removing.connect(lambda above, first, last: self.beginRemoveRows(self.index_of(above), first, last))
        sessions.removed.connect(self.endRemoveRows)
        sessions.sorting.connect(self.layoutAboutToBeChanged)
        sessions.sorted.connect(self._end_sorting)

    def _end_sorting(self) -> None:
        before = self.persistentIndexList()
        self.changePersistentIndexList(before, [self._moved(index) for index in before])
        self.layoutChanged.emit()

    def _moved(self, index: QModelIndex) -> QModelIndex:
        row = self._sessions.rows.get(index.internalId())
        return index if row is None else self._index_of_row(row)

    def _index_of_row(self, row: SessionRow) -> QModelIndex:
        return self.createIndex(row.place, 0, row.number)

    def index_of(self, number: int) -> QModelIndex:
        """The index of a file, a folder of sessions or one of those; invalid when it is not open."""
        group = self._group_of.get(number)
        if group is None:
            row = self._sessions.rows.get(number) or self._sessions.row_of_file(number)
            return QModelIndex() if row is None else self._index_of_row(row)
        return self.createIndex(bisect_left(self._files[group], number), 0, number)

    def index(self, row: int, column: int, parent: Index = _NOWHERE) -> QModelIndex:
        if column != 0 or not 0 <= row < self.rowCount(parent):
            return QModelIndex()
        if not parent.isValid():
            return self.createIndex(row, 0, _HEADING)
        if parent.internalId() != _HEADING:
            return self._index_of_row(self._sessions.below(parent.internalId())[row])
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
        session = self._sessions.rows.get(child.internalId())
        if session is not None:
            above = session.above
            return self.index_of(session.folder.number) if above is None else self._index_of_row(above)
        group = self._group_of.get(child.internalId())
        return QModelIndex() if group is None else self._heading_index(group)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """A file with conversations can be dropped on another one."""
        number = self._file_at(index)
        others = self._workspace.file_pair.others(number) if number != _HEADING else []
        drags = Qt.ItemFlag.ItemIsDragEnabled | Qt.ItemFlag.ItemIsDropEnabled
        return super().flags(index) | drags if others else super().flags(index)

    def mimeTypes(self) -> list[str]:  # noqa: N802
        return [_FILE_TYPE]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        dragged = QMimeData()
        dragged.setData(_FILE_TYPE, str(self._file_at(indexes[0]) if indexes else _HEADING).encode())
        return dragged

    def canDropMimeData(  # noqa: N802
        self, data: QMimeData, _action: Qt.DropAction, _row: int, _column: int, parent: Index
    ) -> bool:
        dragged = self._workspace.files.get(_number_in(data))
        target = self._file_at(parent)
        return dragged is not None and dragged in self._workspace.file_pair.others(target)

    def dropMimeData(  # noqa: N802
        self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index
    ) -> bool:
        """Ask for a comparison. Nothing is moved: false keeps the view from removing what was dragged."""
        if self.canDropMimeData(data, action, row, column, parent):
            self.dropped.emit(_number_in(data), self._file_at(parent))
        return False

    def _file_at(self, index: Index) -> int:
        """The number of the file of a row; 0 for a row without one."""
        number = index.internalId() if index.isValid() else _HEADING
        session = self._sessions.rows.get(number)
        return number if session is None else session.file

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        if not parent.isValid():
            return len(self._headings)
        if parent.internalId() == _HEADING:
            return len(self._files[self._headings[parent.row()]])
        return len(self._sessions.below(parent.internalId()))

    def columnCount(self, parent: Index = _NOWHERE) -> int:  # noqa: ARG002
        return 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if index.internalId() == _HEADING:
            return self._heading(index.row(), role)
        number = index.internalId()
        if (session := self._sessions.rows.get(number)) is not None:
            return self._session(session, role)
        if (folder := self._sessions.by_number.get(number)) is not None:
            return folder_cell(folder, role)
        file = self._workspace.files.get(number)
        return self._file(file, role) if file else None

    def _session(self, session: SessionRow, role: int) -> Any:
        """A session that is open says what a file says, too."""
        file = self._workspace.files.get(session.file)
        if file is None:
            return session_cell(session, role)
        if role == Qt.ItemDataRole.DisplayRole:
            return session.title
        if role == Role.ICON:
            return session_icon(session)
        if role == Role.SECOND_LINE:
            return second_line(session)
        if role == Qt.ItemDataRole.ToolTipRole:
            return "\n".join([str(file.path), *session_facts(session), *self._unsaved(file)])
        return self._file(file, role)

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
        if number in self._group_of or (file is None and number not in self._sessions.by_number):
            return
        if self._sessions.row_of_file(number) is not None:  # it has a row already
            self._refresh(number)
            return
        group = file.group if file is not None else Group.TRACES
        self._add_heading(group)
        files = self._files[group]
        row = bisect_left(files, number)
        self.beginInsertRows(self._heading_index(group), row, row)
        files.insert(row, number)
        self._group_of[number] = group
        self.endInsertRows()
        self._refresh_heading(group)

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
        for number in (*self._group_of, *(row.number for row in self._sessions.rows.values() if row.file)):
            self._refresh(number)


def _facts(file: OpenFile) -> list[str]:
    """What the beginning of a session tells: when it began, its model, its size, whose sub-agent it is."""
    outline = file.outline
    if outline is None:
        return []
    began = when_text(outline.start_s) if outline.start_s is not None else ""
    below = f"sub-agent of {outline.parent}" if outline.parent else ""
    return [" · ".join(filter(None, (began, outline.model, f"{outline.size_bytes / 1e6:,.2f} MB", below)))]


def _number_in(data: QMimeData) -> int:
    """The file that is dragged; 0 for anything else."""
    text = bytes(data.data(_FILE_TYPE).data())[:20] if data.hasFormat(_FILE_TYPE) else b""
    return int(text) if text.isdigit() else _HEADING


def _state(file: OpenFile) -> str:
    """The state of a file that is not read to its end; "" for the others."""
    return "not read here" if file.unrecognised else _STATES.get(file.state, "")

"""What the open goldens exercise, as a flat table: worked out in the background, what none touches first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from trace_inspector.core.trace.summary import one_line
from trace_inspector.models.base.counting import counted
from trace_inspector.models.base.open_file import FileState, OpenFile
from trace_inspector.models.base.roles import Role
from trace_inspector.models.base.translation import tr
from trace_inspector.models.files.files import Files
from trace_inspector.work.processes.jobs import Job, Jobs, JobState
from trace_inspector.work.reading.contents_from_rows import Bodies
from trace_inspector.work.runs.covering import Covered, CoverLine, cover

Index = QModelIndex | QPersistentModelIndex

_NOWHERE = QModelIndex()
_FLAGS = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
_CHARS = 200
_CELLS: tuple[tuple[str, Callable[[CoverLine], str]], ...] = (
    ("What", lambda line: line.kind.capitalize()),
    ("Name", lambda line: f"{line.agent} → {line.name}" if line.kind == "transfer" else line.name),
    ("Agent", lambda line: "" if line.kind == "transfer" else line.agent),
    ("Goldens", lambda line: f"{line.cases:,}" if line.cases else "none"),
    ("Runs", lambda line: f"{line.runs:,}" if line.runs else ""),
    ("", lambda line: "" if line.declared else "not declared"),
)


class CoverageTable(QAbstractTableModel):
    """`ended` when all is known, or cannot be."""

    ended = Signal()

    def __init__(self, files: Files, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._files = files
        self._jobs = jobs
        self._job = 0
        self._lines: list[CoverLine] = []
        self.case_count = 0
        self.sentence = ""  # why there is nothing

    @property
    def working(self) -> bool:
        """Whether more may come."""
        return self._job > 0

    def begin(self) -> None:
        """Work it out for what is open now."""
        files = [file for file in self._files if file.state is FileState.READY]
        goldens = [file for file in files if file.has_cases]
        traces = [file for file in files if file.has_traces and not file.has_cases]
        told = [(file.number, _told(file)) for file in goldens], [_told(file) for file in traces]
        self._job = self._jobs.start(
            "coverage",
            tr("Looking at what goldens cover"),
            cover,
            told,
            payload=_bodies([*goldens, *traces]),
            receive=self._take,
            end=self._end,
            latest=True,
        )

    def stop(self) -> None:
        """Nobody wants it any more."""
        number, self._job = self._job, 0
        if number:
            self._jobs.stop(number)

    def summary(self) -> str:
        """How much is covered."""
        touched = sum(bool(line.cases) for line in self._lines)
        words = tr("{0} of {1} are exercised by {2}.")
        return words.format(f"{touched:,}", f"{len(self._lines):,}", counted(self.case_count, "golden"))

    def line(self, row: int) -> CoverLine:
        """A line by its row."""
        return self._lines[row]

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._lines)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(_CELLS)

    def flags(self, index: Index) -> Qt.ItemFlag:
        return _FLAGS if index.isValid() else Qt.ItemFlag.NoItemFlags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        line = self._lines[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return one_line(_CELLS[index.column()][1](line), _CHARS)
        if role == Role.MARK and index.column() == 0:
            return "passed" if line.cases else "missing"
        if role == Role.DIM:
            return not line.cases
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return _CELLS[section][0]
        return None

    def _take(self, message: Covered) -> None:
        self.case_count = message.case_count
        if message.lines:
            first = len(self._lines)
            self.beginInsertRows(QModelIndex(), first, first + len(message.lines) - 1)
            self._lines += message.lines
            self.endInsertRows()

    def _end(self, job: Job) -> None:
        if job.number == self._job:
            self._job = 0
            self.sentence = job.sentence if job.state is not JobState.DONE else ""
            self.ended.emit()


def _told(file: OpenFile) -> Bodies:
    return Bodies(str(file.path), file.format, len(file.table.bodies()), file.digest)


def _bodies(files: list[OpenFile]) -> Iterator[bytes]:
    return (body for file in files for body in file.table.bodies())

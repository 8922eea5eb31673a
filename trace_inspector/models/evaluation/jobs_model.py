"""The jobs as a flat table: what runs, then what ended lately."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from trace_inspector.models.base.figures import seconds_text
from trace_inspector.models.base.roles import Role
from trace_inspector.work.processes.jobs import Job, Jobs, JobState

Index = QModelIndex | QPersistentModelIndex

_NOWHERE = QModelIndex()
_FLAGS = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
_MARKS = {JobState.RUNNING: "pending", JobState.DONE: "passed", JobState.STOPPED: "skip", JobState.FAILED: "warning"}


def _left(job: Job) -> str:
    return f"about {seconds_text(job.left_s)} left" if job.left_s is not None else ""


_COLUMNS: tuple[tuple[str, Callable[[Job], str]], ...] = (
    ("Job", lambda job: job.title),
    ("State", lambda job: job.state.value),
    ("Progress", lambda job: job.note or job.sentence),
    ("Time left", _left),
)
_PROGRESS = 2


class JobsModel(QAbstractTableModel):
    """Follows the jobs; a job that only gets on changes in place."""

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._source = jobs
        self._jobs = jobs.jobs
        jobs.changed.connect(self._follow)

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._jobs)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(_COLUMNS)

    def flags(self, index: Index) -> Qt.ItemFlag:
        return _FLAGS if index.isValid() else Qt.ItemFlag.NoItemFlags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        job, column = self._jobs[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return _COLUMNS[column][1](job)
        if role == Role.MARK and column == 0:
            return _MARKS[job.state]
        if role == Role.FRACTION and column == _PROGRESS and job.state is JobState.RUNNING:
            return job.fraction
        return job.number if role == Role.NUMBER else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return _COLUMNS[section][0]
        return None

    def _follow(self) -> None:
        jobs = self._source.jobs
        if [job.number for job in jobs] != [job.number for job in self._jobs]:
            self.beginResetModel()
            self._jobs = jobs
            self.endResetModel()
            return
        before, self._jobs = self._jobs, jobs
        changed = [row for row, job in enumerate(jobs) if job != before[row]]
        if changed:
            self.dataChanged.emit(self.index(changed[0], 0), self.index(changed[-1], len(_COLUMNS) - 1))

"""The problems as a flat table."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from itertools import compress
from operator import is_not
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, QTimer

from trace_inspector.models.base.roles import MARK_NAMES, Role
from trace_inspector.models.base.tips import plain_tip
from trace_inspector.models.evaluation.problem_list import ProblemList
from trace_inspector.models.evaluation.problems import Problem, place_to_go
from trace_inspector.models.evaluation.shown_run import ShownRun
from trace_inspector.models.files.files import Files

Index = QModelIndex | QPersistentModelIndex

_NOWHERE = QModelIndex()
_FLAGS = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
_WORST_FIRST = ("failed", "missing", "extra", "no", "warning", "unsupported", "disputed", "none", "pending", "info")

_SEVERITY = {mark: at for at, mark in enumerate(_WORST_FIRST)}

# Title and text of each column; the first shows the mark alone.
_COLUMNS: tuple[tuple[str, Callable[[Problem], str]], ...] = (
    ("", lambda _problem: ""),
    ("Problem", lambda problem: problem.sentence),
    ("Where", lambda problem: problem.where),
    ("Criterion", lambda problem: problem.criterion),
    ("File", lambda problem: problem.file),
)


WHERE = 2


class ProblemsModel(QAbstractTableModel):
    """Follows the files and the run; sorted by a column, or in the order of the run when by none."""

    def __init__(self, problems: ProblemList, files: Files, shown: ShownRun, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._listed = problems
        self._files = files
        self._problems: list[Problem] = []
        self._sorted_by = -1
        self._order = Qt.SortOrder.AscendingOrder
        # Files of a folder come by the dozen, and each change means comparing all that is known.
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._follow)
        shown.changed.connect(self._follow)
        files.changed.connect(self._follow_soon)
        files.closed.connect(self._follow_soon)
        self._follow()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._problems)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(_COLUMNS)

    def flags(self, index: Index) -> Qt.ItemFlag:
        return _FLAGS if index.isValid() else Qt.ItemFlag.NoItemFlags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        problem = self._problems[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return _COLUMNS[index.column()][1](problem)
        if role == Role.SELECTION:
            return place_to_go(problem, self._files.get(problem.selection.file))
        if role == Role.PROBLEM:
            return problem
        if role == Qt.ItemDataRole.ToolTipRole:
            words = _COLUMNS[index.column()][1](problem)
            return plain_tip(f"{words}\nId: {problem.id}" if problem.id and index.column() == WHERE else words)
        if role == Role.MARK and index.column() == 0:
            return problem.mark
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return _COLUMNS[index.column()][1](problem) or MARK_NAMES.get(problem.mark, problem.mark)
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return _COLUMNS[section][0]
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """By a column's text, by the first column the worst first; -1 gives back the order of the run."""
        self._sorted_by, self._order = column, order
        self.layoutAboutToBeChanged.emit()
        kept = self.persistentIndexList()
        before, self._problems = self._problems, self._wanted()
        row_now = _moves(before, self._problems)
        now = [self.index(row_now[index.row()], index.column()) for index in kept]
        self.changePersistentIndexList(kept, now)
        self.layoutChanged.emit()

    def _follow_soon(self, _number: int) -> None:
        self._soon.start()

    def _follow(self) -> None:
        """Take what is new in the middle, where most of the list stays: selection and scroll position stay too."""
        wanted = self._wanted()
        head = _same(self._problems, wanted)
        tail = _same(self._problems[head:][::-1], wanted[head:][::-1])
        last = len(self._problems) - tail - 1
        if last >= head:
            self.beginRemoveRows(QModelIndex(), head, last)
            del self._problems[head : last + 1]
            self.endRemoveRows()
        new = wanted[head : len(wanted) - tail]
        if new:
            self.beginInsertRows(QModelIndex(), head, head + len(new) - 1)
            self._problems[head:head] = new
            self.endInsertRows()

    def _wanted(self) -> list[Problem]:
        problems = list(self._listed.every)
        if self._sorted_by < 0:
            return problems
        backwards = self._order is Qt.SortOrder.DescendingOrder
        by = _COLUMNS[self._sorted_by][1] if self._sorted_by else _severity
        return sorted(problems, key=by, reverse=backwards)


def _severity(problem: Problem) -> int:
    return _SEVERITY.get(problem.mark, len(_SEVERITY))


def _moves(before: Sequence[Problem], after: Sequence[Problem]) -> list[int]:
    """The row each problem has now, -1 for none. Equal ones keep rows apart: Qt loses kept indexes that meet."""
    rows: dict[Problem, deque[int]] = {}
    for row, problem in enumerate(after):
        rows.setdefault(problem, deque()).append(row)
    return [found.popleft() if (found := rows.get(problem)) else -1 for problem in before]


def _same(left: Sequence[Problem], right: Sequence[Problem]) -> int:
    """How many they have in common at their beginning."""
    shorter, at = min(len(left), len(right)), 0
    while at < shorter:
        # Nearly all are the very same objects; that is found out without a step of our own for each.
        at = next(compress(range(at, shorter), map(is_not, left[at:], right[at:])), shorter)
        if at < shorter and left[at] != right[at]:
            break
        at += at < shorter
    return at

"""The kept runs as a flat table that can be sorted by any column; a run's name is edited in place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from trace_inspector.core.verdict.run_summary import CriterionFigures
from trace_inspector.models.base.figures import NOTHING, count_text, seconds_text, when_text
from trace_inspector.models.base.roles import MARK_NAMES, MARK_OF, Role
from trace_inspector.models.base.tips import plain_tip
from trace_inspector.models.evaluation.score_cells import SHORT
from trace_inspector.models.runs import figures as runs_figures
from trace_inspector.work.runs.run_store import ListedRun

Index = QModelIndex | QPersistentModelIndex

CRITERIA_SHOWN = 4
LONGEST_NAME = 200
_NOWHERE = QModelIndex()
_FLAGS = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
_Key = float | str | None


@dataclass(frozen=True, slots=True)
class Column:
    """What stands in a column, what it is sorted by, and how wide it is at first. Numbers stand at the right."""

    title: str
    text: Callable[[ListedRun], str]
    key: Callable[[ListedRun], _Key]
    width_px: int
    number: bool = False
    meaning: str = ""


def _percentile(at: int) -> Column:
    def seconds(run: ListedRun) -> float | None:
        return runs_figures.latency_of(run.line.summary, at) if run.line.summary else None

    return Column(
        f"p{at}",
        lambda run: seconds_text(seconds(run)) or NOTHING,
        seconds,
        72,
        number=True,
        meaning=f"{at} of 100 turns took no longer",
    )


def _criterion(name: str) -> Column:
    def figures(run: ListedRun) -> CriterionFigures | None:
        held = run.line.summary.criteria if run.line.summary else ()
        return next((one for one in held if one.metric == name), None)

    def text(run: ListedRun) -> str:
        found = figures(run)
        return runs_figures.mean_text(found) if found else NOTHING

    def key(run: ListedRun) -> float | None:
        found = figures(run)
        return found.mean if found else None

    return Column(SHORT.get(name, name), text, key, 104, number=True, meaning=f"{name}: mean and standard deviation")


def _of_summary(tell: Callable[[Any], Any]) -> Callable[[ListedRun], Any]:
    return lambda run: tell(run.line.summary) if run.line.summary else None


NAME = 1
_BEFORE = (
    Column("When", lambda run: when_text(run.line.started_s), lambda run: run.line.started_s, 178),
    Column("Name", lambda run: run.line.name, lambda run: run.line.name.casefold() or None, 120),
    Column(
        "Passed",
        lambda run: runs_figures.passed_text(run.line.summary) if run.line.summary else NOTHING,
        _of_summary(lambda summary: summary.pass_rate),
        120,
        number=True,
        meaning="of the cases that passed, failed or broke; what was not checked is no part of it",
    ),
    Column(
        "Not checked",
        lambda run: f"{runs_figures.unchecked(run.line.summary):,}" if run.line.summary else NOTHING,
        _of_summary(runs_figures.unchecked),
        92,
        number=True,
    ),
    Column("Cases", lambda run: f"{run.line.cases:,}", lambda run: run.line.cases, 60, number=True),
)
_AFTER = (
    *map(_percentile, (50, 90, 99)),
    Column(
        "Tokens",
        lambda run: (count_text(run.line.summary.total_tokens) if run.line.summary else "") or NOTHING,
        _of_summary(lambda summary: summary.total_tokens),
        76,
        number=True,
    ),
    Column(
        "Overruled",
        lambda run: f"{run.line.summary.overruled:,}" if run.line.summary and run.line.summary.overruled else "",
        _of_summary(lambda summary: summary.overruled),
        84,
        number=True,
        meaning="verdicts that a person overruled",
    ),
    Column(
        "Criteria",
        lambda run: run.line.summary.criteria_source if run.line.summary else "",
        _of_summary(lambda summary: summary.criteria_source.casefold()),
        150,
    ),
    Column("Files", runs_figures.files_text, lambda run: runs_figures.files_text(run).casefold(), 180),
)


class RunsModel(QAbstractTableModel):
    """Shows what it is given; `renamed` tells which run got which name."""

    renamed = Signal(str, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._given: tuple[ListedRun, ...] = ()
        self._runs: list[ListedRun] = []
        self._columns: tuple[Column, ...] = (*_BEFORE, *_AFTER)
        self._sorted_by, self._order = 0, Qt.SortOrder.DescendingOrder
        self._baselines: frozenset[str] = frozenset()

    @property
    def columns(self) -> tuple[Column, ...]:
        """What stands in them."""
        return self._columns

    def show(self, runs: Sequence[ListedRun]) -> None:
        """Another list."""
        if tuple(runs) == self._given:
            return
        self.beginResetModel()
        self._given = tuple(runs)
        names = runs_figures.criteria_in((run.line for run in runs), CRITERIA_SHOWN)
        self._columns = (*_BEFORE, *map(_criterion, names), *_AFTER)
        self._runs = self._sorted()
        self.endResetModel()

    def mark_baselines(self, run_ids: Iterable[str]) -> None:
        """Which runs have the flag."""
        before, self._baselines = self._baselines, frozenset(run_ids)
        for row in map(self.row_of, before ^ self._baselines):
            if row >= 0:
                self.dataChanged.emit(self.index(row, 0), self.index(row, len(self._columns) - 1))

    def run(self, row: int) -> ListedRun | None:
        """The run in that row."""
        return self._runs[row] if 0 <= row < len(self._runs) else None

    def row_of(self, run_id: str) -> int:
        """Where a run stands; -1 for nowhere."""
        return next((row for row, run in enumerate(self._runs) if run.line.id == run_id), -1)

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._runs)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._columns)

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        return _FLAGS | Qt.ItemFlag.ItemIsEditable if index.column() == NAME else _FLAGS

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        run, column = self._runs[index.row()], self._columns[index.column()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return column.text(run)
        flagged = index.column() == NAME and run.line.id in self._baselines
        if role == Role.ICON:
            return "flag" if flagged else ""
        if role == Role.CAPTION:
            return "Baseline" if flagged and not run.line.name else ""
        mark = MARK_OF[runs_figures.status_of(run.line)]
        if role == Role.MARK:
            return mark if index.column() == 0 else ""
        if role == Qt.ItemDataRole.AccessibleTextRole:
            before = MARK_NAMES[mark] if index.column() == 0 else "baseline" if flagged else ""
            return ", ".join(filter(None, (before, column.text(run))))
        return column.number if role == Role.NUMBER else None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:  # noqa: N802
        if not index.isValid() or index.column() != NAME or role != Qt.ItemDataRole.EditRole:
            return False
        line, name = self._runs[index.row()].line, str(value).strip()[:LONGEST_NAME]
        if name == line.name:
            return False
        self.renamed.emit(line.id, name)
        return True

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(self._columns):
            return None
        column = self._columns[section]
        if role == Qt.ItemDataRole.TextAlignmentRole and column.number:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        told = {Qt.ItemDataRole.DisplayRole: column.title, Qt.ItemDataRole.ToolTipRole: plain_tip(column.meaning)}
        return told.get(Qt.ItemDataRole(role)) if role in told else None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """By what a column means; what is not known stands last either way."""
        self._sorted_by, self._order = column, order
        self.layoutAboutToBeChanged.emit()
        kept = self.persistentIndexList()
        ids = [self._runs[index.row()].line.id for index in kept]
        self._runs = self._sorted()
        rows = {run.line.id: row for row, run in enumerate(self._runs)}
        now = [self.index(rows[run_id], index.column()) for run_id, index in zip(ids, kept, strict=True)]
        self.changePersistentIndexList(kept, now)
        self.layoutChanged.emit()

    def _sorted(self) -> list[ListedRun]:
        if not 0 <= self._sorted_by < len(self._columns):
            return list(self._given)
        key = self._columns[self._sorted_by].key
        known = [run for run in self._given if key(run) is not None]
        known.sort(key=partial(_sortable, key), reverse=self._order is Qt.SortOrder.DescendingOrder)
        return [*known, *(run for run in self._given if key(run) is None)]


def _sortable(key: Callable[[ListedRun], _Key], run: ListedRun) -> tuple[float, str]:
    found = key(run)
    return (0.0, found) if isinstance(found, str) else (float(found or 0.0), "")

"""The stored runs as a flat table that can be sorted by any column; names of runs are edited in place."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal

from trace_inspector.core.translatable import N_
from trace_inspector.core.verdict.run_summary import CriterionFigures, RunSummary
from trace_inspector.models.base.figures import NOTHING, count_text, seconds_text, when_text
from trace_inspector.models.base.record_table import Cells, Column, EditableTable, Index
from trace_inspector.models.base.roles import MARK_NAMES, MARK_OF, Role
from trace_inspector.models.evaluation.score_cells import SHORT
from trace_inspector.models.runs import figures as runs_figures
from trace_inspector.work.runs.run_store import ListedRun

CRITERIA_SHOWN = 4
LONGEST_NAME = 200
NAME = 1
_SPOKEN = Qt.ItemDataRole.AccessibleTextRole


def _mark(run: ListedRun) -> str:
    return MARK_OF[runs_figures.status_of(run.line)]


def _when(run: ListedRun) -> str:
    return when_text(run.line.started_s)


def _of_summary(
    title: str,
    text: Callable[[RunSummary], str],
    sort_key: Callable[[RunSummary], float | str | None],
    width_px: int,
    missing: str = NOTHING,
    *,
    number: bool = True,
    meaning: str = "",
) -> Column[ListedRun]:
    """A column for runs with figures; for others the text is `missing`."""
    return Column(
        title,
        lambda run: text(run.line.summary) if run.line.summary else missing,
        width_px,
        number,
        meaning,
        sort_key=lambda run: sort_key(run.line.summary) if run.line.summary else None,
    )


def _percentile(percent: int) -> Column[ListedRun]:
    def seconds(summary: RunSummary) -> float | None:
        return runs_figures.latency_of(summary, percent)

    def text(summary: RunSummary) -> str:
        return seconds_text(seconds(summary)) or NOTHING

    return _of_summary(f"p{percent}", text, seconds, 72, meaning=f"{percent} of 100 turns took no longer")


def _criterion(name: str) -> Column[ListedRun]:
    def figures(summary: RunSummary) -> CriterionFigures | None:
        return next((figures for figures in summary.criteria if figures.metric == name), None)

    def text(summary: RunSummary) -> str:
        criterion = figures(summary)
        return runs_figures.mean_text(criterion) if criterion else NOTHING

    def mean(summary: RunSummary) -> float | None:
        criterion = figures(summary)
        return criterion.mean if criterion else None

    return _of_summary(SHORT.get(name, name), text, mean, 104, meaning=f"{name}: mean and standard deviation")


_STATUS: Cells[ListedRun] = {Role.MARK: _mark, _SPOKEN: lambda run: f"{MARK_NAMES[_mark(run)]}, {_when(run)}"}
_WHEN: Column[ListedRun] = Column(N_("When"), _when, 178, sort_key=attrgetter("line.started_s"), cells=_STATUS)
_BEFORE: tuple[Column[ListedRun], ...] = (
    _of_summary(
        N_("Passed"),
        runs_figures.passed_text,
        attrgetter("pass_rate"),
        120,
        meaning="of the cases that passed, failed or had an error; cases that were not checked do not count",
    ),
    _of_summary(
        N_("Not checked"), lambda summary: f"{runs_figures.unchecked(summary):,}", runs_figures.unchecked, 92
    ),
    Column(N_("Cases"), lambda run: f"{run.line.cases:,}", 60, number=True, sort_key=attrgetter("line.cases")),
)
_AFTER: tuple[Column[ListedRun], ...] = (
    *map(_percentile, (50, 90, 99)),
    _of_summary(
        N_("Tokens"), lambda summary: count_text(summary.total_tokens) or NOTHING, attrgetter("total_tokens"), 76
    ),
    _of_summary(
        N_("Overruled"),
        lambda summary: f"{summary.overruled:,}" if summary.overruled else "",
        attrgetter("overruled"),
        84,
        "",
        meaning="verdicts that a person overruled",
    ),
    _of_summary(
        N_("Criteria"),
        attrgetter("criteria_source"),
        lambda summary: summary.criteria_source.casefold(),
        150,
        "",
        number=False,
    ),
    Column(N_("Files"), runs_figures.files_text, 180, sort_key=lambda run: runs_figures.files_text(run).casefold()),
)


class RunsModel(EditableTable[ListedRun]):
    """The newest run first until the table is sorted. `renamed` has a run and its new name."""

    renamed = Signal(str, str)

    def __init__(self, parent: QObject | None = None) -> None:
        self._criteria: tuple[str, ...] = ()
        self._baselines: frozenset[str] = frozenset()
        super().__init__(self._columns_with(()), attrgetter("line.id"), parent)
        self.sort(0, Qt.SortOrder.DescendingOrder)

    def show(self, runs: Iterable[ListedRun]) -> None:
        """Update the list. The criteria that decide in most of the runs have columns."""
        listed = tuple(runs)
        criteria = runs_figures.criteria_in((run.line for run in listed), CRITERIA_SHOWN)
        if criteria == self._criteria:
            super().show(listed)
        else:
            self._criteria = criteria
            self.reset(listed, self._columns_with(criteria))

    def mark_baselines(self, run_ids: Iterable[str]) -> None:
        """Flag the runs that are baselines."""
        self._baselines = frozenset(run_ids)
        self.refresh()

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:  # noqa: N802
        if not index.isValid() or index.column() != NAME or role != Qt.ItemDataRole.EditRole:
            return False
        line, name = self.records[index.row()].line, str(value).strip()[:LONGEST_NAME]
        if name == line.name:
            return False
        self.renamed.emit(line.id, name)
        return True

    def _columns_with(self, criteria: Iterable[str]) -> tuple[Column[ListedRun], ...]:
        name: Column[ListedRun] = Column(
            N_("Name"),
            attrgetter("line.name"),
            120,
            sort_key=lambda run: run.line.name.casefold() or None,
            cells={
                Qt.ItemDataRole.EditRole: attrgetter("line.name"),
                Role.ICON: lambda run: "flag" if self._is_baseline(run) else "",
                Role.CAPTION: lambda run: "Baseline" if self._is_baseline(run) and not run.line.name else "",
                _SPOKEN: self._spoken_name,
            },
            flags=Qt.ItemFlag.ItemIsEditable,
        )
        return (_WHEN, name, *_BEFORE, *map(_criterion, criteria), *_AFTER)

    def _is_baseline(self, run: ListedRun) -> bool:
        return run.line.id in self._baselines

    def _spoken_name(self, run: ListedRun) -> str:
        return ", ".join(filter(None, ("baseline" if self._is_baseline(run) else "", run.line.name)))

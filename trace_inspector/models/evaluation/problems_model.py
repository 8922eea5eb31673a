"""The problems as a flat table."""

from __future__ import annotations

from operator import attrgetter

from PySide6.QtCore import QObject, Qt, QTimer

from trace_inspector.core.translatable import N_
from trace_inspector.models.base.record_table import Cells, Column, RecordTable
from trace_inspector.models.base.roles import MARK_NAMES, Role
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.base.tips import plain_tip
from trace_inspector.models.evaluation.problem_list import ProblemList
from trace_inspector.models.evaluation.problems import Problem, place_to_go
from trace_inspector.models.evaluation.shown_run import ShownRun
from trace_inspector.models.files.files import Files

_WORST_FIRST = ("failed", "missing", "extra", "no", "warning", "unsupported", "disputed", "none", "pending", "info")
_SEVERITY = {mark: place for place, mark in enumerate(_WORST_FIRST)}
_TIP, _SPOKEN = Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole


def _mark_name(problem: Problem) -> str:
    return MARK_NAMES.get(problem.mark, problem.mark)


def _text_column(title: str, field: str, width_px: int = 0) -> Column[Problem]:
    text = attrgetter(field)

    def tip(problem: Problem) -> str:
        has_id = field == "where" and problem.id
        return plain_tip(f"{text(problem)}\nId: {problem.id}" if has_id else text(problem))

    return Column(
        title, text, width_px, cells={_TIP: tip, _SPOKEN: lambda problem: text(problem) or _mark_name(problem)}
    )


_COLUMNS: tuple[Column[Problem], ...] = (
    Column(
        "",
        lambda _problem: "",
        34,
        sort_key=lambda problem: _SEVERITY.get(problem.mark, len(_SEVERITY)),
        cells={Role.MARK: attrgetter("mark"), _SPOKEN: _mark_name},
    ),
    _text_column(N_("Problem"), "sentence"),
    _text_column(N_("Where"), "where", 280),
    _text_column(N_("Criterion"), "criterion", 200),
    _text_column(N_("File"), "file", 170),
)
WHERE = 2


class ProblemsModel(RecordTable[Problem]):
    """Follows the files and the run; the first column sorts by severity, unsorted the order is the run's."""

    def __init__(self, problems: ProblemList, files: Files, shown: ShownRun, parent: QObject | None = None) -> None:
        cells: Cells[Problem] = {Role.SELECTION: self._place, Role.PROBLEM: lambda problem: problem}
        super().__init__(_COLUMNS, lambda problem: problem, parent, cells)
        self._problems = problems
        self._files = files
        # Files of a folder arrive by the dozen, and each update compares the whole list.
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._follow)
        shown.changed.connect(self._follow)
        files.changed.connect(self._follow_soon)
        files.closed.connect(self._follow_soon)
        self._follow()

    def _place(self, problem: Problem) -> Selection | None:
        return place_to_go(problem, self._files.get(problem.selection.file))

    def _follow_soon(self, _number: int) -> None:
        self._soon.start()

    def _follow(self) -> None:
        self.show(self._problems.every)

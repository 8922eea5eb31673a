"""The criteria of a draft as a flat table with a switch on each line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from trace_inspector.core.trace.criterion_form import form_of
from trace_inspector.core.trace.summary import one_line
from trace_inspector.models.base.roles import Role
from trace_inspector.models.evaluation.criteria_draft import CriteriaDraft, Line

Index = QModelIndex | QPersistentModelIndex

_NOWHERE = QModelIndex()
_FLAGS = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
TITLES = ("Criterion", "Threshold", "Match", "Judge", "Samples", "State")
STATE = len(TITLES) - 1
_JUDGE = ("judge_model_options", "judge_model")
_SAMPLES = ("judge_model_options", "num_samples")


class CriteriaTable(QAbstractTableModel):
    """Follows a draft. `has` says which of “golden”, “judge”, “scenario” and “Vertex service” there is now."""

    def __init__(
        self, draft: CriteriaDraft, has: Callable[[], frozenset[str]], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._draft = draft
        self._has = has
        self._lines: tuple[Line, ...] = ()
        self._told: tuple[object, ...] = ()
        draft.changed.connect(self.follow)
        self.follow()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._lines)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(TITLES)

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        return _FLAGS | Qt.ItemFlag.ItemIsUserCheckable if index.column() == 0 else _FLAGS

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        line = self._lines[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._text(line, index.column())
        if role == Qt.ItemDataRole.CheckStateRole and index.column() == 0:
            return Qt.CheckState.Checked if line.on else Qt.CheckState.Unchecked
        if role == Role.DIM:
            return not line.on
        if role == Role.MARK and index.column() == STATE:
            return "warning" if line.on and self._wrong(line) else "none" if line.on and self._missing(line) else ""
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:  # noqa: N802
        """Switch a criterion on or off."""
        if role != Qt.ItemDataRole.CheckStateRole or not index.isValid():
            return False
        line = self._lines[index.row()]
        self._draft.set_line(replace(line, on=Qt.CheckState(value) is Qt.CheckState.Checked))
        return True

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return TITLES[section]
        return None

    def metric(self, row: int) -> str:
        """The metric of a row; "" where there is none."""
        return self._lines[row].metric if 0 <= row < len(self._lines) else ""

    def row_of(self, metric: str) -> int:
        """The row of a metric; -1 where there is none."""
        return next((at for at, line in enumerate(self._lines) if line.metric == metric), -1)

    def follow(self) -> None:
        """Show what the draft holds and what can run now."""
        told = (self._draft.seen.wrong if self._draft.seen else (), self._has())
        lines = self._draft.lines
        if [line.metric for line in lines] != [line.metric for line in self._lines]:
            self.beginResetModel()
            self._lines, self._told = lines, told
            self.endResetModel()
        elif lines != self._lines or told != self._told:
            self._lines, self._told = lines, told
            if lines:
                self.dataChanged.emit(self.index(0, 0), self.index(len(lines) - 1, STATE))

    def _text(self, line: Line, column: int) -> str:
        match column:
            case 0:
                return one_line(line.metric, 120)
            case 1:
                return "" if line.threshold is None else f"{line.threshold:g}"
            case 5:
                return self._wrong(line) or self._missing(line) if line.on else "off"
        path = {2: ("match_type",), 3: _JUDGE, 4: _SAMPLES}[column]
        value = self._draft.option(line.metric, path)
        return "" if value is None else one_line(str(value), 60)

    def _wrong(self, line: Line) -> str:
        seen = self._draft.seen
        return next((one.sentence for one in seen.wrong if one.metric == line.metric), "") if seen else ""

    def _missing(self, line: Line) -> str:
        """Why it cannot run as things are."""
        seen = self._draft.seen
        form = form_of(seen.forms, line.metric) if seen else None
        lacking = [need for need in form.needs if need not in self._has()] if form else []
        return f"needs a {' and a '.join(lacking)}, and there is none" if lacking else ""

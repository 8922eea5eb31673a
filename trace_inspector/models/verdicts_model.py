"""The criteria of what is selected: each with its mark, score, threshold, status, reason and who says so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from trace_inspector.core.verdict import MetricVerdict
from trace_inspector.models.figures import score_text
from trace_inspector.models.roles import MARK_OF, Role
from trace_inspector.models.selection import Selection
from trace_inspector.models.workspace import Workspace

Index = QModelIndex | QPersistentModelIndex

_NOWHERE = QModelIndex()
_FLAGS = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren


def _threshold(verdict: MetricVerdict) -> str:
    return "" if verdict.threshold is None else score_text(verdict.threshold)


_COLUMNS: tuple[tuple[str, Callable[[MetricVerdict], str]], ...] = (
    ("Criterion", lambda verdict: verdict.metric),
    ("Score", lambda verdict: score_text(verdict.score)),
    ("Needs", _threshold),
    ("Verdict", lambda verdict: verdict.status.value),
    ("Reason", lambda verdict: verdict.reason),
    ("By", lambda verdict: verdict.provenance.value),
)


class VerdictsModel(QAbstractTableModel):
    """Follows the selection: of a turn and what is in it the turn's verdicts, else those of the case or trace."""

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._verdicts: tuple[MetricVerdict, ...] = ()
        workspace.selected.connect(self._follow)
        workspace.run_changed.connect(self._follow)
        self._follow()

    def verdict(self, row: int) -> MetricVerdict:
        """The whole verdict of a row."""
        return self._verdicts[row]

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._verdicts)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(_COLUMNS)

    def flags(self, index: Index) -> Qt.ItemFlag:
        return _FLAGS if index.isValid() else Qt.ItemFlag.NoItemFlags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        verdict = self._verdicts[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return _COLUMNS[index.column()][1](verdict)
        return MARK_OF[verdict.status] if role == Role.MARK and index.column() == 0 else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return _COLUMNS[section][0]
        return None

    def _follow(self) -> None:
        verdicts = self._of(self._workspace.selection)
        if verdicts != self._verdicts:
            self.beginResetModel()
            self._verdicts = verdicts
            self.endResetModel()

    def _of(self, selection: Selection | None) -> tuple[MetricVerdict, ...]:
        if selection is None or selection.row < 0:
            return ()
        verdict = self._workspace.turn_verdict(selection.file, selection.row) or self._workspace.case_verdict(
            selection.file, selection.row
        )
        return verdict.metrics if verdict else ()

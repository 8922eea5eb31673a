"""The list of rubrics: cells are edited in place, with F2 or by typing."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QAbstractItemView

from trace_inspector.models.evaluation.rubric_table import RubricTable
from trace_inspector.views.appearance.appearance import Look
from trace_inspector.views.widgets.tree_view import TreeView

WIDTHS_PX = [120, 0, 160]
LEAST_PX = 120


class RubricList(TreeView):
    """Enter or F2 edits the cell."""

    def __init__(self, look: Look, table: RubricTable) -> None:
        super().__init__(look, _tr("Rubrics"))
        self._table = table
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        triggers = QAbstractItemView.EditTrigger
        self.setEditTriggers(triggers.EditKeyPressed | triggers.AnyKeyPressed | triggers.DoubleClicked)
        self.setModel(table)
        self.set_widths(WIDTHS_PX, stretch=1)
        self.setMinimumHeight(LEAST_PX)
        self.opened.connect(self.edit)

    def add(self) -> None:
        """One more rubric, its text open for typing."""
        row = self._table.add()
        self.setCurrentIndex(self._table.index(row, 1))
        self.setFocus()
        self.edit(self._table.index(row, 1))

    def remove(self) -> None:
        """Take the current one out."""
        self._table.remove(self.currentIndex().row())


def _tr(text: str) -> str:
    return QCoreApplication.translate("RubricList", text)

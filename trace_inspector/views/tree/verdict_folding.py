"""After an evaluation what failed is unfolded and what passed is folded, but for what a person unfolded or folded."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject

from trace_inspector.core.verdict.verdict import Status
from trace_inspector.models.base.row_table import TOP, RowTable
from trace_inspector.models.tree.trace_tree import TraceTreeModel
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.views.widgets.tree_view import TreeView

MOST_CONVERSATIONS = 12  # of a file whose turns are shown at once
_UNFOLDED = frozenset({Status.FAILED, Status.ERROR})


class VerdictFolding(QObject):
    """Folds at the end of a run only: rows that move while somebody reads or edits would be a nuisance."""

    def __init__(self, tree: TreeView, model: TraceTreeModel, workspace: Workspace) -> None:
        super().__init__(tree)
        self._tree = tree
        self._model = model
        self._workspace = workspace
        self._by_hand: set[int] = set()  # rows that a person folded or unfolded
        self._running = False
        tree.turned_by_hand.connect(self._note)
        model.modelReset.connect(self._by_hand.clear)
        workspace.run.changed.connect(self._follow)

    def fold(self) -> None:
        """Fold and unfold by the verdicts of a run that ended."""
        file, run = self._model.file, self._workspace.run.value
        if file is None or run is None or run.running or not 1 < len(file.table.tops) <= MOST_CONVERSATIONS:
            return
        table, verdicts, kept = file.table, run.on(file), self._by_hand | self._selected(file.table)
        for top in table.tops:
            if verdicts.case(top) is None:
                continue
            self._turn(top, kept, unfolded=verdicts.status(top) in _UNFOLDED)
            for turn in table.turns(top):
                self._turn(turn, kept, unfolded=verdicts.status(turn) in _UNFOLDED)

    def _turn(self, row: int, kept: set[int], *, unfolded: bool) -> None:
        if row not in kept:
            self._tree.setExpanded(self._model.index_of(row), unfolded)

    def _selected(self, table: RowTable) -> set[int]:
        """The selected row and those above it: what somebody looks at stays in sight."""
        row, rows = self._model.row_of(self._tree.currentIndex()), set()
        while row != TOP:
            rows.add(row)
            row = table.parent(row)
        return rows

    def _note(self, index: QModelIndex) -> None:
        self._by_hand.add(self._model.row_of(index))

    def _follow(self) -> None:
        run = self._workspace.run.value
        was_running, self._running = self._running, run is not None and run.running
        if was_running and not self._running:
            self.fold()

"""The compared cases as a list in groups. Enter opens a case, X swaps the runs, O opens a case's files."""

from __future__ import annotations

import time

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QMenu

from trace_inspector.engine.run_comparison.change_group import Group
from trace_inspector.models.base.translation import tr
from trace_inspector.models.runs.run_pair_table import SCORES, WORDS, RunPairTable
from trace_inspector.views.run_comparison.case_cells import CaseCells
from trace_inspector.views.widgets.fitted_columns import FittedColumns
from trace_inspector.views.widgets.tree_view import TreeView
from trace_inspector.views.window_context.desk import Desk

NAME_PX, VERDICT_PX, WORDS_PX, SCORE_PX, TIME_PX = 190, 84, 240, 72, 84
WORDS_LEAST_PX = 130


class CaseList(TreeView):
    """What is folded and which case is current outlives other figures. Keys emit the two signals."""

    files_requested = Signal()
    swap_requested = Signal()

    def __init__(self, desk: Desk, table: RunPairTable) -> None:
        super().__init__(desk.theme, tr("Cases of both runs"))
        self._table = table
        self._folded: set[Group] = set()
        self._current = ""
        self._filling = False
        self._text_painter, self._letters_s = "", 0.0  # of a name, typed in the list, and when
        self.setModel(table)
        self._cells = CaseCells(desk.theme, table, self)
        self.setItemDelegate(self._cells)
        self.columns = FittedColumns(desk.theme, self, WORDS, WORDS_LEAST_PX)
        self.header().setSortIndicatorClearable(True)
        self.header().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)
        self.collapsed.connect(lambda index: self._fold(index, folded=True))
        self.expanded.connect(lambda index: self._fold(index, folded=False))
        table.modelAboutToBeReset.connect(self._store_current)
        table.modelReset.connect(self._restore)
        self._restore()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Swap, open files, copy."""
        plain = event.modifiers() == Qt.KeyboardModifier.NoModifier
        keys = {Qt.Key.Key_X: self.swap_requested, Qt.Key.Key_O: self.files_requested}
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.copied_rows())
        elif plain and Qt.Key(event.key()) in keys:
            keys[Qt.Key(event.key())].emit()
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Go to the case whose name begins with what is typed; Qt would ask each row for its text."""
        now_s = time.monotonic()
        is_more = now_s - self._letters_s < QApplication.keyboardInputInterval() / 1000
        self._text_painter, self._letters_s = self._text_painter + search if is_more else search, now_s
        match = self._table.next_named(self._text_painter, self.currentIndex(), further=not is_more)
        if match.isValid():
            self.setCurrentIndex(match)

    def copied_rows(self) -> str:
        """The selected rows as tab-separated text; row by row, Qt would take a second for 10,000 of them."""
        return self._table.rows_text(self.selectionModel().selection())

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The actions of the keys, as a menu."""
        index = self.currentIndex()
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if self._table.line(index) is not None:
            menu.addAction(tr("Compare its conversations"), lambda: self.opened.emit(index))
            menu.addAction(tr("Open its files"), self.files_requested.emit)
        menu.addAction(tr("Swap the runs"), self.swap_requested.emit)
        menu.addAction(tr("Copy"), lambda: QGuiApplication.clipboard().setText(self.copied_rows()))
        menu.popup(event.globalPos())

    def _fold(self, index: QModelIndex, *, folded: bool) -> None:
        group = self._table.group(index)
        if group is not None and not self._filling:
            (self._folded.add if folded else self._folded.discard)(group)

    def _store_current(self) -> None:
        line = self._table.line(self.currentIndex())
        self._current = line.name if line is not None else self._current

    def _restore(self) -> None:
        self._filling = True
        groups = [self._table.index(row, 0) for row in range(self._table.rowCount())]
        self.scheduleDelayedItemsLayout()  # once for all, not for each group that unfolds
        for group in groups:
            self.setExpanded(group, self._table.group(group) not in self._folded)
        for group in groups:
            self.setFirstColumnSpanned(group.row(), QModelIndex(), True)  # noqa: FBT003  (Qt takes it by position alone)
        self._filling = False
        count = self._table.columnCount() - SCORES - 1
        verdict_px = max(VERDICT_PX, self._cells.verdicts_px())
        self.columns.lay_out([NAME_PX, verdict_px, WORDS_PX, *[SCORE_PX] * count, TIME_PX])
        before = self._table.index_of(self._current)
        first = self._table.index(0, 0, self._table.index(0, 0))
        self.setCurrentIndex(before if before.isValid() else first)

"""The Problems panel: one sortable list of what failed and what is odd; Enter goes there."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QStackedWidget,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from trace_inspector.models.base.roles import Role
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.base.translation import tr
from trace_inspector.models.evaluation.problems import LINT_REASONS, Problem
from trace_inspector.models.evaluation.problems_model import ProblemsModel
from trace_inspector.models.golden.hint_fix import apply_fix
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.views.widgets.controls import Elided
from trace_inspector.views.widgets.empty_state import EmptyState
from trace_inspector.views.widgets.panel import PanelWidget
from trace_inspector.views.widgets.tree_view import Index, TreeView
from trace_inspector.views.window_context.desk import Desk


class ProblemsPanel(PanelWidget):
    """Moving through the list shows each place; the keyboard stays here until Enter."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.theme, tr("Problems"))
        self._desk = desk
        self.model = ProblemsModel(desk.workspace.problems, desk.workspace.files, desk.workspace.run, self)
        self.view = _ProblemView(desk.theme, tr("Problems"))
        self.view.mend.connect(self.mend)
        self.view.setRootIsDecorated(False)
        self.view.setIndentation(0)
        self.view.setModel(self.model)
        self.view.setItemDelegate(_ProblemDelegate(desk.theme, self.view))
        self.view.setSortingEnabled(True)
        self.view.sortByColumn(0, Qt.SortOrder.AscendingOrder)
        self.view.header().setMinimumSectionSize(34)
        self.view.set_widths([column.width_px for column in self.model.columns], stretch=1)
        self.view.opened.connect(self._go)
        self.view.clicked.connect(self._show)
        self._empty = EmptyState(
            desk.theme,
            tr("No problems."),
            tr("Findings appear while files are read, verdicts after Evaluate (F5)."),
        )
        self._stack = QStackedWidget()
        self._stack.addWidget(self.view)
        self._stack.addWidget(self._empty)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(self._stack, 1)
        self._why = Elided(desk.theme, font="secondary", ink="text2")
        self._why.setContentsMargins(16, 2, 16, 4)
        self._why.hide()
        box.addWidget(self._why)
        self.view.selectionModel().currentChanged.connect(self._explain)
        self.setFocusProxy(self.view)
        for signal in (self.model.modelReset, self.model.rowsInserted, self.model.rowsRemoved):
            signal.connect(self._recount)
        self._recount()

    def _recount(self) -> None:
        count = self.model.rowCount()
        self._stack.setCurrentWidget(self.view if count else self._empty)
        self.set_count(count)

    def mend(self) -> None:
        """Fix what the hint about a golden reports, as a step that can be undone."""
        problem = self.view.currentIndex().data(Role.PROBLEM)
        if not isinstance(problem, Problem) or problem.code not in LINT_REASONS:
            self._desk.say(tr("This cannot be fixed automatically. Go there with Enter, and edit it."))
            return
        apply_fix(self._desk.workspace.goldens, problem)

    def _explain(self, index: QModelIndex) -> None:
        """The reason of a hint about a golden, and the key that fixes it."""
        problem = index.data(Role.PROBLEM)
        why = LINT_REASONS.get(problem.code, "") if isinstance(problem, Problem) else ""
        self._why.setText(tr("{0}  M fixes it where that is possible.").format(why) if why else "")
        self._why.setVisible(bool(why))

    def _show(self, index: QModelIndex) -> None:
        place = index.data(Role.SELECTION)
        if isinstance(place, Selection):
            self._desk.workspace.selection.select(place)

    def _go(self, index: QModelIndex) -> None:
        self._show(index)
        self._desk.take_focus()


class _ProblemView(TreeView):
    """M fixes what the current row reports."""

    mend = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """One key more than other lists have."""
        if event.key() == Qt.Key.Key_M and not event.modifiers():
            self.mend.emit()
        else:
            super().keyPressEvent(event)


class _ProblemDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text_painter = TextPainter(theme)

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        """All rows are equally high."""
        return QSize(80, 24)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """The mark alone in the first column, words in the others."""
        box = QRectF(option.rect)
        if index.column() == 0:
            if mark := index.data(Role.MARK):
                self._theme.icons.paint_mark(painter, mark, self._theme.tokens, box.left() + 12, box.center().y(), 14)
            return
        font, ink = ("body", "text") if index.column() == 1 else ("secondary", "text2")
        self._text_painter.left(painter, box.adjusted(6, 0, -8, 0), str(index.data() or ""), font, ink)

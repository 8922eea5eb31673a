"""The Problems panel: one sortable list of what failed and what is odd; Enter goes there."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QModelIndex, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QHBoxLayout,
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
from trace_inspector.models.evaluation.problems_model import KIND_OF, ProblemKind, ProblemsModel
from trace_inspector.models.golden.hint_fix import apply_fix
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.views.widgets.controls import Elided
from trace_inspector.views.widgets.empty_state import EmptyState
from trace_inspector.views.widgets.fields import Choice
from trace_inspector.views.widgets.panel import PanelWidget
from trace_inspector.views.widgets.tree_view import RAIL_PX, Index, TreeView
from trace_inspector.views.window_context.context_menu import Sections, do, offer_menu
from trace_inspector.views.window_context.desk import Desk

_MOST_PLACES = 10  # of one cause, in a context menu


class ProblemsPanel(PanelWidget):
    """Moving through the list shows each place; the keyboard stays here until Enter."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.theme, tr("Problems"))
        self._desk = desk
        workspace = desk.workspace
        self.model = ProblemsModel(workspace.problems, workspace.files, workspace.run, workspace.selection, self)
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
        offer_menu(self.view, self._offered)
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
        box.addLayout(self._make_foot())
        self.view.selectionModel().currentChanged.connect(self._explain)
        self.setFocusProxy(self.view)
        workspace.selection.changed.connect(self._find_selection)
        self.seen.connect(self._find_selection)
        for signal in (self.model.modelReset, self.model.rowsInserted, self.model.rowsRemoved):
            signal.connect(self._recount)
        self._recount()

    def _make_foot(self) -> QHBoxLayout:
        self.kinds = Choice[ProblemKind](self._desk.theme, tr("Which problems"), (), self.list_kind)
        foot = QHBoxLayout()
        foot.setContentsMargins(12, 2, 12, 4)
        foot.setSpacing(12)
        foot.addWidget(self.kinds)
        foot.addWidget(self._why, 1)
        return foot

    def _recount(self) -> None:
        model = self.model
        self._stack.setCurrentWidget(self.view if model.rowCount() else self._empty)
        total = model.counts.total()
        self.set_count(total)
        counts = ((kind, total if kind is ProblemKind.ALL else model.counts[kind]) for kind in ProblemKind)
        self.kinds.offer([(f"{tr(kind.value)} ({count:,})", kind) for kind, count in counts if count])
        self.kinds.choose(model.kind)
        self.kinds.setVisible(len(model.counts) > 1)

    def _find_selection(self) -> None:
        """Bring what is said of the selected turn into sight; whoever walks through the list is left alone."""
        self.view.viewport().update()
        if self.is_seen and not self.view.hasFocus():
            index = self.model.index(self.model.row_about_selection(), 1)
            if index.isValid() and not self.view.currentIndex().data(Role.ABOUT_SELECTION):
                self.view.setCurrentIndex(index)
                self.view.scrollTo(index)

    def mend(self) -> None:
        """Fix what the hint about a golden reports, as a step that can be undone."""
        problem = self.view.currentIndex().data(Role.PROBLEM)
        if not isinstance(problem, Problem) or problem.code not in LINT_REASONS:
            self._desk.say(tr("This cannot be fixed automatically. Go there with Enter, and edit it."))
            return
        apply_fix(self._desk.workspace.goldens, problem)

    def _offered(self, place: QPoint) -> Sections:
        """What can be done with the problem under the mouse."""
        index = self.view.indexAt(place)
        problem = index.data(Role.PROBLEM)
        if not isinstance(problem, Problem):
            return
        going = tr("Go there in {0}") if problem.also else tr("Go there")
        yield [do(going.format(each.file), partial(self._go_to, each)) for each in problem.each[:_MOST_PLACES]]
        if problem.cause:
            yield (
                do(tr("Compare with the golden"), lambda: self._go_on(index, "view-compare")),
                do(tr("Edit the golden"), lambda: self._go_on(index, "edit-golden")),
            )
        if problem.code in LINT_REASONS:
            yield (do(tr("Fix it"), self.mend),)
        yield self._desk.actions(("copy",))
        kind = KIND_OF.get(problem.mark)
        if kind is not None and self.model.kind is not kind and len(self.model.counts) > 1:
            yield (do(tr("List only: {0}").format(tr(kind.value)), lambda: self.list_kind(kind)),)
        elif self.model.kind is not ProblemKind.ALL:
            yield (do(tr("List all kinds"), lambda: self.list_kind(ProblemKind.ALL)),)

    def list_kind(self, kind: ProblemKind) -> None:
        """Leave all other kinds out."""
        self.model.show_kind(kind)
        self._recount()

    def _go_to(self, problem: Problem) -> None:
        place = self.model.place_of(problem)
        if place is not None:
            self._desk.workspace.selection.select(place)
            self._desk.take_focus()

    def _go_on(self, index: QModelIndex, action: str) -> None:
        """Go there, and do something with that place."""
        self._go(index)
        self._desk.refresh()
        self._desk.perform(action)

    def _explain(self, index: QModelIndex) -> None:
        """The reason of a hint about a golden, and the key that fixes it."""
        problem = index.data(Role.PROBLEM)
        why = LINT_REASONS.get(problem.code, "") if isinstance(problem, Problem) else ""
        self._why.setText(tr("{0}  M fixes it where that is possible.").format(why) if why else "")

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

    def drawRow(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """What is said of the selected turn is marked, wherever it stands in the list."""
        if index.data(Role.ABOUT_SELECTION):
            row = QRect(0, option.rect.top(), self.viewport().width(), option.rect.height())
            painter.fillRect(row, self._theme.color("accent_soft"))
            super().drawRow(painter, option, index)
            painter.fillRect(QRect(0, row.top(), RAIL_PX, row.height()), self._theme.color("accent"))
        else:
            super().drawRow(painter, option, index)


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

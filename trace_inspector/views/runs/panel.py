"""The Runs panel: the stored runs as a list, and beside it the details of the chosen one."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
)

from trace_inspector.models.base.counting import counted
from trace_inspector.models.base.translation import tr
from trace_inspector.models.runs import figures as runs_figures
from trace_inspector.models.runs.model import NAME, RunsModel
from trace_inspector.views.blocks.blocks import show_page
from trace_inspector.views.blocks.run_cells import RunCells
from trace_inspector.views.runs.facts_page import facts_page, states_of
from trace_inspector.views.widgets.controls import Button, ButtonKind, Label
from trace_inspector.views.widgets.empty_state import EmptyState
from trace_inspector.views.widgets.fitted_columns import FittedColumns
from trace_inspector.views.widgets.panel import PanelWidget
from trace_inspector.views.widgets.scroll_page import ScrollPage
from trace_inspector.views.widgets.tree_view import TreeView
from trace_inspector.views.window_context.context_menu import offer_menu
from trace_inspector.views.window_context.desk import Desk
from trace_inspector.views.window_context.reporting import report_menu
from trace_inspector.work.runs.run_store import ListedRun, RunFacts

LIST_SHARE, FACTS_SHARE = 3, 2
NAME_LEAST_PX = 80
OFFERED = (("show-run",), ("baseline-run", "compare-runs", "compare-run-file"), ("copy",), ("delete-run",))
_KEYS = {Qt.Key.Key_B: "baseline-run", Qt.Key.Key_C: "compare-runs"}


class RunsPanel(PanelWidget):
    """Reads the store when it is first seen. Enter shows a run's verdicts, F2 names it, Delete deletes it.

    B makes it the baseline of its suite, C compares it with that, or two selected runs with each other.
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.theme, tr("Runs"))
        self._desk = desk
        self._runs = desk.workspace.runs
        self._facts_of_chosen: RunFacts | None = None
        self._seen: tuple[object, ...] = ()
        self._chosen = ""
        self._newest = ""  # the run just made was chosen once
        self._to_delete = ""  # the run that is deleted once confirmed
        self.model = RunsModel(self)
        self.view = _RunsView(desk)
        self.view.setModel(self.model)
        self.view.setItemDelegate(RunCells(desk.theme, self.view))
        self.view.header().setSortIndicator(0, Qt.SortOrder.DescendingOrder)
        self.view.setSortingEnabled(True)
        self.columns = FittedColumns(desk.theme, self.view, NAME, NAME_LEAST_PX)
        self.view.opened.connect(lambda _index: self.show_verdicts())
        self.view.deleting.connect(self.ask_to_delete)
        self._runs.baselines.remember_in(desk.settings)
        self._facts = ScrollPage()
        self._facts.setAccessibleName(tr("The selected run"))
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setHandleWidth(1)
        split.addWidget(self.view)
        split.addWidget(self._facts)
        split.setStretchFactor(0, LIST_SHARE)
        split.setStretchFactor(1, FACTS_SHARE)
        split.setSizes([LIST_SHARE * 300, FACTS_SHARE * 300])
        self._empty = EmptyState(desk.theme)
        self._stack = QStackedWidget()
        self._stack.addWidget(split)
        self._stack.addWidget(self._empty)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(self._stack, 1)
        box.addLayout(self._foot())
        self._turn_foot(asking=False)  # not before they have a parent: each would be a window of its own
        self.setFocusProxy(self.view)
        self.model.renamed.connect(self._runs.rename)
        self.view.selectionModel().currentChanged.connect(lambda _now, _before: self._choose())
        self._runs.list.changed.connect(self._follow)
        self._runs.list.facts_read.connect(self._take_facts)
        self._runs.baselines.changed.connect(self._flag)
        # Files of a folder change by the thousand.
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self._show_facts)
        for signal in (desk.workspace.files.changed, desk.workspace.files.closed):
            signal.connect(lambda _number: self._later.start())
        desk.workspace.calibrations.changed.connect(self._later.start)
        self._flag()
        self._follow()

    @property
    def chosen(self) -> ListedRun | None:
        """The run that the keyboard is on."""
        return self.model.record(self.view.currentIndex().row())

    @property
    def picked(self) -> tuple[ListedRun, ...]:
        """All selected runs, the chosen one too where nothing is selected."""
        rows = [index.row() for index in self.view.selectionModel().selectedRows()]
        runs = [self.model.record(row) for row in rows] or [self.chosen]
        return tuple(run for run in runs if run is not None)

    def showEvent(self, event: QShowEvent) -> None:
        """What changed meanwhile."""
        super().showEvent(event)
        self._runs.list.wake()  # also behind a tab, which shows the count
        self._later.start()

    def show_verdicts(self) -> None:
        """Show the chosen run on the open files."""
        run = self.chosen
        if run is not None:
            self._runs.showing.show(run.line.id, runs_figures.name_of(run.line))

    def open_files(self) -> None:
        """Open what the chosen run read."""
        if self._facts_of_chosen is not None:
            self._desk.workspace.files.open([Path(path) for path, _digest in self._facts_of_chosen.inputs])

    def rename(self) -> None:
        """Edit the chosen run's name in its cell."""
        self.view.edit(self.view.currentIndex().siblingAtColumn(1))

    def ask_to_delete(self) -> None:
        """Ask once, below the list."""
        run = self.chosen
        if run is not None and self._runs.list.is_kept(run.line.id):
            self._to_delete = run.line.id
            name = runs_figures.name_of(run.line)
            self._question.setText(tr("Delete the run {0}, and the verdicts people gave in it?").format(name[:60]))
            self._turn_foot(asking=True)
            self._keep_button.setFocus()

    def _foot(self) -> QHBoxLayout:
        theme = self._desk.theme
        self._words = Label(theme, font="secondary", ink="text2")
        self._question = Label(theme, font="secondary", ink="text")
        self._run_buttons = [
            Button(theme, tr("Show its verdicts"), ButtonKind.LINK, clicked=self.show_verdicts),
            Button(theme, tr("Compare"), ButtonKind.LINK, clicked=lambda: self.view.act("compare-runs")),
            Button(theme, tr("Open its files"), ButtonKind.LINK, clicked=self.open_files),
            Button(theme, tr("Rename"), ButtonKind.LINK, clicked=self.rename),
            Button(theme, tr("Export…"), ButtonKind.LINK, clicked=self._export),
            Button(theme, tr("Delete…"), ButtonKind.LINK, clicked=self.ask_to_delete),
        ]
        self._delete = Button(theme, tr("Delete it"), ButtonKind.LINK, clicked=self._delete_now)
        self._keep_button = Button(theme, tr("Keep it"), ButtonKind.LINK, clicked=self._cancel_delete)
        foot = QHBoxLayout()
        foot.setContentsMargins(12, 0, 12, 2)
        foot.setSpacing(8)
        foot.addWidget(self._words)
        foot.addWidget(self._question)
        self.columns.add_to(foot)
        foot.addStretch(1)
        for button in (*self._run_buttons, self._delete, self._keep_button):
            foot.addWidget(button)
        return foot

    def _turn_foot(self, *, asking: bool) -> None:
        for widget in (self._words, *self._run_buttons):
            widget.setHidden(asking)
        for widget in (self._question, self._delete, self._keep_button):
            widget.setHidden(not asking)

    def _delete_now(self) -> None:
        self._runs.delete(self._to_delete)
        self._cancel_delete()

    def _cancel_delete(self) -> None:
        self._to_delete = ""
        self._turn_foot(asking=False)
        self.view.setFocus()

    def _export(self) -> None:
        run = self.chosen
        if run is not None:
            menu = report_menu(self._desk, run.line.id, self)
            button = self._run_buttons[4]
            menu.popup(button.mapToGlobal(button.rect().bottomLeft()))

    def _follow(self) -> None:
        """Another list; the same run stays chosen."""
        runs = self._runs.list.runs
        current = self.chosen
        self.model.show(runs)
        self.columns.lay_out([column.width_px for column in self.model.columns])
        newest = self._runs.list.newest
        chosen = newest if newest != self._newest else current.line.id if current is not None else ""
        row = self.model.row_of(chosen)
        if row >= 0:
            self._newest = newest
        place = self.view.currentIndex()
        if runs and (not place.isValid() or row not in (-1, place.row())):
            self.view.setCurrentIndex(self.model.index(max(row, 0), 0))
        self.set_count(len(runs))
        self._show_state(len(runs))
        self._choose()

    def _show_state(self, count: int) -> None:
        kept = self._runs.list
        self._words.setText(" · ".join(filter(None, (counted(count, "run"), kept.problem))))
        for button in self._run_buttons:
            button.setEnabled(count > 0)
        self._stack.setCurrentIndex(0 if count else 1)
        if kept.problem:
            self._empty.show_message(tr("The runs cannot be listed."), kept.problem)
        elif kept.read:
            step = tr("Press F5 to evaluate what is open; the run is then stored here.")
            self._empty.show_message(tr("Nothing has been evaluated yet."), step)
        else:
            self._empty.show_message(tr("Reading the runs…"))

    def _flag(self) -> None:
        self.model.mark_baselines(self._runs.baselines.ids)

    def _choose(self) -> None:
        run = self.chosen
        before, self._chosen = self._chosen, run.line.id if run is not None else ""
        if run is not None and self._chosen != before:
            self._facts_of_chosen = None
            if self._runs.list.is_kept(run.line.id):
                self._runs.list.tell(run.line.id)
        if self._chosen != before:
            self._desk.refresh()
        self._show_facts()

    def _take_facts(self, facts: RunFacts) -> None:
        if facts.id == self._chosen:
            self._facts_of_chosen = facts
            self._show_facts()

    def _show_facts(self) -> None:
        run = self.chosen
        if run is None or not self.isVisible():
            return
        files = {file.number: file for file in self._desk.workspace.files}
        kept, later, trust = self._runs.list.is_kept(run.line.id), self._facts_of_chosen, self._trust(run)
        seen = run, later, kept, trust, states_of(later, files)
        if seen != self._seen:  # files that grow change twenty times a second
            self._seen = seen
            page = facts_page(self._desk.theme, run, later, files, kept=kept, trust=trust)
            show_page(self._facts, page, same_place=True)

    def _trust(self, run: ListedRun) -> tuple[str, ...]:
        """How far the judges of a run agree with people, where its verdicts are the ones that are shown."""
        workspace, later = self._desk.workspace, self._facts_of_chosen
        if later is None or not self._runs.is_shown(run.line.id):
            return ()
        paths = {path for path, _digest in later.inputs}
        files = [file for file in workspace.files if str(file.path) in paths]
        found = ((name, workspace.calibrations.line(file, name)) for name, _least in later.criteria for file in files)
        return tuple(dict.fromkeys(f"{name} {line}" for name, line in found if line))


class _RunsView(TreeView):
    """Names are edited in place; Delete asks whether to delete. Several can be selected."""

    deleting = Signal()

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.theme, tr("Runs"))
        self._desk = desk
        offer_menu(self, lambda _place: (desk.actions(section) for section in OFFERED))
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.header().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.header().setMinimumSectionSize(40)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete, rename, and the keys of actions."""
        key, plain = Qt.Key(event.key()), event.modifiers() == Qt.KeyboardModifier.NoModifier
        if key == Qt.Key.Key_Delete:
            self.deleting.emit()
        elif key == Qt.Key.Key_F2 and self.currentIndex().isValid():
            self.edit(self.currentIndex().siblingAtColumn(1))
        elif plain and key in _KEYS:
            self.act(_KEYS[key])
        else:
            super().keyPressEvent(event)

    def act(self, name: str) -> None:
        """Do what an action of the window does, where it can be done now."""
        self._desk.perform(name)

"""The main window: puts ACTIONS and PANELS in place around the tree, and keeps their layout."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings, Qt
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QMainWindow, QStackedWidget, QTabWidget, QVBoxLayout, QWidget

from trace_inspector.models.base.selection import Selection
from trace_inspector.models.files.recent import Recent
from trace_inspector.models.files.visited import Visited
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.views.actions import files, golden_menu
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.shell.centre import Centre
from trace_inspector.views.shell.commands import Commands
from trace_inspector.views.shell.docks import LAYOUT_VERSION, Docks
from trace_inspector.views.shell.first_steps import FirstSteps
from trace_inspector.views.shell.status import LongJobs, StatusBar
from trace_inspector.views.shell.welcome import Welcome, WelcomeActions
from trace_inspector.views.shell.window_saving import WindowSaving
from trace_inspector.views.tree.trace_page import TracePage
from trace_inspector.views.widgets.palette import Palette
from trace_inspector.views.window_context.desk import Desk
from trace_inspector.work.processes.jobs import Jobs
from trace_inspector.work.reading.disk_watch import DiskWatch

IN_TREE = ("overrule", "this-again", "copy", "copy-link", *golden_menu.IN_TREE)  # in the context menu of a row


class MainWindow(QMainWindow):
    """Assembles the parts; behaviour is in actions and models."""

    def __init__(self, theme: Theme, workspace: Workspace, jobs: Jobs, settings: QSettings) -> None:
        super().__init__()
        self._offered = -1  # the file that was selected by default
        self.setObjectName("main-window")
        self.setAcceptDrops(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.setTabPosition(Qt.DockWidgetArea.BottomDockWidgetArea, QTabWidget.TabPosition.North)
        self.setDocumentMode(True)
        self.resize(1600, 1000)
        visited, recent = Visited(workspace.files, workspace.selection, self), Recent(settings, self)
        self.page = TracePage(theme, workspace, settings)
        self.desk = Desk(
            window=self, workspace=workspace, jobs=jobs, theme=theme, settings=settings,
            visited=visited, recent=recent, page=self.page, palette=Palette(theme, self),
        )  # fmt: skip
        self.docks = Docks(self, self.desk)
        workspace.evaluation.remember_in(settings)
        self.commands = Commands(self.desk)
        self.desk.commands = self.commands.entries
        self.desk.actions = self.commands.usable
        self.desk.refresh = self.commands.refresh
        self.commands.fill(self.menuBar())
        self.page.tree.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.page.tree.addActions([self.commands.actions[name] for name in IN_TREE])
        self.commands.add_palette_hint(self.menuBar())
        self.addToolBar(self.commands.tool_bar())
        self._welcome = Welcome(
            theme,
            WelcomeActions(
                open_samples=workspace.look_at_samples,
                open_files=lambda: files.open_files(self.desk),
                open_folder=lambda: files.open_folder(self.desk),
                open_recent=lambda path: files.open_paths(self.desk, [path]),
                show_formats=lambda: self.desk.perform("help-formats"),
            ),
            self.desk.recent,
        )
        self.setStatusBar(status := StatusBar(theme, workspace, jobs))
        self.desk.say = status.show_sentence
        self.long_jobs = LongJobs(self, jobs)
        self._centre = QStackedWidget()
        self._centre.addWidget(self._welcome)
        self.views = self.desk.centre = Centre(self.desk)
        self.views.turned.connect(self.commands.refresh)
        self._centre.addWidget(self.views)
        middle = QWidget()
        self._middle = QVBoxLayout(middle)
        self._middle.setContentsMargins(0, 0, 0, 0)
        self._middle.setSpacing(0)
        self._middle.addWidget(self._centre)
        self.setCentralWidget(middle)
        self._disk = DiskWatch(self)
        self._follow(workspace)
        self.saving = WindowSaving(self.desk, self, self._disk, self.add_bar)
        self._restore()
        self.saving.name_window()
        self.commands.refresh()
        theme.dress(self)
        self._welcome.first.setFocus()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept files and folders of this computer."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open what was dropped."""
        names = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        event.acceptProposedAction()
        files.open_paths(self.desk, [Path(name) for name in names])

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask about what is not saved; remember the layout; end what still runs."""
        if not self.saving.may_close():
            event.ignore()
            return
        settings = self.desk.settings
        settings.setValue("geometry", self.saveGeometry())
        settings.setValue("layout", self.docks.layout if self._welcoming else self.saveState(LAYOUT_VERSION))
        self._disk.stop()
        self.desk.workspace.end()
        super().closeEvent(event)

    def add_bar(self, bar: QWidget) -> None:
        """Show a strip that asks for a decision above the centre."""
        self._middle.insertWidget(0, bar)
        bar.show()

    def show_welcome(self) -> None:
        """Finish the welcome page, if it is shown."""
        if self._welcoming:
            self._welcome.list_formats()

    def make_panel(self) -> bool:
        """Make the next panel while the welcome page is up. False when none is left."""
        return self.docks.make_next()

    @property
    def _welcoming(self) -> bool:
        return self._centre.currentWidget() is self._welcome

    def _restore(self) -> None:
        settings = self.desk.settings
        geometry, layout = settings.value("geometry"), settings.value("layout")
        if isinstance(geometry, QByteArray):
            self.restoreGeometry(geometry)
        if isinstance(layout, QByteArray) and not layout.isEmpty():
            self.docks.layout = layout

    def _file_added(self, number: int) -> None:
        file = self.desk.workspace.files.get(number)
        if file is not None:
            self._disk.watch(number, file.path)
        if self._welcoming:
            self._centre.setCurrentWidget(self.views)
            self.docks.show()
            self.desk.take_focus()
        if self.desk.workspace.selection.value is None:
            self._offer(number)

    def _offer(self, number: int) -> None:
        """Select a file by default; another may still replace it."""
        self._offered = number
        self.desk.workspace.selection.select(Selection(number))

    def _file_changed(self, number: int) -> None:
        """Recorded conversations are preferred to goldens and criteria."""
        opened, selection = self.desk.workspace.files, self.desk.workspace.selection.value
        file, offered = opened.get(number), opened.get(self._offered)
        untouched = selection is not None and selection.file == self._offered and selection.row <= 0
        if file is not None and file.has_traces and untouched and offered is not None and not offered.has_traces:
            self._offer(number)

    def _show_first(self, place: Selection) -> None:
        self.page.tree.show_below(self.page.index_of(place.row))

    def _follow(self, workspace: Workspace) -> None:
        self._disk.changed.connect(workspace.files.note_disk)
        self._disk.as_before.connect(workspace.files.note_as_before)
        workspace.files.added.connect(self._file_added)
        workspace.files.changed.connect(self._file_changed)
        workspace.files.closed.connect(self._file_closed)
        workspace.first_look.arrived.connect(self._show_first)
        workspace.samples_opened.connect(self._offer_steps)

    def _offer_steps(self) -> None:
        if FirstSteps.are_wanted(self.desk) and self.findChild(FirstSteps) is None:
            self.add_bar(FirstSteps(self.desk))

    def _file_closed(self, number: int) -> None:
        self._disk.forget(number)
        if self.desk.workspace.files.in_order:
            return
        self.docks.hide()
        self._centre.setCurrentWidget(self._welcome)
        self._welcome.list_formats()
        self._welcome.first.setFocus()
        self.saving.name_window()

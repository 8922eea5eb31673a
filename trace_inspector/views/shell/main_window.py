"""The main window: puts ACTIONS and PANELS in place around the tree, and keeps their layout."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings, QSize, Qt
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QResizeEvent
from PySide6.QtWidgets import QMainWindow, QTabWidget, QVBoxLayout, QWidget

from trace_inspector.models.base.selection import Selection
from trace_inspector.models.base.translation import tr
from trace_inspector.models.files.disk import Disk
from trace_inspector.models.files.recent import Recent
from trace_inspector.models.files.session import Session
from trace_inspector.models.files.visited import Visited
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.views.actions import ACTIONS, files
from trace_inspector.views.actions.row_menu import row_sections
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.shell.commands import Commands
from trace_inspector.views.shell.docks import Docks
from trace_inspector.views.shell.first_steps import FirstSteps
from trace_inspector.views.shell.menu_corner import MenuCorner
from trace_inspector.views.shell.middle import Middle
from trace_inspector.views.shell.status import LongJobs, StatusBar
from trace_inspector.views.shell.window_saving import WindowSaving
from trace_inspector.views.tree.trace_page import TracePage
from trace_inspector.views.widgets.palette import Palette
from trace_inspector.views.window_context.context_menu import offer_menu
from trace_inspector.views.window_context.desk import Desk
from trace_inspector.work.processes.jobs import Jobs

LAYOUTS_KEY, OLD_LAYOUT_KEY = "layouts", "layout"


class MainWindow(QMainWindow):
    """Assembles the parts; behaviour is in actions and models."""

    def __init__(self, theme: Theme, workspace: Workspace, jobs: Jobs, settings: QSettings) -> None:
        super().__init__()
        self.setObjectName("main-window")
        self.setAcceptDrops(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.setTabPosition(Qt.DockWidgetArea.BottomDockWidgetArea, QTabWidget.TabPosition.North)
        self.setDocumentMode(True)
        self.resize(QSize(1600, 1000).boundedTo(self.screen().availableSize()))
        visited, recent = Visited(workspace.files, workspace.selection, self), Recent(settings, self)
        session = Session(workspace.files, workspace.session_folders, workspace.selection, settings, self)
        self.page = TracePage(theme, workspace, settings)
        self.desk = Desk(
            window=self, workspace=workspace, jobs=jobs, theme=theme, settings=settings,
            visited=visited, recent=recent, session=session, page=self.page, palette=Palette(theme, self),
        )  # fmt: skip
        self.docks = self.desk.space = Docks(self, self.desk)
        workspace.evaluation.remember_in(settings)
        self.commands = Commands(self.desk)
        self.desk.commands = self.commands.entries
        self.desk.actions = self.commands.usable
        self.desk.refresh = self.commands.refresh
        self.commands.fill(self.menuBar())
        offer_menu(self.page.tree, partial(row_sections, self.desk))
        self.page.tree.addActions([self.commands.actions[action.id] for action in ACTIONS if action.in_tree])
        MenuCorner(theme, self.commands.actions, self.menuBar())
        self.docks.changed.connect(self.commands.refresh)
        self._bar = self.commands.tool_bar()
        self.addToolBar(self._bar)
        self.setStatusBar(status := StatusBar(theme, workspace, jobs))
        self.desk.say = status.show_sentence
        self.long_jobs = LongJobs(self, jobs)
        self._centre = Middle(self.desk, self.docks)
        self.views = self._centre.views
        self.views.turned.connect(self._turn)
        middle = QWidget()
        self._middle = QVBoxLayout(middle)
        self._middle.setContentsMargins(0, 0, 0, 0)
        self._middle.setSpacing(0)
        self._middle.addWidget(self._centre)
        self.setCentralWidget(middle)
        self._disk = Disk(
            jobs, workspace.files, workspace.session_folders, workspace.growth, workspace.messages, self
        )
        self._follow(workspace)
        self.saving = WindowSaving(self.desk, self, self._disk.watch, self.add_bar)
        self._centre.emptied.connect(self.saving.name_window)
        self._restore()
        self.saving.name_window()
        self.commands.refresh()
        theme.dress(self)
        self._centre.welcome.first.setFocus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Panels have the room that their task gives them."""
        super().resizeEvent(event)
        self.docks.fit()

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
        settings.setValue(LAYOUTS_KEY, self.docks.text())
        self.desk.session.keep()
        self._disk.stop()
        self.desk.workspace.end()
        super().closeEvent(event)

    def add_bar(self, bar: QWidget) -> None:
        """Show a strip that asks for a decision above the centre."""
        self._middle.insertWidget(0, bar)
        bar.show()

    def show_welcome(self) -> None:
        """Finish the welcome page, if it is shown."""
        if self._centre.is_welcoming:
            self._centre.welcome.list_formats()

    def make_panel(self) -> bool:
        """Make the next panel while the welcome page is up. False when none is left."""
        return self.docks.make_next()

    def _restore(self) -> None:
        settings = self.desk.settings
        geometry = settings.value("geometry")
        if isinstance(geometry, QByteArray):
            self.restoreGeometry(geometry)
        self.docks.restore(settings.value(LAYOUTS_KEY))
        if settings.contains(OLD_LAYOUT_KEY):  # one for all tasks, as an older version had it
            settings.remove(OLD_LAYOUT_KEY)
            self.desk.say(tr("Panels are laid out anew for each task; the layout of an older version is reset."))

    def _turn(self, view: str) -> None:
        """Another view is in front, which may be for another task."""
        self.docks.turn_view(view)
        self.commands.refresh()

    def _begin_review(self) -> None:
        """The page alone: every other part of the window could show what a judge said."""
        from trace_inspector.views.review.page import ReviewPage

        self.docks.hide()
        self._show_around(shown=False)
        review = ReviewPage(self.desk)
        self._centre.addWidget(review)
        self._centre.setCurrentWidget(review)
        review.take_focus()

    def _end_review(self) -> None:
        from trace_inspector.views.review.page import ReviewPage

        review = self.findChild(ReviewPage)
        if review is None:
            return
        review.end()
        has_files = bool(self.desk.workspace.files.in_order)
        self._centre.setCurrentWidget(self._centre.home)
        self._centre.removeWidget(review)
        review.setParent(None)
        review.deleteLater()
        self._middle.activate()  # beside what comes back, the height of the review has no room
        self._show_around(shown=True)
        if self._centre.home is not self._centre.welcome:
            self.docks.show()
        if has_files:
            self.desk.take_focus()

    def _show_around(self, *, shown: bool) -> None:
        for part in (self._bar, self.statusBar(), *self.findChildren(FirstSteps)):
            part.setVisible(shown)

    def _show_first(self, place: Selection) -> None:
        self.page.tree.show_below(self.page.index_of(place.row))

    def _follow(self, workspace: Workspace) -> None:
        workspace.first_look.arrived.connect(self._show_first)
        workspace.samples_opened.connect(self._offer_steps)
        workspace.review.opened.connect(self._begin_review)
        workspace.review.closed.connect(self._end_review)

    def _offer_steps(self) -> None:
        if FirstSteps.are_wanted(self.desk) and self.findChild(FirstSteps) is None:
            self.add_bar(FirstSteps(self.desk))

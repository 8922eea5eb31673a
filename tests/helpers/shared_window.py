"""One window for all tests of a module: making one takes longer than most of them."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QSettings, QTimer
from PySide6.QtWidgets import QApplication, QDockWidget

from tests.helpers.kept_state import state_of
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.views.appearance.appearance import Scheme, Theme
from trace_inspector.views.details.panel import DetailsPanel
from trace_inspector.views.find.panel import FindPanel
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.state.panel import StatePanel
from trace_inspector.work.processes.jobs import Jobs
from trace_inspector.work.processes.syncing import Syncer

SIZE_PX = (1600, 1000)


def take_style(app: QApplication) -> None:
    """The style of the program. Taken again it would be put on every widget of a window that is there."""
    if app.style().objectName() != "fusion":
        app.setStyle("Fusion")


class SharedWindow:
    """A shown window in which nothing is open. `reset` takes back what a test did to it.

    A test that closes the window, or looks at one without panels, needs one of its own.
    """

    def __init__(self, app: QApplication, settings_file: Path) -> None:
        take_style(app)
        self._theme = Theme(app)
        self._theme.choose(Scheme.LIGHT)
        self._jobs = Jobs()
        self._settings = QSettings(str(settings_file), QSettings.Format.IniFormat)
        self._workspace = Workspace(self._jobs)
        self.window = MainWindow(self._theme, self._workspace, self._jobs, self._settings)
        self.window.resize(*SIZE_PX)
        self.window.show()
        while self.window.make_panel():
            pass
        self._come_to_rest()
        self._fresh = state_of(self._parts())

    def reset(self) -> None:
        """As it was before the test, but for what a test must not leave behind: dialogs, threads, processes."""
        window, workspace = self.window, self._workspace
        assert window.isVisible(), "who closes the window needs one of his own"
        window.desk.palette.leave()
        workspace.selection.select(None)
        workspace.filtering.set_text("")
        for file in workspace.files.in_order:
            workspace.files.close(file.number)
        workspace.runs.pair.compare(None, None)
        window.desk.page.hide_plumbing(hidden=True)
        self._jobs.stop_all()
        self._end_drafts()
        self._settings.clear()
        self._theme.scale(100)
        self._theme.choose(Scheme.LIGHT)
        self._drop_views()
        self._turn_back_panels()
        window.resize(*SIZE_PX)
        self._come_to_rest()
        self._fresh.put_back()
        self._tell()
        self._come_to_rest()
        self._fresh.put_back()
        assert not workspace.files.in_order
        assert workspace.selection.value is None

    def end(self) -> None:
        """Close it, and let it go."""
        self.window.saving.leave()
        self._jobs.stop_all()
        self.window.deleteLater()
        # Now, and not with the next test: another style is put on every widget that there is.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        self._theme.choose(Scheme.SYSTEM)
        self._theme.deleteLater()
        QApplication.processEvents()

    def _parts(self) -> list[QObject]:
        roots = (self._workspace, self._jobs, self.window)
        return [part for root in roots for part in (root, *root.findChildren(QObject))]

    def _come_to_rest(self) -> None:
        """What was to be done soon is done; timers and threads that wait for longer are stopped."""
        self.window.docks.reset()  # what was chosen for the files of that test
        self.window._disk.stop()
        self._workspace.growth.turn(on=True)
        QApplication.processEvents()
        for root in (self._workspace, self._jobs, self.window):
            for timer in root.findChildren(QTimer):
                timer.stop()
        # A window that closes ends these threads for good; this one only pauses.
        self.window._disk.watch._leave.clear()
        self.window._disk.notices._is_over = False

    def _end_drafts(self) -> None:
        """What is typed is written by threads, which are begun once: the next test begins others."""
        keeper = self._workspace.goldens.drafts._keeper
        if keeper._thread is not None:
            keeper.stop()
            Syncer.__init__(keeper._syncer, keeper._tell)

    def _drop_views(self) -> None:
        """Views are made when they are first looked at; the tree stays."""
        centre = self.window.views
        centre.show_view("tree")
        for name in [name for name in centre._made if name != "tree"]:
            view = centre._made.pop(name)
            for part in (view.controls, view):
                part.setParent(None)
                part.deleteLater()

    def _turn_back_panels(self) -> None:
        docks = self.window.desk.docks
        for panel in (dock.widget() for dock in docks.values() if isinstance(dock, QDockWidget)):
            if isinstance(panel, DetailsPanel | StatePanel):
                panel.tabs.setCurrentIndex(0)
            if isinstance(panel, FindPanel):
                panel.field.clear()
                for check in (panel.everywhere, panel.match_case, panel.pattern):
                    check.setChecked(False)
                panel.look()

    def _tell(self) -> None:
        """Whoever follows the models shows what is in them now."""
        workspace, desk = self._workspace, self.window.desk
        workspace.steps.clear()
        runs, evaluation = workspace.runs, workspace.evaluation
        for signal in (
            workspace.run.changed, evaluation.chosen, runs.list.changed, runs.baselines.changed, runs.pair.changed,
            workspace.filtering.changed, workspace.saving.changed, workspace.recovery.changed, desk.jobs.changed,
            desk.visited.changed, desk.recent.changed,
        ):  # fmt: skip
            signal.emit()
        desk.say("")

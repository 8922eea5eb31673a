"""The context of actions and panels; made once by the window, passed along, never global."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct, field
from PySide6.QtCore import QSettings
from PySide6.QtGui import QAction, QUndoStack
from PySide6.QtWidgets import QDockWidget, QMainWindow

from trace_inspector.models.files.recent import Recent
from trace_inspector.models.files.session import Session
from trace_inspector.models.files.visited import Visited
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.widgets.palette import Entry, Palette
from trace_inspector.views.window_context.provided import FilterEntry, PanelSpace, TraceTree, ViewSwitch
from trace_inspector.work.processes.jobs import Jobs


def _no_actions(_names: Sequence[str]) -> list[QAction]:
    return []


class Desk(Struct, eq=False):
    """The window's parts by name."""

    window: QMainWindow
    workspace: Workspace
    jobs: Jobs
    theme: Theme
    settings: QSettings
    visited: Visited
    recent: Recent
    session: Session
    page: TraceTree
    palette: Palette
    centre: ViewSwitch | None = None  # once the window has made it
    filter: FilterEntry | None = None  # in the tool bar
    docks: dict[str, QDockWidget] = field(default_factory=dict)
    space: PanelSpace | None = None  # of the docks
    fault: str = ""  # the report of the program's last fault
    commands: Callable[[], list[Entry]] = list
    actions: Callable[[Sequence[str]], list[QAction]] = _no_actions  # by their ids, enabled as at present
    refresh: Callable[[], None] = field(default=lambda: None)  # something may enable or disable an action
    say: Callable[[str], None] = field(default=lambda _sentence: None)  # in the status bar

    @property
    def undo(self) -> QUndoStack:
        """The undo stacks of every part of the window."""
        return self.workspace.steps

    def perform(self, action: str) -> None:
        """Trigger an action of the window by its id, where it is enabled."""
        for made in self.actions((action,)):
            made.trigger()

    def take_focus(self) -> None:
        """Focus the view in front."""
        if self.centre is not None:
            self.centre.take_focus()

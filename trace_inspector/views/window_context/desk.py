"""What actions and panels are given to work with; made once by the window, passed along, never global."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from PySide6.QtCore import QSettings
from PySide6.QtGui import QUndoStack
from PySide6.QtWidgets import QDockWidget, QMainWindow

from trace_inspector.models.files.recent import Recent
from trace_inspector.models.files.visited import Visited
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.views.appearance.appearance import Look
from trace_inspector.work.processes.jobs import Jobs

if TYPE_CHECKING:
    from trace_inspector.views.filtering.field import FilterField
    from trace_inspector.views.shell.centre import Centre
    from trace_inspector.views.tree.trace_page import TracePage
    from trace_inspector.views.widgets.palette import Entry, Palette


@dataclass(slots=True, eq=False)
class Desk:
    """The window's parts by name."""

    window: QMainWindow
    workspace: Workspace
    jobs: Jobs
    look: Look
    settings: QSettings
    visited: Visited
    recent: Recent
    page: TracePage
    palette: Palette
    centre: Centre | None = None  # as soon as the window has put it in place
    filter: FilterField | None = None  # in the tool bar
    docks: dict[str, QDockWidget] = field(default_factory=dict)
    fault: str = ""  # the report of what failed last in the program itself
    commands: Callable[[], list[Entry]] = list
    say: Callable[[str], None] = field(default=lambda _sentence: None)  # in the status bar

    @property
    def undo(self) -> QUndoStack:
        """What can be undone and redone, of every part of the window."""
        return self.workspace.steps

    def take_focus(self) -> None:
        """The keyboard is for the view in front."""
        if self.centre is not None:
            self.centre.take_focus()

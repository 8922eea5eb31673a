"""The middle of the window by what is open: the welcome page, a hint to choose a session, or the views."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from trace_inspector.models.base.selection import Selection
from trace_inspector.models.base.translation import tr
from trace_inspector.views.actions import files
from trace_inspector.views.actions.showing import toggle_panel
from trace_inspector.views.layout.layouts import WORKSPACE
from trace_inspector.views.shell.centre import Centre
from trace_inspector.views.shell.docks import Docks
from trace_inspector.views.shell.welcome import Welcome, WelcomeActions
from trace_inspector.views.widgets.empty_state import EmptyState
from trace_inspector.views.window_context.desk import Desk


class Middle(QStackedWidget):
    """Follows the files and the folders of sessions, and selects a file by default."""

    emptied = Signal()  # no file is open any more

    def __init__(self, desk: Desk, docks: Docks) -> None:
        super().__init__()
        self._desk, self._docks = desk, docks
        self._offered = -1  # the file that was selected by default
        self.welcome = Welcome(
            desk.theme,
            WelcomeActions(
                open_samples=desk.workspace.look_at_samples,
                open_files=lambda: files.open_files(desk),
                open_folder=lambda: files.open_folder(desk),
                open_recent=lambda path: files.open_paths(desk, [path]),
                show_formats=lambda: desk.perform("help-formats"),
            ),
            desk.recent,
        )
        self._choice = EmptyState(
            desk.theme,
            tr("Choose a session in Workspace: it is read then."),
            tr("F5 evaluates what was read. The menu of the folder reads all of them."),
        )
        self.views = desk.centre = Centre(desk)
        for page in (self.welcome, self._choice, self.views):
            self.addWidget(page)
        workspace = desk.workspace
        workspace.files.added.connect(self._file_added)
        workspace.files.changed.connect(self._file_changed)
        workspace.files.closed.connect(self._closed)
        workspace.session_folders.added.connect(self._folder_added)
        workspace.session_folders.closed.connect(self._closed)

    @property
    def home(self) -> QWidget:
        """What is shown by what is open."""
        workspace = self._desk.workspace
        if workspace.files.in_order:
            return self.views
        return self._choice if workspace.session_folders.by_number else self.welcome

    @property
    def is_welcoming(self) -> bool:
        """Whether the welcome page is up."""
        return self.currentWidget() is self.welcome

    def _file_added(self, number: int) -> None:
        if self.is_welcoming:
            self.setCurrentWidget(self.views)
            self._docks.show()
            self._desk.take_focus()
        elif self.currentWidget() is self._choice:  # who goes through the sessions goes on with that
            self.setCurrentWidget(self.views)
        if self._desk.workspace.selection.value is None:
            self._offer(number)

    def _folder_added(self, _number: int) -> None:
        """Its sessions are listed in Workspace, where one is to be chosen."""
        if self.is_welcoming:
            self.setCurrentWidget(self._choice)
            self._docks.show()
        if not self._docks.is_shown(WORKSPACE):
            toggle_panel(self._desk, WORKSPACE)
        if self.currentWidget() is self._choice:
            self._desk.docks[WORKSPACE].widget().setFocus()
        self._desk.refresh()

    def _offer(self, number: int) -> None:
        """Select a file by default; another may still replace it."""
        self._offered = number
        self._desk.workspace.selection.select(Selection(number))

    def _file_changed(self, number: int) -> None:
        """Recorded conversations are preferred to goldens and criteria."""
        opened, selection = self._desk.workspace.files, self._desk.workspace.selection.value
        file, offered = opened.get(number), opened.get(self._offered)
        untouched = selection is not None and selection.file == self._offered and selection.row <= 0
        if file is not None and file.has_traces and untouched and offered is not None and not offered.has_traces:
            self._offer(number)

    def _closed(self, _number: int) -> None:
        if self.home is self.views:
            return
        self.setCurrentWidget(self.home)
        if self.is_welcoming:
            self._docks.hide()
            self.welcome.list_formats()
            self.welcome.first.setFocus()
        self.emptied.emit()

"""The window's part in saving: its title, the question before it closes, strips, and the disk watch."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMainWindow, QWidget

from trace_inspector.documents.base.document import Stamp
from trace_inspector.documents.zip.layout import MemberStamp
from trace_inspector.views.details.raise_details import show_field
from trace_inspector.views.saving.recoverable_edits import RecoverableEdits
from trace_inspector.views.saving.refused_bar import show_refused
from trace_inspector.views.saving.unsaved import QUIT, ask
from trace_inspector.views.saving.waiting import when_written
from trace_inspector.views.window_context.desk import Desk
from trace_inspector.work.golden.requests import Forecast
from trace_inspector.work.reading.disk_watch import DiskWatch


class WindowSaving(QObject):
    """One for each window."""

    def __init__(self, desk: Desk, window: QMainWindow, disk: DiskWatch, add_bar: Callable[[QWidget], None]) -> None:
        super().__init__(window)
        self._desk = desk
        self._window = window
        self._disk = disk
        self._add_bar = add_bar
        self._may_close = False
        self._is_closing = False  # quit as soon as everything is stored
        self._recoverable: RecoverableEdits | None = None
        workspace = desk.workspace
        workspace.goldens.saving.connect(disk.hold)
        workspace.goldens.save_ended.connect(self._written)
        workspace.saving.foretold.connect(self._foretell)
        workspace.saving.changed.connect(self._mark)
        desk.undo.indexChanged.connect(self._mark)  # an edit was requested, though it is not done yet
        workspace.selection.changed.connect(self.name_window)
        workspace.files.changed.connect(self.name_window)
        workspace.recovery.restored.connect(partial(show_field, desk))

    def offer_recoverable_edits(self) -> None:
        """Look for unsaved edits of an earlier window."""
        self._desk.workspace.recovery.changed.connect(self._offer)
        self._desk.workspace.recovery.look()

    def _offer(self) -> None:
        recovery = self._desk.workspace.recovery
        if self._recoverable is None and (recovery.recoverable or recovery.problems):
            self._recoverable = RecoverableEdits(self._desk)
            self._add_bar(self._recoverable)

    def may_close(self) -> bool:
        """Whether nothing unsaved would be lost; else ask, once."""
        workspace = self._desk.workspace
        if self._may_close:
            return True
        if not any(workspace.goldens.is_coming(file.number) for file in workspace.files):
            if not workspace.saving.unsaved:
                return True
            self._ask()
        elif not self._is_closing:
            self._is_closing = True
            when_written(self._desk, workspace.files.in_order, self._close_again)
        return False

    def _close_again(self) -> None:
        """The last typing is stored, or never will be: ask about unsaved edits, or close."""
        self._is_closing = False
        if self._desk.workspace.saving.unsaved:
            self._ask()
        else:
            self.leave()

    def _ask(self) -> None:
        ask(self._desk, self._desk.workspace.saving, self._desk.workspace.files.in_order, QUIT, self.leave)

    def leave(self) -> None:
        """Close without a question: unsaved edits stay in their journals, and the next start offers them."""
        self._may_close = True
        self._window.close()

    def name_window(self, _what: object = None) -> None:
        """The file that is shown, and whether it is as on disk."""
        selection = self._desk.workspace.selection.value
        file = self._desk.workspace.files.get(selection.file) if selection else None
        self._window.setWindowTitle(f"{file.name}[*] – Trace Inspector" if file else "Trace Inspector")
        self._window.setWindowModified(file is not None and self._desk.workspace.saving.is_unsaved(file))

    def _mark(self) -> None:
        self.name_window()

    def _written(self, number: int, stamp: Stamp | MemberStamp | None) -> None:
        file = self._desk.workspace.files.get(number)
        if file is not None:
            self._disk.go_on(number, file.path, stamp)

    def _foretell(self, forecast: Forecast) -> None:
        bar = show_refused(self._desk, forecast)
        if bar is not None:
            self._add_bar(bar)

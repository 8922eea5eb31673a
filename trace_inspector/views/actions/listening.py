"""“Listen” and “Keep sessions” in the File menu: what programs send while they run, and what they would delete."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QFileDialog

from trace_inspector.core.translatable import N_
from trace_inspector.models.base.translation import tr
from trace_inspector.views.actions.action import Action
from trace_inspector.views.window_context import reporting
from trace_inspector.views.window_context.desk import Desk

_FOLDER = "sessions-folder"


def listen(desk: Desk) -> None:
    """The dialog that listens."""
    from trace_inspector.views.live.dialog import show_listen

    show_listen(desk)


def keep_sessions(desk: Desk) -> None:
    """Ask for a folder, and copy the sessions of coding agents into it."""
    title = tr("Folder for copies of the sessions of coding agents")
    kept = desk.settings.value(_FOLDER, "")
    begin = kept if isinstance(kept, str) and kept else reporting.last_folder(desk)
    name = QFileDialog.getExistingDirectory(desk.window, title, begin)
    if name:
        desk.settings.setValue(_FOLDER, name)
        desk.workspace.keep_sessions(Path(name))


ACTIONS: tuple[Action, ...] = (
    Action("listen", N_("L&isten…"), "File", listen),
    Action("keep-sessions", N_("&Keep sessions…"), "File", keep_sessions),
)

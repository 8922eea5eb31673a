"""The File menu: opening, reporting, closing."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QFileDialog

from trace_inspector.views import dialogs
from trace_inspector.views.actions.action import Action, has_run, has_selection
from trace_inspector.views.desk import Desk


def open_files(desk: Desk) -> None:
    """Ask for files and open them."""
    names, _filter = QFileDialog.getOpenFileNames(desk.window, _tr("Open files"), _last_folder(desk))
    _open(desk, names)


def open_folder(desk: Desk) -> None:
    """Ask for a folder and open what lies in it."""
    name = QFileDialog.getExistingDirectory(desk.window, _tr("Open folder"), _last_folder(desk))
    _open(desk, [name] if name else [])


def open_samples(desk: Desk) -> None:
    """The sample workspace."""
    desk.workspace.open_samples()


def close_file(desk: Desk) -> None:
    """Close the file that the selection lies in."""
    selection = desk.workspace.selection
    if selection is not None:
        desk.workspace.close(selection.file)


def leave(desk: Desk) -> None:
    """Close the window, and with it the program."""
    desk.window.close()


def export(desk: Desk, kind: str) -> None:
    """Ask for a name and write a report of that kind."""
    proposed = str(Path(_last_folder(desk)) / dialogs.REPORTS[kind].file_name)
    name, _filter = QFileDialog.getSaveFileName(
        desk.window, _tr("Export report"), proposed, dialogs.REPORTS[kind].name_filter
    )
    if name:
        desk.workspace.export(kind, Path(name))


def save_report(desk: Desk) -> None:
    """Write a report to a typed path; its ending says which kind."""
    dialogs.ask_report_path(desk, _last_folder(desk))


ACTIONS: tuple[Action, ...] = (
    Action("open-files", "&Open files…", "File", open_files, "Ctrl+O", "folder", "icon"),
    Action("open-folder", "Open &folder…", "File", open_folder, "Ctrl+Shift+O"),
    Action("open-samples", "Open &sample workspace", "File", open_samples, icon="star"),
    Action("export-adk", "&ADK result…", "|File/Export report", lambda desk: export(desk, "adk"), enabled=has_run),
    Action("export-junit", "&JUnit XML…", "File/Export report", lambda desk: export(desk, "junit"), enabled=has_run),
    Action("export-html", "&HTML page…", "File/Export report", lambda desk: export(desk, "html"), enabled=has_run),
    Action(
        "save-report",
        "Save report by typing its &path…",
        "File",
        save_report,
        "Ctrl+Shift+S",
        "save",
        enabled=has_run,
    ),
    Action("close-file", "&Close file", "|File", close_file, "Ctrl+W", "x", enabled=has_selection),
    Action("quit", "&Quit", "File", leave, "Ctrl+Q"),
)


def _open(desk: Desk, names: list[str]) -> None:
    if names:
        desk.settings.setValue("folder", str(Path(names[0]).parent))
        desk.workspace.open([Path(name) for name in names])


def _last_folder(desk: Desk) -> str:
    kept = desk.settings.value("folder", "")
    return kept if isinstance(kept, str) and Path(kept).is_dir() else str(Path.home())


def _tr(text: str) -> str:
    return QCoreApplication.translate("Files", text)

"""The File menu: opening, reporting, closing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog

from trace_inspector.core.translatable import N_
from trace_inspector.models.base.translation import tr
from trace_inspector.models.files.pasting import LONG_CHARS, keep_long, pasted
from trace_inspector.settings import ready_data_folder
from trace_inspector.views.actions.action import Action, has_run, has_selection
from trace_inspector.views.saving.unsaved import CLOSE, RELOAD, ask_when_written
from trace_inspector.views.widgets.palette import Entry
from trace_inspector.views.window_context import reporting
from trace_inspector.views.window_context.desk import Desk


def open_files(desk: Desk) -> None:
    """Ask for files and open them."""
    names, _filter = QFileDialog.getOpenFileNames(desk.window, tr("Open files"), reporting.last_folder(desk))
    open_paths(desk, [Path(name) for name in names])


def open_folder(desk: Desk) -> None:
    """Ask for a folder and open the files in it."""
    name = QFileDialog.getExistingDirectory(desk.window, tr("Open folder"), reporting.last_folder(desk))
    open_paths(desk, [Path(name)] if name else [])


def open_paths(desk: Desk, paths: Sequence[Path]) -> None:
    """Open what a person named, and remember it for the next time."""
    if paths:
        desk.settings.setValue("folder", str(paths[0].parent))
        desk.recent.add(paths)
        desk.workspace.files.open(paths)


def has_recent(desk: Desk) -> bool:
    """Whether anything was opened before."""
    return bool(desk.recent.paths)


def open_recent(desk: Desk) -> None:
    """Choose among what was opened lately."""
    entries = [Entry(path.name, partial(open_paths, desk, [path]), str(path.parent)) for path in desk.recent.paths]
    desk.palette.ask(tr("Open recent"), entries)


def forget_recent(desk: Desk) -> None:
    """Take all names out of the list of recent files."""
    desk.recent.clear()


def open_clipboard(desk: Desk) -> None:
    """Open copied files, the path that was copied, or the copied text itself."""
    copied = QGuiApplication.clipboard().mimeData() or QMimeData()  # none at all when it was cleared
    paths = [Path(url.toLocalFile()) for url in copied.urls() if url.isLocalFile()]
    text = copied.text() if not paths and copied.hasText() else ""
    try:
        if len(text) > LONG_CHARS:
            keep_long(text, ready_data_folder(), desk.jobs, lambda path: open_paths(desk, [path]), desk.say)
            return
        paths = paths or pasted(text, ready_data_folder())
    except OSError as problem:
        desk.say(
            tr("The text from the clipboard could not be written to a file: {0}.").format(problem.strerror or problem)
        )
        return
    if paths:
        open_paths(desk, paths)
    else:
        desk.say(tr("The clipboard holds neither files nor text. Copy a trace, an eval set or a path first."))


def reload(desk: Desk) -> None:
    """Read the file that the selection lies in again; its edits would go, so it is asked first."""
    selection = desk.workspace.selection.value
    file = desk.workspace.files.get(selection.file) if selection is not None else None
    if file is not None:
        ask_when_written(desk, file, RELOAD, partial(desk.workspace.files.reload, file.number))


def open_samples(desk: Desk) -> None:
    """The sample workspace, at the turn that shows most."""
    desk.workspace.look_at_samples()


def close_file(desk: Desk) -> None:
    """Close the file that the selection lies in; what is not saved is asked about first."""
    selection = desk.workspace.selection.value
    file = desk.workspace.files.get(selection.file) if selection is not None else None
    if file is not None:
        ask_when_written(desk, file, CLOSE, partial(desk.workspace.files.close, file.number))


def leave(desk: Desk) -> None:
    """Close the window, and with it the program."""
    desk.window.close()


def save_report(desk: Desk) -> None:
    """Write a report to a typed path; its ending says which kind."""
    reporting.ask_report_path(desk)


def _report(index: int, kind: str) -> Action:
    return Action(
        f"export-{kind}",
        reporting.REPORTS[kind].title,
        "File/Export report" if index else "|File/Export report",
        lambda desk: reporting.export(desk, kind),
        enabled=has_run,
    )


OPENING: tuple[Action, ...] = (
    Action("open-files", N_("&Open files…"), "File", open_files, "Ctrl+O", "folder", "icon"),
    Action("open-folder", N_("Open &folder…"), "File", open_folder, "Ctrl+Shift+O"),
    Action("open-recent", N_("Open &recent…"), "File", open_recent, "Ctrl+E", "clock", enabled=has_recent),
    Action("open-clipboard", N_("Open from clip&board"), "File", open_clipboard, "Ctrl+Shift+V", "copy"),
    Action("open-samples", N_("Open sample &workspace"), "File", open_samples, icon="star"),
)

ACTIONS: tuple[Action, ...] = (
    *(_report(index, kind) for index, kind in enumerate(reporting.REPORTS)),
    Action(
        "save-report",
        N_("Save report to a typed &path…"),
        "File",
        save_report,
        icon="result",
        enabled=has_run,
    ),
    Action("reload", N_("Reloa&d from disk"), "|File", reload, "Ctrl+R", "reload", enabled=has_selection),
    Action("close-file", N_("&Close file"), "File", close_file, "Ctrl+W", "x", enabled=has_selection),
    Action("forget-recent", N_("For&get recent files"), "File", forget_recent, enabled=has_recent),
    Action("quit", N_("&Quit"), "File", leave, "Ctrl+Q"),
)

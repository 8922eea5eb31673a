"""What the actions call: short functions over the desk."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QFileDialog, QPlainTextEdit, QWidget

from trace_inspector.core.rows import Kind
from trace_inspector.models.selection import Selection
from trace_inspector.views import dialogs
from trace_inspector.views.desk import Desk
from trace_inspector.views.look import Scheme
from trace_inspector.views.palette import Entry
from trace_inspector.views.tree_view import TreeView

# When an action can be used


def has_files(desk: Desk) -> bool:
    """Whether anything is open."""
    return bool(desk.workspace.files)


def has_selection(desk: Desk) -> bool:
    """Whether something is selected."""
    return desk.workspace.selection is not None


def has_tree(desk: Desk) -> bool:
    """Whether a tree is shown."""
    return desk.page.shows_tree


def has_run(desk: Desk) -> bool:
    """Whether there is a finished evaluation to report."""
    run = desk.workspace.run
    return run is not None and run.verdict is not None


def can_evaluate(desk: Desk) -> bool:
    """Whether there is something to score."""
    return any(file.has_traces or file.has_suites for file in desk.workspace.files)


def any_failing(desk: Desk) -> bool:
    """Whether a turn failed."""
    return desk.workspace.failing_position()[1] > 0


def busy(desk: Desk) -> bool:
    """Whether a job runs."""
    return desk.jobs.busy


def can_copy(desk: Desk) -> bool:
    """Whether there is something to copy from."""
    return has_files(desk)


def panel_shown(desk: Desk, name: str) -> bool:
    """Whether a panel is there."""
    return name in desk.docks and not desk.docks[name].isHidden()


def plumbing_hidden(desk: Desk) -> bool:
    """Whether transport and queue spans are left out."""
    return desk.page.plumbing_hidden


def has_fault(desk: Desk) -> bool:
    """Whether something in the program failed."""
    return bool(desk.fault)


# File


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


# Edit and view


def copy(desk: Desk) -> None:
    """Copy what has the focus: selected text, or the selected rows."""
    focus = QApplication.focusWidget()
    if isinstance(focus, QPlainTextEdit):
        focus.copy()
        return
    tree = focus if isinstance(focus, TreeView) else desk.page.tree
    text = tree.copied_rows()
    if text:
        QGuiApplication.clipboard().setText(text)
        lines = text.count("\n") + 1
        desk.say(_tr("Copied {0} rows.").format(lines) if lines > 1 else _tr("Copied 1 row."))


def expand_all(desk: Desk) -> None:
    """Unfold the tree."""
    desk.page.expand_all()


def collapse_all(desk: Desk) -> None:
    """Fold the tree up to its turns."""
    desk.page.collapse_to_turns()


def toggle_plumbing(desk: Desk) -> None:
    """Show or hide transport and queue spans."""
    desk.page.hide_plumbing(not desk.page.plumbing_hidden)


def toggle_panel(desk: Desk, name: str) -> None:
    """Show a panel, with the focus in it, or hide it."""
    dock = desk.docks[name]
    dock.setVisible(dock.isHidden())
    if not dock.isHidden():
        dock.raise_()
        inside: QWidget = dock.widget()
        inside.setFocus()


def choose_scheme(desk: Desk, scheme: Scheme) -> None:
    """Light, dark, or as the system has it; remembered."""
    desk.look.choose(scheme)
    desk.settings.setValue("theme", scheme.value)


# Go


def next_failing(desk: Desk, step: int) -> None:
    """The next or previous failing turn."""
    if desk.workspace.next_failing(step):
        desk.page.tree.setFocus()


def next_turn(desk: Desk, step: int) -> None:
    """The next or previous turn."""
    if desk.workspace.next_turn(step):
        desk.page.tree.setFocus()


def go_to(desk: Desk) -> None:
    """Choose among all cases, traces and turns."""
    desk.palette.ask(_tr("Go to case or turn"), places(desk))


def places(desk: Desk) -> list[Entry]:
    """Every case, trace and turn of every open file."""
    found = []
    for file in desk.workspace.files:
        table = file.table
        for top in table.tops:
            name = table.label(top)
            for row in (top, *table.turns(top)):
                place = Selection(file.number, row)
                caption = f"{name} · {file.name}" if table.kind(row) is Kind.TURN else file.name
                mark = desk.workspace.mark_of(file.number, row)
                found.append(Entry(table.label(row), partial(_select, desk, place), caption, mark=mark))
    return found


# Evaluate, tools, help


def evaluate(desk: Desk) -> None:
    """Score what is open."""
    desk.workspace.evaluate()


def stop(desk: Desk) -> None:
    """Stop the job in front."""
    desk.workspace.stop()


def command_palette(desk: Desk) -> None:
    """Choose among all actions."""
    desk.palette.ask(_tr("Type a command"), desk.commands())


def show_keys(desk: Desk) -> None:
    """All keys in one list."""
    dialogs.show_keys(desk)


def show_fault(desk: Desk) -> None:
    """The report of what failed, to be copied."""
    dialogs.show_fault(desk)


def show_about(desk: Desk) -> None:
    """Name, version, promise."""
    dialogs.show_about(desk)


def _select(desk: Desk, place: Selection) -> None:
    desk.workspace.select(place)
    desk.page.tree.setFocus()


def _open(desk: Desk, names: list[str]) -> None:
    if names:
        desk.settings.setValue("folder", str(Path(names[0]).parent))
        desk.workspace.open([Path(name) for name in names])


def _last_folder(desk: Desk) -> str:
    kept = desk.settings.value("folder", "")
    return kept if isinstance(kept, str) and Path(kept).is_dir() else str(Path.home())


def _tr(text: str) -> str:
    return QCoreApplication.translate("Handlers", text)

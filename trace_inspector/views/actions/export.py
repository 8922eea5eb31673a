"""Export of what is shown to other programs: “Copy as” in the Edit menu, “Export view” in the File menu."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QFileDialog

from trace_inspector.core.translatable import N_
from trace_inspector.flows.opening.table_text import WRITERS, Line
from trace_inspector.models.base.translation import tr
from trace_inspector.views.actions.action import Action, has_files, has_tree
from trace_inspector.views.actions.view_export import ViewExport
from trace_inspector.views.actions.view_text import columns, selected_table, shown_lines
from trace_inspector.views.widgets.tree_view import TreeView
from trace_inspector.views.window_context.desk import Desk
from trace_inspector.views.window_context.reporting import last_folder

_EXPORTS = (
    ("html", N_("&HTML page…"), "html"),
    ("markdown", N_("&Markdown…"), "md"),
    ("csv", N_("&CSV table…"), "csv"),
)
_COPIES = (("text", N_("&Text")), ("tsv", N_("T&SV, for spreadsheets")), ("json", N_("&JSON")))


def copy_as(desk: Desk, kind: str) -> None:
    """Copy the selected rows of the list or tree that has the focus."""
    focus = QApplication.focusWidget()
    table = selected_table(focus if isinstance(focus, TreeView) else desk.page.tree)
    if not table.lines:
        desk.say(tr("Select rows first."))
        return
    QGuiApplication.clipboard().setText(WRITERS[kind](table))
    words = tr("Copied the first {0} rows.") if table.more else tr("Copied {0} rows.")
    desk.say(words.format(f"{len(table.lines):,}"))


def export_view(desk: Desk, kind: str, ending: str) -> None:
    """Ask for a name, and write what the centre shows to that file."""
    proposed = str(Path(last_folder(desk)) / f"{_title(desk)}.{ending}")
    name, _filter = QFileDialog.getSaveFileName(desk.window, tr("Export view"), proposed, f"*.{ending}")
    if name:
        desk.settings.setValue("folder", str(Path(name).parent))
        write_view(desk, kind, Path(name))


def write_view(desk: Desk, kind: str, path: Path) -> None:
    """Of the tree, what is unfolded; of another view, all of the conversation that it shows."""
    if any(file.path.absolute() == path.absolute() for file in desk.workspace.files):
        desk.say(tr("{0} is open here; export the view to another file.").format(path.name))
        return
    tree = desk.page.tree
    export = ViewExport(desk.window, desk.jobs, desk.say)
    tree.model().modelAboutToBeReset.connect(export.break_off)
    export.start(_title(desk), columns(tree), _lines(desk), kind, path)


def _lines(desk: Desk) -> Iterator[Line]:
    selection = desk.workspace.selection.value
    file = desk.workspace.files.get(selection.file) if selection else None
    if desk.centre is None or desk.centre.shown == "tree" or selection is None or file is None:
        return shown_lines(desk.page.tree)
    top = file.table.top_of(selection.row) if selection.row >= 0 else selection.row
    index = desk.page.index_of(top)
    return shown_lines(desk.page.tree, index if index.isValid() else None)


def _title(desk: Desk) -> str:
    selection = desk.workspace.selection.value
    file = desk.workspace.files.get(selection.file) if selection else None
    return file.path.stem if file else "view"


EXPORTS: tuple[Action, ...] = tuple(
    Action(
        f"export-view-{kind}",
        text,
        "File/Export view",
        partial(export_view, kind=kind, ending=ending),
        enabled=has_tree,
    )
    for kind, text, ending in _EXPORTS
)

ACTIONS: tuple[Action, ...] = tuple(
    Action(f"copy-{kind}", text, "Edit/Copy as", partial(copy_as, kind=kind), enabled=has_files)
    for kind, text in _COPIES
)

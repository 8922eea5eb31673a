"""Opens “Rebase” for the file of the selection, with the two newest open runs that fit."""

from __future__ import annotations

from trace_inspector.models.bulk.rebase import RebaseEdit, runs_among
from trace_inspector.models.golden.promotion import targets_of
from trace_inspector.views.rebase.dialog import RebaseDialog
from trace_inspector.views.window_context.desk import Desk


def show_rebase(desk: Desk) -> None:
    """The dialog, for the file of the selection first."""
    workspace, selection = desk.workspace, desk.workspace.selection.value
    files = targets_of(workspace.files, set())
    if not files:
        return
    files.sort(key=lambda file: selection is None or file.number != selection.file)
    RebaseDialog(desk, RebaseEdit(workspace.goldens, files), runs_among([*workspace.files])).open()

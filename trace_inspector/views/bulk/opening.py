"""Opens “Bulk edit” for the selection, with its tool and argument filled in."""

from __future__ import annotations

from collections.abc import Sequence

from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.models.base.row_table import TOP
from trace_inspector.models.bulk.edit import BulkEdit
from trace_inspector.models.files.multi_selection import Picked
from trace_inspector.models.golden.promotion import targets_of
from trace_inspector.views.bulk.dialog import BulkDialog
from trace_inspector.views.window_context.desk import Desk


def show_bulk_edit(desk: Desk, some: Sequence[Picked]) -> None:
    """The dialog, for the file of the selection first."""
    workspace, selection = desk.workspace, desk.workspace.selection.value
    files = targets_of(workspace.files, set())
    if not files:
        return
    files.sort(key=lambda file: selection is None or file.number != selection.file)
    whole = selection is None or selection.row < 0  # then all goldens of the file are meant, also those to come
    edit = BulkEdit(workspace.goldens, files, () if whole else some)
    call = some[0].call if some else TOP
    thing = some[0].table.thing(call) if call != TOP else None
    if isinstance(thing, ToolCall):
        edit.values["tool"] = thing.name
        if isinstance(thing.args, dict) and len(thing.args) == 1:
            edit.values["argument"] = next(iter(thing.args))
    BulkDialog(desk, edit).open()

"""“Query results” in the Tools menu: SQL over the results folder that is selected."""

from __future__ import annotations

from pathlib import Path

from trace_inspector.core.rows.contents import RESULTS
from trace_inspector.core.translatable import N_
from trace_inspector.views.actions.action import Action
from trace_inspector.views.window_context.desk import Desk


def has_results(desk: Desk) -> bool:
    """Whether a results folder is selected, or open at all."""
    return _folder(desk) is not None


def query_results(desk: Desk) -> None:
    """The dialog for it."""
    from trace_inspector.views.query.dialog import show_query

    folder = _folder(desk)
    if folder is not None:
        show_query(desk, folder)


def _folder(desk: Desk) -> Path | None:
    selection = desk.workspace.selection.value
    selected = desk.workspace.files.get(selection.file) if selection is not None else None
    files = [*([selected] if selected is not None else []), *desk.workspace.files]
    return next((file.path for file in files if file.format == RESULTS), None)


ACTIONS: tuple[Action, ...] = (
    Action("query-results", N_("&Query results…"), "|Tools", query_results, enabled=has_results),
)

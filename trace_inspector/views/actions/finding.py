"""Filtering and finding, in the Edit menu."""

from __future__ import annotations

from trace_inspector.views.actions.action import Action, has_files
from trace_inspector.views.desk import Desk


def filtered(desk: Desk) -> bool:
    """Whether a filter is in place."""
    return desk.workspace.filtering.active


def filter_rows(desk: Desk) -> None:
    """Type into the filter field."""
    if desk.filter is not None:
        desk.filter.focus()


def clear_filter(desk: Desk) -> None:
    """Show everything again."""
    if desk.filter is not None:
        desk.filter.drop()


ACTIONS: tuple[Action, ...] = (
    Action("filter", "Fi&lter…", "|Edit", filter_rows, "Ctrl+L", "search", enabled=has_files),
    Action("clear-filter", "Clear fil&ter", "Edit", clear_filter, icon="x", enabled=filtered),
)

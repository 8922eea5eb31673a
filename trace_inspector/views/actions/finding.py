"""Filtering and finding, in the Edit menu."""

from __future__ import annotations

from trace_inspector.core.translatable import N_
from trace_inspector.views.actions.action import Action, has_files
from trace_inspector.views.window_context.desk import Desk


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


def find(desk: Desk, *, everywhere: bool) -> None:
    """Type what to look for."""
    from trace_inspector.views.find.panel import FindPanel, panel_of

    panel = panel_of(desk)
    if isinstance(panel, FindPanel):
        panel.begin(everywhere=everywhere)


def next_hit(desk: Desk, step: int) -> None:
    """Show the next or previous place that was found."""
    from trace_inspector.views.find.panel import FindPanel, panel_of

    panel = panel_of(desk)
    if isinstance(panel, FindPanel):
        panel.step(step)


ACTIONS: tuple[Action, ...] = (
    Action(
        "find",
        N_("&Find…"),
        "|Edit",
        lambda desk: find(desk, everywhere=False),
        "Ctrl+F",
        "search",
        enabled=has_files,
    ),
    Action(
        "find-everywhere",
        N_("Find &everywhere…"),
        "Edit",
        lambda desk: find(desk, everywhere=True),
        "Ctrl+Shift+F",
        enabled=has_files,
    ),
    Action("next-hit", N_("Find &next"), "Edit", lambda desk: next_hit(desk, 1), "F3", enabled=has_files),
    Action(
        "previous-hit", N_("Find &previous"), "Edit", lambda desk: next_hit(desk, -1), "Shift+F3", enabled=has_files
    ),
    Action("filter", N_("F&ilter…"), "Edit", filter_rows, "Ctrl+L", "search", enabled=has_files),
    Action("clear-filter", N_("Clear fil&ter"), "Edit", clear_filter, icon="x", enabled=filtered),
)

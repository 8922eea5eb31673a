"""The Evaluate menu's actions that overrule verdicts and manage stored runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trace_inspector.core.translatable import N_
from trace_inspector.views.actions.action import Action
from trace_inspector.views.details.overruling import KEY
from trace_inspector.views.details.raise_details import overrule
from trace_inspector.views.window_context.desk import Desk

if TYPE_CHECKING:
    from trace_inspector.views.runs.panel import RunsPanel


def can_overrule(desk: Desk) -> bool:
    """Whether something that was decided is selected."""
    selection = desk.workspace.selection.value
    return selection is not None and selection.row >= 0 and desk.workspace.runs.overruling.possible


def runs_panel(desk: Desk) -> RunsPanel | None:
    """The Runs panel, once it has been made; until then nothing of it is imported."""
    if "runs" not in desk.docks:
        return None
    from trace_inspector.views.runs.panel import RunsPanel

    inside = desk.docks["runs"].widget()
    return inside if isinstance(inside, RunsPanel) else None


def can_use_run(desk: Desk) -> bool:
    """Whether a run is chosen in the Runs panel."""
    panel = runs_panel(desk)
    return panel is not None and panel.chosen is not None


def show_run(desk: Desk) -> None:
    """Show the chosen run's verdicts on the open files."""
    panel = runs_panel(desk)
    if panel is not None:
        panel.show_verdicts()


def delete_run(desk: Desk) -> None:
    """Ask whether the chosen run may be deleted."""
    panel = runs_panel(desk)
    if panel is not None:
        desk.docks["runs"].show()
        desk.docks["runs"].raise_()
        panel.ask_to_delete()


ACTIONS: tuple[Action, ...] = (
    Action("overrule", N_("O&verrule the verdict…"), "|Evaluate", overrule, KEY, "judge", enabled=can_overrule),
    Action("show-run", N_("S&how the selected run"), "|Evaluate", show_run, icon="runs", enabled=can_use_run),
    Action("delete-run", N_("&Delete the selected run…"), "Evaluate", delete_run, enabled=can_use_run),
)

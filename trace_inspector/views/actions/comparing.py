"""Two runs held against each other: the baseline, what is compared with it, and where that is shown."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from trace_inspector.models import runs_figures
from trace_inspector.views.actions.action import Action
from trace_inspector.views.actions.overruling import can_use_run, runs_panel
from trace_inspector.views.desk import Desk
from trace_inspector.work.keeping import Listed


def toggle_baseline(desk: Desk) -> None:
    """Make the chosen run the baseline, or take that back."""
    run, runs = _chosen(desk), desk.workspace.runs
    if run is None:
        return
    name = runs_figures.name_of(run.line)
    if run.line.id == runs.baseline.id:
        runs.baseline.choose("")
        desk.say(_tr("{0} is no longer the baseline.").format(name))
    elif not runs.list.is_kept(run.line.id):
        desk.say(_tr("This run is not kept, so it cannot be a baseline."))
    else:
        runs.baseline.choose(run.line.id)
        desk.say(_tr("{0} is the baseline.").format(name))


def is_baseline(desk: Desk) -> bool:
    """Whether the chosen run is the baseline."""
    run = _chosen(desk)
    return run is not None and run.line.id == desk.workspace.runs.baseline.id


ACTIONS: tuple[Action, ...] = (
    Action(
        "baseline-run",
        "Set the chosen run as &baseline",
        "Evaluate",
        toggle_baseline,
        icon="flag",
        enabled=can_use_run,
        named=lambda desk: _tr("No longer the &baseline") if is_baseline(desk) else "",
    ),
)


def _chosen(desk: Desk) -> Listed | None:
    panel = runs_panel(desk)
    return panel.chosen if panel is not None else None


def _tr(text: str) -> str:
    return QCoreApplication.translate("Comparing", text)

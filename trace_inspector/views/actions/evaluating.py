"""The Evaluate menu."""

from __future__ import annotations

from trace_inspector.views.actions.action import Action
from trace_inspector.views.desk import Desk


def can_evaluate(desk: Desk) -> bool:
    """Whether there is something to score."""
    return any(file.has_traces or file.has_suites for file in desk.workspace.files)


def busy(desk: Desk) -> bool:
    """Whether a job runs."""
    return desk.jobs.busy


def evaluate(desk: Desk) -> None:
    """Score what is open."""
    desk.workspace.evaluate()


def stop(desk: Desk) -> None:
    """Stop the job in front."""
    desk.workspace.stop()


ACTIONS: tuple[Action, ...] = (
    Action("evaluate", "&Evaluate", "Evaluate", evaluate, "F5", "play", "filled", can_evaluate),
    Action("stop", "&Stop", "Evaluate", stop, "Esc", "stop", "thin", busy),
)

"""PANELS: the docks around the centre, once. Each is a factory; the window only puts them in place.

A panel's file is imported when it is first made, after the window is on the screen.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from PySide6.QtCore import Qt

from trace_inspector.views.help import own_keys
from trace_inspector.views.widgets.panel import PanelWidget
from trace_inspector.views.window_context.desk import Desk


class Panel(Struct, frozen=True):
    """A dock: its name, its first area, and its contents."""

    id: str
    title: str
    area: Qt.DockWidgetArea
    make: Callable[[Desk], PanelWidget]
    icon: str
    keys: tuple[own_keys.OwnKey, ...] = ()  # that are active only in it


def _workspace(desk: Desk) -> PanelWidget:
    from trace_inspector.views.workspace.panel import WorkspacePanel

    return WorkspacePanel(desk)


def _details(desk: Desk) -> PanelWidget:
    from trace_inspector.views.details.panel import DetailsPanel

    return DetailsPanel(desk)


def _problems(desk: Desk) -> PanelWidget:
    from trace_inspector.views.problems.panel import ProblemsPanel

    return ProblemsPanel(desk)


def _runs(desk: Desk) -> PanelWidget:
    from trace_inspector.views.runs.panel import RunsPanel

    return RunsPanel(desk)


def _jobs(desk: Desk) -> PanelWidget:
    from trace_inspector.views.jobs.panel import JobsPanel

    return JobsPanel(desk)


def _state(desk: Desk) -> PanelWidget:
    from trace_inspector.views.state.panel import StatePanel

    return StatePanel(desk)


def _judge_calls(desk: Desk) -> PanelWidget:
    from trace_inspector.views.judge_calls.panel import JudgeCallsPanel

    return JudgeCallsPanel(desk)


def _find(desk: Desk) -> PanelWidget:
    from trace_inspector.views.find.panel import FindPanel

    return FindPanel(desk)


def _criteria(desk: Desk) -> PanelWidget:
    from trace_inspector.views.criteria.panel import CriteriaPanel

    return CriteriaPanel(desk)


def _failure_modes(desk: Desk) -> PanelWidget:
    from trace_inspector.views.failure_modes.panel import FailureModesPanel

    return FailureModesPanel(desk)


_LEFT = Qt.DockWidgetArea.LeftDockWidgetArea
_RIGHT = Qt.DockWidgetArea.RightDockWidgetArea
_BOTTOM = Qt.DockWidgetArea.BottomDockWidgetArea

PANELS: tuple[Panel, ...] = (
    Panel("workspace", "Workspace", _LEFT, _workspace, "tree"),
    Panel("details", "Details", _RIGHT, _details, "text", own_keys.DETAILS),
    Panel("problems", "Problems", _BOTTOM, _problems, "problems", own_keys.PROBLEMS),
    Panel("state", "State", _BOTTOM, _state, "state"),
    Panel("runs", "Runs", _BOTTOM, _runs, "runs", own_keys.RUNS),
    Panel("failure-modes", "Failure modes", _BOTTOM, _failure_modes, "columns", own_keys.FAILURE_MODES),
    Panel("find", "Find", _BOTTOM, _find, "search", own_keys.FIND),
    Panel("jobs", "Jobs", _BOTTOM, _jobs, "jobs"),
    Panel("judge-calls", "Judge calls", _BOTTOM, _judge_calls, "judge"),
    Panel("criteria", "Criteria", _BOTTOM, _criteria, "sliders", own_keys.CRITERIA),
)

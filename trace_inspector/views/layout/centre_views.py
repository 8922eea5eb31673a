"""VIEWS: the ways to look at what is selected, once. The centre shows one of them at a time, behind tabs.

A view's file is imported when it is first looked at.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from trace_inspector.core.translatable import N_
from trace_inspector.views.help import own_keys
from trace_inspector.views.widgets.centre_view import CentreView
from trace_inspector.views.widgets.panel import Task
from trace_inspector.views.window_context.desk import Desk


class View(Struct, frozen=True):
    """A tab of the centre."""

    id: str
    title: str
    icon: str
    key: str
    make: Callable[[Desk], CentreView]
    keys: tuple[own_keys.OwnKey, ...]  # that are active only in it
    task: Task = Task.READING


def _tree(desk: Desk) -> CentreView:
    page = desk.page  # it is made before the centre, because actions use it
    if not isinstance(page, CentreView):
        raise TypeError(page)
    return page


def _conversation(desk: Desk) -> CentreView:
    from trace_inspector.views.conversation.view import ConversationView
    from trace_inspector.views.details.raise_details import overrule
    from trace_inspector.views.window_context.context_menu import elsewhere

    made = ConversationView(desk.theme, desk.workspace)
    made.reader.overrule_wanted.connect(lambda metric: overrule(desk, metric))
    made.reader.further_actions = lambda: [*elsewhere(desk), *desk.actions(("promote", "overrule", "copy-link"))]
    return made


def _timeline(desk: Desk) -> CentreView:
    from trace_inspector.views.timeline.page import TimelinePage

    return TimelinePage(desk)


def _compare(desk: Desk) -> CentreView:
    from trace_inspector.views.compare.page import ComparePage

    return ComparePage(desk)


def _two_runs(desk: Desk) -> CentreView:
    from trace_inspector.views.run_comparison.page import TwoRunsPage

    return TwoRunsPage(desk)


def _calibration(desk: Desk) -> CentreView:
    from trace_inspector.views.calibration.page import CalibrationPage

    return CalibrationPage(desk)


def _causes(desk: Desk) -> CentreView:
    from trace_inspector.views.braid.page import BraidPage

    return BraidPage(desk)


VIEWS: tuple[View, ...] = (
    View("tree", "Tree", "tree", "Ctrl+1", _tree, own_keys.TREE),
    View("conversation", "Conversation", "bubble", "Ctrl+2", _conversation, own_keys.CONVERSATION),
    View("timeline", "Timeline", "timeline", "Ctrl+3", _timeline, own_keys.TIMELINE),
    View("compare", "Compare", "compare", "Ctrl+4", _compare, own_keys.COMPARE, Task.COMPARING),
    View("two-runs", N_("Two runs"), "runs", "Ctrl+5", _two_runs, own_keys.TWO_RUNS, Task.COMPARING),
    View("calibration", N_("Calibration"), "judge", "Ctrl+6", _calibration, own_keys.CALIBRATION, Task.COMPARING),
    View("causes", N_("Causes"), "transfer", "Ctrl+7", _causes, own_keys.CAUSES, Task.COMPARING),
)

"""From a compared case to its conversations, beside each other and beside the golden."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from trace_inspector.models.base.selection import Selection
from trace_inspector.models.compare.sides import top_of
from trace_inspector.models.runs.run_pair_places import sides_of
from trace_inspector.views.window_context.desk import Desk
from trace_inspector.work.runs.comparison_messages import CaseLine

_TWO = 2


def open_case(desk: Desk, line: CaseLine) -> None:
    """Show it in Compare; or say what is missing for that."""
    from trace_inspector.views.compare.page import ComparePage

    sides = sides_of(desk.workspace, line)
    if isinstance(sides, str):
        desk.say(sides)
        return
    if not sides or desk.centre is None:
        desk.say(_tr("No conversation was recorded for this case."))
        return
    last = sides[-1]
    desk.workspace.select(Selection(last.file, top_of(desk.workspace, last)))
    if len(sides) < _TWO:
        desk.centre.show_view("tree")
        desk.say(_tr("There is one conversation of this case, and its golden is not open. Here it is."))
        return
    page = desk.centre.show_view("compare")
    if isinstance(page, ComparePage):
        page.compare.choose_sides(sides)
        desk.say(_tr("Ctrl+5 leads back to both runs."))


def _tr(text: str) -> str:
    return QCoreApplication.translate("TwoRuns", text)

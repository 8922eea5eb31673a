"""Navigation to a place: a filter that hides it is cleared, with a message."""

from __future__ import annotations

from trace_inspector.core.rows.rows import Flag
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.base.translation import tr
from trace_inspector.views.window_context.desk import Desk


def show_place(desk: Desk, place: Selection) -> None:
    """Select it where it is visible: without the filter, when that hides it."""
    file = desk.workspace.files.get(place.file)
    if file is None:
        return
    if place.row >= 0 and not file.table.visible.passes(place.row) and desk.filter is not None:
        text = desk.workspace.filtering.text
        desk.filter.drop()
        desk.say(tr("The filter “{0}” was cleared to show this place. Ctrl+L and ↑ bring it back.").format(text))
    if place.row >= 0 and desk.page.plumbing_hidden and file.table.flag(place.row) & Flag.PLUMBING:
        desk.page.hide_plumbing(hidden=False)
    desk.workspace.selection.select(place)

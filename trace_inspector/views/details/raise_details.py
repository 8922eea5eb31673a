"""Brings Details to the front: at a field of a golden, or at a verdict to be overruled."""

from __future__ import annotations

from trace_inspector.core.golden.recoverable_edits import Spot
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.base.translation import tr
from trace_inspector.views.window_context.desk import Desk
from trace_inspector.views.window_context.navigate import show_place


def show_field(desk: Desk, number: int, spot: Spot) -> None:
    """Turn to the field of a golden in which text waits."""
    from trace_inspector.views.details.panel import DetailsPanel

    file, dock = desk.workspace.files.get(number), desk.docks.get("details")
    panel = dock.widget() if dock is not None else None
    if file is None or dock is None or not isinstance(panel, DetailsPanel):
        return
    show_place(desk, Selection(number, file.table.row_near(spot.place)))
    dock.show()
    dock.raise_()
    panel.show_field(spot.field)


def overrule(desk: Desk, metric: str | None = None) -> None:
    """Open the form that overrules the verdict on the selection, of the whole or of a criterion, in Details."""
    from trace_inspector.views.details.panel import DetailsPanel

    dock = desk.docks["details"]
    dock.show()
    dock.raise_()
    panel = dock.widget()
    if not isinstance(panel, DetailsPanel) or not panel.overrule(metric):
        desk.say(tr("There is no verdict here to overrule. Choose a case or a turn that was evaluated."))

"""“Listen” in the File menu: what programs send while they run."""

from __future__ import annotations

from trace_inspector.core.translatable import N_
from trace_inspector.views.actions.action import Action
from trace_inspector.views.window_context.desk import Desk


def listen(desk: Desk) -> None:
    """The dialog that listens."""
    from trace_inspector.views.live.dialog import show_listen

    show_listen(desk)


ACTIONS: tuple[Action, ...] = (Action("listen", N_("L&isten…"), "File", listen),)

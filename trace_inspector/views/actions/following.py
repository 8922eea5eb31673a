"""Following files that other programs write: pause it, and go to what is new."""

from __future__ import annotations

from trace_inspector.core.translatable import N_
from trace_inspector.models.base.translation import tr
from trace_inspector.views.actions.action import Action
from trace_inspector.views.window_context.desk import Desk


def follows(desk: Desk) -> bool:
    """Whether files are followed."""
    return desk.workspace.growth.is_on


def toggle(desk: Desk) -> None:
    """Pause following, or go on with it."""
    growth = desk.workspace.growth
    growth.turn(on=not growth.is_on)
    paused = tr("Following is paused. What is shown stays as it is.")
    desk.say(tr("Files that grow are followed.") if growth.is_on else paused)


def has_new_turns(desk: Desk) -> bool:
    """Whether the file on show has turns that nobody went to yet."""
    selection = desk.workspace.selection.value
    return selection is not None and desk.workspace.growth.new_turns(selection.file) > 0


def show_new_turns(desk: Desk) -> None:
    """Select the first new turn of the file on show."""
    selection = desk.workspace.selection.value
    first = desk.workspace.growth.first_new(selection.file) if selection is not None else None
    if first is not None:
        desk.workspace.selection.select(first)
        desk.take_focus()


ACTIONS: tuple[Action, ...] = (
    Action("follow", N_("Follow &files that grow"), "|View", toggle, "Ctrl+Shift+Y", checked=follows),
    Action("new-turns", N_("New &turns"), "|Go", show_new_turns, "Alt+End", "down", enabled=has_new_turns),
)

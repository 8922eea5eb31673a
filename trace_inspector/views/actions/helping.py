"""The Tools and Help menus."""

from __future__ import annotations

from functools import partial

from trace_inspector.core.translatable import N_
from trace_inspector.models.base.translation import tr
from trace_inspector.views.actions.action import Action
from trace_inspector.views.help import dialogs, keys
from trace_inspector.views.help.own_keys import PLACES
from trace_inspector.views.layout.centre_views import VIEWS
from trace_inspector.views.layout.panels import PANELS
from trace_inspector.views.window_context.desk import Desk


def has_fault(desk: Desk) -> bool:
    """Whether something in the program failed."""
    return bool(desk.fault)


def command_palette(desk: Desk) -> None:
    """Choose among all actions."""
    desk.palette.ask(tr("Type a command"), desk.commands())


def run_command(desk: Desk) -> None:
    """Run the person's own command, and read again what it changed."""
    from trace_inspector.views.command_run.dialog import show_command_run

    show_command_run(desk)


def show_keys(desk: Desk) -> None:
    """All keys in one list."""
    shown = [(view.title, view.keys) for view in VIEWS] + [(panel.title, panel.keys) for panel in PANELS]
    keys.show_keys(desk, [*shown, *PLACES.items()])


def show_help(desk: Desk, page: str) -> None:
    """The help in the window, at one of its pages."""
    from trace_inspector.views.help.handbook import show_handbook

    show_handbook(desk, page)


def show_fault(desk: Desk) -> None:
    """The report of what failed, to be copied."""
    dialogs.show_fault(desk)


def show_about(desk: Desk) -> None:
    """Name, version, promise."""
    dialogs.show_about(desk)


ACTIONS: tuple[Action, ...] = (
    Action("palette", N_("&Command palette…"), "Tools", command_palette, "Ctrl+Shift+P", "keyboard"),
    Action("run-command", N_("&Run a command and reload…"), "|Tools", run_command, "Ctrl+Shift+R", "play"),
    Action("keys", N_("&Keyboard shortcuts"), "Help", show_keys, "F1", "keyboard"),
    Action("tour", N_("&Tour of the window"), "Help", partial(show_help, page="tour"), "Shift+F1", "text"),
    Action("help-criteria", N_("&Criteria"), "Help", partial(show_help, page="criteria")),
    Action("help-formats", N_("&File formats"), "Help", partial(show_help, page="formats")),
    Action("fault", N_("&Report of the last error…"), "|Help", show_fault, enabled=has_fault),
    Action("about", N_("&About Trace Inspector"), "Help", show_about),
)

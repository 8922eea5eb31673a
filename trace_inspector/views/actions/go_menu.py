"""The Go menu: from turn to turn, and to any place by its name."""

from __future__ import annotations

from functools import partial

from trace_inspector.core.translatable import N_
from trace_inspector.models.base.figures import seconds_text
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.base.slow_calls import slowest_calls
from trace_inspector.models.base.translation import tr
from trace_inspector.views.actions.action import Action, has_files, has_selection
from trace_inspector.views.actions.place_search import PlaceSearch
from trace_inspector.views.widgets.palette import Entry
from trace_inspector.views.window_context.desk import Desk
from trace_inspector.views.window_context.navigate import show_place


def any_failing(desk: Desk) -> bool:
    """Whether a turn failed."""
    return desk.workspace.navigation.failing_position()[1] > 0


def next_failing(desk: Desk, step: int) -> None:
    """The next or previous failing turn."""
    if desk.workspace.navigation.next_failing(step):
        desk.take_focus()


def next_turn(desk: Desk, step: int) -> None:
    """The next or previous turn."""
    if desk.workspace.navigation.next_turn(step):
        desk.take_focus()


def can_go_back(desk: Desk, step: int) -> bool:
    """Whether another place was looked at before (-1) or after (1) this one."""
    return desk.visited.can_go(step)


def go_back(desk: Desk, step: int) -> None:
    """To the place that was looked at before (-1) or after (1) this one."""
    if desk.visited.go(step):
        desk.take_focus()


def go_to(desk: Desk) -> None:
    """Choose among all cases, traces and turns, or name a place."""
    prompt = tr("Go to case or turn, :12 for turn 12, or a path in the file like /a/b")
    desk.palette.search(prompt, PlaceSearch(desk.workspace, partial(_select, desk)))


def has_times(desk: Desk) -> bool:
    """Whether the selected file says how long anything took."""
    selection = desk.workspace.selection.value
    file = desk.workspace.files.get(selection.file) if selection is not None else None
    return file is not None and file.table.has_durations


def list_slowest(desk: Desk) -> None:
    """Choose among the calls of the selected file that took longest."""
    selection = desk.workspace.selection.value
    file = desk.workspace.files.get(selection.file) if selection is not None else None
    rows = slowest_calls(file.table) if file is not None else []
    if file is None or not rows:
        desk.say(tr("No call of this file says how long it took."))
        return
    table, verdicts = file.table, desk.workspace.verdicts
    entries = [
        Entry(
            table.label(row),
            partial(_select, desk, Selection(file.number, row)),
            f"{table.label(table.top_of(row))} › {table.label(table.turn_of(row)).partition('  ')[0]}",
            mark=verdicts.mark_of(file.number, row) or "none",
            end=seconds_text(table.duration_s(row)),
        )
        for row in rows
    ]
    desk.palette.ask(tr("Slowest calls of {0}").format(file.name), entries)


ACTIONS: tuple[Action, ...] = (
    Action(
        "back",
        N_("&Back"),
        "Go",
        lambda desk: go_back(desk, -1),
        "Alt+Left",
        "back",
        enabled=lambda desk: can_go_back(desk, -1),
    ),
    Action(
        "forward",
        N_("&Forward"),
        "Go",
        lambda desk: go_back(desk, 1),
        "Alt+Right",
        "forward",
        enabled=lambda desk: can_go_back(desk, 1),
    ),
    Action("go-to", N_("&Go to case or turn…"), "|Go", go_to, "Ctrl+P", "goto", enabled=has_files),
    Action("slowest", N_("&Slowest calls…"), "Go", list_slowest, icon="clock", enabled=has_times),
    Action(
        "previous-failing",
        N_("&Previous failing turn"),
        "|Go",
        lambda desk: next_failing(desk, -1),
        "Shift+F8",
        "up",
        "icon",
        any_failing,
    ),
    Action(
        "next-failing",
        N_("&Next failing turn"),
        "Go",
        lambda desk: next_failing(desk, 1),
        "F8",
        "down",
        "icon",
        any_failing,
    ),
    Action(
        "previous-turn",
        N_("P&revious turn"),
        "|Go",
        lambda desk: next_turn(desk, -1),
        "Alt+Up",
        enabled=has_selection,
    ),
    Action("next-turn", N_("Ne&xt turn"), "Go", lambda desk: next_turn(desk, 1), "Alt+Down", enabled=has_selection),
)


def _select(desk: Desk, place: Selection) -> None:
    show_place(desk, place)
    desk.take_focus()

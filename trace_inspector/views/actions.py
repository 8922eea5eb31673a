"""ACTIONS: everything a person can do, once. Menus, tool bar, keys and the palette are made from this table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from trace_inspector.views import handlers as do
from trace_inspector.views.desk import Desk
from trace_inspector.views.look import Scheme
from trace_inspector.views.panels import PANELS, Panel


def _always(_desk: Desk) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Action:
    """One thing to do. `menu` is a path, “|” before it begins a new section; `bar` is how the tool bar shows it."""

    id: str
    text: str
    menu: str
    run: Callable[[Desk], object]
    key: str = ""
    icon: str = ""
    bar: str = ""
    enabled: Callable[[Desk], bool] = _always
    checked: Callable[[Desk], bool] | None = None


def _toggle(panel: Panel) -> Action:
    return Action(
        id=f"show-{panel.id}",
        text=panel.title,
        menu="View/Panels",
        run=lambda desk: do.toggle_panel(desk, panel.id),
        icon=panel.icon,
        enabled=do.has_files,
        checked=lambda desk: do.panel_shown(desk, panel.id),
    )


def _scheme(text: str, scheme: Scheme) -> Action:
    return Action(
        id=f"theme-{scheme.value}",
        text=text,
        menu="View/Theme",
        run=lambda desk: do.choose_scheme(desk, scheme),
        checked=lambda desk: desk.look.scheme is scheme,
    )


ACTIONS: tuple[Action, ...] = (
    Action("open-files", "&Open files…", "File", do.open_files, "Ctrl+O", "folder", "icon"),
    Action("open-folder", "Open &folder…", "File", do.open_folder, "Ctrl+Shift+O"),
    Action("open-samples", "Open &sample workspace", "File", do.open_samples, icon="star"),
    Action(
        "export-adk", "&ADK result…", "|File/Export report", lambda desk: do.export(desk, "adk"), enabled=do.has_run
    ),
    Action(
        "export-junit", "&JUnit XML…", "File/Export report", lambda desk: do.export(desk, "junit"), enabled=do.has_run
    ),
    Action(
        "export-html", "&HTML page…", "File/Export report", lambda desk: do.export(desk, "html"), enabled=do.has_run
    ),
    Action(
        "save-report",
        "Save report by typing its &path…",
        "File",
        do.save_report,
        "Ctrl+Shift+S",
        "save",
        enabled=do.has_run,
    ),
    Action("close-file", "&Close file", "|File", do.close_file, "Ctrl+W", "x", enabled=do.has_selection),
    Action("quit", "&Quit", "File", do.leave, "Ctrl+Q"),
    Action("copy", "&Copy", "Edit", do.copy, "Ctrl+C", "copy", enabled=do.can_copy),
    Action("expand-all", "&Expand all", "View", do.expand_all, "Ctrl+Shift+Right", "expand", enabled=do.has_tree),
    Action("collapse-all", "&Collapse to turns", "View", do.collapse_all, "Ctrl+Shift+Left", enabled=do.has_tree),
    Action(
        "hide-plumbing",
        "&Hide plumbing spans",
        "|View",
        do.toggle_plumbing,
        "Ctrl+Shift+H",
        enabled=do.has_tree,
        checked=do.plumbing_hidden,
    ),
    *(_toggle(panel) for panel in PANELS),
    _scheme("As the &system", Scheme.SYSTEM),
    _scheme("&Light", Scheme.LIGHT),
    _scheme("&Dark", Scheme.DARK),
    Action("go-to", "&Go to case or turn…", "Go", do.go_to, "Ctrl+P", "goto", enabled=do.has_files),
    Action(
        "previous-failing",
        "&Previous failing turn",
        "|Go",
        lambda desk: do.next_failing(desk, -1),
        "Shift+F8",
        "up",
        "icon",
        do.any_failing,
    ),
    Action(
        "next-failing",
        "&Next failing turn",
        "Go",
        lambda desk: do.next_failing(desk, 1),
        "F8",
        "down",
        "icon",
        do.any_failing,
    ),
    Action(
        "previous-turn",
        "P&revious turn",
        "|Go",
        lambda desk: do.next_turn(desk, -1),
        "Alt+Up",
        enabled=do.has_selection,
    ),
    Action("next-turn", "Ne&xt turn", "Go", lambda desk: do.next_turn(desk, 1), "Alt+Down", enabled=do.has_selection),
    Action("evaluate", "&Evaluate", "Evaluate", do.evaluate, "F5", "play", "filled", do.can_evaluate),
    Action("stop", "&Stop", "Evaluate", do.stop, "Esc", "stop", "thin", do.busy),
    Action("palette", "&Command palette…", "Tools", do.command_palette, "Ctrl+Shift+P", "keyboard"),
    Action("keys", "&Keys", "Help", do.show_keys, "F1", "keyboard"),
    Action("fault", "&Report of the last fault…", "|Help", do.show_fault, enabled=do.has_fault),
    Action("about", "&About Trace Inspector", "Help", do.show_about),
)

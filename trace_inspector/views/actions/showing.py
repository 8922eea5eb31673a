"""The View menu: the views in the centre, the tree, panels, the theme."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from trace_inspector.core.translatable import N_
from trace_inspector.models.base.translation import tr
from trace_inspector.models.evaluation.preferences import FONT_PERCENTS
from trace_inspector.views.actions.action import Action, has_files, has_panels, has_tree
from trace_inspector.views.appearance.appearance import Scheme
from trace_inspector.views.layout.centre_views import VIEWS, View
from trace_inspector.views.layout.panels import PANELS, Panel
from trace_inspector.views.window_context.desk import Desk


def shows(desk: Desk, name: str) -> bool:
    """Whether that view is in front."""
    return desk.centre is not None and desk.centre.shown == name


def show_view(desk: Desk, name: str) -> None:
    """Show the same place in another view."""
    if desk.centre is not None:
        desk.centre.show_view(name)


def panel_shown(desk: Desk, name: str) -> bool:
    """Whether a panel is shown."""
    return desk.space is not None and desk.space.is_shown(name)


def plumbing_hidden(desk: Desk) -> bool:
    """Whether transport and queue spans are left out."""
    return desk.page.plumbing_hidden


def expand_all(desk: Desk) -> None:
    """Unfold the tree."""
    desk.page.expand_all()


def collapse_all(desk: Desk) -> None:
    """Fold the tree up to its turns."""
    desk.page.collapse_to_turns()


def toggle_plumbing(desk: Desk) -> None:
    """Show or hide transport and queue spans."""
    desk.page.hide_plumbing(not desk.page.plumbing_hidden)


def toggle_panel(desk: Desk, name: str) -> None:
    """Show a panel, with the focus in it, or hide it."""
    dock = desk.docks[name]
    shown = not panel_shown(desk, name)
    dock.setVisible(shown)
    if shown:
        dock.raise_()
        inside: QWidget = dock.widget()
        inside.setFocus()


def panels_folded(desk: Desk) -> bool:
    """Whether only the tabs of the panels at the bottom are shown."""
    return desk.space is not None and desk.space.folded


def fold_panels(desk: Desk) -> None:
    """Leave only the tabs of the panels at the bottom, or show all of them; kept for the task in hand."""
    if desk.space is not None:
        desk.space.fold(folded=not desk.space.folded)


def reset_layout(desk: Desk) -> None:
    """Panels where they first were, in every layout."""
    if desk.space is not None:
        desk.space.reset()
        desk.say(tr("All layouts are as they first were."))


def is_full_screen(desk: Desk) -> bool:
    """Whether the window has the whole screen."""
    return desk.window.isFullScreen()


def full_screen(desk: Desk) -> None:
    """The whole screen, and back to the window, maximised or not as it was."""
    desk.window.setWindowState(desk.window.windowState() ^ Qt.WindowState.WindowFullScreen)


def zoom(desk: Desk, steps: int) -> None:
    """A larger text size, or a smaller one; 0 for the usual one."""
    preferences = desk.workspace.evaluation.preferences
    sizes = FONT_PERCENTS
    now = min(range(len(sizes)), key=lambda at: abs(sizes[at] - preferences.font_percent))
    percent = sizes[min(max(now + steps, 0), len(sizes) - 1)] if steps else 100
    preferences.set_font_percent(percent)
    desk.theme.scale(percent)
    desk.say(tr("Text size: {0} %").format(percent))


def choose_scheme(desk: Desk, scheme: Scheme) -> None:
    """Light, dark, or as the system has it; remembered."""
    desk.theme.choose(scheme)
    desk.settings.setValue("theme", scheme.value)


def _view(view: View) -> Action:
    return Action(
        id=f"view-{view.id}",
        text=view.title,
        menu="View",
        run=lambda desk: show_view(desk, view.id),
        key=view.key,
        icon=view.icon,
        enabled=has_files,
        checked=lambda desk: shows(desk, view.id),
    )


def _toggle(panel: Panel) -> Action:
    return Action(
        id=f"show-{panel.id}",
        text=panel.title,
        menu="View/Panels",
        run=lambda desk: toggle_panel(desk, panel.id),
        icon=panel.icon,
        enabled=has_panels,
        checked=lambda desk: panel_shown(desk, panel.id),
    )


def _scheme(text: str, scheme: Scheme) -> Action:
    return Action(
        id=f"theme-{scheme.value}",
        text=text,
        menu="View/Theme",
        run=lambda desk: choose_scheme(desk, scheme),
        checked=lambda desk: desk.theme.scheme is scheme,
    )


ACTIONS: tuple[Action, ...] = (
    *(_view(view) for view in VIEWS),
    Action("expand-all", N_("&Expand all"), "|View", expand_all, "Ctrl+Shift+Right", "expand", enabled=has_tree),
    Action("collapse-all", N_("&Collapse to turns"), "View", collapse_all, "Ctrl+Shift+Left", enabled=has_tree),
    Action(
        "hide-plumbing",
        N_("&Hide plumbing spans (HTTP, queue)"),
        "|View",
        toggle_plumbing,
        "Ctrl+Shift+H",
        enabled=has_tree,
        checked=plumbing_hidden,
    ),
    Action(
        "columns",
        N_("Choose col&umns…"),
        "View",
        lambda desk: desk.page.choose_columns(),
        "Ctrl+Shift+K",
        "columns",
        enabled=has_tree,
    ),
    Action("larger-text", N_("&Larger text"), "|View/Text size", lambda desk: zoom(desk, 1), "Ctrl++"),
    Action("smaller-text", N_("&Smaller text"), "View/Text size", lambda desk: zoom(desk, -1), "Ctrl+-"),
    Action("usual-text", N_("Usual te&xt size"), "View/Text size", lambda desk: zoom(desk, 0), "Ctrl+0"),
    *(_toggle(panel) for panel in PANELS),
    Action(
        "fold-panels",
        N_("&Fold the panels at the bottom"),
        "|View/Panels",
        fold_panels,
        "Ctrl+Shift+J",
        enabled=has_files,
        checked=panels_folded,
    ),
    Action("reset-layout", N_("&Reset layout"), "View", reset_layout),
    Action("full-screen", N_("Full scree&n"), "View", full_screen, "F11", checked=is_full_screen),
    _scheme(N_("As the &system"), Scheme.SYSTEM),
    _scheme(N_("&Light"), Scheme.LIGHT),
    _scheme(N_("&Dark"), Scheme.DARK),
)

from __future__ import annotations

from trace_inspector.models.base.roles import MARK_NAMES, MARK_OF, MARK_OF_SUPPORT
from trace_inspector.models.tree.trace_cells import ICONS
from trace_inspector.models.workspace.workspace_model import _ICONS as WORKSPACE_ICONS
from trace_inspector.resources import folder
from trace_inspector.views.actions import ACTIONS
from trace_inspector.views.appearance.icons import TINTS
from trace_inspector.views.layout.panels import PANELS
from trace_inspector.views.shell.menu_corner import SWITCHES


def test_every_icon_that_is_named_is_drawn() -> None:
    named = {
        *(action.icon for action in ACTIONS if action.icon),
        *(panel.icon for panel in PANELS),
        *(icon for _action, icon, _words, _straight in SWITCHES),
        *ICONS.values(),
        *WORKSPACE_ICONS.values(),
        *("right", "down", "plus", "copy", "expand", "minus", "file", "folder", "shield"),
    }
    assert {name for name in named if not (folder("icons") / f"{name}.svg").is_file()} == set()


def test_every_mark_is_drawn_tinted_and_named() -> None:
    assert {mark for mark in TINTS if not (folder("icons") / f"mark-{mark}.svg").is_file()} == set()
    assert set(TINTS) == set(MARK_NAMES)
    assert {*MARK_OF.values(), *MARK_OF_SUPPORT.values()} <= set(TINTS)

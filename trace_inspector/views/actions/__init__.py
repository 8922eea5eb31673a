"""ACTIONS: everything a person can do, once; menus, tool bar, keys and the palette are made from this table.

One file a menu. Imports the parts, whose dialogs are opened here.
"""

from __future__ import annotations

from trace_inspector.views.actions import (
    comparing,
    editing,
    evaluating,
    evidence,
    export,
    files,
    finding,
    following,
    go_menu,
    golden_menu,
    helping,
    listening,
    overruling,
    querying,
    saving,
    showing,
)
from trace_inspector.views.actions.action import Action

ACTIONS: tuple[Action, ...] = (
    *files.OPENING,
    *listening.ACTIONS,
    *saving.ACTIONS,
    *files.REPORTS,
    *export.EXPORTS,
    *evidence.ACTIONS,
    *files.ACTIONS,
    *editing.ACTIONS,
    *showing.ACTIONS,
    *export.ACTIONS,
    *finding.ACTIONS,
    *go_menu.ACTIONS,
    *following.ACTIONS,
    *golden_menu.ACTIONS,
    *evaluating.ACTIONS,
    *overruling.ACTIONS,
    *comparing.ACTIONS,
    *querying.ACTIONS,
    *helping.ACTIONS,
)

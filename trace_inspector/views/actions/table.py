"""ACTIONS: everything a person can do, once. Menus, tool bar, keys and the palette are made from this table."""

from __future__ import annotations

from trace_inspector.views.actions import (
    editing,
    evaluating,
    files,
    finding,
    giving,
    going,
    helping,
    overruling,
    showing,
)
from trace_inspector.views.actions.action import Action

ACTIONS: tuple[Action, ...] = (
    *files.ACTIONS,
    *editing.ACTIONS,
    *showing.ACTIONS,
    *giving.ACTIONS,
    *finding.ACTIONS,
    *going.ACTIONS,
    *evaluating.ACTIONS,
    *overruling.ACTIONS,
    *helping.ACTIONS,
)

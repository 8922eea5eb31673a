"""Doing what a person does, when it can be done."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtTest import QTest

from trace_inspector.views.details.panel import DetailsPanel
from trace_inspector.views.shell.main_window import MainWindow


def trigger(window: MainWindow, action: str) -> None:
    """Do what a menu entry does, as soon as it can be done."""
    made = window.commands.actions[action]
    assert wait_for(made.isEnabled), f"{action} stays disabled"
    made.trigger()


def wait_for(there: Callable[[], bool]) -> bool:
    """Let the event loop run until something holds, for a minute at most."""
    for _turn in range(6_000):
        if there():
            return True
        QTest.qWait(10)
    return False


def whole_details(window: MainWindow) -> DetailsPanel:
    """Details of what is selected, to the end of its page, which is else built in steps."""
    panel = window.desk.docks["details"].widget()
    assert isinstance(panel, DetailsPanel)
    QTest.qWait(1)
    for _round in range(1_000):  # on a busy machine what comes in meanwhile has the page built again, in steps
        panel.content.finish()
        QTest.qWait(1)
        if not panel._later.isActive() and not panel.content._further.isActive():
            break
    return panel

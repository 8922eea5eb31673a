"""What panels behind tabs leave undone until somebody looks."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from tests.models.stories import TRACES, put, trace, turn
from trace_inspector.views.shell.main_window import MainWindow

pytestmark = pytest.mark.shared_window


@pytest.mark.parametrize("name", ["runs", "criteria"])
def test_a_panel_asks_its_child_when_it_comes_in_front(window: MainWindow, qtbot: QtBot, name: str) -> None:
    put(window.desk.workspace, TRACES, trace("one", turn(0, "Where?")))
    qtbot.wait(1)
    assert window.desk.jobs._warm == {}
    window.desk.docks[name].raise_()
    qtbot.waitUntil(lambda: len(window.desk.jobs._warm) == 1)

"""What panels behind tabs leave undone until somebody looks, and what they say before."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from tests.flows.test_store_run import REQUEST
from tests.models.stories import TRACES, put, trace, turn
from tests.store.test_runs import RUN
from trace_inspector.flows.runs.store_run import save_run
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.widgets.tabs import counted_title


def test_the_criteria_ask_their_child_when_they_come_in_front(own_window: MainWindow, qtbot: QtBot) -> None:
    put(own_window.desk.workspace, TRACES, trace("one", turn(0, "Where?")))
    qtbot.wait(1)
    before = len(own_window.desk.jobs._warm)
    own_window.desk.docks["criteria"].raise_()
    qtbot.waitUntil(lambda: len(own_window.desk.jobs._warm) == before + 1)


def test_the_tab_of_the_runs_says_how_many_there_are_before_anybody_looks(
    own_window: MainWindow, qtbot: QtBot
) -> None:
    assert save_run(RUN, REQUEST) == ""
    put(own_window.desk.workspace, TRACES, trace("one", turn(0, "Where?")))
    dock = own_window.desk.docks["runs"]
    qtbot.waitUntil(lambda: dock.windowTitle() == counted_title("Runs", 1), timeout=60_000)
    assert dock.widget().visibleRegion().isEmpty()

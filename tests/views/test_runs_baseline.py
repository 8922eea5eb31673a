"""The baseline among the runs: by its key and by the menu, flagged, remembered, taken back, gone with its run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from tests.flows.test_run_keeping import REQUEST
from tests.store.test_runs import RUN
from tests.views.doing import trigger, wait_for
from tests.views.tales import opened
from trace_inspector.flows.run_keeping import keep
from trace_inspector.models.roles import Role
from trace_inspector.models.runs_model import NAME
from trace_inspector.models.workspace import Workspace
from trace_inspector.views.look import Look
from trace_inspector.views.main_window import MainWindow
from trace_inspector.views.runs.panel import RunsPanel
from trace_inspector.work.jobs import Jobs

OTHER = replace(RUN, id="other-run", started_s=RUN.started_s + 60)


@pytest.fixture
def panel(window: MainWindow, qtbot: QtBot) -> RunsPanel:
    for run in (RUN, OTHER):
        assert keep(run, REQUEST) == ""
    opened(window.desk.workspace)
    window.desk.workspace.evaluation.run = None
    return shown(window, qtbot)


def shown(window: MainWindow, qtbot: QtBot) -> RunsPanel:
    window.desk.docks["runs"].show()
    window.desk.docks["runs"].raise_()
    panel = window.desk.docks["runs"].widget()
    assert isinstance(panel, RunsPanel)
    qtbot.waitUntil(lambda: panel.model.rowCount() == 2, timeout=30_000)
    panel.view.setFocus()
    return panel


def flagged(panel: RunsPanel) -> list[str]:
    rows = range(panel.model.rowCount())
    found = [panel.model.run(row) for row in rows if panel.model.index(row, NAME).data(Role.ICON) == "flag"]
    return [run.line.id for run in found if run is not None]


def choose(panel: RunsPanel, run_id: str) -> None:
    panel.view.setCurrentIndex(panel.model.index(panel.model.row_of(run_id), 0))


def test_b_makes_a_run_the_baseline_and_takes_it_back(window: MainWindow, panel: RunsPanel) -> None:
    choose(panel, RUN.id)
    QTest.keyClick(panel.view, Qt.Key.Key_B)
    assert flagged(panel) == [RUN.id]
    cell = panel.model.index(panel.model.row_of(RUN.id), NAME)
    assert cell.data(Qt.ItemDataRole.AccessibleTextRole) == "baseline"
    choose(panel, OTHER.id)
    QTest.keyClick(panel.view, Qt.Key.Key_B)
    assert flagged(panel) == [OTHER.id], "there is one at a time"
    QTest.keyClick(panel.view, Qt.Key.Key_B)
    assert flagged(panel) == []
    trigger(window, "baseline-run")
    assert flagged(panel) == [OTHER.id]
    assert wait_for(lambda: window.commands.actions["baseline-run"].text() == "No longer the &baseline")


def test_the_mouse_finds_it_in_the_menu_of_a_run(panel: RunsPanel) -> None:
    choose(panel, RUN.id)
    middle = panel.view.visualRect(panel.view.currentIndex()).center()
    at = panel.view.viewport().mapToGlobal(middle)
    QApplication.sendEvent(panel.view.viewport(), QContextMenuEvent(QContextMenuEvent.Reason.Mouse, middle, at))
    menu = next(one for one in panel.view.findChildren(QMenu) if one.isVisible())
    offered = {action.objectName(): action for action in menu.actions()}
    assert offered["baseline-run"].isEnabled()
    offered["baseline-run"].trigger()
    menu.close()
    assert flagged(panel) == [RUN.id]


def test_the_next_window_knows_the_baseline(
    window: MainWindow, panel: RunsPanel, look: Look, qtbot: QtBot, tmp_path: Path
) -> None:
    choose(panel, RUN.id)
    QTest.keyClick(panel.view, Qt.Key.Key_B)
    window.desk.settings.sync()
    jobs = Jobs()
    settings = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    next_one = MainWindow(look, Workspace(jobs), jobs, settings)
    qtbot.addWidget(next_one)
    next_one.show()
    opened(next_one.desk.workspace)
    next_one.desk.workspace.evaluation.run = None
    assert flagged(shown(next_one, qtbot)) == [RUN.id]
    jobs.stop_all()


def test_a_deleted_run_is_no_baseline(window: MainWindow, panel: RunsPanel, qtbot: QtBot) -> None:
    choose(panel, RUN.id)
    QTest.keyClick(panel.view, Qt.Key.Key_B)
    window.desk.workspace.runs.delete(RUN.id)
    qtbot.waitUntil(lambda: panel.model.rowCount() == 1, timeout=30_000)
    assert window.desk.workspace.runs.baseline.id == ""

"""The baseline among the runs: by its key and by the menu, flagged, remembered, taken back, gone with its run."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from tests.flows.test_store_run import REQUEST
from tests.store.test_runs import RUN
from tests.views.doing import trigger, wait_for
from tests.views.tales import opened
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.verdict.verdict import RunVerdict
from trace_inspector.engine.reports.run_summary import summarise
from trace_inspector.flows.opening.given_files import Given
from trace_inspector.flows.runs.evaluate_files import Request
from trace_inspector.flows.runs.store_run import MOST_LISTED, save_run
from trace_inspector.models.base.roles import Role
from trace_inspector.models.runs.baseline import MOST
from trace_inspector.models.runs.model import NAME
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.settings import data_folder
from trace_inspector.store import runs
from trace_inspector.store.database import database
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.runs.panel import RunsPanel
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.work.processes.jobs import Jobs

pytestmark = pytest.mark.shared_window

OTHER = replace(RUN, id="other-run", started_s=RUN.started_s + 60)


@pytest.fixture
def panel(window: MainWindow, qtbot: QtBot) -> RunsPanel:
    for run in (RUN, OTHER):
        assert save_run(run, REQUEST) == ""
    opened(window.desk.workspace)
    window.desk.workspace.run.put(None)
    return shown(window, qtbot)


def shown(window: MainWindow, qtbot: QtBot, count: int = 2) -> RunsPanel:
    window.desk.docks["runs"].show()
    window.desk.docks["runs"].raise_()
    panel = window.desk.docks["runs"].widget()
    assert isinstance(panel, RunsPanel)
    qtbot.waitUntil(lambda: panel.model.rowCount() == count, timeout=60_000)
    panel.view.setFocus()
    return panel


def flagged(panel: RunsPanel) -> list[str]:
    rows = range(panel.model.rowCount())
    found = [panel.model.record(row) for row in rows if panel.model.index(row, NAME).data(Role.ICON) == "flag"]
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
    assert wait_for(lambda: window.commands.actions["baseline-run"].text() == "Clear the &baseline")


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


def test_the_next_window_knows_the_baseline(window: MainWindow, panel: RunsPanel, theme: Theme, qtbot: QtBot) -> None:
    choose(panel, RUN.id)
    QTest.keyClick(panel.view, Qt.Key.Key_B)
    window.desk.settings.sync()
    jobs = Jobs()
    settings = QSettings(window.desk.settings.fileName(), QSettings.Format.IniFormat)
    next_one = MainWindow(theme, Workspace(jobs), jobs, settings)
    qtbot.addWidget(next_one)
    next_one.show()
    opened(next_one.desk.workspace)
    next_one.desk.workspace.run.put(None)
    assert flagged(shown(next_one, qtbot)) == [RUN.id]
    jobs.stop_all()


def test_a_deleted_run_is_no_baseline(window: MainWindow, panel: RunsPanel, qtbot: QtBot) -> None:
    choose(panel, RUN.id)
    QTest.keyClick(panel.view, Qt.Key.Key_B)
    window.desk.workspace.runs.delete(RUN.id)
    qtbot.waitUntil(lambda: panel.model.rowCount() == 1, timeout=60_000)
    assert window.desk.workspace.runs.baselines.ids == ()


def asked(folder: Path, *goldens: str) -> Request:
    """What a run of these goldens, beside a trace of its own, was asked for."""
    return replace(
        REQUEST, traces=(read(folder / "trace.json"),), goldens=tuple(read(folder / name) for name in goldens)
    )


def read(path: Path) -> Given:
    return Given(str(path), Contents("spans"), "0")


def kept_as(request: Request, *ids: str) -> list[RunVerdict]:
    runs = [replace(RUN, id=name, started_s=RUN.started_s + at) for at, name in enumerate(ids)]
    for run in runs:
        assert save_run(run, request) == ""
    return runs


def test_each_project_has_a_baseline_of_its_own(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    shop, bank = asked(tmp_path, "shop.evalset.json"), asked(tmp_path / "bank", "bank.evalset.json")
    kept_as(shop, "shop-1", "shop-2", "shop-3")
    kept_as(bank, "bank-1", "bank-2")
    kept_as(asked(tmp_path, "other.evalset.json"), "other-1")
    kept_as(asked(tmp_path, "shop.evalset.json", "more.evalset.json"), "both-1")
    opened(window.desk.workspace)
    window.desk.workspace.run.put(None)
    panel, pair = shown(window, qtbot, 7), window.desk.workspace.runs.pair
    for baseline in ("bank-1", "shop-1"):
        choose(panel, baseline)
        QTest.keyClick(panel.view, Qt.Key.Key_B)
    assert sorted(flagged(panel)) == ["bank-1", "shop-1"]
    for run, against in (("bank-2", "bank-1"), ("shop-2", "shop-1"), ("both-1", "shop-1")):
        choose(panel, run)
        QTest.keyClick(panel.view, Qt.Key.Key_C)
        assert pair.base is not None
        assert pair.new is not None
        assert (pair.base.name, pair.new.name) == (against, run)
    choose(panel, "other-1")
    QTest.keyClick(panel.view, Qt.Key.Key_C)
    assert (pair.new.name if pair.new is not None else "") == "both-1", "nothing was set for these goldens"
    choose(panel, "shop-3")
    QTest.keyClick(panel.view, Qt.Key.Key_B)
    assert sorted(flagged(panel)) == ["bank-1", "shop-3"], "of each project there is one"


def test_the_baseline_of_earlier_versions_stays(window: MainWindow, qtbot: QtBot) -> None:
    kept_as(REQUEST, "one", "two")
    settings = window.desk.settings
    settings.setValue("baseline-run", "one")
    window.desk.workspace.runs.baselines.remember_in(settings)
    opened(window.desk.workspace)
    window.desk.workspace.run.put(None)
    assert flagged(shown(window, qtbot)) == ["one"]
    assert settings.value("baseline-run") is None


def test_a_baseline_outlives_a_thousand_newer_runs(window: MainWindow, qtbot: QtBot) -> None:
    (old,) = kept_as(REQUEST, "old")
    with database(data_folder()) as store:
        for number in range(MOST_LISTED + 2):
            run = replace(RUN, id=f"run-{number:04}", started_s=RUN.started_s + 1 + number)
            assert runs.save(store, run, {}, {}, summarise(run)) == ""
    opened(window.desk.workspace)
    window.desk.workspace.run.put(None)
    window.desk.settings.setValue("baseline-runs", [old.id, "deleted-meanwhile"])
    window.desk.workspace.runs.baselines.remember_in(window.desk.settings)
    panel = shown(window, qtbot, MOST_LISTED + 1)
    assert flagged(panel) == [old.id]
    qtbot.waitUntil(lambda: window.desk.workspace.runs.baselines.ids == (old.id,), timeout=60_000)
    choose(panel, "run-0999")
    QTest.keyClick(panel.view, Qt.Key.Key_C)
    base = window.desk.workspace.runs.pair.base
    assert base is not None
    assert base.name == old.id


def test_no_more_are_remembered_than_a_list_can_read(window: MainWindow, qtbot: QtBot) -> None:
    kept_as(REQUEST, "one", "two")
    baselines = window.desk.workspace.runs.baselines
    window.desk.settings.setValue("baseline-runs", [f"run-{number}" for number in range(2 * MOST)])
    baselines.remember_in(window.desk.settings)
    assert len(baselines.ids) == MOST
    opened(window.desk.workspace)
    window.desk.workspace.run.put(None)
    panel = shown(window, qtbot)
    qtbot.waitUntil(lambda: baselines.ids == (), timeout=60_000)
    assert flagged(panel) == []

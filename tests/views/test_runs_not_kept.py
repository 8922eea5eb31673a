"""A run that is gone from the data folder is neither a baseline nor compared, and a sentence says so."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.flows.test_store_run import REQUEST
from tests.store.test_runs import RUN
from tests.views.saving_doing import says
from tests.views.tales import opened
from tests.views.test_runs_baseline import OTHER, choose, shown
from trace_inspector.flows.runs.store_run import save_run
from trace_inspector.views.shell.main_window import MainWindow


def test_runs_that_are_not_kept_are_not_compared(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    for run in (RUN, OTHER):
        assert save_run(run, REQUEST) == ""
    opened(window.desk.workspace)
    window.desk.workspace.run.put(None)
    panel = shown(window, qtbot)
    choose(panel, RUN.id)
    panel.view.selectAll()
    assert len(panel.picked) == 2
    runs = window.desk.workspace.runs
    monkeypatch.setattr(type(runs.list), "is_kept", lambda _self, run_id: run_id != OTHER.id)
    QTest.keyClick(panel.view, Qt.Key.Key_C)
    assert says(window, "A run that is not stored cannot be compared.")
    assert not runs.pair.busy

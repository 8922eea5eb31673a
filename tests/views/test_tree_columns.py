from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from tests.models.stories import GOLDENS, TRACES, begin, judge, judged, put
from tests.models.test_goldens import eval_set
from tests.views.doing import trigger, wait_for
from tests.views.saving_doing import WAIT_MS
from tests.views.saving_doing import opened as opened_file
from tests.views.tales import EXPECTED, OBSERVED, opened
from trace_inspector.models.base.open_file import FileState, OpenFile
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.work.processes.jobs import Jobs

pytestmark = pytest.mark.shared_window


def titles(window: MainWindow) -> list[str]:
    """The columns that are seen, from left to right."""
    head, model = window.desk.page.tree.header(), window.desk.page.tree.model()
    sections = [head.logicalIndex(at) for at in range(head.count())]
    return [str(model.headerData(at, head.orientation())) for at in sections if not head.isSectionHidden(at)]


def tick(window: MainWindow, name: str) -> None:
    menu = window.page.columns.menu()
    next(action for action in menu.actions() if action.text() == name).trigger()
    menu.deleteLater()


AT_FIRST = ["What happened", "Calls", "Answer", "Time in turn", "Latency", "Tokens"]


def test_columns_are_chosen_and_stay_so(own_window: MainWindow, theme: Theme, qtbot: QtBot, tmp_path: Path) -> None:
    window = own_window
    opened(window.desk.workspace)
    assert titles(window) == AT_FIRST
    tick(window, "Tokens")
    tick(window, "Author")
    head = window.desk.page.tree.header()
    head.moveSection(head.visualIndex(3), 1)  # the time lane before the scores
    chosen = ["What happened", "Time in turn", "Calls", "Answer", "Latency", "Author"]
    assert titles(window) == chosen
    window.close()
    jobs = Jobs()
    again = MainWindow(
        theme, Workspace(jobs), jobs, QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    )
    qtbot.addWidget(again)
    again.resize(1600, 1000)
    again.show()
    opened(again.desk.workspace)
    assert titles(again) == chosen
    tick(again, "Restore de&faults")
    assert titles(again) == AT_FIRST
    again.close()
    jobs.stop_all()


def test_what_somebody_chose_stays_where_there_is_little_room(window: MainWindow) -> None:
    window.resize(1024, 640)
    opened(window.desk.workspace)
    assert wait_for(lambda: "Tokens" not in titles(window))
    tick(window, "Tokens")
    assert "Tokens" in titles(window)
    assert window.page.columns.shown <= window.page.columns.total


def test_the_menu_opens_by_key(window: MainWindow) -> None:
    opened(window.desk.workspace)
    trigger(window, "columns")
    menus = [menu for menu in window.desk.page.tree.findChildren(QMenu) if menu.isVisible()]
    assert [menu.accessibleName() for menu in menus] == ["Columns"]
    menus[0].close()


@pytest.mark.parametrize("kept", ["nonsense", ["score x", 3], None])
def test_settings_that_are_none_do_no_harm(window: MainWindow, kept: object) -> None:
    window.desk.settings.setValue("tree/order", kept)
    opened(window.desk.workspace)
    window.page.columns.lay_out()
    assert titles(window) == AT_FIRST


def widths(window: MainWindow) -> dict[str, int]:
    """How wide each column that is seen is, by its title."""
    head, model = window.desk.page.tree.header(), window.desk.page.tree.model()
    return {
        str(model.headerData(at, head.orientation())): head.sectionSize(at)
        for at in range(head.count())
        if not head.isSectionHidden(at)
    }


def reload(window: MainWindow, qtbot: QtBot, file: OpenFile) -> OpenFile:
    trigger(window, "reload")
    assert window.desk.workspace.files.get(file.number) is None
    (again,) = [other for other in window.desk.workspace.files if other.path == file.path]
    qtbot.waitUntil(lambda: again.state is FileState.READY, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: window.desk.page.shows(again.number), timeout=WAIT_MS)
    return again


@pytest.mark.parametrize("chosen", [False, True])
def test_a_reload_keeps_columns_order_and_widths(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, chosen: bool
) -> None:
    file = opened_file(window, qtbot, eval_set(tmp_path / "a.evalset.json", "Graz"))
    if chosen:
        tick(window, "Tokens")
        tick(window, "Author")
        head = window.desk.page.tree.header()
        head.moveSection(head.visualIndex(2), 1)
        head.resizeSection(2, 100)
    before, order = widths(window), titles(window)
    assert ("Author" in before) is chosen
    again = reload(window, qtbot, file)
    assert (titles(window), widths(window)) == (order, before)
    reload(window, qtbot, again)
    assert (titles(window), widths(window)) == (order, before)


def test_widths_are_kept_when_a_run_brings_columns_and_until_as_at_first(window: MainWindow) -> None:
    workspace = window.desk.workspace
    put(workspace, TRACES, *OBSERVED)
    put(workspace, GOLDENS, EXPECTED)
    at_first = widths(window)
    head = window.desk.page.tree.header()
    head.resizeSection(2, at_first["Latency"] + 31)
    judge(workspace, begin(workspace), judged(OBSERVED, [EXPECTED]))
    assert "Calls" in widths(window)
    assert widths(window)["Latency"] == at_first["Latency"] + 31
    tick(window, "Restore de&faults")
    assert widths(window)["Latency"] == at_first["Latency"]


@pytest.mark.parametrize("kept", [["latency=wide"], ["latency=-3"], "latency", [7]])
def test_widths_in_the_settings_that_are_none_do_no_harm(window: MainWindow, kept: object) -> None:
    window.desk.settings.setValue("tree/widths", kept)
    opened(window.desk.workspace)
    assert widths(window)["Latency"] > 30

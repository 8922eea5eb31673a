"""A click on a header of the tree sorts its cases and turns; the third click leaves them as they are in the file."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QModelIndex, QPoint, QSettings, Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from pytestqt.qtbot import QtBot

from tests.models.stories import GOLDENS, TRACES, batches, begin, call, golden, judge, judged, put, trace, turn
from tests.views.doing import wait_for
from tests.views.test_tree_columns import titles
from trace_inspector.core.trace.trace import Trace
from trace_inspector.models.tree import row_order
from trace_inspector.models.tree.columns import TreeColumn
from trace_inspector.models.tree.trace_tree import TraceTreeModel
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.work.processes.jobs import Jobs
from trace_inspector.work.reading import file_messages


def lasting(name: str, *seconds: float) -> Trace:
    """A conversation whose turns take that long."""
    return trace(name, *(replace(turn(at, f"{name} {at}"), duration_s=s) for at, s in enumerate(seconds)))


STORIES = (lasting("beta", 1.0, 3.0, 2.0), lasting("alpha", 20.0), lasting("gamma", 0.5))


def model_of(window: MainWindow) -> TraceTreeModel:
    model = window.page.tree.model()
    assert isinstance(model, TraceTreeModel)
    return model


def names(window: MainWindow, parent: QModelIndex = QModelIndex()) -> list[str]:  # noqa: B008
    model = model_of(window)
    return [str(model.index(row, 0, parent).data()).partition("  ")[0] for row in range(model.rowCount(parent))]


def click(window: MainWindow, column: int) -> None:
    head = window.page.tree.header()
    place = QPoint(head.sectionViewportPosition(column) + 12, head.height() // 2)
    QTest.mouseClick(head.viewport(), Qt.MouseButton.LeftButton, pos=place)


def click_on(window: MainWindow, column: TreeColumn) -> None:
    click(window, model_of(window).column(column))


def test_three_clicks_sort_sort_the_other_way_and_leave_it(window: MainWindow) -> None:
    put(window.desk.workspace, TRACES, *STORIES)
    QAbstractItemModelTester(model_of(window), QAbstractItemModelTester.FailureReportingMode.Fatal, window)
    beta = model_of(window).index(0, 0)
    window.page.tree.expand(beta)
    click_on(window, TreeColumn.LATENCY)
    assert names(window) == ["alpha", "beta", "gamma"]
    assert names(window, model_of(window).index(1, 0)) == ["Turn 2", "Turn 3", "Turn 1"]
    assert "Latency ↓" in titles(window)
    column, role = model_of(window).column(TreeColumn.LATENCY), Qt.ItemDataRole.AccessibleTextRole
    spoken = model_of(window).headerData(column, Qt.Orientation.Horizontal, role)
    assert spoken == "Latency, sorted, the largest first"
    assert window.page.tree.isExpanded(model_of(window).index(1, 0))
    click_on(window, TreeColumn.LATENCY)
    assert names(window) == ["gamma", "beta", "alpha"]
    assert "Latency ↑" in titles(window)
    click_on(window, TreeColumn.LATENCY)
    assert names(window) == ["beta", "alpha", "gamma"]
    assert "Latency" in titles(window)
    click_on(window, TreeColumn.WHAT)
    assert names(window) == ["alpha", "beta", "gamma"]


def test_what_was_done_in_a_turn_stays_in_its_order(window: MainWindow) -> None:
    steps = turn(0, "one?", call("slow"), call("quick"))
    events = [replace(event, duration_s=9.0 - at) for at, event in enumerate(steps.events)]
    put(window.desk.workspace, TRACES, trace("one", replace(steps, events=tuple(events))))
    model = model_of(window)
    before = names(window, model.index(0, 0, model.index(0, 0)))
    click_on(window, TreeColumn.LATENCY)
    click_on(window, TreeColumn.LATENCY)
    assert names(window, model.index(0, 0, model.index(0, 0))) == before


def test_by_a_score_the_failing_and_the_lowest_are_first_and_what_has_none_is_last(window: MainWindow) -> None:
    workspace = window.desk.workspace
    observed = [trace("good", turn(0, "one?", call("a"))), trace("unpaired", turn(0, "x?"))]
    observed += [trace("bad", turn(0, "one?", call("b"))), trace("fine", turn(0, "one?", call("a")))]
    put(workspace, TRACES, *observed)
    expected = golden(*((name, (turn(0, "one?", call("a")),)) for name in ("good", "bad", "fine")))
    put(workspace, GOLDENS, expected)
    run = begin(workspace)
    click_on(window, TreeColumn.SCORE)
    assert names(window) == ["good", "unpaired", "bad", "fine"]  # until there are verdicts
    judge(workspace, run, judged(observed, [expected]))
    assert names(window) == ["bad", "good", "fine", "unpaired"]
    click_on(window, TreeColumn.SCORE)
    assert names(window) == ["good", "fine", "bad", "unpaired"]


def test_the_order_holds_for_other_files_and_after_a_restart(
    own_window: MainWindow, theme: Theme, qtbot: QtBot, tmp_path: Path
) -> None:
    put(own_window.desk.workspace, TRACES, *STORIES)
    click_on(own_window, TreeColumn.LATENCY)
    click_on(own_window, TreeColumn.LATENCY)
    own_window.close()
    settings = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    jobs = Jobs()
    again = MainWindow(theme, Workspace(jobs), jobs, settings)
    qtbot.addWidget(again)
    again.show()
    put(again.desk.workspace, TRACES, *STORIES)
    assert names(again) == ["gamma", "beta", "alpha"]
    again.page.columns.menu().actions()[-1].trigger()  # restore defaults
    assert names(again) == ["beta", "alpha", "gamma"]


@pytest.mark.parametrize("kept", [["?"], ["score"], ["latency", "x", "y", "z"], ["score", "none_like_it"]], ids=str)
def test_an_order_that_is_not_understood_is_that_of_the_file(
    kept: list[str], theme: Theme, qtbot: QtBot, tmp_path: Path
) -> None:
    settings = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    settings.setValue("tree/sorting", kept)
    jobs = Jobs()
    window = MainWindow(theme, Workspace(jobs), jobs, settings)
    qtbot.addWidget(window)
    window.show()
    put(window.desk.workspace, TRACES, *STORIES)
    by_latency = kept[0] == "latency"
    assert names(window) == (["alpha", "beta", "gamma"] if by_latency else ["beta", "alpha", "gamma"])


def test_rows_stay_while_the_file_is_read_and_are_sorted_at_its_end(window: MainWindow) -> None:
    put(window.desk.workspace, "/made/other.json", *STORIES)
    click_on(window, TreeColumn.LATENCY)
    files = window.desk.workspace.files
    file = files.add(Path(TRACES), "")
    assert file is not None
    files.take(file_messages.Recognised(file.number, "made"))
    window.desk.workspace.selection.select(None)
    model_of(window).set_file(file.number)
    for batch in batches(*STORIES, size=2):
        files.take(file_messages.RowsRead(file.number, batch))
    assert names(window) == ["beta", "alpha", "gamma"]
    files.take(file_messages.FileRead(file.number))
    assert names(window) == ["alpha", "beta", "gamma"]


def test_many_rows_are_weighed_in_steps(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_order, "SORTED_AT_ONCE", 2)
    put(window.desk.workspace, TRACES, *STORIES)
    click_on(window, TreeColumn.LATENCY)
    assert names(window) == ["beta", "alpha", "gamma"]
    assert wait_for(lambda: names(window) == ["alpha", "beta", "gamma"])


def test_a_filter_leaves_the_order(window: MainWindow) -> None:
    put(window.desk.workspace, TRACES, *STORIES)
    click_on(window, TreeColumn.LATENCY)
    window.desk.workspace.filtering.set_text("a 0")
    assert wait_for(lambda: names(window) == ["alpha", "beta", "gamma"])
    window.desk.workspace.filtering.set_text("beta")
    assert wait_for(lambda: names(window) == ["beta"])
    window.desk.workspace.filtering.set_text("")
    assert wait_for(lambda: names(window) == ["alpha", "beta", "gamma"])


def test_the_keyboard_sorts_by_the_menu_of_columns(window: MainWindow) -> None:
    put(window.desk.workspace, TRACES, *STORIES)

    def choose(name: str) -> None:
        menu = next(one for one in window.page.columns.menu().actions() if one.text() == "&Sort by").menu()
        next(one for one in menu.actions() if one.text() == name).trigger()  # type: ignore[attr-defined]

    choose("Latency")
    assert names(window) == ["alpha", "beta", "gamma"]
    choose("Latency ↓")
    assert names(window) == ["gamma", "beta", "alpha"]
    choose("Order of the &file")
    assert names(window) == ["beta", "alpha", "gamma"]

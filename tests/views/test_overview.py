"""The grid of all cases of a file, in the Workspace panel."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip

from tests.models.stories import GOLDENS, TRACES, begin, judge, judged, put, trace, turn
from tests.views.doing import wait_for
from tests.views.tales import EXPECTED, OBSERVED, opened
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.selection import Selection
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.workspace.overview import CELL_PX, MOST_ROWS, Overview
from trace_inspector.views.workspace.panel import WorkspacePanel

pytestmark = pytest.mark.shared_window


def overview(window: MainWindow) -> Overview:
    panel = window.desk.docks["workspace"].widget()
    assert isinstance(panel, WorkspacePanel)
    return panel.overview


def selected_case(window: MainWindow, file: OpenFile) -> str:
    selection = window.desk.workspace.selection.value
    assert selection is not None
    assert selection.file == file.number
    return file.table.label(selection.row)


def test_a_click_and_the_arrows_select_a_case(window: MainWindow) -> None:
    file = opened(window.desk.workspace)
    window.desk.workspace.selection.select(Selection(file.number, file.table.tops[0]))
    shown = overview(window)
    assert wait_for(shown.isVisible)
    grid = shown.grid
    middle = grid.cell(1).center()
    QTest.mouseClick(grid.viewport(), Qt.MouseButton.LeftButton, pos=middle)
    assert selected_case(window, file) == "fails"
    grid.setFocus()
    for key, name in (
        (Qt.Key.Key_Right, "stops early"),
        (Qt.Key.Key_End, "alone"),
        (Qt.Key.Key_Right, "alone"),
        (Qt.Key.Key_Home, "passes"),
    ):
        QTest.keyClick(grid, key)
        assert selected_case(window, file) == name
    QTest.keyClick(grid, Qt.Key.Key_Return)
    assert not grid.hasFocus()
    QTest.mouseClick(grid.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(grid.viewport().width() - 1, 2))
    assert selected_case(window, file) == "passes"


def test_it_says_what_every_case_is_and_how_many_there_are(window: MainWindow) -> None:
    file = opened(window.desk.workspace)
    shown = overview(window)
    window.desk.workspace.selection.select(Selection(file.number, file.table.turns(file.table.tops[1])[1]))
    assert shown.grid.accessibleDescription() == "fails, failed"
    assert shown.counts.words() == [("failed", "2 failed"), ("none", "1 not evaluated"), ("passed", "1 passed")]
    place = shown.grid.cell(2).center()
    help_event = QHelpEvent(QEvent.Type.ToolTip, place, shown.grid.viewport().mapToGlobal(place))
    QApplication.sendEvent(shown.grid.viewport(), help_event)
    assert QToolTip.text() == "stops early, failed"
    QToolTip.hideText()
    picture = shown.grid.viewport().grab(shown.grid.cell(1)).toImage()
    red = window.desk.theme.color("fail")
    assert any(picture.pixelColor(x, CELL_PX // 2) == red for x in range(CELL_PX))


def test_many_cases_scroll_and_a_single_one_needs_no_grid(window: MainWindow) -> None:
    workspace = window.desk.workspace
    one = put(workspace, "/made/one.json", trace("single", turn(0, "one?")))
    workspace.selection.select(Selection(one.number, one.table.tops[0]))
    shown = overview(window)
    assert not shown.isVisible()
    many = put(workspace, TRACES, *(trace(f"case {at}", turn(0, "one?")) for at in range(500)))
    workspace.selection.select(Selection(many.number, many.table.tops[-1]))
    assert wait_for(shown.isVisible)
    grid = shown.grid
    assert wait_for(lambda: grid.height() == MOST_ROWS * CELL_PX)
    assert grid.viewport().rect().contains(grid.cell(499))
    workspace.selection.select(Selection(many.number, many.table.tops[0]))
    assert grid.viewport().rect().contains(grid.cell(0))


def test_marks_follow_the_run(window: MainWindow) -> None:
    workspace = window.desk.workspace
    file = put(workspace, TRACES, *OBSERVED)
    put(workspace, GOLDENS, EXPECTED)
    workspace.selection.select(Selection(file.number, file.table.tops[1]))
    shown = overview(window)
    assert wait_for(shown.isVisible)
    before = shown.grid.viewport().grab().toImage()
    judge(workspace, begin(workspace), judged(OBSERVED, [EXPECTED]))
    assert shown.grid.viewport().grab().toImage() != before
    assert dict(shown.counts.words())["failed"] == "2 failed"

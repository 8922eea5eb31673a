"""Where room is short: panels keep their widths, and lists say how many of their columns they show."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tests.models.stories import TRACES, call, put, trace, turn
from tests.views.doing import trigger, whole_details
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.evaluation.judge_calls_model import CASE, COLUMNS, JudgeCallsModel
from trace_inspector.views.appearance.appearance import ROOM_PX, Theme
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.widgets.controls import Button
from trace_inspector.views.widgets.fitted_columns import FittedColumns
from trace_inspector.views.widgets.tree_view import ROW_PX, TreeView

pytestmark = pytest.mark.shared_window

STORY = trace("one", turn(0, "where?", call("search", q="parking"), spans=9))
LEAST_PX = 140
WIDTHS_PX = [column.width_px for column in COLUMNS]


def widths(window: MainWindow) -> dict[str, int]:
    QTest.qWait(1)
    shown = {name: dock.width() for name, dock in window.desk.docks.items() if dock.isVisible()}
    return {name: shown[name] for name in ("workspace", "details") if name in shown}


def test_a_panel_that_comes_takes_its_room_from_the_centre(window: MainWindow) -> None:
    window.resize(1100, 700)
    put(window.desk.workspace, TRACES, STORY)
    assert widths(window) == {"details": 340}
    trigger(window, "show-workspace")
    assert widths(window) == {"workspace": 256, "details": 340}
    assert window.width() == 1100
    assert window.views.tabs.tabIcon(0).isNull()  # names before drawings
    trigger(window, "show-workspace")
    assert widths(window) == {"details": 340}


def listed(theme: Theme, width_px: int, stretch: int = 0) -> tuple[QWidget, TreeView]:
    """A list with its foot, in a window of that width."""
    holder, view = QWidget(), TreeView(theme, "Calls")
    view.setModel(JudgeCallsModel(view))
    columns = FittedColumns(theme, view, stretch=stretch, least_px=LEAST_PX)
    box, foot = QVBoxLayout(holder), QHBoxLayout()
    box.addWidget(view)
    box.addLayout(foot)
    columns.add_to(foot)
    holder.resize(width_px, 300)
    holder.show()
    columns.lay_out(WIDTHS_PX, (CASE,))
    QTest.qWait(1)
    return holder, view


def titles(view: TreeView) -> list[str]:
    return [column.title for at, column in enumerate(COLUMNS) if not view.isColumnHidden(at)]


def told(holder: QWidget) -> list[str]:
    return [label.text() for label in holder.findChildren(QLabel) if label.isVisible()]


def test_the_last_columns_give_way_and_are_counted(theme: Theme) -> None:
    holder, view = listed(theme, 700)
    assert titles(view) == ["Criterion", "Turn", "Vote", "Result", "Time", "Tokens in / out", "Source"]
    assert told(holder) == ["7 of 10 columns"]
    assert not view.horizontalScrollBar().isVisible()
    holder.resize(1400, 300)
    QTest.qWait(1)
    assert len(titles(view)) == 10
    assert told(holder) == []


def test_the_column_that_takes_what_is_left_gives_way_first(theme: Theme) -> None:
    all_px = sum(WIDTHS_PX) - WIDTHS_PX[CASE]
    holder, view = listed(theme, all_px - (WIDTHS_PX[0] - LEAST_PX) + 50)
    assert len(titles(view)) == 10
    assert LEAST_PX <= view.columnWidth(0) < WIDTHS_PX[0]
    assert told(holder) == []
    assert not view.horizontalScrollBar().isVisible()


def test_without_it_the_first_column_takes_what_is_left(theme: Theme) -> None:
    holder, view = listed(theme, 400, stretch=4)
    assert titles(view) == ["Criterion", "Turn", "Vote"]
    assert sum(view.columnWidth(at) for at in (0, 2, 3)) == view.viewport().width()
    holder.resize(1400, 300)
    QTest.qWait(1)
    assert len(titles(view)) == 10
    assert view.columnWidth(0) == WIDTHS_PX[0]
    assert sum(view.columnWidth(at) for at in range(11)) == view.viewport().width()


def test_columns_of_a_plain_list_give_way_together(theme: Theme, qtbot: QtBot) -> None:
    view = TreeView(theme, "Calls")
    qtbot.addWidget(view)
    view.setModel(JudgeCallsModel(view))
    view.set_widths(WIDTHS_PX, stretch=CASE)
    view.resize(500, 300)
    view.show()
    QTest.qWait(1)
    assert not view.horizontalScrollBar().isVisible()
    assert view.columnWidth(0) < WIDTHS_PX[0]
    view.resize(1600, 300)
    QTest.qWait(1)
    assert view.columnWidth(0) == WIDTHS_PX[0]
    assert view.columnWidth(CASE) > LEAST_PX


def test_a_plain_list_leaves_a_column_out_where_it_is_narrow_and_another_takes_the_rest(
    theme: Theme, qtbot: QtBot
) -> None:
    view = TreeView(theme, "Calls")
    qtbot.addWidget(view)
    view.setModel(JudgeCallsModel(view))
    view.set_widths(WIDTHS_PX, stretch=CASE)
    view.leave_out(CASE, 900, stretch=0)
    view.show()
    for width_px, is_left_out in ((500, True), (1600, False), (600, True)):
        view.resize(width_px, 300)
        QTest.qWait(1)
        assert view.isColumnHidden(CASE) is is_left_out
        assert not view.horizontalScrollBar().isVisible()
        assert not is_left_out or view.columnWidth(0) >= WIDTHS_PX[0] * 0.4
    assert sum(view.columnWidth(at) for at in range(11) if at != CASE) == view.viewport().width()


def test_all_columns_can_be_had_where_there_is_no_room(theme: Theme) -> None:
    holder, view = listed(theme, 500)
    button = holder.findChild(Button)
    assert button is not None
    button.click()
    QTest.qWait(1)
    assert len(titles(view)) == 10
    assert view.horizontalScrollBar().isVisible()
    assert told(holder) == []


def test_large_letters_have_higher_rows(window: MainWindow) -> None:
    put(window.desk.workspace, TRACES, STORY)
    tree = window.desk.page.tree
    first = tree.model().index(0, 0)
    assert tree.visualRect(first).height() == ROW_PX
    window.desk.theme.scale(150)
    QTest.qWait(1)
    assert tree.visualRect(first).height() >= QFontMetrics(window.desk.theme.fonts.strong).height() + ROOM_PX
    assert tree.header().height() == tree.visualRect(first).height()


def test_details_keep_their_width_when_they_grow(window: MainWindow) -> None:
    file = put(window.desk.workspace, TRACES, STORY)
    details = whole_details(window)
    window.desk.workspace.selection.select(Selection(file.number))
    width = details.content.viewport().width()
    window.desk.workspace.selection.select(Selection(file.number, file.table.turns(file.table.tops[0])[0]))
    window.resize(window.width(), 400)
    whole_details(window)
    assert details.content.verticalScrollBar().maximum() > 0
    assert details.content.viewport().width() == width

"""The timeline as a person uses it: keys, mouse, what is painted, what is said where there is nothing to draw."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.models.stories import call, trace, turn
from tests.views.timeline.watching import find_lane, lane_y, show, wheel
from trace_inspector.core.rows.rows import Kind
from trace_inspector.models.base.selection import Selection
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.timeline.page import TimelinePage

pytestmark = pytest.mark.shared_window


def test_ctrl_3_brings_it_and_arrows_select_rows_everywhere(
    window: MainWindow, page: TimelinePage, qtbot: QtBot
) -> None:
    file = show(window, page, qtbot)
    QTest.keyClick(window, Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(window, Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier)
    assert page.area.hasFocus()
    for _ in range(10):
        QTest.keyClick(page.area, Qt.Key.Key_Down)
        selection = window.desk.workspace.selection.value
        assert selection is not None
        assert selection.row == page.timeline.row
        if file.table.kind(selection.row) is Kind.CALL and page.timeline.lane == find_lane(page, "search"):
            break
    else:
        raise AssertionError("the call was never reached")
    assert "search, tool call" in page.area.accessibleDescription()
    QTest.keyClick(page.area, Qt.Key.Key_Return)
    assert window.desk.page.tree.hasFocus()
    assert file.table.label(window.desk.page.tree.currentIndex().internalId()).startswith("search")


def test_keys_zoom_pan_and_fit(window: MainWindow, page: TimelinePage, qtbot: QtBot) -> None:
    file = show(window, page, qtbot)
    window.desk.workspace.selection.select(Selection(file.number, file.table.turns(0)[1]))
    QTest.keyClick(page.area, Qt.Key.Key_F)
    fitted = page.timeline.scale
    QTest.keyClick(page.area, Qt.Key.Key_Plus)
    near = page.timeline.scale
    assert near.px_per_s == pytest.approx(1.25 * fitted.px_per_s)
    QTest.keyClick(page.area, Qt.Key.Key_Right)
    assert page.timeline.scale.left_px > near.left_px
    QTest.keyClick(page.area, Qt.Key.Key_Left)
    assert page.timeline.scale.left_px == pytest.approx(near.left_px)
    QTest.keyClick(page.area, Qt.Key.Key_Minus)
    assert page.timeline.scale.px_per_s == pytest.approx(fitted.px_per_s)
    QTest.keyClick(page.area, Qt.Key.Key_0)
    assert page.timeline.scale.total_px == pytest.approx(page.timeline.scale.width_px)
    QTest.keyClick(page.area, Qt.Key.Key_F)
    assert page.timeline.scale.x(1030.0) == pytest.approx(24)
    page.timeline.toggle(file.table.turns(0)[0])
    page.timeline.select_lane(find_lane(page, "web"))
    QTest.keyClick(page.area, Qt.Key.Key_Z)
    assert page.timeline.scale.x(1031.0) == pytest.approx(24)
    assert page.timeline.scale.x(1032.0) == pytest.approx(page.timeline.scale.width_px - 24)


def test_space_folds_and_home_and_end_go_far(window: MainWindow, page: TimelinePage, qtbot: QtBot) -> None:
    show(window, page, qtbot)
    QTest.keyClick(page.area, Qt.Key.Key_Space)
    assert len(page.timeline.lanes) == 3
    QTest.keyClick(page.area, Qt.Key.Key_End)
    assert page.timeline.lane == len(page.timeline.lanes) - 1
    QTest.keyClick(page.area, Qt.Key.Key_Home)
    assert page.timeline.lane == 0
    QTest.keyClick(page.area, Qt.Key.Key_PageDown)
    assert page.timeline.lane > 0


def test_the_minimap_takes_the_same_keys(window: MainWindow, page: TimelinePage, qtbot: QtBot) -> None:
    show(window, page, qtbot)
    before = page.timeline.scale.px_per_s
    page.area.minimap.setFocus()
    QTest.keyClick(page.area.minimap, Qt.Key.Key_Plus)
    assert page.timeline.scale.px_per_s > before


def test_the_wheel_with_ctrl_zooms_where_the_mouse_is_and_with_shift_pans(
    window: MainWindow, page: TimelinePage, qtbot: QtBot
) -> None:
    show(window, page, qtbot)
    before, x = page.timeline.scale, 500 - page.area.labels_px
    moment_s = before.time_s(x)
    wheel(page, 120, Qt.KeyboardModifier.ControlModifier)
    assert page.timeline.scale.px_per_s > before.px_per_s
    assert page.timeline.scale.x(moment_s) == pytest.approx(x)
    left_px = page.timeline.scale.left_px
    wheel(page, -120, Qt.KeyboardModifier.ShiftModifier)
    assert page.timeline.scale.left_px == pytest.approx(left_px + 120)


def test_the_wheel_alone_scrolls_lanes(window: MainWindow, page: TimelinePage, qtbot: QtBot) -> None:
    show(window, page, qtbot, trace("t", turn(0, "?", *(call("search", q=at) for at in range(60)))))
    scale = page.timeline.scale
    wheel(page, -120, Qt.KeyboardModifier.NoModifier)
    assert page.area.verticalScrollBar().value() > 0
    assert page.timeline.scale == scale


def test_dragging_pans_and_a_click_selects(window: MainWindow, page: TimelinePage, qtbot: QtBot) -> None:
    show(window, page, qtbot)
    page.timeline.look_at(page.timeline.scale.zoomed(4, 100))
    view, number = page.area.viewport(), find_lane(page, "web")
    left_px, lane = page.timeline.scale.left_px, page.timeline.lane
    start = QPoint(page.area.labels_px + 200, lane_y(page, number))
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(view, start - QPoint(40, 0))
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=start - QPoint(40, 0))
    assert page.timeline.scale.left_px == pytest.approx(left_px + 40)
    assert page.timeline.lane == lane
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=start)
    assert page.timeline.lane == number


def test_the_arrow_folds_its_turn(window: MainWindow, page: TimelinePage, qtbot: QtBot) -> None:
    show(window, page, qtbot)
    before = len(page.timeline.lanes)
    QTest.mouseClick(page.area.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(16, lane_y(page, 0)))
    assert len(page.timeline.lanes) < before


def test_a_double_click_shows_a_piece_large(window: MainWindow, page: TimelinePage, qtbot: QtBot) -> None:
    show(window, page, qtbot)
    at = QPoint(page.area.labels_px + 100, lane_y(page, find_lane(page, "web")))
    QTest.mouseClick(page.area.viewport(), Qt.MouseButton.LeftButton, pos=at)
    QTest.mouseDClick(page.area.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert page.timeline.scale.x(1001.0) == pytest.approx(24)


def test_the_frame_of_the_minimap_moves_and_its_handles_zoom(
    window: MainWindow, page: TimelinePage, qtbot: QtBot
) -> None:
    show(window, page, qtbot)
    minimap, left = page.area.minimap, page.area.minimap.labels_px
    begin, end = minimap.frame()
    near = page.timeline.scale.px_per_s
    QTest.mousePress(minimap, Qt.MouseButton.LeftButton, pos=QPoint(round(left + end), 20))
    QTest.mouseMove(minimap, QPoint(round(left + (begin + end) / 2), 20))
    QTest.mouseRelease(minimap, Qt.MouseButton.LeftButton)
    assert page.timeline.scale.px_per_s > near
    QTest.mouseClick(minimap, Qt.MouseButton.LeftButton, pos=QPoint(minimap.width() - 40, 20))
    moved = minimap.frame()
    assert moved[0] > end
    assert moved[1] - moved[0] < end - begin

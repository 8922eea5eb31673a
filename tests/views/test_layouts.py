"""Space follows the task: each has a layout of its own, which recovers from a small window and is kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTabBar, QToolButton
from pytestqt.qtbot import QtBot

from tests.models.stories import TRACES, call, put, trace, turn
from tests.views.doing import trigger, wait_for
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.details.panel import CONTENT, GOLDEN, VERDICTS, DetailsPanel
from trace_inspector.views.layout.layouts import BOTTOM, LEFT, RIGHT, Chosen, divide
from trace_inspector.views.shell.dock_tabs import FOLD
from trace_inspector.views.shell.main_window import LAYOUTS_KEY, OLD_LAYOUT_KEY, MainWindow
from trace_inspector.views.widgets.panel import Task
from trace_inspector.work.processes.jobs import Jobs

STORY = trace("one", turn(0, "where?", call("search", q="parking"), spans=9))


def seen(window: MainWindow) -> dict[str, int]:
    """The panels that are in sight: the width of those at the sides, the height of the one at the bottom."""
    QTest.qWait(1)
    docks = window.desk.docks
    return {
        name: dock.width() if name in ("workspace", "details") else dock.height()
        for name, dock in docks.items()
        if dock.isVisible() and not dock.widget().visibleRegion().isEmpty()
    }


def details(window: MainWindow) -> DetailsPanel:
    panel = window.desk.docks["details"].widget()
    assert isinstance(panel, DetailsPanel)
    return panel


def shown(window: MainWindow, width_px: int = 1600, height_px: int = 1000) -> MainWindow:
    window.resize(width_px, height_px)
    put(window.desk.workspace, TRACES, STORY)
    return window


def started_again(window: MainWindow, theme: Theme, qtbot: QtBot, settings: Path) -> MainWindow:
    """A window that starts with what the one before kept, now closed."""
    window.close()
    jobs = Jobs()
    again = MainWindow(theme, Workspace(jobs), jobs, QSettings(str(settings), QSettings.Format.IniFormat))
    qtbot.addWidget(again)
    again.show()
    again.resize(1600, 1000)
    put(again.desk.workspace, TRACES, STORY)
    return again


def drag(window: MainWindow, begin: QPoint, by: QPoint) -> None:
    """An edge between a panel and the centre, as with a mouse."""
    QTest.mouseMove(window, begin)
    QTest.mousePress(window, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, begin)
    QTest.mouseMove(window, begin + by / 2)
    QTest.mouseMove(window, begin + by)
    QTest.qWait(20)
    QTest.mouseRelease(window, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, begin + by)
    QTest.qWait(1)


def widen_details(window: MainWindow, by_px: int) -> None:
    dock = window.desk.docks["details"]
    drag(window, QPoint(dock.x() - 1, dock.y() + 200), QPoint(-by_px, 0))


TABS_PX = 32  # of the panels at the bottom
USUAL_PX = divide(Task.READING, 1600, 1000, Chosen()).sizes_px
READING = {
    "workspace": USUAL_PX[LEFT],
    "details": USUAL_PX[RIGHT],
    "problems": USUAL_PX[BOTTOM] - TABS_PX,
}


def test_panels_that_were_squeezed_have_their_sizes_again(
    own_window: MainWindow, theme: Theme, qtbot: QtBot, tmp_path: Path
) -> None:
    window = shown(own_window)
    assert seen(window) == READING
    window.resize(1100, 700)
    trigger(window, "view-compare")
    QTest.qWait(1)
    trigger(window, "view-tree")
    assert seen(window)["details"] == 340
    window.resize(1600, 1000)
    assert seen(window) == READING
    window.resize(1100, 700)
    again = started_again(window, theme, qtbot, tmp_path / "window.ini")
    assert seen(again) == READING


def test_compare_and_two_runs_have_the_whole_width(window: MainWindow) -> None:
    shown(window)
    for view in ("compare", "two-runs"):
        trigger(window, f"view-{view}")
        assert seen(window) == {}
        assert window.views.width() == window.width()
        bar = next(bar for bar in window.findChildren(QTabBar) if bar.parent() is window and bar.isVisible())
        assert window.views.height() > window.height() - 200
        assert bar.tabText(0).startswith("Problems")  # the strip that is left of the panels
    trigger(window, "view-tree")
    assert seen(window) == READING


@pytest.mark.parametrize("tab", [GOLDEN, VERDICTS])
def test_details_grow_while_editing_or_judging(window: MainWindow, tab: int) -> None:
    shown(window)
    details(window).tabs.setCurrentIndex(tab)
    assert seen(window) == {"details": 760}
    details(window).tabs.setCurrentIndex(CONTENT)
    assert seen(window) == READING


@pytest.mark.parametrize("size_px", [(1024, 640), (1100, 700), (1600, 1000), (1920, 1080), (3840, 2160)], ids=str)
@pytest.mark.parametrize("percent", [100, 150])
def test_the_centre_and_details_have_room_at_every_size(
    own_window: MainWindow, size_px: tuple[int, int], percent: int
) -> None:
    window = shown(own_window, *size_px)
    window.desk.theme.scale(percent)
    for tab in (CONTENT, GOLDEN, VERDICTS):
        details(window).tabs.setCurrentIndex(tab)
        QTest.qWait(1)
        assert (window.width(), window.height()) == size_px
        assert window.views.width() >= 440
        assert window.desk.docks["details"].width() >= 340
        assert window.views.height() >= 0.45 * window.height()


def test_of_two_panels_without_room_the_one_that_was_called_last_is_shown(own_window: MainWindow) -> None:
    window = shown(own_window, 1024, 640)
    window.desk.theme.scale(150)
    assert set(seen(window)) == {"details"}
    trigger(window, "show-workspace")
    assert wait_for(lambda: set(seen(window)) == {"workspace"})
    assert wait_for(lambda: window.views.width() >= 540)
    trigger(window, "show-details")
    assert wait_for(lambda: set(seen(window)) == {"details"})
    window.resize(1920, 1080)
    window.desk.theme.scale(100)
    assert {"workspace", "details"} <= set(seen(window))


def test_an_edge_that_was_dragged_stays_in_its_layout(
    own_window: MainWindow, theme: Theme, qtbot: QtBot, tmp_path: Path
) -> None:
    window = shown(own_window)
    widen_details(window, 100)
    wide = seen(window)["details"]
    assert 520 <= wide <= 540
    details(window).tabs.setCurrentIndex(VERDICTS)
    assert seen(window)["details"] == 760
    details(window).tabs.setCurrentIndex(CONTENT)
    assert seen(window)["details"] == wide
    window.resize(900, 700)
    window.resize(1600, 1000)
    assert seen(window)["details"] == wide
    again = started_again(window, theme, qtbot, tmp_path / "window.ini")
    assert seen(again)["details"] == wide


def test_a_panel_that_was_shown_or_hidden_stays_so_in_its_layout(
    own_window: MainWindow, theme: Theme, qtbot: QtBot, tmp_path: Path
) -> None:
    window = shown(own_window)
    trigger(window, "show-workspace")
    trigger(window, "view-compare")
    trigger(window, "show-details")
    assert set(seen(window)) == {"details"}
    trigger(window, "view-tree")
    assert set(seen(window)) == {"details", "problems"}
    again = started_again(window, theme, qtbot, tmp_path / "window.ini")
    assert set(seen(again)) == {"details", "problems"}
    trigger(again, "view-compare")
    assert set(seen(again)) == {"details"}


def test_a_dock_that_was_moved_stays_there_in_its_layout(
    own_window: MainWindow, theme: Theme, qtbot: QtBot, tmp_path: Path
) -> None:
    window = shown(own_window)
    dock = window.desk.docks["details"]
    window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)
    QTest.qWait(1)
    trigger(window, "view-compare")
    trigger(window, "show-details")
    QTest.qWait(1)
    assert window.dockWidgetArea(dock) == Qt.DockWidgetArea.RightDockWidgetArea
    trigger(window, "view-tree")
    QTest.qWait(1)
    assert window.dockWidgetArea(dock) == Qt.DockWidgetArea.LeftDockWidgetArea
    again = started_again(window, theme, qtbot, tmp_path / "window.ini")
    QTest.qWait(1)
    assert again.dockWidgetArea(again.desk.docks["details"]) == Qt.DockWidgetArea.LeftDockWidgetArea


def test_reset_layout_takes_back_all_of_it(
    own_window: MainWindow, theme: Theme, qtbot: QtBot, tmp_path: Path
) -> None:
    window = shown(own_window)
    widen_details(window, 100)
    trigger(window, "show-workspace")
    trigger(window, "fold-panels")
    window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, window.desk.docks["details"])
    trigger(window, "view-compare")
    trigger(window, "show-workspace")
    trigger(window, "reset-layout")
    assert seen(window) == {}
    trigger(window, "view-tree")
    assert seen(window) == READING
    assert window.dockWidgetArea(window.desk.docks["details"]) == Qt.DockWidgetArea.RightDockWidgetArea
    assert seen(started_again(window, theme, qtbot, tmp_path / "window.ini")) == READING


def test_the_layout_of_an_older_version_is_reset_once(
    own_window: MainWindow, theme: Theme, qtbot: QtBot, tmp_path: Path
) -> None:
    window = shown(own_window)
    window.desk.docks["details"].hide()
    old = window.saveState(1)
    window.close()
    window.desk.settings.remove(LAYOUTS_KEY)
    window.desk.settings.setValue(OLD_LAYOUT_KEY, old)
    again = started_again(window, theme, qtbot, tmp_path / "window.ini")
    again.desk.settings.remove(LAYOUTS_KEY)
    assert "details" in seen(again)
    assert not again.desk.settings.contains(OLD_LAYOUT_KEY)


@pytest.mark.parametrize(
    "kept", ["", "{", "[" * 9000, '{"version":2,"front":3,"layouts":{"reading":{"sizes":{"right":-5},"places":"ü"}}}']
)
def test_a_layout_that_is_not_understood_is_as_it_comes(window: MainWindow, kept: str) -> None:
    window.docks.restore(kept)
    shown(window)
    assert set(seen(window)) == set(READING)
    assert seen(window)["details"] >= 200


def test_panels_at_the_bottom_fold_to_their_tabs_and_unfold_when_called(window: MainWindow) -> None:
    shown(window)
    high = window.views.height()
    trigger(window, "fold-panels")
    assert "problems" not in seen(window)
    assert window.views.height() > high + 150
    bar = next(bar for bar in window.findChildren(QTabBar) if bar.parent() is window and bar.isVisible())
    button = bar.findChild(QToolButton, FOLD)
    assert isinstance(button, QToolButton)
    assert button.accessibleName() == "Unfold the panels"
    button.click()
    assert seen(window) == READING
    button.click()
    assert "problems" not in seen(window)
    QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(2).center())
    assert "runs" in seen(window)
    trigger(window, "fold-panels")
    trigger(window, "show-runs")  # which is in front already
    assert "runs" in seen(window)
    trigger(window, "view-compare")
    trigger(window, "find-everywhere")
    assert "find" in seen(window)


def test_the_focus_leaves_a_panel_that_is_folded(window: MainWindow) -> None:
    shown(window)
    window.desk.docks["problems"].widget().setFocus()
    trigger(window, "fold-panels")
    assert window.focusWidget() is window.desk.page.tree


def test_full_screen_and_back(window: MainWindow) -> None:
    shown(window)
    trigger(window, "full-screen")
    assert window.isFullScreen()
    trigger(window, "full-screen")
    assert not window.isFullScreen()


def test_keys_make_the_text_larger_and_smaller(window: MainWindow) -> None:
    shown(window)
    body = window.desk.theme.fonts.body.pixelSize()
    trigger(window, "larger-text")
    trigger(window, "larger-text")
    assert window.desk.theme.fonts.body.pixelSize() > body
    assert window.desk.workspace.evaluation.preferences.font_percent == 115
    for _press in range(20):
        trigger(window, "smaller-text")
    assert window.desk.workspace.evaluation.preferences.font_percent == 85
    trigger(window, "usual-text")
    assert window.desk.theme.fonts.body.pixelSize() == body

"""Tabs and tools that find no room are in a menu beside them; none is cut, and none covers another."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QMenu, QToolButton, QWidget

from tests.models.stories import TRACES, call, put, trace, turn
from tests.views.doing import trigger, wait_for
from trace_inspector.views.layout.centre_views import VIEWS
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.shell.menu_corner import MenuCorner
from trace_inspector.views.shell.tool_bar import FittingToolBar
from trace_inspector.views.widgets.controls import Elided

pytestmark = pytest.mark.shared_window

STORY = trace("one", turn(0, "where?", call("search", q="parking"), spans=9))


def offered(button: QToolButton) -> list[str]:
    """What the menu of a button has, as it is opened."""
    menu = button.menu()
    assert isinstance(menu, QMenu)
    menu.aboutToShow.emit()
    return [action.text() for action in menu.actions()]


def tab_titles(window: MainWindow) -> list[str]:
    """The titles of the views whose tabs are wholly in sight."""
    tabs = window.views.tabs
    inside = [at for at in range(tabs.count()) if tabs.isTabVisible(at) and tabs.rect().contains(tabs.tabRect(at))]
    return [tabs.tabText(at) for at in inside]


def boxes(window: MainWindow) -> list[QRect]:
    """Where tabs and tools are, in the centre."""
    tabs = window.views.tabs
    found = [tabs.tabRect(at).translated(tabs.mapTo(window.views, QPoint())) for at in range(tabs.count())]
    tools = [tool for tool in window.views.findChildren(QAbstractButton) if tool.isVisible() and tool.height() < 40]
    controls = [tool for tool in tools if tool.mapTo(window.views, QPoint()).y() < tabs.height()]
    found += [QRect(tool.mapTo(window.views, QPoint()), tool.size()) for tool in controls]
    return [box for box in found if not box.isEmpty()]


def at_size(window: MainWindow, width_px: int, height_px: int, percent: int = 100) -> None:
    window.resize(width_px, height_px)
    put(window.desk.workspace, TRACES, STORY)
    window.desk.theme.scale(percent)
    QTest.qWait(1)


@pytest.mark.parametrize("percent", [100, 150])
@pytest.mark.parametrize("size_px", [(1024, 640), (1100, 700)], ids=str)
def test_tabs_and_tools_stand_beside_each_other(window: MainWindow, size_px: tuple[int, int], percent: int) -> None:
    at_size(window, *size_px, percent)
    for view in VIEWS:
        trigger(window, f"view-{view.id}")
        QTest.qWait(1)
        stand_apart(window)


def stand_apart(window: MainWindow) -> None:
    found = boxes(window)
    assert [box for box in found if box.right() > window.views.width()] == []
    crossing = [(one, other) for at, one in enumerate(found) for other in found[:at] if one.intersects(other)]
    assert crossing == []
    tools = window.views.controls.findChildren(QAbstractButton)
    narrow = [tool for tool in tools if tool.isVisible() and tool.width() < tool.sizeHint().width()]
    assert [tool.accessibleName() for tool in narrow] == []
    in_menu = offered(window.views.tabs.more) if window.views.tabs.more.isVisible() else []
    assert tab_titles(window) + in_menu == [view.title for view in VIEWS]


def test_the_row_is_divided_anew_when_a_label_has_other_words(window: MainWindow) -> None:
    at_size(window, 2240, 1080)
    page, tabs = window.views.show_view("tree"), window.views.tabs
    label = page.controls.findChildren(Elided)[0]
    label.setText("12,345 of 67,890 spans hidden")
    page.refit_controls()
    assert wait_for(lambda: (label.width(), tabs.width()) == (label.sizeHint().width(), tabs.all_px))
    window.views.setMaximumWidth(tabs.all_px + 240)
    assert wait_for(label.isHidden)
    assert tabs.width() == tabs.all_px
    assert not tabs.more.isVisible()


def test_a_tool_without_room_is_pressed_in_the_menu(own_window: MainWindow) -> None:
    window = own_window  # one with all panels has room for fewer tools
    at_size(window, 1024, 640, 150)
    page = window.views.show_view("tree")
    QTest.qWait(1)
    assert page.more.isVisible()
    assert "Hide plumbing" in offered(page.more)
    menu = page.more.menu()
    assert isinstance(menu, QMenu)
    entry = next(action for action in menu.actions() if action.text() == "Hide plumbing")
    assert entry.isChecked()
    entry.trigger()
    assert not window.desk.page.plumbing_hidden
    window.desk.theme.scale(100)
    window.resize(1600, 1000)
    QTest.qWait(1)
    assert not page.more.isVisible()
    assert page.controls.childAt(page.controls.rect().center()) is not None


def test_a_view_without_room_for_its_tab_is_chosen_in_the_menu(window: MainWindow) -> None:
    at_size(window, 800, 600, 150)
    tabs = window.views.tabs
    assert tabs.more.isVisible()
    last = offered(tabs.more)[-1]
    menu = tabs.more.menu()
    assert isinstance(menu, QMenu)
    menu.actions()[-1].trigger()
    QTest.qWait(1)
    assert window.views.shown == VIEWS[-1].id
    assert last in tab_titles(window)
    trigger(window, "view-tree")
    assert "Tree" in tab_titles(window)


@pytest.mark.parametrize("percent", [100, 150])
@pytest.mark.parametrize("width_px", [1024, 1100, 1600])
def test_the_tool_bar_is_never_wider_than_the_window(window: MainWindow, width_px: int, percent: int) -> None:
    at_size(window, width_px, 700, percent)
    trigger(window, "next-turn")
    QTest.qWait(1)
    bar = window.findChild(FittingToolBar)
    assert bar is not None
    tools = [tool for tool in bar.children() if isinstance(tool, QWidget) and tool.isVisible() and tool.width()]
    right = [tool.geometry().right() for tool in tools]
    assert max(right) < window.width() == width_px
    crossing = [
        (one, other)
        for at, one in enumerate(tools)
        for other in tools[:at]
        if one.geometry().intersects(other.geometry())
    ]
    assert crossing == []
    buttons = [tool for tool in bar.findChildren(QToolButton) if tool.isVisible()]
    assert [tool.accessibleName() for tool in buttons if tool.width() < tool.sizeHint().width()] == []
    actions = window.commands.actions
    in_bar = {tool.accessibleName() for tool in buttons}
    in_menu = {text.replace("&", "") for text in offered(bar.more)}
    for name in ("open-files", "save", "undo", "redo", "stop", "previous-failing", "next-failing"):
        assert {actions[name].text().replace("&", "")} & (in_bar | in_menu), name
    assert bool(in_menu) is bar.more.isVisible()


def test_tools_come_back_with_the_room(window: MainWindow) -> None:
    at_size(window, 720, 640, 150)
    bar = window.findChild(FittingToolBar)
    assert bar is not None
    assert wait_for(bar.more.isVisible)
    window.resize(1800, 1000)
    assert wait_for(bar.more.isHidden)
    assert offered(bar.more) == []


def test_the_corner_is_whole_at_every_text_size(window: MainWindow) -> None:
    at_size(window, 1024, 640)
    for percent in (100, 150, 100):
        window.desk.theme.scale(percent)
        QTest.qWait(1)
        corner = window.menuBar().cornerWidget()
        assert isinstance(corner, MenuCorner)
        parts = [part for part in corner.findChildren(QWidget) if part.isVisible()]
        assert [part for part in parts if part.width() < part.sizeHint().width()] == []
        assert corner.geometry().right() <= window.width()


def test_switches_show_and_hide_panels(window: MainWindow) -> None:
    at_size(window, 1600, 1000)
    corner = window.menuBar().cornerWidget()
    assert isinstance(corner, MenuCorner)
    switches = {switch.accessibleName(): switch for switch in corner.findChildren(QToolButton)}
    for name, panel in (("Workspace", "workspace"), ("Panels at the bottom", "problems"), ("Details", "details")):
        assert wait_for(switches[name].isChecked)
        switches[name].click()
        assert not window.docks.is_shown(panel)
        assert wait_for(partial(is_off, switches[name]))
        switches[name].click()
        assert window.docks.is_shown(panel)
        assert wait_for(switches[name].isChecked)
    trigger(window, "view-compare")
    assert wait_for(lambda: not any(switches[name].isChecked() for name in ("Workspace", "Details")))


def is_off(switch: QToolButton) -> bool:
    return not switch.isChecked()

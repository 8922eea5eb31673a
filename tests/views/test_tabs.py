"""Tabs stay where they are when another is chosen, and carry their count as a badge."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QTabBar
from pytestqt.qtbot import QtBot

from tests.models.stories import TRACES, call, put, trace, turn
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.widgets.tabs import FittingTabs, counted_title

STORY = trace("one", turn(0, "where?", call("search", q="parking")))


def bars(window: MainWindow) -> list[QTabBar]:
    put(window.desk.workspace, TRACES, STORY)
    return [bar for bar in window.findChildren(QTabBar) if bar.count() > 1]


def test_no_tab_moves_when_another_is_chosen(window: MainWindow) -> None:
    for bar in bars(window):
        places = []
        for at in range(bar.count()):
            bar.setCurrentIndex(at)
            QApplication.processEvents()  # the row of tabs and tools is divided anew
            places.append([bar.tabRect(each) for each in range(bar.count())])
        assert all(one == places[0] for one in places)


def test_a_count_is_painted_by_itself(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    bar = next(bar for bar in bars(window) if bar.parent() is window)
    window.desk.docks["problems"].setWindowTitle(counted_title("Problems", 7))
    drawn: list[tuple[object, ...]] = []
    monkeypatch.setattr(TextPainter, "_write", lambda _self, *given: drawn.append(given[3:5]))
    bar.grab()
    assert ("Problems", "strong") in drawn
    assert ("7", "caption_strong") in drawn
    assert ("Runs", "body") in drawn


def test_the_keyboard_is_seen_on_the_chosen_tab(window: MainWindow) -> None:
    bar = bars(window)[0]
    before = bar.grab().toImage()
    bar.setFocus(Qt.FocusReason.TabFocusReason)
    assert bar.grab().toImage() != before


def test_tabs_that_come_back_have_a_place(theme: Theme, qtbot: QtBot) -> None:
    tabs = FittingTabs(theme, "Views")
    qtbot.addWidget(tabs)
    for name in ("Content", "Golden", "Verdicts", "Raw"):
        tabs.addTab(name)
    tabs.resize(tabs.all_px, 36)
    tabs.show()
    tabs.setCurrentIndex(3)
    tabs.resize(tabs.all_px // 2, 36)
    assert [tabs.isTabVisible(at) for at in range(4)].count(False) > 0
    tabs.resize(tabs.all_px, 36)
    assert all(tabs.tabRect(at).width() > 20 for at in range(4))

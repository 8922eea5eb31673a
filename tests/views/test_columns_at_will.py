"""Columns that gave way where there is little room come back when somebody asks for all of them."""

from __future__ import annotations

from tests.views.doing import wait_for
from tests.views.tales import opened
from trace_inspector.views.shell.main_window import MainWindow


def test_show_all_shows_what_gave_way(window: MainWindow) -> None:
    window.resize(1024, 640)
    opened(window.desk.workspace)
    columns = window.page.columns
    assert wait_for(lambda: columns.shown < columns.total)
    menu = columns.menu()
    next(action for action in menu.actions() if action.text() == "Show &all").trigger()
    menu.deleteLater()
    assert columns.shown == columns.total

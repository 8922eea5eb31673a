"""What follows the theme is let go with its page: no closure keeps it."""

from __future__ import annotations

import gc
import weakref

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget
from shiboken6 import delete

from trace_inspector.models.compare.comparison import Compare
from trace_inspector.views.compare.controls import Controls
from trace_inspector.views.compare.hand_off_graph import HandOffGraph
from trace_inspector.views.compare.page import ComparePage
from trace_inspector.views.shell.main_window import MainWindow

pytestmark = pytest.mark.shared_window


def test_controls_and_the_graph_of_hand_offs_are_let_go(window: MainWindow) -> None:
    desk = window.desk
    assert desk.centre is not None
    page = desk.centre.show_view("compare")
    assert isinstance(page, ComparePage)
    compare: Compare = page.compare
    controls = Controls(desk, compare, page.rows)
    controls.setParent(None)
    bar = QWidget()  # where the page puts its controls
    for widget in controls.widgets:
        widget.setParent(bar)
    made: list[QObject] = [HandOffGraph(desk.theme, compare), controls]
    del controls, widget
    kept = [weakref.ref(each) for each in made]
    made.clear()
    gc.collect()
    assert [ref() for ref in kept] == [None, None]
    delete(bar)

from __future__ import annotations

import shlex

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from tests.models.stories import call, put, trace, turn
from tests.views.doing import trigger, wait_for
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.selection import Selection
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.work.reading.loading import split_place


def opened(window: MainWindow) -> OpenFile:
    turns = (turn(0, "First?", call("a")), turn(1, "Second?", call("b")))
    return put(window.desk.workspace, "/made/it's a run.json", trace("t", *turns))


def test_back_and_forward_by_key(window: MainWindow) -> None:
    file = opened(window)
    first, second = (Selection(file.number, row) for row in file.table.turns(0))
    for place in (first, second):
        window.desk.workspace.selection.select(place)
    trigger(window, "back")
    assert window.desk.workspace.selection.value == first
    assert window.desk.page.tree.hasFocus()
    assert wait_for(window.commands.actions["forward"].isEnabled)
    QTest.keyClick(window.desk.page.tree, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert window.desk.workspace.selection.value == second


def test_a_link_leads_back_to_the_place_it_was_copied_at(window: MainWindow) -> None:
    file = opened(window)
    window.desk.workspace.selection.select(Selection(file.number, file.table.turns(0)[1]))
    trigger(window, "copy-link")
    program, link = shlex.split(QGuiApplication.clipboard().text())
    assert program == "trace-inspector"
    assert split_place(link) == (file.path, "/t")

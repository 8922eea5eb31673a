from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.models.stories import TRACES, batches, call, put, trace, turn
from tests.views.doing import wait_for
from tests.views.tales import OBSERVED, opened
from trace_inspector.models.base.row_table import TOP
from trace_inspector.views.filtering.field import FilterField
from trace_inspector.views.filtering.foot import FilterFoot
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.widgets.empty_state import EmptyState
from trace_inspector.work.reading import file_messages

pytestmark = pytest.mark.shared_window


def field(window: MainWindow) -> FilterField:
    found = window.desk.filter
    assert isinstance(found, FilterField)
    return found


def begin(window: MainWindow) -> FilterField:
    """Press Ctrl+L."""
    window.activateWindow()
    assert wait_for(lambda: window.isActiveWindow() and window.commands.actions["filter"].isEnabled())
    QTest.keyClick(window, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    made = field(window)
    assert made.hasFocus()
    return made


def settled(window: MainWindow) -> bool:
    filtering, made = window.desk.workspace.filtering, field(window)
    told = [filtering.showing(file.number) for file in window.desk.workspace.files]
    return filtering.text == made.text() and not any(one and one.searching for one in told)


def rows(window: MainWindow, parent: QModelIndex | None = None) -> list[str]:
    """What the tree shows, unfolded or not."""
    model, above = window.desk.page.tree.model(), parent or QModelIndex()
    found = []
    for at in range(model.rowCount(above)):
        index = model.index(at, 0, above)
        found += [str(index.data()), *rows(window, index)]
    return found


def foot(window: MainWindow) -> FilterFoot:
    return window.findChildren(FilterFoot)[0]


def test_typing_filters_down_goes_into_the_tree_and_escape_gives_all_back(window: MainWindow) -> None:
    file = opened(window.desk.workspace)
    before = rows(window)
    typed = begin(window)
    QTest.keyClicks(typed, "tool:web")
    assert wait_for(lambda: settled(window))
    assert [line for line in rows(window) if "(" in line] == ['web(q="y")']
    model, tree = window.desk.page.tree.model(), window.desk.page.tree
    assert tree.isExpanded(model.index(0, 0))
    assert foot(window).words.text().startswith("Showing 1 of 4 cases. 3 hidden by the filter “tool:web”.")
    QTest.keyClick(typed, Qt.Key.Key_Down)
    assert tree.hasFocus()
    assert window.desk.workspace.filtering.remembered == ["tool:web"]
    begin(window)
    QTest.keyClick(typed, Qt.Key.Key_Escape)
    assert rows(window) == before
    assert not foot(window).isVisible()
    QTest.keyClick(typed, Qt.Key.Key_Escape)
    assert wait_for(lambda: not typed.hasFocus())
    assert file.table.visible.filtered is False


def test_what_cannot_be_read_is_said_under_the_field(window: MainWindow) -> None:
    opened(window.desk.workspace)
    typed = begin(window)
    QTest.keyClicks(typed, "verdit:failed")
    assert wait_for(lambda: typed.popup.error.text() != "")
    assert "Did you mean “verdict”?" in typed.popup.error.text()
    assert typed.popup.isVisible()
    error = typed.popup.error
    assert error.height() >= error.heightForWidth(error.width()), "the sentence is not cut"
    assert typed.popup.rect().contains(error.geometry())
    QTest.keyClick(typed, Qt.Key.Key_Return)
    assert typed.hasFocus()
    before = typed.grab().toImage()
    typed.setText("verdict:failed")
    typed.textEdited.emit(typed.text())
    assert wait_for(lambda: settled(window) and not typed.popup.error.text())
    assert typed.grab().toImage() != before


def test_completions_are_taken_by_tab_and_by_enter(window: MainWindow) -> None:
    opened(window.desk.workspace)
    typed = begin(window)
    assert len(typed.popup.model.offered) > 8
    QTest.keyClicks(typed, "ver")
    QTest.keyClick(typed, Qt.Key.Key_Tab)
    assert (typed.text(), typed.hasFocus()) == ("verdict:", True)
    QTest.keyClick(typed, Qt.Key.Key_Down)
    QTest.keyClick(typed, Qt.Key.Key_Down)
    QTest.keyClick(typed, Qt.Key.Key_Up)
    QTest.keyClick(typed, Qt.Key.Key_Return)
    assert (typed.text(), typed.hasFocus()) == ("verdict:failed", True)
    assert wait_for(lambda: settled(window))


def test_names_that_occur_are_offered(window: MainWindow) -> None:
    put(window.desk.workspace, TRACES, *OBSERVED)
    typed = begin(window)
    offered = {}
    for text in ("tool:", "case:ea", "agent:", 'case:"stops e'):
        typed.clear()
        QTest.keyClicks(typed, text)
        offered[text] = [one.text for one in typed.popup.model.offered]
    assert offered == {
        "tool:": ["search", "web"],
        "case:ea": ['"stops early"'],
        "agent:": ["helper_agent"],
        'case:"stops e': [],
    }
    assert wait_for(lambda: settled(window))


def test_nothing_found_says_what_to_do(window: MainWindow) -> None:
    opened(window.desk.workspace)
    typed = begin(window)
    QTest.keyClicks(typed, "xyzzy")
    assert wait_for(lambda: settled(window))
    notice = next(one for one in window.page.findChildren(EmptyState) if one.isVisible())
    assert notice.accessibleName().startswith("Nothing here matches the filter “xyzzy”. Change it (Ctrl+L)")
    assert "4 hidden" in foot(window).words.text()
    QTest.mouseClick(foot(window).button, Qt.MouseButton.LeftButton)
    assert window.desk.page.tree.isVisible()
    assert typed.text() == ""


def test_the_history_is_walked_through_by_arrows(window: MainWindow) -> None:
    opened(window.desk.workspace)
    typed = begin(window)
    for text in ("first", "second"):
        typed.clear()
        QTest.keyClicks(typed, text)
        QTest.keyClick(typed, Qt.Key.Key_Return)
        begin(window)
    typed.clear()
    QTest.keyClicks(typed, "third")
    seen = []
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Down):
        QTest.keyClick(typed, key)
        seen.append(typed.text())
    assert seen == ["second", "first", "first", "second", "third"]
    assert typed.hasFocus()
    assert wait_for(lambda: settled(window))


def test_what_was_unfolded_is_so_again(window: MainWindow) -> None:
    opened(window.desk.workspace)
    window.desk.page.expand_all()
    tree, model = window.desk.page.tree, window.desk.page.tree.model()
    typed = begin(window)
    QTest.keyClicks(typed, "case:alone")
    assert wait_for(lambda: settled(window))
    QTest.keyClick(typed, Qt.Key.Key_Escape)
    QTest.keyClick(typed, Qt.Key.Key_Escape)
    first = model.index(0, 0)
    assert first.data() == "passes"
    assert tree.isExpanded(first)
    assert tree.isExpanded(model.index(0, 0, first))


def test_a_file_that_is_being_read_shows_only_what_matches(window: MainWindow) -> None:
    workspace = window.desk.workspace
    opened(workspace)
    typed = begin(window)
    QTest.keyClicks(typed, "needle")
    file = workspace.files.add(Path("/made/more.json"), "")
    assert file is not None
    told = [trace(f"case {at}", turn(at, "needle?" if at == 7 else "hay?", call("walk"))) for at in range(12)]
    for batch in batches(*told, size=9):
        workspace.files.take(file_messages.RowsRead(file.number, batch))
        QApplication.processEvents()
    workspace.files.take(file_messages.FileRead(file.number))
    assert wait_for(lambda: settled(window))
    assert [file.table.label(row) for row in file.table.visible_children(TOP)] == ["case 7"]


def test_clearing_is_possible_only_with_a_filter(window: MainWindow, qtbot: QtBot) -> None:
    opened(window.desk.workspace)
    clear: QAction = window.commands.actions["clear-filter"]
    qtbot.waitUntil(lambda: not clear.isEnabled())
    QTest.keyClicks(begin(window), "web")
    qtbot.waitUntil(clear.isEnabled)
    clear.trigger()
    assert field(window).text() == ""

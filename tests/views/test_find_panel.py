from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from tests.views.doing import wait_for
from tests.views.tales import opened
from trace_inspector.core.rows import Kind
from trace_inspector.views.details.panel import VERDICTS, DetailsPanel
from trace_inspector.views.find.panel import FindPanel
from trace_inspector.views.main_window import MainWindow
from trace_inspector.views.notice import Notice

CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


def panel(window: MainWindow) -> FindPanel:
    found = window.desk.docks["find"].widget()
    assert isinstance(found, FindPanel)
    return found


def ready(window: MainWindow) -> None:
    window.activateWindow()
    assert wait_for(lambda: window.isActiveWindow() and window.commands.actions["find"].isEnabled())


def begin(window: MainWindow, text: str, modifiers: Qt.KeyboardModifier = CTRL) -> FindPanel:
    """Press Ctrl+F, type, and wait for the end."""
    ready(window)
    QTest.keyClick(window, Qt.Key.Key_F, modifiers)
    made = panel(window)
    assert made.field.hasFocus()
    made.field.selectAll()
    QTest.keyClicks(made.field, text)
    QTest.keyClick(made.field, Qt.Key.Key_Return)
    assert wait_for(lambda: not made.finding.running)
    return made


def said(widget: QWidget) -> str:
    return next(one.accessibleName() for one in widget.findChildren(Notice) if one.isVisible())


def test_found_places_are_gone_through_by_f3(window: MainWindow) -> None:
    file = opened(window.desk.workspace)
    made = begin(window, "search(")
    assert made.model.rowCount() == 2
    seen = []
    for modifiers in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.NoModifier, SHIFT):
        QTest.keyClick(window, Qt.Key.Key_F3, modifiers)
        selection = window.desk.workspace.selection
        assert selection is not None
        assert file.table.kind(selection.row) is Kind.CALL
        seen.append(made.view.currentIndex().row())
    assert seen == [0, 1, 0]
    QTest.keyClick(made.field, Qt.Key.Key_Return)
    assert made.view.hasFocus()
    QTest.keyClick(made.view, Qt.Key.Key_Return)
    assert window.desk.page.tree.hasFocus()


def test_a_verdict_is_shown_among_verdicts(window: MainWindow) -> None:
    opened(window.desk.workspace)
    made = begin(window, "not called", CTRL | SHIFT)
    assert made.everywhere.isChecked()
    assert made.model.rowCount() > 0
    QTest.keyClick(window, Qt.Key.Key_F3)
    details = window.desk.docks["details"].widget()
    assert isinstance(details, DetailsPanel)
    assert details.tabs.currentIndex() == VERDICTS


def test_what_the_filter_hides_is_shown_when_somebody_goes_there(window: MainWindow) -> None:
    file = opened(window.desk.workspace)
    field = window.desk.filter
    assert field is not None
    window.desk.workspace.filtering.set_text("case:alone")
    assert wait_for(lambda: file.table.visible.filtered)
    made = begin(window, "search(")
    made.step(1)
    assert not file.table.visible.filtered
    tree = window.desk.page.tree
    assert tree.currentIndex().data() == 'search(q="x")'


def test_nothing_found_and_wrong_expressions_are_said(window: MainWindow) -> None:
    opened(window.desk.workspace)
    made = begin(window, "xyzzy")
    assert said(made) == "Nothing was found. Try fewer letters, or look in all files."
    made.pattern.setChecked(True)
    begin(window, "(")
    assert "no regular expression" in said(made)

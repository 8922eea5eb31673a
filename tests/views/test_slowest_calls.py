"""Finding what took long: a mark in the tree's time column, and a list of the slowest calls."""

from __future__ import annotations

from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.models.stories import TRACES, call, put, rows_of, trace, turn
from tests.views.doing import trigger
from trace_inspector.core.rows.rows import Kind
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.roles import Role
from trace_inspector.models.tree.columns import TreeColumn
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.widgets.palette import EntryModel


def filled(window: MainWindow) -> OpenFile:
    """Twenty calls, each a tenth of a second slower than the one before."""
    one = turn(0, "one?", *(call("search", q=at) for at in range(20)))
    events = [
        replace(event, duration_s=0.1 * (at // 2 + 1)) if at % 2 else event for at, event in enumerate(one.events)
    ]
    return put(window.desk.workspace, TRACES, trace("slow", replace(one, events=tuple(events))))


def test_the_slowest_calls_are_marked_in_their_time_column(window: MainWindow) -> None:
    file = filled(window)
    model = window.page.tree.model()
    column = model.column(TreeColumn.LATENCY)  # type: ignore[attr-defined]
    calls = rows_of(file.table, Kind.CALL)
    heat = [window.page.index_of(row).siblingAtColumn(column).data(Role.HEAT) for row in calls]
    assert heat == [0] * 17 + [1, 1, 2]
    slow = window.page.index_of(calls[-1]).siblingAtColumn(column)
    assert "slowest 1 %" in slow.data(Qt.ItemDataRole.ToolTipRole)
    assert window.page.index_of(calls[0]).siblingAtColumn(column).data(Qt.ItemDataRole.ToolTipRole) is None


def test_a_list_leads_to_the_slowest_call(window: MainWindow) -> None:
    file = filled(window)
    trigger(window, "slowest")
    palette = window.desk.palette
    model = palette.list.model()
    assert isinstance(model, EntryModel)
    assert [entry.end for entry in model.shown][:3] == ["2.0 s", "1.9 s", "1.8 s"]
    assert model.shown[0].caption == "slow › Turn 1"
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    selection = window.desk.workspace.selection.value
    assert selection is not None
    assert selection.row == rows_of(file.table, Kind.CALL)[-1]


def test_typing_finds_a_row_by_a_word_in_any_column(window: MainWindow) -> None:
    file = put(
        window.desk.workspace, TRACES, *(trace(name, turn(0, f"What of {name}?")) for name in ("graz", "linz"))
    )
    tree = window.page.tree
    tree.setCurrentIndex(window.page.index_of(file.table.tops[0]))
    tree.setFocus()
    QTest.keyClicks(tree, "linz")
    assert tree.currentIndex() == window.page.index_of(file.table.tops[1])
    tree.keyboardSearch("")
    before = tree.currentIndex()
    QTest.keyClicks(tree, "zzzz")
    assert tree.currentIndex() == before

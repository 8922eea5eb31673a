from __future__ import annotations

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QTest

from tests.models.stories import TRACES, call, put, trace, turn
from tests.views.doing import trigger, wait_for
from trace_inspector.core.trace.parts import Text, ToolCall
from trace_inspector.core.trace.trace import Event, Turn
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.selection import Selection
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.widgets.palette import MOST_SHOWN, EntryModel

pytestmark = pytest.mark.shared_window


def filled(window: MainWindow) -> OpenFile:
    placed = Turn(0, user=(Text("Where?"),), events=(Event("a", (ToolCall("walk", {}, place="/two/call"),)),))
    file = put(
        window.desk.workspace,
        TRACES,
        trace("seattle", turn(0, "Where to park?", call("search")), turn(1, "And trains?")),
        trace("zurich", placed),
    )
    window.desk.workspace.selection.select(Selection(file.number, file.table.tops[0]))
    return file


def asked(window: MainWindow, text: str) -> list[str]:
    """What is offered when that was typed, once all was looked through."""
    trigger(window, "go-to")
    palette = window.desk.palette
    QTest.keyClicks(palette.field, text)
    assert wait_for(lambda: not palette.searching)
    model = palette.list.model()
    assert isinstance(model, EntryModel)
    return [entry.text for entry in model.shown]


@pytest.mark.parametrize(
    ("text", "first"),
    [("zur", "zurich"), ("trains", "Turn 2  “And trains?”"), (":2", "Turn 2  “And trains?”"), (":3", None)],
)
def test_places_by_letters_and_numbers(window: MainWindow, text: str, first: str | None) -> None:
    filled(window)
    assert next(iter(asked(window, text)), None) == first


@pytest.mark.parametrize(
    "text", ["/two/call", "traces.json#/two/call/args", "trace-inspector '/made/traces.json#/two/call'"]
)
def test_a_place_by_its_pointer(window: MainWindow, text: str) -> None:
    file = filled(window)
    assert len(asked(window, text)) == 1
    QTest.keyClick(window.desk.palette.field, Qt.Key.Key_Return)
    selection = window.desk.workspace.selection.value
    assert selection is not None
    assert file.table.label(selection.row) == "walk()"


def test_of_very_many_the_best_are_shown(window: MainWindow) -> None:
    filled(window)
    many = trace("many", *(turn(at, f"number {at}") for at in range(MOST_SHOWN + 50)))
    put(window.desk.workspace, "/made/many.json", many)
    shown = asked(window, "number 517")
    assert shown[0] == "Turn 518  “number 517”"
    window.desk.palette.leave()
    assert len(asked(window, "")) == MOST_SHOWN
    window.desk.palette.leave()


def test_enter_takes_what_is_found_at_once(window: MainWindow) -> None:
    file = filled(window)
    trigger(window, "go-to")
    QTest.keyClicks(window.desk.palette.field, "zurich")
    QTest.keyClick(window.desk.palette.field, Qt.Key.Key_Return)
    assert window.desk.workspace.selection.value == Selection(file.number, file.table.tops[1])


def test_places_of_one_text_are_told_apart_by_their_files(window: MainWindow) -> None:
    question = "How many people pass through Ballard at the weekend, and how many of them at night?"
    for name in (TRACES, "/made/others.json"):
        put(window.desk.workspace, name, trace("seattle", turn(0, question)))
    assert asked(window, "turn 1") == [f"Turn 1  “{question}”"] * 2
    listed = window.desk.palette.list
    model = listed.model()
    spoken = [model.index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole) for row in range(2)]
    assert [words.rpartition(" ")[2] for words in spoken] == ["traces.json", "others.json"]
    listed.setCurrentIndex(QModelIndex())
    first, second = (listed.viewport().grab(listed.visualRect(model.index(row, 0))).toImage() for row in range(2))
    assert first != second

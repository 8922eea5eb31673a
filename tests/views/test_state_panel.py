"""The State panel follows the selection: what the state was before and after, and what agents were told with it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from tests.models.stories import TRACES, put, trace, turn
from tests.views.doing import whole_details
from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.trace.parts import Text, ToolCall, ToolResult
from trace_inspector.core.trace.trace import Agent, Event, Trace, Turn
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.tree.trace_tree import TraceTreeModel
from trace_inspector.views.blocks.blocks import PassageView
from trace_inspector.views.blocks.json_view import JsonView
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.state.panel import AGENTS, NOTICE, STATE, StatePanel

pytestmark = pytest.mark.shared_window

AGENT = Agent(
    "cook", "Cook in {city} for {name?}, not {missing}. <b>{artifact.menu}</b>", "Cooks.", ({"name": "boil"},)
)
KITCHEN = Trace(
    "kitchen",
    (
        Turn(
            0,
            user=(Text("Hungry"),),
            events=(
                Event("cook", (ToolCall("look", {"in": {"the": "fridge"}}, "c"),), state_delta={"city": "Bonn"}),
                Event("cook", (ToolResult("look", {"milk": [1, 2]}, "c"),), state_delta={"temp:seen": True}),
            ),
            agents=(AGENT, Agent("boss", sub_agents=("cook",))),
        ),
        Turn(1, events=(Event("cook", (Text("Soup."),), state_delta={"city": "Köln"}),)),
    ),
    final_state={"city": "Ulm"},
)


@pytest.fixture
def panel(window: MainWindow) -> StatePanel:
    put(window.desk.workspace, "/made/other.json", trace("other"))
    window.desk.workspace.selection.select(None)
    dock = window.desk.docks["state"]
    dock.show()
    dock.raise_()
    found = dock.widget()
    assert isinstance(found, StatePanel)
    return found


def choose(window: MainWindow, qtbot: QtBot, file: OpenFile, label: str) -> None:
    row = next(row for row in range(len(file.table)) if label in file.table.label(row))
    window.desk.workspace.selection.select(Selection(file.number, row))
    panel = window.desk.docks["state"].widget()
    assert isinstance(panel, StatePanel)
    # The state is folded in steps of some milliseconds: on a machine that is busy elsewhere there are several.
    qtbot.waitUntil(lambda: not panel._step.isActive())


def cells(panel: StatePanel) -> list[list[str]]:
    model = panel.page.model
    return [[str(model.index(row, at).data()) for at in range(3)] for row in range(model.rowCount())]


def words(panel: StatePanel) -> str:
    labels = [label.text() for label in panel.findChildren(QLabel) if label.isVisible()]
    return "\n".join([*labels, *(one.toPlainText() for one in panel.findChildren(PassageView) if one.isVisible())])


def test_nothing_selected_says_what_to_do(panel: StatePanel) -> None:
    assert panel._stack.currentIndex() == NOTICE
    assert "No conversation is selected." in words(panel)


def test_the_state_follows_the_selection(window: MainWindow, qtbot: QtBot, panel: StatePanel) -> None:
    tester = QAbstractItemModelTester(panel.page.model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    file = put(window.desk.workspace, TRACES, KITCHEN)
    choose(window, qtbot, file, "look(")
    assert cells(panel) == [["city", "–", '"Bonn"']]
    assert 'Turn 1 › look(in={"the": "fridge"}): 1 added' in words(panel)
    choose(window, qtbot, file, "Soup")
    assert cells(panel) == [["city", '"Bonn"', '"Köln"']]
    choose(window, qtbot, file, "kitchen")
    assert "The state that the file gives at the end differs from this in 1 place." in words(panel)
    assert "assumed to be empty" in words(panel)
    tester.deleteLater()


def test_an_empty_state_is_said_to_be_empty(window: MainWindow, qtbot: QtBot, panel: StatePanel) -> None:
    file = put(window.desk.workspace, TRACES, trace("plain", turn(0, "one?")))
    choose(window, qtbot, file, "Turn 1")
    assert "The session state is empty here." in words(panel)


def test_the_instruction_is_filled_from_the_state(window: MainWindow, qtbot: QtBot, panel: StatePanel) -> None:
    file = put(window.desk.workspace, TRACES, KITCHEN)
    panel.tabs.setCurrentIndex(AGENTS)
    choose(window, qtbot, file, "Soup")
    qtbot.waitUntil(lambda: "Cook in Köln for , not {missing}. <b>{artifact.menu}</b>" in words(panel))
    shown = words(panel)
    assert "google-adk would stop with an error" in shown
    assert "an artifact; traces do not hold its text" in shown
    choose(window, qtbot, file, "look(")
    qtbot.waitUntil(lambda: "Cook in Bonn for" in words(panel))
    QTest.keyClick(panel.agents.list, Qt.Key.Key_Up)
    panel.agents.list.setCurrentIndex(panel.agents.model.index(0, 0))
    assert "Sub-agents" in words(panel)


def test_a_closed_file_leaves_nothing(window: MainWindow, qtbot: QtBot, panel: StatePanel) -> None:
    file = put(window.desk.workspace, TRACES, KITCHEN)
    choose(window, qtbot, file, "Soup")
    assert panel._stack.currentIndex() == STATE
    window.desk.workspace.files.close(file.number)
    qtbot.wait(1)
    assert panel._folded is None


def test_agents_have_rows_and_details(window: MainWindow) -> None:
    file = put(window.desk.workspace, TRACES, KITCHEN)
    kinds = [file.table.kind(row) for row in range(4)]
    assert kinds == [Kind.TRACE, Kind.AGENTS, Kind.AGENT, Kind.AGENT]
    window.desk.workspace.selection.select(Selection(file.number, 2))
    assert AGENT.instruction in {one.toPlainText() for one in whole_details(window).findChildren(PassageView)}


def test_find_in_a_value_with_the_keyboard(window: MainWindow, qtbot: QtBot) -> None:
    file = put(window.desk.workspace, TRACES, KITCHEN)
    choose(window, qtbot, file, "look(")
    details = window.desk.docks["details"].widget()
    shown = next(view for view in details.findChildren(JsonView) if "Arguments" in view.tree.accessibleName())
    shown.tree.setFocus()
    shown.tree.setCurrentIndex(shown.tree.model().index(0, 0))
    QTest.keyClick(shown.tree, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert window.focusWidget() is shown.bar.field
    QTest.keyClicks(shown.bar.field, "THE")
    assert shown.bar.count.text() == "1 of 1"
    assert shown.tree.currentIndex().data() == "the"
    QTest.keyClick(shown.bar.field, Qt.Key.Key_Return)
    QTest.keyClick(shown.bar.field, Qt.Key.Key_Escape)
    assert window.focusWidget() is shown.tree
    QTest.keyClick(shown.tree, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert QGuiApplication.clipboard().text() == "/in/the"
    QTest.keyClick(shown.tree, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == '"fridge"'


def test_all_of_a_value_is_unfolded_by_key(window: MainWindow, qtbot: QtBot) -> None:
    file = put(window.desk.workspace, TRACES, KITCHEN)
    choose(window, qtbot, file, "look(")
    details = window.desk.docks["details"].widget()
    tree = next(view for view in details.findChildren(JsonView) if "Result" in view.tree.accessibleName()).tree
    tree.setFocus()
    tree.collapseAll()
    QTest.keyClicks(tree, "*")
    assert tree.isExpanded(tree.model().index(0, 0))


def test_an_agent_is_told_of_as_it_was_at_the_selected_turn(
    window: MainWindow, qtbot: QtBot, panel: StatePanel
) -> None:
    turns = (Turn(at, agents=(Agent("cook", words),)) for at, words in enumerate(("Boil.", "Fry.")))
    file = put(window.desk.workspace, TRACES, Trace("changing", tuple(turns)))
    panel.tabs.setCurrentIndex(AGENTS)
    for label, shown, other in (("Turn 2", "Fry.", "Boil."), ("Turn 1", "Boil.", "Fry.")):
        choose(window, qtbot, file, label)
        assert shown in words(panel)
        assert other not in words(panel)
    choose(window, qtbot, file, "cook, from turn 2")
    told = [label.text() for label in whole_details(window).content.findChildren(QLabel)]
    assert any(text.startswith("Version 2 of 2.") for text in told)


def test_agents_stay_folded_when_everything_is_unfolded(window: MainWindow) -> None:
    file = put(window.desk.workspace, TRACES, KITCHEN)
    window.desk.page.expand_all()
    tree = window.desk.page.tree
    model = tree.model()
    assert isinstance(model, TraceTreeModel)
    top = file.table.tops[0]
    assert tree.isExpanded(model.index_of(file.table.turns(top)[0]))
    assert not tree.isExpanded(model.index_of(file.table.agents_row(top)))

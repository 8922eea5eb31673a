"""What a conversation shows of long texts, of other looks, and of what is cut short."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from tests.models.stories import call, golden, put, rows_of, trace, turn
from tests.views.conversation.reading import Show, click_on, counted, item, press, said
from tests.views.doing import wait_for
from tests.views.tales import MARKUP, every_kind, markup, opened
from trace_inspector.core.golden.golden import Case, Scenario, Suite
from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.trace.parts import Text, ToolCall, ToolResult
from trace_inspector.core.trace.trace import Event, Turn
from trace_inspector.core.values.values import Json
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.conversation.section import Key
from trace_inspector.views.appearance.appearance import Scheme
from trace_inspector.views.conversation.item_layout import ItemAction
from trace_inspector.views.conversation.view import ConversationView
from trace_inspector.views.painting.shapes import Chip, TextLine
from trace_inspector.views.shell.main_window import MainWindow

pytestmark = pytest.mark.shared_window


def test_a_long_text_shows_whole_without_being_laid_out_whole(window: MainWindow, show: Show) -> None:
    long = "word " * 1_040_000
    file = put(window.desk.workspace, "/made/long.json", trace("one", turn(0, "a", answer=long), turn(1, "b")))
    reader = show(file)
    row = rows_of(file.table, Kind.ANSWER)[0]
    window.desk.workspace.selection.select(Selection(file.number, row))
    assert "Show all 5.2 MB" in said(reader)
    click_on(reader, row, ItemAction.SHOW_ALL)
    assert item(reader, row).top_px >= 0
    assert len(reader.visible_rows()) < 10
    assert reader.verticalScrollBar().maximum() > 500_000
    press(reader, Qt.Key.Key_End)
    assert "Done." in said(reader)
    window.desk.workspace.selection.select(Selection(file.number, row))
    press(reader, Qt.Key.Key_Return)
    assert "Show all 5.2 MB" in said(reader)
    assert reader.verticalScrollBar().maximum() < 5_000


def test_a_large_result_shows_whole_step_by_step(window: MainWindow, show: Show) -> None:
    made = ToolCall("read", {}, "c")
    value: Json = [{"number": at} for at in range(8_000)]
    one = Turn(0, user=(Text("a"),), events=(Event("a", (made,)), Event("a", (ToolResult("read", value, "c"),))))
    file = put(window.desk.workspace, "/made/large.json", trace("one", one))
    reader = show(file)
    row = rows_of(file.table, Kind.RESULT)[0]
    window.desk.workspace.selection.select(Selection(file.number, row))
    press(reader, Qt.Key.Key_Right, Qt.Key.Key_Right)
    first = reader.verticalScrollBar().maximum()
    assert wait_for(lambda: reader.verticalScrollBar().maximum() > 2 * first)

    def ends() -> bool:
        press(reader, Qt.Key.Key_End)
        return any('"number": 7999' in text for text in said(reader))

    assert wait_for(ends)
    assert "Show less" in said(reader)


def test_text_is_selected_with_the_mouse_and_copied(window: MainWindow, show: Show) -> None:
    file = put(window.desk.workspace, "/made/a.json", trace("one", turn(0, "ask", answer="some plain 🚗 words")))
    reader = show(file)
    one = item(reader, rows_of(file.table, Kind.ANSWER)[0])
    prose = one.layout.prose
    assert prose is not None
    top = QPointF(prose.origin.x() + 1, prose.origin.y() + one.top_px + 8)
    clipboard = QGuiApplication.clipboard()
    press(reader, Qt.Key.Key_End)
    QTest.keyClick(reader, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert clipboard.text() == "some plain 🚗 words"
    port = reader.viewport()
    QTest.mousePress(port, Qt.MouseButton.LeftButton, pos=top.toPoint())
    QTest.mouseMove(port, (top + QPointF(prose.layout.natural_px + 20, 0)).toPoint())
    QTest.mouseRelease(port, Qt.MouseButton.LeftButton, pos=top.toPoint())
    assert reader.copied() == "some plain 🚗 words"
    QTest.mousePress(port, Qt.MouseButton.LeftButton, pos=top.toPoint())
    QTest.mouseMove(port, (top + QPointF(prose.layout.natural_px / 2, 0)).toPoint())
    QTest.mouseRelease(port, Qt.MouseButton.LeftButton, pos=top.toPoint())
    assert 4 < len(reader.copied()) < 15
    assert "some plain 🚗 words".startswith(reader.copied())
    QTest.mouseDClick(port, Qt.MouseButton.LeftButton, pos=top.toPoint())
    QTest.keyClick(reader, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert clipboard.text() == "some"
    QTest.keyClick(reader, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert reader.copied() == "some plain 🚗 words"
    press(reader, Qt.Key.Key_Home)


def test_copying_takes_the_characters_of_the_file(window: MainWindow, show: Show) -> None:
    hidden = "a\u202eb\x1b[0m"
    file = put(window.desk.workspace, "/made/a.json", trace("one", turn(0, "ask", answer=hidden)))
    reader = show(file)
    press(reader, Qt.Key.Key_End)
    assert reader.copied() == hidden
    prose = reader.visible_rows()[-1].layout.prose
    assert prose is not None
    assert prose.layout.text == hidden


def test_markup_is_text(window: MainWindow, show: Show) -> None:
    reader = show(put(window.desk.workspace, "/made/markup.json", markup()))
    assert said(reader).count(MARKUP) >= 3
    assert not reader.grab().isNull()


@pytest.mark.parametrize("width", [500, 900, 2_000])
def test_nothing_stands_beside_the_column(window: MainWindow, show: Show, width: int) -> None:
    reader = show(put(window.desk.workspace, "/made/kinds.json", every_kind()))
    reader.resize(width, 700)
    wide = reader.viewport().width()
    for one in reader.visible_rows():
        for shape in one.layout.shapes:
            box = getattr(shape, "box", None)
            if box is not None and box.width():
                assert 0 <= box.left() <= box.right() <= wide
        if one.layout.prose is not None:
            assert one.layout.prose.layout.natural_px <= 720


def test_a_thousand_calls_are_gone_through(window: MainWindow, show: Show) -> None:
    file = put(window.desk.workspace, "/made/many.json", trace("one", turn(0, "a", *[call("x")] * 1_000)))
    QTest.qWait(1)
    reader = show(file)
    QTest.qWait(1)
    press(reader, Qt.Key.Key_End)
    QTest.qWait(1)
    assert "Done." in said(reader)
    assert len(reader.visible_rows()) < 40
    window.desk.workspace.selection.select(Selection(file.number, file.table.calls(file.table.turns(0)[0])[600]))
    assert reader.current is not None
    assert 0 <= item(reader, reader.current.row).top_px < reader.viewport().height()


def test_another_look_is_painted(window: MainWindow, show: Show) -> None:
    reader = show(put(window.desk.workspace, "/made/kinds.json", every_kind()))

    def ground() -> str:
        return reader.grab().toImage().pixelColor(20, reader.viewport().height() - 20).name().upper()

    light = ground()
    assert light == window.desk.theme.tokens.base
    QApplication.processEvents()
    window.desk.theme.choose(Scheme.DARK)
    QApplication.processEvents()
    assert ground() == window.desk.theme.tokens.base != light


def test_a_scenario_is_shown(window: MainWindow, show: Show) -> None:
    case = Case("c", "suite", (), Scenario("Hi there", "Ask for coffee."), place="/c")
    reader = show(put(window.desk.workspace, "/made/s.json", Suite("suite", cases=(case,))))
    texts = said(reader)
    assert "Hi there" in texts
    assert "Ask for coffee." in texts


def test_what_is_selected_while_hidden_is_there_when_shown(window: MainWindow, view: ConversationView) -> None:
    file = put(window.desk.workspace, "/made/a.json", trace("one", turn(0, "a"), turn(1, "b")))
    centre = window.desk.centre
    assert centre is not None
    centre.show_view("tree")
    QApplication.processEvents()
    window.desk.workspace.selection.select(Selection(file.number, file.table.turns(0)[1]))
    assert view.reader.current != Key(file.table.turns(0)[1])
    centre.show_view("conversation")
    assert view.reader.current == Key(file.table.turns(0)[1])
    assert window.focusWidget() is view.reader


def test_goldens_are_read_too(window: MainWindow, show: Show) -> None:
    file = put(window.desk.workspace, "/made/g.json", golden(("a", (turn(0, "x"),)), ("b", (turn(0, "y"),))))
    reader = show(file)
    window.desk.workspace.selection.select(Selection(file.number, 0))
    assert "a" in said(reader)
    window.desk.workspace.selection.select(Selection(file.number, file.table.tops[1]))
    assert "b" in said(reader)
    assert reader.accessibleDescription().startswith("b")


def test_the_card_survives_that_its_answer_is_scrolled_away(window: MainWindow, show: Show) -> None:
    file = opened(window.desk.workspace)
    reader = show(file)
    row = rows_of(file.table, Kind.ANSWER)[0]
    window.desk.workspace.selection.select(Selection(file.number, row))
    QTest.keyClick(reader, Qt.Key.Key_Tab)
    sentences = reader.answers.view(Key(row))
    assert sentences is not None
    QApplication.processEvents()
    QTest.keyClick(sentences, Qt.Key.Key_Return)
    QApplication.processEvents()
    window.desk.workspace.selection.select(Selection(file.number, file.table.tops[-1]))
    QTest.qWait(1)
    card = reader.answers.watch.card
    assert card is not None
    assert not card.isVisible()
    card.leave()
    assert reader.answers.view(Key(row)) is None


def test_a_turn_selected_elsewhere_shows_what_follows_it(window: MainWindow, show: Show) -> None:
    workspace = window.desk.workspace
    turns = [turn(at, "ask", call("x")) for at in range(8)]
    file = put(workspace, "/made/a.json", trace("one", *turns))
    reader = show(file)
    for row in file.table.turns(0)[:4]:
        workspace.selection.select(Selection(file.number, row))
        QApplication.processEvents()
        assert 0 <= item(reader, row).top_px <= reader.viewport().height() / 3


def test_what_is_cut_short_is_told_under_the_mouse(window: MainWindow, show: Show) -> None:
    name = "a_tool_with_a_very_long_name_" * 6
    file = put(window.desk.workspace, "/made/a.json", trace("one", turn(0, "ask", call(name + MARKUP))))
    reader = show(file)
    one = item(reader, rows_of(file.table, Kind.CALL)[0])
    tips = [
        reader.tip(shape.box.center() + QPointF(0, one.top_px))
        for shape in one.layout.shapes
        if isinstance(shape, Chip | TextLine)
    ]
    assert "helper_agent" in tips
    assert any(tip.startswith(name[:150]) for tip in tips)
    assert reader.tip(QPointF(1, 1)) == ""


def test_the_menu_does_what_keys_do(window: MainWindow, show: Show) -> None:
    reader = show(put(window.desk.workspace, "/made/kinds.json", every_kind()))
    press(reader, *[Qt.Key.Key_Down] * 4)
    center = reader.rect().center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, center, reader.mapToGlobal(center))
    QApplication.sendEvent(reader, event)
    menu = reader.findChild(QMenu)
    assert menu is not None
    actions = {action.text(): action for action in menu.actions() if action.text()}
    assert list(actions)[:4] == ["Copy", "Select all of this text", "Show more", "Show in Tree\tCtrl+1"]
    assert "Show less" not in actions
    assert all(action.isEnabled() for action in actions.values())
    actions["Show more"].trigger()
    assert "Let me think about it." in said(reader)
    actions["Select all of this text"].trigger()
    actions["Copy"].trigger()
    assert QGuiApplication.clipboard().text() == "Let me think about it."
    menu.close()
    press(reader, Qt.Key.Key_Escape)
    assert reader.copied().startswith("thought, 5 words\n")


def test_a_filter_leaves_turns_out_and_says_how_many(window: MainWindow, view: ConversationView, show: Show) -> None:
    turns = [turn(at, f"ask {at}", call("search" if at == 3 else "web")) for at in range(6)]
    reader = show(put(window.desk.workspace, "/made/a.json", trace("one", *turns)))
    window.desk.workspace.filtering.set_text("tool:search")
    assert wait_for(lambda: counted(view) == "1 of 6 turns match the filter")
    assert "Turn 4" in said(reader)
    assert "Turn 1" not in said(reader)
    window.desk.workspace.filtering.set_text("")
    assert wait_for(lambda: counted(view) == "6 turns")

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from tests.models.stories import batches, call, put, rows_of, trace, turn
from tests.views.conversation.reading import Show, click_on, counted, item, press, said
from tests.views.doing import trigger, wait_for, whole_details
from tests.views.tales import every_kind, opened
from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.trace.criteria import Criteria
from trace_inspector.core.trace.trace import Agent
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.conversation.section import Key
from trace_inspector.views.blocks.blocks import PassageView
from trace_inspector.views.conversation.item_layout import ItemAction
from trace_inspector.views.conversation.view import ConversationView
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.work.reading import file_messages

pytestmark = pytest.mark.shared_window


def test_everything_of_a_turn_is_said(window: MainWindow, show: Show) -> None:
    reader = show(put(window.desk.workspace, "/made/kinds.json", every_kind()))
    reader.resize(900, 3_000)
    texts = said(reader)
    for words in (
        "every kind", "Turn 1", "times guessed", "Where can I park? 🚗", "thought, 5 words", "Some_agent", "search",
        "query", '"parking"', "orphan, error, 23 bytes", "no call belongs to it", "OtherAgent", "image/png",
        "print(1)", "hologram", "state: city", "The model stopped answering.",
    ):  # fmt: skip
        assert words in texts
    assert "Let me think about it." not in texts
    assert "http://example.invalid/x.png" not in texts


def test_thoughts_and_results_unfold_by_key_and_click(window: MainWindow, show: Show) -> None:
    file = put(window.desk.workspace, "/made/kinds.json", every_kind())
    reader = show(file)
    press(reader, *[Qt.Key.Key_Down] * 4, Qt.Key.Key_Return)
    assert "Let me think about it." in said(reader)
    press(reader, Qt.Key.Key_Return)
    assert "Let me think about it." not in said(reader)
    media = rows_of(file.table, Kind.MEDIA)[0]
    click_on(reader, media, ItemAction.TOGGLE)
    assert "http://example.invalid/x.png" in said(reader)
    press(reader, Qt.Key.Key_Left)
    assert "http://example.invalid/x.png" not in said(reader)
    press(reader, Qt.Key.Key_Right)
    assert "http://example.invalid/x.png" in said(reader)


def test_the_system_prompts_stand_before_the_first_turn(window: MainWindow, show: Show) -> None:
    named, told = Agent("cook"), Agent("cook", "Boil everything.")
    turns = (replace(turn(0, "one?"), agents=(told,)), replace(turn(1, "two?"), agents=(Agent("cook", "Fry it."),)))
    file = put(window.desk.workspace, "/made/a.json", replace(trace("one", *turns), agents=(named,)))
    reader = show(file)
    prompts = [text for text in said(reader) if text.startswith("system prompt")]
    assert prompts == ["system prompt of cook, 2 words", "system prompt of cook, from turn 2, 2 words"]
    press(reader, Qt.Key.Key_Down, Qt.Key.Key_Return)
    assert "Boil everything." in said(reader)
    agent_row = rows_of(file.table, Kind.AGENT)[0]
    window.desk.workspace.selection.select(Selection(file.number, agent_row))
    assert reader.current == Key(agent_row)
    assert "Boil everything." in {one.toPlainText() for one in whole_details(window).findChildren(PassageView)}


def test_the_selection_is_the_same_everywhere(window: MainWindow, show: Show) -> None:
    workspace = window.desk.workspace
    file = put(workspace, "/made/a.json", trace("one", *(turn(at, f"ask {at}", call("x")) for at in range(30))))
    reader = show(file)
    last = file.table.calls(file.table.turns(0)[20])[0]
    workspace.selection.select(Selection(file.number, last))
    assert reader.current == Key(last)
    assert item(reader, last).top_px >= 0
    press(reader, Qt.Key.Key_Down)
    result = file.table.children(last)[0]
    assert workspace.selection.value == Selection(file.number, result)
    tree = window.desk.page.tree
    assert tree.currentIndex().data() == file.table.label(result)


def test_keys_go_through_all_items_and_back(window: MainWindow, show: Show) -> None:
    file = put(window.desk.workspace, "/made/a.json", trace("one", *(turn(at, "ask", call("x")) for at in range(5))))
    reader = show(file)
    down: list[Key | None] = [reader.current]
    while True:
        press(reader, Qt.Key.Key_Down)
        if reader.current == down[-1]:
            break
        down.append(reader.current)
        assert any(one.layout.key == reader.current for one in reader.visible_rows())
    assert len(down) == 1 + 5 * 5
    QApplication.processEvents()
    up = [reader.current]
    for _step in down[1:]:
        press(reader, Qt.Key.Key_Up)
        up.append(reader.current)
    assert up == down[::-1]
    press(reader, Qt.Key.Key_End)
    assert reader.current == down[-1]
    assert reader.visible_rows()[-1].bottom_px <= reader.viewport().height() + 1
    press(reader, Qt.Key.Key_Home)
    assert reader.visible_rows()[0].top_px == 0
    press(reader, Qt.Key.Key_PageDown)
    assert reader.visible_rows()[0].position > (0, 0)
    press(reader, Qt.Key.Key_PageUp)
    assert reader.visible_rows()[0].position == (0, 0)


def test_turns_are_gone_through_with_alt(window: MainWindow, show: Show) -> None:
    file = put(window.desk.workspace, "/made/a.json", trace("one", turn(0, "a"), turn(1, "b")))
    reader = show(file)
    for expected in file.table.turns(0):
        trigger(window, "next-turn")
        assert reader.current == Key(expected)


def test_scrolling_down_and_up_again_comes_back(window: MainWindow, show: Show) -> None:
    words = " ".join(f"word{at}" for at in range(150))
    turns = [turn(at, words[: 40 * (at % 9)], call("x"), answer=words[: 90 * (at % 11)] or "-") for at in range(40)]
    reader = show(put(window.desk.workspace, "/made/a.json", trace("one", *turns)))
    bar = reader.verticalScrollBar()
    seen = []
    QApplication.processEvents()
    for _ in range(40):
        seen.append([(one.layout.key, one.top_px) for one in reader.visible_rows()])
        bar.setValue(bar.value() + 97)
    reader.visible_rows()
    QApplication.processEvents()
    for expected in reversed(seen):
        bar.setValue(bar.value() - 97)
        assert [(one.layout.key, one.top_px) for one in reader.visible_rows()] == expected
    bar.setValue(bar.maximum())
    assert reader.visible_rows()[-1].position[0] == 40
    bar.setValue(0)
    assert reader.visible_rows()[0].top_px == 0


def test_scrolling_into_what_was_never_seen_moves_everything_alike(window: MainWindow, show: Show) -> None:
    words = " ".join(f"word{at}" for at in range(150))
    turns = [turn(at, words[: 90 * (at % 9)], call("x"), answer=words[: 130 * (at % 7)] or "-") for at in range(30)]
    reader = show(put(window.desk.workspace, "/made/a.json", trace("one", *turns)))
    bar = reader.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    before = {one.layout.key: one.top_px for one in reader.visible_rows()}
    for _ in range(25):
        bar.setValue(bar.value() - 97)
        now = {one.layout.key: one.top_px for one in reader.visible_rows()}
        assert {now[key] - before[key] for key in now.keys() & before.keys()} == {97}
        before = now


def test_turns_that_arrive_do_not_move_what_is_read(window: MainWindow, view: ConversationView) -> None:
    workspace = window.desk.workspace
    file = workspace.files.add(Path("/made/grows.json"), "")
    assert file is not None
    workspace.selection.select(Selection(file.number))
    assert any("Reading grows.json" in label.text() for label in view.findChildren(QLabel))
    first, *more = batches(trace("one", *(turn(at, f"ask {at}", call("x")) for at in range(40))), size=60)
    workspace.files.take(file_messages.RowsRead(file.number, first))
    assert not view.reader.isHidden()
    QApplication.processEvents()
    bar = view.reader.verticalScrollBar()
    bar.setValue(333)
    before = [(one.layout.key, one.top_px) for one in view.reader.visible_rows()]
    high = bar.maximum()
    for batch in more:
        workspace.files.take(file_messages.RowsRead(file.number, batch))
    assert [(one.layout.key, one.top_px) for one in view.reader.visible_rows()][: len(before) - 1] == before[:-1]
    assert bar.maximum() > high
    assert wait_for(lambda: counted(view) == "Reading… 40 turns so far")
    workspace.files.take(file_messages.FileRead(file.number))
    assert wait_for(lambda: counted(view) == "40 turns")


def test_where_there_is_nothing_to_read_the_next_step_is_said(window: MainWindow, view: ConversationView) -> None:
    workspace = window.desk.workspace

    def words() -> str:
        assert view.reader.isHidden()
        return " ".join(label.text() for label in view.findChildren(QLabel) if label.isVisible())

    empty = put(workspace, "/made/criteria.json")
    workspace.selection.select(Selection(empty.number))
    assert "There is no conversation in criteria.json." in words()
    empty.criteria = Criteria()
    workspace.files.changed.emit(empty.number)
    assert "Evaluate (F5)" in words()
    failed = workspace.files.add(Path("/made/broken.json"), "")
    assert failed is not None
    workspace.selection.select(Selection(failed.number))
    workspace.files.take(file_messages.FileRead(failed.number, sentence="It is cut off."))
    assert "It is cut off. Correct" in words()
    workspace.selection.select(None)
    assert "Nothing is selected." in words()
    file = put(workspace, "/made/a.json", trace("one", turn(0, "a")))
    workspace.selection.select(Selection(file.number))
    assert not view.reader.isHidden()
    workspace.files.close(file.number)
    assert "Nothing is selected." in words()


def test_verdicts_show_on_turns_calls_and_ghosts(window: MainWindow, view: ConversationView, show: Show) -> None:
    file = opened(window.desk.workspace)
    fails = next(top for top in file.table.tops if file.table.label(top) == "fails")
    reader = show(file)
    window.desk.workspace.selection.select(Selection(file.number, fails))
    texts = said(reader)
    for words in ("1 arg", "extra", "missing", "walk()", "Calls", "0.00"):
        assert words in texts
    differs = item(reader, file.table.calls(file.table.turns(fails)[0])[0])
    assert differs.layout.item.mark == "failed"
    early = next(top for top in file.table.tops if file.table.label(top) == "stops early")
    window.desk.workspace.selection.select(Selection(file.number, rows_of(file.table, Kind.MISSING_TURN)[0]))
    assert reader.visible_rows()[-1].layout.item.ghost
    assert reader.current is not None
    assert file.table.top_of(reader.current.row) == early
    assert not view.reader.isHidden()


def test_sentences_are_tab_stops_and_open_the_card(window: MainWindow, show: Show) -> None:
    file = opened(window.desk.workspace)
    reader = show(file)
    row = rows_of(file.table, Kind.ANSWER)[0]
    window.desk.workspace.selection.select(Selection(file.number, row))
    reader.setFocus()
    QTest.keyClick(reader, Qt.Key.Key_Tab)
    sentences = reader.answers.view(Key(row))
    assert sentences is not None
    assert sentences.hasFocus()
    assert sentences.current == 0
    QTest.keyClick(sentences, Qt.Key.Key_Return)
    card = reader.answers.watch.card
    assert card is not None
    assert card.isVisible()
    assert any("sentence 1 of" in label.text() for label in card.findChildren(QLabel))
    QTest.keyClick(card, Qt.Key.Key_Escape)
    assert not card.isVisible()
    press(reader, Qt.Key.Key_Home)
    reader.verticalScrollBar().setValue(10_000)
    assert wait_for(lambda: reader.answers.view(Key(row)) is not None)

"""A sentence's label is overruled from its card in the conversation, like from the one in Details."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.models.stories import rows_of
from tests.views.conversation.reading import Show
from tests.views.doing import wait_for
from tests.views.tales import opened
from trace_inspector.core.rows.rows import Kind
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.conversation.section import Key
from trace_inspector.views.details.overruling import OverruleForm
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.widgets.controls import Button


def test_the_card_leads_to_the_form_about_its_own_turn(window: MainWindow, show: Show) -> None:
    file = opened(window.desk.workspace)
    reader = show(file)
    row = rows_of(file.table, Kind.ANSWER)[0]
    window.desk.workspace.selection.select(Selection(file.number, row))
    reader.setFocus()
    QTest.keyClick(reader, Qt.Key.Key_Tab)
    sentences = reader.answers.view(Key(row))
    assert sentences is not None
    QTest.keyClick(sentences, Qt.Key.Key_Return)
    card = reader.answers.watch.card
    assert card is not None
    window.desk.workspace.selection.select(Selection(file.number, file.table.top_of(row)))
    sentences.sentence_opened.emit(0)
    next(button for button in card.findChildren(Button) if button.text() == "Overrule…").click()
    details = window.desk.docks["details"].widget()
    assert wait_for(lambda: details.findChild(OverruleForm) is not None)
    assert window.desk.workspace.selection.value == Selection(file.number, row)
    assert not card.isVisible()

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from trace_inspector.documents.editing.places import Excerpt
from trace_inspector.views.appearance.appearance import Scheme, Theme
from trace_inspector.views.blocks.raw_text import RawText
from trace_inspector.views.details.raw_find import RawFind

LINES = ("{", '  "one": "🚗🚗", "two": [1,', "  2]", "}")


@pytest.fixture
def text(theme: Theme, qtbot: QtBot) -> RawText:
    made = RawText(theme)
    qtbot.addWidget(made)
    made.resize(400, 200)
    return made


def excerpt(start: tuple[int, int], end: tuple[int, int]) -> Excerpt:
    return Excerpt(LINES, 40, 1, start, end, 1, 1)


def colour_of_mark(text: RawText) -> str:
    (mark,) = text.extraSelections()
    return str(mark.format.background().color().name())


def test_the_value_is_marked_also_behind_wide_characters(text: RawText) -> None:
    at = LINES[1].index("[1,")
    text.show_excerpt(excerpt((1, at), (2, 4)))
    assert text.marked() == "[1,\n  2]"


def test_the_mark_follows_the_theme(text: RawText, theme: Theme) -> None:
    text.show_excerpt(excerpt((0, 0), (3, 1)))
    light = colour_of_mark(text)
    theme.choose(Scheme.DARK)
    assert colour_of_mark(text) != light
    assert text.marked() == "\n".join(LINES)


def test_numbers_are_those_of_the_file_and_have_room(text: RawText) -> None:
    text.show_excerpt(excerpt((0, 0), (0, 1)))
    narrow = text.number_width()
    text.show_excerpt(Excerpt(LINES, 1_000_000, 1, (0, 0), (0, 1), 1, 1))
    assert text.number_width() > narrow
    assert not text.grab().isNull()


def test_text_is_only_ever_read(text: RawText) -> None:
    text.show_excerpt(excerpt((0, 0), (3, 1)))
    assert text.isReadOnly()
    assert text.toPlainText() == "\n".join(LINES)


def test_text_is_found_behind_wide_characters_and_round_again(text: RawText, theme: Theme, qtbot: QtBot) -> None:
    find = RawFind(theme, text)
    qtbot.addWidget(find.bar)
    text.find_requested.connect(find.open)
    text.show_excerpt(excerpt((0, 0), (3, 1)))
    QTest.keyClick(text, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(find.bar.field, "TWO")
    assert (text.textCursor().selectedText(), find.bar.count.text()) == ("two", "1 of 1")
    find.bar.field.setText("2")
    assert (text.textCursor().selectedText(), find.bar.count.text()) == ("2", "1 of 1")
    assert text.textCursor().blockNumber() == 2
    find.bar.field.setText("🚗")
    seen = []
    for _press in range(3):
        seen.append((text.textCursor().positionInBlock(), find.bar.count.text()))
        QTest.keyClick(find.bar.field, Qt.Key.Key_Return)
    assert seen == [(12, "1 of 2"), (14, "2 of 2"), (12, "1 of 2")]
    find.bar.field.setText("[1,.")
    assert find.bar.count.text() == "none"
    QTest.keyClick(find.bar.field, Qt.Key.Key_Escape)
    assert find.bar.isHidden()


def test_other_text_is_looked_through_while_the_line_is_open(text: RawText, theme: Theme, qtbot: QtBot) -> None:
    find = RawFind(theme, text)
    qtbot.addWidget(find.bar)
    text.show_excerpt(excerpt((0, 0), (3, 1)))
    find.open()
    find.bar.field.setText("two")
    text.show_excerpt(Excerpt(("two two",), 1, 1, (0, 0), (0, 1), 1, 1))
    find.search()
    assert find.bar.count.text() == "1 of 2"

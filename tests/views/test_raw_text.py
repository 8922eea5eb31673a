from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from trace_inspector.documents.places import Excerpt
from trace_inspector.views.details.raw import RawText
from trace_inspector.views.look import Look, Scheme

LINES = ("{", '  "one": "🚗🚗", "two": [1,', "  2]", "}")


@pytest.fixture
def text(look: Look, qtbot: QtBot) -> RawText:
    made = RawText(look)
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


def test_the_mark_follows_the_theme(text: RawText, look: Look) -> None:
    text.show_excerpt(excerpt((0, 0), (3, 1)))
    light = colour_of_mark(text)
    look.choose(Scheme.DARK)
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

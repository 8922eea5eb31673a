"""A wrapped label stays laid out for a few widths; other words, letters and further widths are laid out anew."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.widgets.controls import MOST_WIDTHS, Label

WORDS = "One sentence that takes several lines where there is little room for it. " * 3
WIDTHS = range(100, 100 + 60 * (MOST_WIDTHS + 3), 60)


@pytest.fixture
def label(theme: Theme, qtbot: QtBot) -> Iterator[Label]:
    made = Label(theme, WORDS, wrap=True)
    qtbot.addWidget(made)
    yield made
    made.close()


def heights(label: Label) -> list[int]:
    return [label.heightForWidth(width) for width in WIDTHS]


def test_each_width_has_its_own_height_however_often_it_is_asked_for(label: Label) -> None:
    first = heights(label)
    assert first == sorted(first, reverse=True)
    assert len(set(first)) > 3
    assert heights(label) == first
    assert [label.heightForWidth(width) for width in reversed(WIDTHS)] == first[::-1]


def test_other_words_are_laid_out_anew(label: Label) -> None:
    long = label.heightForWidth(200)
    label.setText("One.")
    assert label.heightForWidth(200) < long
    label.setText(WORDS)
    assert label.heightForWidth(200) == long


def test_other_letters_are_laid_out_anew(label: Label, theme: Theme, qtbot: QtBot) -> None:
    fresh = Label(theme, WORDS, font="heading", wrap=True)
    qtbot.addWidget(fresh)
    assert label.heightForWidth(200) < fresh.heightForWidth(200)
    label.setFont(theme.fonts.heading)
    assert label.heightForWidth(200) == fresh.heightForWidth(200)

"""Other colours or other letters leave each widget the kind of letters that it has."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from trace_inspector.views.appearance.appearance import Scheme, Theme


@pytest.fixture
def labels(theme: Theme, qtbot: QtBot) -> Iterator[dict[str, QLabel]]:
    """One of strong letters, one of letters that nobody here knows."""
    page = QWidget()
    qtbot.addWidget(page)
    box = QVBoxLayout(page)
    made = {"strong": QLabel("a"), "foreign": QLabel("b")}
    for label in made.values():
        box.addWidget(label)
    made["strong"].setFont(theme.fonts.strong)
    foreign = QFont(theme.fonts.body)
    foreign.setPointSizeF(37)
    made["foreign"].setFont(foreign)
    yield made  # while the page is there
    page.deleteLater()


def test_another_scheme_keeps_letters(theme: Theme, labels: dict[str, QLabel]) -> None:
    theme.choose(Scheme.DARK)
    assert labels["strong"].font() == theme.fonts.strong
    assert labels["foreign"].font().pointSizeF() == 37


def test_letters_of_another_size_are_taken_by_what_is_shown(theme: Theme, labels: dict[str, QLabel]) -> None:
    before = QFont(theme.fonts.strong)
    theme.scale(150)
    try:
        assert theme.fonts.strong != before
        assert labels["strong"].font() == theme.fonts.strong
        assert labels["foreign"].font().pointSizeF() == 37
    finally:
        theme.scale(100)

"""What is cut can be read: as a tip in plain text, and by its accessible name."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QHelpEvent, Qt
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from trace_inspector.models.base.tips import LONGEST_LINE, MOST_CHARS, plain_tip
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.widgets.controls import Elided

WORDS = "The rules were another: <b>adk</b> & ces."


def label(theme: Theme, qtbot: QtBot, text: str, width: int) -> Elided:
    made = Elided(theme, text)
    qtbot.addWidget(made)
    made.resize(width, 20)
    made.show()
    return made


def asked(made: Elided) -> str:
    at = QPoint(5, 5)
    QApplication.sendEvent(made, QHelpEvent(QEvent.Type.ToolTip, at, made.mapToGlobal(at)))
    return QToolTip.text()


def test_a_cut_label_tells_all_of_it_as_plain_text(theme: Theme, qtbot: QtBot) -> None:
    cut = label(theme, qtbot, WORDS, 60)
    assert "&lt;b&gt;adk&lt;/b&gt; &amp; ces." in asked(cut)
    assert cut.accessibleName() == WORDS
    QToolTip.hideText()
    cut.setText("ok")
    assert cut.tip == ""


def test_a_label_that_shows_all_has_no_tip(theme: Theme, qtbot: QtBot) -> None:
    assert label(theme, qtbot, WORDS, 900).tip == ""


def test_a_tip_of_its_own_comes_first(theme: Theme, qtbot: QtBot) -> None:
    cut = label(theme, qtbot, WORDS, 60)
    cut.setToolTip("/a/whole/path")
    assert cut.tip == "/a/whole/path"


@pytest.mark.parametrize("words", ["word " * LONGEST_LINE, "x" * MOST_CHARS * 2], ids=["lines", "more-than-a-screen"])
def test_long_tips_wrap_and_end(words: str) -> None:
    shown = plain_tip(words)
    assert Qt.mightBeRichText(shown), "or Qt would show it as one line"
    assert len(shown) < MOST_CHARS + 100

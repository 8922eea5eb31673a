"""What is cut can be read: as a tip in plain text, and by its accessible name."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QRectF
from PySide6.QtGui import QHelpEvent, QStandardItem, QStandardItemModel, Qt
from PySide6.QtWidgets import QApplication, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from tests.helpers.painted_texts import painted_texts
from trace_inspector.models.base.tips import LONGEST_LINE, MOST_CHARS, plain_tip
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.widgets.controls import Elided, Tag
from trace_inspector.views.widgets.fields import Choice
from trace_inspector.views.widgets.tree_view import TreeView

WORDS = "The rules were another: <b>adk</b> & ces."


def label(theme: Theme, qtbot: QtBot, text: str, width: int) -> Elided:
    made = Elided(theme, text)
    qtbot.addWidget(made)
    made.resize(width, 20)
    made.show()
    return made


def asked(made: QWidget, at: QPoint = QPoint(5, 5)) -> str:  # noqa: B008
    QToolTip.showText(QPoint(), "none was given", made)
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


@pytest.fixture
def listed(theme: Theme, qtbot: QtBot) -> TreeView:
    """A list of one row, whose first cell and last heading have no room."""
    view = TreeView(theme, "A list")
    model = QStandardItemModel(1, 2, view)
    model.setHorizontalHeaderLabels(["One", "A longer heading"])
    model.setItem(0, 0, QStandardItem(WORDS))
    view.setModel(model)
    qtbot.addWidget(view)
    view.resize(400, 100)
    view.show()
    view.setColumnWidth(0, 150)
    view.setColumnWidth(1, 60)
    return view


def test_a_cut_cell_tells_all_of_it(listed: TreeView) -> None:
    assert "&lt;b&gt;adk" in asked(listed.viewport(), QPoint(60, 10))
    listed.setColumnWidth(0, 900)
    assert "adk" not in asked(listed.viewport(), QPoint(60, 10))


def test_a_cut_heading_tells_all_of_it(listed: TreeView) -> None:
    head = listed.header().viewport()
    assert asked(head, QPoint(170, 10)) == "A longer heading"
    listed.setColumnWidth(1, 200)
    assert asked(head, QPoint(170, 10)) != "A longer heading"


def test_a_cut_choice_ends_in_an_ellipsis_and_tells_all_of_it(theme: Theme, qtbot: QtBot) -> None:
    choice = Choice[int](theme, "Which", [(WORDS, 1)], lambda _value: None)
    qtbot.addWidget(choice)
    choice.resize(120, 30)
    choice.show()
    (painted,) = painted_texts(choice)
    assert painted.text.endswith("…")
    assert "adk" in asked(choice)
    choice.resize(600, 30)
    (painted,) = painted_texts(choice)
    assert painted.text == WORDS
    assert "adk" not in asked(choice)


def test_a_tag_grows_with_its_letters(theme: Theme, qtbot: QtBot) -> None:
    tag = Tag(theme, "Ctrl+Shift+P")
    qtbot.addWidget(tag)
    tag.show()
    theme.scale(150)
    (painted,) = painted_texts(tag)
    assert QRectF(tag.rect()).contains(painted.letters)

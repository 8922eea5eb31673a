from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tests.views.tales import MARKUP
from trace_inspector.core.verdict.verdict import Provenance, Sentence, SentenceSupport
from trace_inspector.views.answer.answer import FIRST_CHARS, AnswerView
from trace_inspector.views.answer.sentence_card import SentenceCard, beside
from trace_inspector.views.appearance.appearance import Theme

TEXT = "First one. Second one. Third one."
SENTENCES = [
    Sentence(0, 10, SentenceSupport.SUPPORTED, "It stands in the result."),
    Sentence(11, 22, SentenceSupport.UNSUPPORTED, "Nothing says so.", "the excerpt", "search result", "/result"),
    Sentence(23, 33, SentenceSupport.CONTRADICTORY, "The result says otherwise."),
]


@pytest.fixture
def view(theme: Theme, qtbot: QtBot) -> Iterator[AnswerView]:
    holder = QWidget()
    qtbot.addWidget(holder)
    box = QVBoxLayout(holder)
    before, after = QLineEdit(), QLineEdit()
    made = AnswerView(theme)
    for widget in (before, made, after):
        box.addWidget(widget)
    made.set_answer(TEXT, SENTENCES)
    holder.resize(300, 200)
    holder.show()
    holder.activateWindow()
    qtbot.waitUntil(holder.isActiveWindow)
    before.setFocus()
    yield made
    holder.close()


def test_every_sentence_is_a_tab_stop_in_both_directions(view: AnswerView) -> None:
    stops: list[int] = []
    holder = view.window()
    for _press in range(5):
        focus = holder.focusWidget()
        assert focus is not None
        QTest.keyClick(focus, Qt.Key.Key_Tab)
        stops.append(view.current if view.hasFocus() else -1)
    assert stops[:4] == [0, 1, 2, -1]
    focus = holder.focusWidget()
    assert isinstance(focus, QLineEdit)
    view.setFocus(Qt.FocusReason.BacktabFocusReason)
    assert view.current == 2
    QTest.keyClick(view, Qt.Key.Key_Backtab)
    assert view.current == 1


def test_enter_opens_the_sentence_with_the_focus(view: AnswerView, qtbot: QtBot) -> None:
    view.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(view, Qt.Key.Key_Right)
    with qtbot.waitSignal(view.sentence_opened) as told:
        QTest.keyClick(view, Qt.Key.Key_Return)
    assert told.args == [1]


def test_a_click_opens_and_resting_tells_once(view: AnswerView, qtbot: QtBot) -> None:
    rested: list[int] = []
    view.sentence_hovered.connect(rested.append)
    middle = view.fragments(2)[0].center().toPoint()
    QTest.mouseMove(view, middle)
    QTest.mouseMove(view, middle + QPoint(2, 0))
    assert rested == [2]
    with qtbot.waitSignal(view.sentence_opened) as told:
        QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=middle)
    assert told.args == [2]


def test_a_screen_reader_hears_label_words_and_reason(view: AnswerView) -> None:
    view.setFocus(Qt.FocusReason.TabFocusReason)
    assert view.accessibleName() == "Answer, 3 sentences"
    assert view.accessibleDescription() == "supported: First one. It stands in the result."


def test_a_long_answer_is_bounded_until_all_of_it_is_wanted(view: AnswerView) -> None:
    view.set_answer("word " * 4_000, [])
    assert view.hidden_chars == 20_000 - FIRST_CHARS
    low = view.heightForWidth(300)
    view.show_all()
    assert view.hidden_chars == 0
    assert view.heightForWidth(300) > 2 * low


def test_markup_is_painted_as_it_stands(view: AnswerView) -> None:
    view.set_answer(MARKUP, [Sentence(0, len(MARKUP), SentenceSupport.SUPPORTED, MARKUP)])
    assert view.accessibleDescription() == MARKUP
    wide = max(box.right() for box in view.fragments(0))
    assert wide > view.fontMetrics().horizontalAdvance("bold & alert(1)")


def test_the_card_shows_the_reason_and_gives_the_focus_back(view: AnswerView, theme: Theme, qtbot: QtBot) -> None:
    card = SentenceCard(theme, view)
    card.show_for(SENTENCES[1], 2, 3, Provenance.RECOMPUTED, view.global_rect(), 340)
    assert not card.geometry().intersects(view.global_rect())
    view.setFocus()
    card.take_focus(view)
    qtbot.waitUntil(card.isActiveWindow)
    with qtbot.waitSignal(card.evidence_requested) as told:
        focus = card.focusWidget()
        assert focus is not None
        while focus.accessibleName() != "Show evidence":
            QTest.keyClick(focus, Qt.Key.Key_Tab)
            focus = card.focusWidget()
            assert focus is not None
        QTest.keyClick(focus, Qt.Key.Key_Return)
    assert told.args == ["/result"]
    card.show_for(SENTENCES[1], 2, 3, Provenance.RECOMPUTED, view.global_rect(), 340)
    card.take_focus(view)
    QTest.keyClick(card, Qt.Key.Key_Escape)
    assert card.isHidden()
    qtbot.waitUntil(view.hasFocus)


@given(
    st.integers(0, 1200), st.integers(0, 700), st.integers(50, 500), st.integers(24, 1500), st.integers(200, 500),
    st.integers(100, 400),
)  # fmt: skip
def test_a_card_never_covers_the_answer_where_there_is_any_room(
    left: int, top: int, width: int, height: int, card_width: int, card_height: int
) -> None:
    answer, screen = QRect(left, top, width, height), QRect(0, 0, 1600, 1000)
    size = QSize(card_width, card_height)
    at = QRect(beside(answer, size, screen), size)
    assert not at.intersects(answer)
    room_below = screen.bottom() - answer.bottom() > card_height + 10
    assert screen.contains(at) or not room_below

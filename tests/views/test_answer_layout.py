from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication

from trace_inspector.core.verdict.verdict import Sentence, SentenceSupport
from trace_inspector.views.answer.answer_layout import LINE_HEIGHT_PX, MARK_ROOM_PX, PlacedAnswer, place

WIDTH_PX = 220.0
TEXT = "Parking is tight here. There are 40 covered spots within two blocks. Shall I go on?"
SUPPORTS = (SentenceSupport.SUPPORTED, SentenceSupport.UNSUPPORTED, SentenceSupport.NOT_APPLICABLE)


@pytest.fixture(autouse=True)
def _fonts(qapp: QApplication) -> None:
    """Measuring needs an application."""


def font() -> QFont:
    made = QFont()
    made.setPixelSize(13)
    return made


def sentences(text: str, *supports: SentenceSupport) -> list[Sentence]:
    found, start = [], 0
    for piece, support in zip(text.split(". "), supports, strict=True):
        end = start + len(piece) + (1 if text[start + len(piece) :].startswith(".") else 0)
        found.append(Sentence(start, end, support, "because"))
        start = end + 1
    return found


def laid_out(text: str, *supports: SentenceSupport) -> PlacedAnswer:
    return place(text, sentences(text, *supports), font(), WIDTH_PX)


def test_each_sentence_has_its_rectangles_in_reading_order() -> None:
    placed = laid_out(TEXT, *SUPPORTS)
    assert {part.sentence for part in placed.fragments} == {0, 1, 2}
    corners = [(part.box.top(), part.box.left()) for part in placed.fragments]
    assert corners == sorted(corners)
    assert all(part.box.width() > 0 and part.box.right() <= WIDTH_PX + 1 for part in placed.fragments)


def test_rectangles_never_overlap() -> None:
    parts = laid_out(TEXT, *SUPPORTS).fragments
    for one in parts:
        assert not [
            other for other in parts if other is not one and other.box.adjusted(1, 1, -1, -1).intersects(one.box)
        ]


def test_a_point_in_a_rectangle_finds_its_sentence() -> None:
    placed = laid_out(TEXT, *SUPPORTS)
    assert all(placed.sentence_at(part.box.center()) == part.sentence for part in placed.fragments)


def test_an_unsupported_sentence_makes_room_for_its_mark_and_only_there() -> None:
    plain = laid_out("One here. Two", SentenceSupport.SUPPORTED, SentenceSupport.SUPPORTED)
    marked = laid_out("One here. Two", SentenceSupport.SUPPORTED, SentenceSupport.UNSUPPORTED)
    assert marked.fragments[0].box == plain.fragments[0].box
    grown = marked.fragments[1].box.width() - plain.fragments[1].box.width()
    assert grown == pytest.approx(MARK_ROOM_PX, abs=1)
    assert marked.fragments[1].box.left() == pytest.approx(plain.fragments[1].box.left(), abs=1)


def test_wide_characters_do_not_shift_what_follows() -> None:
    plain = laid_out("aa. Second", SentenceSupport.SUPPORTED, SentenceSupport.SUPPORTED)
    wide = place(
        "🚗🚗. Second",
        sentences("🚗🚗. Second", SentenceSupport.SUPPORTED, SentenceSupport.SUPPORTED),
        font(),
        WIDTH_PX,
    )
    assert wide.fragments[1].box.width() == pytest.approx(plain.fragments[1].box.width(), abs=1)


def test_lines_are_equally_high_and_paragraphs_keep_their_order() -> None:
    placed = place("One.\n\nTwo.", [Sentence(6, 10, SentenceSupport.SUPPORTED, "")], font(), WIDTH_PX)
    assert placed.height == 3 * LINE_HEIGHT_PX
    assert placed.fragments[0].box.top() > 2 * LINE_HEIGHT_PX - LINE_HEIGHT_PX / 2


@given(
    st.text(alphabet=st.sampled_from("ab .é漢🚗\n\t\r\u2028\u202e"), max_size=80),
    st.lists(st.tuples(st.integers(-5, 90), st.integers(-5, 90), st.sampled_from(list(SentenceSupport))), max_size=5),
)
def test_any_text_and_any_offsets_lay_out(text: str, wanted: list[tuple[int, int, SentenceSupport]]) -> None:
    found = [Sentence(start, end, support, "") for start, end, support in wanted]
    placed = place(text, found, font(), WIDTH_PX)
    assert placed.height >= LINE_HEIGHT_PX
    assert all(0 <= part.sentence < len(found) and part.box.width() >= 0 for part in placed.fragments)

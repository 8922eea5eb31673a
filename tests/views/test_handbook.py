"""The help in the window: the installed pages, section by section, found by any word, and nothing in them alive."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QScrollArea

from tests.views.doing import trigger, wait_for
from trace_inspector import resources
from trace_inspector.views.help.handbook import Handbook
from trace_inspector.views.help.help_text import GAP_PX, HEAD_ROWS, PIECE_CHARS, PIECE_ROWS, pieces
from trace_inspector.views.help.pages import PAGES, HelpSection, all_sections, sections_of
from trace_inspector.views.shell.main_window import MainWindow

pytestmark = pytest.mark.shared_window


def handbook(window: MainWindow, action: str) -> Handbook:
    trigger(window, action)
    (shown,) = [one for one in window.findChildren(Handbook) if one.isVisible()]
    QTest.qWait(0)
    return shown


def listed(shown: Handbook) -> list[str]:
    model = shown.list.model()
    pages = [model.index(row, 0) for row in range(model.rowCount())]
    return [str(model.index(row, 0, page).data()) for page in pages for row in range(model.rowCount(page))]


@pytest.mark.parametrize(
    ("action", "title"),
    [("tour", "A tour of the window"), ("help-criteria", "Criteria"), ("help-formats", "Formats")],
)
def test_help_has_the_tour_the_criteria_and_the_formats(window: MainWindow, action: str, title: str) -> None:
    shown = handbook(window, action)
    assert shown.text.toPlainText().startswith(title)
    shown.window().close()


def test_a_section_is_found_by_any_of_its_words(window: MainWindow) -> None:
    shown = handbook(window, "tour")
    everything = listed(shown)
    QTest.keyClicks(shown.field, "percentile RUG")
    assert listed(shown) == []
    shown.field.clear()
    assert listed(shown) == everything
    QTest.keyClicks(shown.field, "critical PATH")
    assert "Timeline" in listed(shown)
    assert len(listed(shown)) < len(everything)
    assert wait_for(lambda: shown.text.is_whole)
    assert "critical" in shown.text.textCursor().selectedText().casefold(), "the word is shown where it stands"
    shown.window().close()


def test_sections_are_cut_into_small_pieces_and_nothing_of_them_is_lost() -> None:
    for section in all_sections():
        cut = list(pieces(section.text))
        told = [line for piece in cut for line in piece.text.split("\n")[HEAD_ROWS if piece.goes_on else 0 :]]
        assert [line for line in told if line.strip()] == [line for line in section.text.split("\n") if line.strip()]
        for piece in cut:
            assert not piece.shares or piece.text.count("\n") < HEAD_ROWS + PIECE_ROWS
            assert piece.shares or len(piece.text) < PIECE_CHARS * 3


def test_a_long_table_is_laid_out_piece_by_piece_under_one_heading(window: MainWindow) -> None:
    shown = handbook(window, "help-formats")
    rows = [f"| name {number} | what {number} |" for number in range(3 * PIECE_ROWS)]
    text = "\n".join(["Before.", "", "| heading | other |", "|---|---|", *rows, "", "After."])
    shown.text.show_section(HelpSection("formats", "Long", text), ["what", "20"])
    assert not shown.text.is_whole
    assert "After." not in shown.text.toPlainText()
    assert wait_for(lambda: shown.text.is_whole)
    plain = shown.text.toPlainText()
    assert (plain.count("heading"), plain.count("what "), "After." in plain) == (1, len(rows), True)
    assert not shown.text.horizontalScrollBar().maximum()
    block = shown.text.document().begin()
    while block.isValid():
        if block.text() in ("Before.", "After."):
            assert block.blockFormat().bottomMargin() == GAP_PX
        block = block.next()
    assert shown.text.textCursor().selectedText() == "what"
    shown.text.show_section(HelpSection("formats", "Other", "Short."), [])
    assert wait_for(lambda: shown.text.is_whole)
    assert shown.text.toPlainText() == "Other\nShort."
    shown.window().close()


def test_html_in_a_page_is_text_and_nothing_is_loaded(window: MainWindow) -> None:
    shown = handbook(window, "tour")
    shown.text.show_section(
        HelpSection("tour", "Odd", "<b>bold</b> <img src='file:///etc/hostname'> [x](http://a.b)"), []
    )
    assert "<b>bold</b>" in shown.text.toPlainText()
    assert "<img" in shown.text.toPlainText()
    image = QTextDocument.ResourceType.ImageResource
    assert not shown.text.document().resource(image, QUrl("file:///etc/hostname"))
    assert not shown.text.openLinks()
    assert not shown.text.openExternalLinks()
    shown.window().close()


def test_nothing_in_it_scrolls_sideways(window: MainWindow) -> None:
    window.resize(1100, 700)
    shown = handbook(window, "help-criteria")
    assert shown.list.horizontalScrollBar().maximum() == 0
    scrolled = []
    for page in PAGES:
        for section in sections_of(page):
            shown.text.show_section(section, [])
            if shown.text.horizontalScrollBar().maximum():
                scrolled.append((page, section.title, shown.text.horizontalScrollBar().maximum()))
    assert scrolled == []
    assert shown.window().width() <= 1100
    assert not shown.findChildren(QScrollArea)
    shown.window().close()


@pytest.mark.parametrize("page", PAGES)
def test_every_page_is_there_and_has_no_pictures_and_no_links(page: str) -> None:
    sections = sections_of(page)
    assert sections[0].title
    for section in sections:
        assert "](" not in section.text
        assert "<picture" not in section.text
        assert "images/" not in section.text


def test_what_looks_like_a_title_in_code_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "tour.md").write_text("# One\na\n```\n# no title\n```\n## Two `x`\nb\n", "utf-8")
    monkeypatch.setattr(resources, "_HERE", tmp_path / "trace_inspector")
    assert [(section.title, section.text) for section in sections_of("tour")] == [
        ("One", "a\n```\n# no title\n```"),
        ("Two x", "b"),
    ]

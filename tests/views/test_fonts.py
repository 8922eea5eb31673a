"""The shipped fonts: which letters are painted with them, which with the system's, and how numbers stand."""

from __future__ import annotations

from itertools import product

import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontDatabase, QFontMetricsF, QImage, QPainter, QRawFont, QTextLayout
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.helpers.tables import each
from tests.views.tales import opened as opened_files
from tests.views.test_preferences import opened
from trace_inspector.models.evaluation.preferences import Preferences
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.fonts import MONO, SANS, Fonts, make_fonts
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.views.shell.main_window import MainWindow

OTHER_SCRIPTS = {
    QFontDatabase.WritingSystem.Arabic: "عربي",
    QFontDatabase.WritingSystem.Devanagari: "हिन्दी",
    QFontDatabase.WritingSystem.Japanese: "日本語",
    QFontDatabase.WritingSystem.SimplifiedChinese: "汉字",
}


def painted(text: str, font: QFont) -> list[tuple[QRawFont, list[int]]]:
    """The fonts and glyphs that a text is painted with."""
    layout = QTextLayout(text, font)
    layout.beginLayout()
    layout.createLine()
    layout.endLayout()
    return [(run.rawFont(), list(run.glyphIndexes())) for run in layout.glyphRuns()]


@pytest.fixture
def fonts(theme: Theme) -> Fonts:
    return theme.fonts


@each(
    "font, family, weight",
    [("body", SANS, 400), ("title", SANS, 600), ("data", MONO, 400), ("data_strong", MONO, 600)],
)
def test_latin_greek_and_cyrillic_are_painted_with_the_shipped_fonts(
    fonts: Fonts, font: str, family: str, weight: int
) -> None:
    runs = painted("Turn 2 naïve Łódź αβγ Привет “…” → ≠ − × 16,3 s", getattr(fonts, font))
    assert {(run.familyName().removesuffix(" SemiBold"), run.weight()) for run, _glyphs in runs} == {(family, weight)}
    assert all(0 not in glyphs for _run, glyphs in runs)


def test_a_painted_call_looks_as_its_font_would_have_it(theme: Theme) -> None:
    calls = (
        'get_price(symbol="AC", max != 16, to="Łódź") -> {"www": 0.5}',
        "To AVA 117 != 3 -> fi",
        "e\u0301te\u0301",
    )
    for text, font in product(calls, ("data", "data_strong", "body", "number")):
        picture, plain = (QImage(600, 24, QImage.Format.Format_RGB32) for _ in range(2))
        for image in (picture, plain):
            image.fill(Qt.GlobalColor.white)
        painter, box = QPainter(picture), QRectF(0, 0, 600, 24)
        used = TextPainter(theme).left(painter, box, text, font, "text")
        painter.end()
        painter = QPainter(plain)
        painter.setFont(getattr(theme.fonts, font))
        painter.setPen(theme.color("text"))
        metrics = QFontMetricsF(painter.font())
        base = round(box.center().y() + (metrics.ascent() - metrics.descent()) / 2)
        painter.drawText(QPointF(0, base), text)
        painter.end()
        assert (picture == plain, used) == (True, metrics.horizontalAdvance(text)), (text, font)


def test_a_width_that_was_measured_is_measured_again_at_another_size(theme: Theme) -> None:
    painter = TextPainter(theme)
    before = painter.width("get_price", "data")
    assert painter.width("get_price", "data") == before
    theme.scale(150)
    try:
        assert painter.width("get_price", "data") == QFontMetricsF(theme.fonts.data).horizontalAdvance("get_price")
        assert painter.width("get_price", "data") > before
    finally:
        theme.scale(100)


def test_nothing_is_joined_that_stands_apart_in_a_file(fonts: Fonts) -> None:
    for text in ("->", "!=", ">=", "www", "0x1F", "fi"):
        for font in (fonts.body, fonts.data):
            together = [glyph for _run, glyphs in painted(text, font) for glyph in glyphs]
            apart = [glyph for letter in text for _run, glyphs in painted(letter, font) for glyph in glyphs]
            assert together == apart, text


@each("font", ["number", "number_strong"])
def test_all_figures_of_a_column_of_numbers_are_equally_wide(fonts: Fonts, font: str) -> None:
    measured = QFontMetricsF(getattr(fonts, font))
    assert len({measured.horizontalAdvance(figure * 10) for figure in "0123456789"}) == 1
    running = QFontMetricsF(fonts.secondary)
    assert running.horizontalAdvance("1" * 10) < running.horizontalAdvance("0" * 10)


def test_other_scripts_are_painted_with_fonts_of_the_system(fonts: Fonts) -> None:
    known = [text for system, text in OTHER_SCRIPTS.items() if set(QFontDatabase.families(system)) - {SANS, MONO}]
    assert known, "this system has no font that could stand in"
    for text, font in product(known, (fonts.body, fonts.data)):
        for run, glyphs in painted(text, font):
            assert run.familyName() not in {SANS, MONO}
            assert 0 not in glyphs


def test_a_character_that_no_font_has_is_a_box_and_no_gap(fonts: Fonts) -> None:
    for font in (fonts.body, fonts.data):
        assert not QRawFont.fromFont(font).pathForGlyph(0).isEmpty()


def test_the_fonts_of_the_system_are_had_by_choice(own_window: MainWindow, qtbot: QtBot, theme: Theme) -> None:
    assert QApplication.font().families()[0] == SANS
    dialog = opened(own_window, qtbot)
    dialog.fonts.setCurrentIndex(dialog.fonts.findText("As the system"))
    dialog.fonts.activated.emit(dialog.fonts.currentIndex())
    plain = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    assert theme.fonts == make_fonts(system=True)
    assert dialog.fonts.font().family() == QApplication.font().family() == plain.family()
    assert Preferences(own_window.desk.settings).system_fonts
    dialog.fonts.setCurrentIndex(0)
    dialog.fonts.activated.emit(0)
    assert dialog.fonts.font().family() == QApplication.font().family() == SANS
    assert not Preferences(own_window.desk.settings).system_fonts
    dialog.close()


def test_text_size_and_font_are_chosen_apart(theme: Theme) -> None:
    theme.scale(150)
    theme.choose_fonts(system=True)
    assert theme.fonts.body.pixelSize() == round(make_fonts().body.pixelSize() * 1.5)
    theme.scale(100)
    assert theme.fonts == make_fonts(system=True)


def test_headings_of_columns_are_as_large_as_everything_else(own_window: MainWindow, theme: Theme) -> None:
    opened_files(own_window.desk.workspace)
    for percent in (150, 100, 125):
        theme.scale(percent)
        QTest.qWait(1)
        tree = own_window.desk.page.tree
        for part in (tree.viewport(), tree.header().viewport()):
            assert part.font() == theme.fonts.secondary

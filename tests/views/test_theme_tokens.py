from __future__ import annotations

import re

import pytest
from msgspec.structs import asdict
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from trace_inspector.views.appearance.appearance import Scheme, Theme
from trace_inspector.views.appearance.theme import DARK, LIGHT, Tokens, palette

INKS = ("text", "text2", "text3", "accent", "passed", "fail", "warn", "golden", "baseline", "candidate")
SOFT = (("passed", "pass_soft"), ("fail", "fail_soft"), ("warn", "warn_soft"), ("accent", "accent_soft"))
FILLS = ("golden_fill", "baseline_fill", "candidate_fill")
READABLE, VISIBLE = 4.5, 3.0


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(tokens: Tokens, ink: str, surface: str) -> float:
    light, dark = sorted((luminance(getattr(tokens, ink)), luminance(getattr(tokens, surface))), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
class TestTokens:
    def test_every_colour_is_a_full_hex_colour(self, tokens: Tokens) -> None:
        colours = [value for name, value in asdict(tokens).items() if name != "dark"]
        assert all(re.fullmatch("#[0-9A-F]{6}", colour) for colour in colours)

    @pytest.mark.parametrize("ink", INKS)
    @pytest.mark.parametrize("surface", ["base", "window", "raised"])
    def test_inks_can_be_read(self, tokens: Tokens, ink: str, surface: str) -> None:
        assert contrast(tokens, ink, surface) >= READABLE

    @pytest.mark.parametrize("ink", [ink for ink in INKS if ink != "text3"])
    def test_inks_can_be_read_on_the_selection(self, tokens: Tokens, ink: str) -> None:
        assert contrast(tokens, ink, "sel") >= READABLE

    @pytest.mark.parametrize(("ink", "fill"), SOFT)
    def test_inks_can_be_read_on_their_own_soft_fill(self, tokens: Tokens, ink: str, fill: str) -> None:
        assert contrast(tokens, ink, fill) >= READABLE

    @pytest.mark.parametrize("fill", FILLS)
    def test_differing_arguments_can_be_read(self, tokens: Tokens, fill: str) -> None:
        assert contrast(tokens, "text", fill) >= READABLE

    def test_frames_and_bars_can_be_seen(self, tokens: Tokens) -> None:
        assert min(contrast(tokens, name, "base") for name in ("control", "model", "tool", "agent")) >= VISIBLE
        assert contrast(tokens, "on_accent", "accent_fill") >= READABLE

    def test_the_palette_is_made_of_the_tokens(self, tokens: Tokens) -> None:
        made = palette(tokens)
        assert made.color(QPalette.ColorRole.Highlight) == QColor(tokens.sel)
        assert made.color(QPalette.ColorRole.Base) == QColor(tokens.base)


def test_choosing_a_theme_repaints_everything_and_tells(theme: Theme, qapp: QApplication, qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    theme.dress(window)
    told: list[bool] = []
    theme.changed.connect(lambda: told.append(theme.tokens.dark))
    theme.choose(Scheme.DARK)
    assert told[-1:] == [True]
    assert qapp.palette().color(QPalette.ColorRole.Base) == QColor(DARK.base)
    assert DARK.accent in window.styleSheet()
    theme.choose(Scheme.LIGHT)
    assert told[-1:] == [False]
    assert LIGHT.accent in window.styleSheet()
    assert qapp.styleSheet() == "", "each step in which a widget is put into another would take long"


def test_icons_are_tinted_anew(theme: Theme) -> None:
    light = theme.icon("play").pixmap(16, 16).toImage()
    theme.choose(Scheme.DARK)
    assert theme.icon("play").pixmap(16, 16).toImage() != light

"""The font files: small, free to be shipped, their licences beside them."""

from __future__ import annotations

from trace_inspector.resources import folder

MOST_BYTES = 500_000  # of a program that people fetch by its name


def test_every_font_has_its_licence_beside_it() -> None:
    fonts = sorted(folder("fonts").glob("*.ttf"))
    assert fonts
    for font in fonts:
        licence = folder("fonts") / f"{font.stem.partition('-')[0]}-OFL.txt"
        text = licence.read_text("utf-8")
        assert "SIL OPEN FONT LICENSE Version 1.1" in text
        reserved = [line for line in text.splitlines() if "with Reserved Font Name" in line]
        assert reserved == [], "a font with a reserved name may not be cut down under that name"


def test_the_fonts_are_small() -> None:
    assert sum(font.stat().st_size for font in folder("fonts").glob("*.ttf")) < MOST_BYTES

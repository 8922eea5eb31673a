"""The fonts of the window: two families, few sizes, two weights, tabular figures. Both families are shipped."""

from __future__ import annotations

from functools import cache

from msgspec import Struct
from PySide6.QtGui import QFont, QFontDatabase

from trace_inspector.resources import folder

SANS, MONO = "Inter", "JetBrains Mono"


class Fonts(Struct, frozen=True):
    """Every font by its use."""

    body: QFont
    strong: QFont
    strong_ghost: QFont
    secondary: QFont
    secondary_strong: QFont
    caption: QFont
    caption_strong: QFont
    title: QFont
    heading: QFont
    data: QFont
    data_strong: QFont
    ghost: QFont
    number: QFont
    number_strong: QFont


def make_fonts(*, system: bool = False) -> Fonts:
    """The shipped fonts, and the system's for the characters that they lack; or the system's alone."""
    plain = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    if not system:
        _load_shipped()
        plain.setFamilies([SANS, plain.family()])
        fixed.setFamilies([MONO, fixed.family()])
    return Fonts(
        body=_sized(plain, 13),
        strong=_sized(plain, 13, strong=True),
        strong_ghost=_sized(plain, 13, strong=True, italic=True),
        secondary=_sized(plain, 12),
        secondary_strong=_sized(plain, 12, strong=True),
        caption=_sized(plain, 11),
        caption_strong=_sized(plain, 11, strong=True),
        title=_sized(plain, 15, strong=True),
        heading=_sized(plain, 24, strong=True),
        data=_sized(fixed, 12),
        data_strong=_sized(fixed, 12, strong=True),
        ghost=_sized(fixed, 12, italic=True),
        number=_sized(plain, 12, figures=True),
        number_strong=_sized(plain, 12, strong=True, figures=True),
    )


def scaled(fonts: Fonts, percent: int) -> Fonts:
    """The same fonts, larger or smaller."""
    made = {}
    for name in Fonts.__struct_fields__:
        font = QFont(getattr(fonts, name))
        font.setPixelSize(round(font.pixelSize() * percent / 100))
        made[name] = font
    return Fonts(**made)


@cache
def _load_shipped() -> None:
    """Tell Qt of the shipped files, once. Where one cannot be read, the system's font stands in."""
    for file in sorted(folder("fonts").glob("*.ttf")):
        QFontDatabase.addApplicationFont(str(file))


def _sized(font: QFont, size_px: int, *, strong: bool = False, italic: bool = False, figures: bool = False) -> QFont:
    made = QFont(font)
    made.setPixelSize(size_px)
    made.setWeight(QFont.Weight.DemiBold if strong else QFont.Weight.Normal)
    made.setItalic(italic)
    if figures:
        made.setFeature(QFont.Tag("tnum"), 1)
    return made

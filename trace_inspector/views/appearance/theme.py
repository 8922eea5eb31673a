"""The colours of the window: one frozen set of tokens for light, one for dark, and the palette made from it."""

from __future__ import annotations

from msgspec import Struct
from PySide6.QtGui import QColor, QPalette


class Tokens(Struct, frozen=True):
    """Every colour by its meaning, as “#RRGGBB”. Red, green and amber are for verdicts only."""

    dark: bool
    # Ink.
    text: str
    text2: str
    text3: str
    accent: str
    passed: str
    fail: str
    warn: str
    golden: str
    baseline: str
    candidate: str
    control: str
    on_accent: str
    # Time bars.
    model: str
    tool: str
    agent: str
    # Surfaces.
    window: str
    base: str
    raised: str
    sunken: str
    border: str
    border2: str
    grid: str
    sel: str
    sel_idle: str
    accent_fill: str
    accent_soft: str
    pass_soft: str
    fail_soft: str
    warn_soft: str
    golden_fill: str
    baseline_fill: str
    candidate_fill: str


LIGHT = Tokens(
    dark=False,
    text="#191D24",
    text2="#4B5362",
    text3="#626A79",
    accent="#2458C5",
    passed="#0B7257",
    fail="#B9242F",
    warn="#8F5200",
    golden="#6F5300",
    baseline="#0A5F79",
    candidate="#6434AC",
    control="#868E9C",
    on_accent="#FFFFFF",
    model="#5364CC",
    tool="#177C93",
    agent="#7E8898",
    window="#F2F4F7",
    base="#FFFFFF",
    raised="#F7F8FA",
    sunken="#E9ECF1",
    border="#D8DCE3",
    border2="#B9C0CB",
    grid="#ECEFF3",
    sel="#DCE8FD",
    sel_idle="#E4E8EE",
    accent_fill="#2458C5",
    accent_soft="#E6EDFC",
    pass_soft="#DFF2EA",
    fail_soft="#FBE6E6",
    warn_soft="#FCEED4",
    golden_fill="#F2DC8C",
    baseline_fill="#A9DBEA",
    candidate_fill="#D8C4F5",
)

DARK = Tokens(
    dark=True,
    text="#E5E8ED",
    text2="#AEB6C3",
    text3="#929BAA",
    accent="#8DB2FF",
    passed="#52C9A5",
    fail="#FF8C8C",
    warn="#F0B254",
    golden="#E8C65C",
    baseline="#72CBE1",
    candidate="#C4A8F7",
    control="#717A8A",
    on_accent="#FFFFFF",
    model="#909DF2",
    tool="#52BACE",
    agent="#8B95A5",
    window="#1E2126",
    base="#16181D",
    raised="#22262C",
    sunken="#101216",
    border="#343A44",
    border2="#4B5361",
    grid="#23272E",
    sel="#253A60",
    sel_idle="#2C323B",
    accent_fill="#3A69CC",
    accent_soft="#1F2D49",
    pass_soft="#15332B",
    fail_soft="#3F2125",
    warn_soft="#3A2C14",
    golden_fill="#5D4B14",
    baseline_fill="#1E5566",
    candidate_fill="#52408A",
)

_ROLES = (
    (QPalette.ColorRole.Window, "window"),
    (QPalette.ColorRole.WindowText, "text"),
    (QPalette.ColorRole.Base, "base"),
    (QPalette.ColorRole.AlternateBase, "raised"),
    (QPalette.ColorRole.Text, "text"),
    (QPalette.ColorRole.PlaceholderText, "text3"),
    (QPalette.ColorRole.Button, "window"),
    (QPalette.ColorRole.ButtonText, "text"),
    (QPalette.ColorRole.BrightText, "fail"),
    (QPalette.ColorRole.Highlight, "sel"),
    (QPalette.ColorRole.HighlightedText, "text"),
    (QPalette.ColorRole.Accent, "accent"),
    (QPalette.ColorRole.Link, "accent"),
    (QPalette.ColorRole.LinkVisited, "accent"),
    (QPalette.ColorRole.Light, "raised"),
    (QPalette.ColorRole.Midlight, "grid"),
    (QPalette.ColorRole.Mid, "border"),
    (QPalette.ColorRole.Dark, "border2"),
    (QPalette.ColorRole.Shadow, "control"),
    (QPalette.ColorRole.ToolTipBase, "raised"),
    (QPalette.ColorRole.ToolTipText, "text"),
)

_DISABLED = (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText)


def palette(tokens: Tokens) -> QPalette:
    """What Qt's own controls paint with."""
    made = QPalette()
    for role, name in _ROLES:
        made.setColor(role, QColor(getattr(tokens, name)))
    for role in _DISABLED:
        made.setColor(QPalette.ColorGroup.Disabled, role, QColor(tokens.control))
    made.setColor(QPalette.ColorGroup.Inactive, QPalette.ColorRole.Highlight, QColor(tokens.sel_idle))
    return made

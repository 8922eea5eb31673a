"""The icon set: every file is a small, harmless drawing that takes its colours from the theme."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

from PySide6.QtCore import QByteArray, QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from tests.helpers.tables import each
from trace_inspector.resources import folder

SVG = "{http://www.w3.org/2000/svg}"
APPLICATION = "trace-inspector"
MARKS = {
    "passed",
    "failed",
    "none",
    "pending",
    "warning",
    "info",
    "skip",
    "unsupported",
    "no",
    "disputed",
    "missing",
    "parts",
    "extra",
    "same",
    "differs",
    "moved",
    "stale",
    "unknown",
}
COLOURS = {"currentColor", "none", "#BASE", "#SOFT"}
ELEMENTS = {"svg", "title", "path", "circle", "rect"}

ICONS = sorted(folder("icons").glob("*.svg"))
THEMED = [icon for icon in ICONS if icon.stem != APPLICATION]


def drawn(icon: Path, size_px: int) -> QImage:
    source = icon.read_text(encoding="utf-8")
    for token in COLOURS - {"none"}:
        source = source.replace(token, "#000000")
    renderer = QSvgRenderer(QByteArray(source.encode()))
    assert renderer.isValid()
    image = QImage(size_px, size_px, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(0)
    painter = QPainter(image)
    renderer.render(painter, QRectF(0, 0, size_px, size_px))
    painter.end()
    return image


def opacity(image: QImage, x: int, y: int) -> int:
    return image.pixelColor(x, y).alpha()


def test_every_mark_is_there() -> None:
    assert {icon.stem.removeprefix("mark-") for icon in ICONS if icon.stem.startswith("mark-")} == MARKS


@each("icon", ICONS, ids=lambda icon: icon.stem)
def test_an_icon_is_shapes_only(icon: Path) -> None:
    elements = list(ElementTree.parse(icon).iter())
    assert {element.tag.removeprefix(SVG) for element in elements} <= ELEMENTS
    for element in elements:
        for name, value in element.attrib.items():
            assert not name.startswith(("on", "{")), name
            assert name not in {"href", "style", "class"}
            assert "url(" not in value


@each("icon", THEMED, ids=lambda icon: icon.stem)
def test_an_icon_has_the_grid_and_takes_its_colours_from_the_theme(icon: Path) -> None:
    root = ElementTree.parse(icon).getroot()
    assert root.get("viewBox") == "0 0 16 16"
    used = {element.get(name) for element in root.iter() for name in ("fill", "stroke")} - {None}
    assert used <= COLOURS
    assert "currentColor" in used


@each("mark", sorted(MARKS))
def test_a_mark_has_an_accessible_name_of_its_own(mark: str) -> None:
    title = ElementTree.parse(folder("icons") / f"mark-{mark}.svg").getroot().findtext(f"{SVG}title")
    assert title
    assert re.fullmatch(r"[A-Z][a-z ]+", title)


def test_no_two_marks_share_a_name() -> None:
    titles = [ElementTree.parse(icon).getroot().findtext(f"{SVG}title") for icon in ICONS]
    given = [title for title in titles if title]
    assert len(given) == len(set(given))


@each("icon", ICONS, ids=lambda icon: icon.stem)
def test_an_icon_shows_at_16_px_and_stays_inside_its_box(icon: Path) -> None:
    image = drawn(icon, 16)
    assert max(opacity(image, x, y) for x in range(16) for y in range(16)) > 128
    if icon.stem != APPLICATION:
        large = drawn(icon, 160)
        edge = [*((x, y) for x in range(160) for y in (0, 159)), *((x, y) for x in (0, 159) for y in range(160))]
        assert max(opacity(large, x, y) for x, y in edge) == 0

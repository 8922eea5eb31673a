"""The tour tells of all that the window has, and its pictures are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from trace_inspector.views.layout.centre_views import VIEWS
from trace_inspector.views.layout.panels import PANELS

DOCS = Path(__file__).resolve().parents[2] / "docs"
TOUR = (DOCS / "tour.md").read_text(encoding="utf-8")
IMAGES = DOCS / "images"
PICTURE = re.compile(r"(?:\]\(|src=\"|srcset=\")(?:docs/)?images/([^)\"]+)[)\"]")
MOST_BYTES = 3_000_000


@pytest.mark.parametrize("title", [view.title for view in VIEWS] + [panel.title for panel in PANELS])
def test_each_view_and_panel_has_a_section_with_a_picture(title: str) -> None:
    section = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", TOUR, re.MULTILINE | re.DOTALL)
    assert section is not None
    assert PICTURE.search(section[1])


def test_pictures_of_the_tour_are_there_and_all_are_used() -> None:
    assert set(PICTURE.findall(TOUR)) == {picture.name for picture in IMAGES.glob("tour-*.png")}


def test_pictures_of_the_readme_are_there() -> None:
    shown = PICTURE.findall((DOCS.parent / "README.md").read_text(encoding="utf-8"))
    assert {"tour-compare.png", "tour-compare-three.png"} <= set(shown)
    assert [name for name in shown if not (IMAGES / name).is_file()] == []


@pytest.mark.parametrize("page", ["README.md", "docs/tour.md"])
def test_what_is_shown_dark_is_shown_light_too(page: str) -> None:
    text = (DOCS.parent / page).read_text(encoding="utf-8")
    pairs = re.findall(r"<picture>\s*<source [^>]*dark[^>]*/([^/\"]+)\">\s*<img [^>]*/([^/\"]+)\">", text)
    assert len(pairs) == text.count("<picture>") >= 2
    assert [(dark, light) for dark, light in pairs if dark.replace("-dark", "") != light.replace("-light", "")] == []


def test_pictures_do_not_make_the_repository_heavy() -> None:
    assert sum(picture.stat().st_size for picture in IMAGES.iterdir()) < MOST_BYTES

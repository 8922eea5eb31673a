"""The tour tells of all that the window has, and its pictures are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from trace_inspector.views.centre_views import VIEWS
from trace_inspector.views.panels import PANELS

DOCS = Path(__file__).resolve().parents[2] / "docs"
TOUR = (DOCS / "tour.md").read_text(encoding="utf-8")
MOST_BYTES = 3_000_000


@pytest.mark.parametrize("title", [view.title for view in VIEWS] + [panel.title for panel in PANELS])
def test_each_view_and_panel_has_a_section_with_a_picture(title: str) -> None:
    section = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", TOUR, re.MULTILINE | re.DOTALL)
    assert section is not None
    assert "![" in section[1]


def test_pictures_of_the_tour_are_there_and_all_are_used() -> None:
    named = set(re.findall(r"\]\(images/([^)]+)\)", TOUR))
    assert named == {picture.name for picture in (DOCS / "images").glob("tour-*.png")}


def test_pictures_do_not_make_the_repository_heavy() -> None:
    assert sum(picture.stat().st_size for picture in (DOCS / "images").iterdir()) < MOST_BYTES

from __future__ import annotations

import csv
import io
import json
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trace_inspector.flows.opening.table_text import WRITERS, Line, Table

NASTY = '<img src=x>|`a`\n"=1+1'


def table(*cells: str, more: bool = False) -> Table:
    lines = [Line(0, ("passed", "case")), *(Line(1, ("", cell)) for cell in cells)]
    return Table("A & B", ("Verdict", "What happened"), lines, more)


class Shown(HTMLParser):
    """The tags and texts of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.cells: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, _attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.cells.append(data)


def test_text_is_indented() -> None:
    assert WRITERS["text"](table("search()")) == "passed  case\n  search()\n"


@given(st.lists(st.text(max_size=30), max_size=5))
def test_csv_and_json_are_read_back(cells: list[str]) -> None:
    made = table(*cells)
    rows = list(csv.reader(io.StringIO(WRITERS["csv"](made))))
    assert rows[0] == ["Level", "Verdict", "What happened"]
    assert len(rows) == len(cells) + 2
    back = json.loads(WRITERS["json"](made))
    assert back[0] == {"level": 0, "Verdict": "passed", "What happened": "case"}
    assert len(back) == len(cells) + 1


@pytest.mark.parametrize(
    ("cell", "written"), [("=1+1", "'=1+1"), ("-2.5 s", "-2.5 s"), ("@x", "'@x"), ("a=b", "a=b")]
)
def test_no_cell_is_a_formula(cell: str, written: str) -> None:
    assert list(csv.reader(io.StringIO(WRITERS["csv"](table(cell)))))[2][2] == written
    assert WRITERS["tsv"](table(cell)).splitlines()[2].split("\t")[1] == written


def test_nothing_in_a_page_is_markup() -> None:
    page = Shown(WRITERS["html"](table(NASTY, more=True)))
    tags = "html head meta title style body h1 table thead tr th tbody td p"
    assert page.tags == set(tags.split())
    assert '<img src=x>|`a` "=1+1' in page.cells
    assert "There are more rows." in page.cells


def test_nothing_in_markdown_is_markup() -> None:
    line = WRITERS["markdown"](table(NASTY)).splitlines()[5]
    assert line == '|  | &emsp;\\<img src=x\\>\\|\\`a\\` "=1\\+1 |'

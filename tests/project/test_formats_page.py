"""The page of formats says what the table in the code says: groups, names, what each is, what can be done with it."""

from __future__ import annotations

import re

from tests.project.test_reference_docs import sections
from trace_inspector.formats import FORMATS
from trace_inspector.formats.common.format import Format


def _groups() -> dict[str, list[Format]]:
    """As the welcome page has them."""
    groups: dict[str, list[Format]] = {}
    for row in FORMATS:
        groups.setdefault(row.system, []).append(row)
    return groups


def _letters(row: Format) -> str:
    return " ".join(letter for letter, can in (("R", True), ("W", row.writes), ("E", row.edits)) if can)


def _below(section: str) -> dict[str, str]:
    parts = re.split(r"^### (.+)$", sections("formats.md", "##")[section], flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_the_groups_of_the_page_are_those_of_the_welcome_page() -> None:
    told = {
        head: re.findall(r"^\| `([^`]+)` \| (.+?) \| ([RWE ]+) \|$", text, flags=re.MULTILINE)
        for head, text in _below("At a glance").items()
    }
    stated = {head: [(row.name, row.short, _letters(row)) for row in rows] for head, rows in _groups().items()}
    assert list(told.items()) == list(stated.items())


def test_every_format_has_its_details_once_and_in_the_order_of_the_groups() -> None:
    details = _below("Format by format")
    named = [name for head in details for name in head.split(", ")]
    assert named == [row.name for rows in _groups().values() for row in rows]
    assert [head for head, text in details.items() if not text.strip()] == []

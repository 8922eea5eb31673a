"""The folders that docs/architecture.md lists are those of the tree, in the order that import-linter holds."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path

from tests.helpers.tables import each

PROJECT = Path(__file__).resolve().parents[2]
PACKAGE = PROJECT / "trace_inspector"
OTHERS = "the other parts"  # of the window: too many to be named

Order = list[frozenset[str]]


@cache
def page() -> dict[str, Order]:
    """The table of folders: of each room and family which folders there are, the upper first."""
    text = (PROJECT / "docs" / "architecture.md").read_text(encoding="utf-8").partition("\n## Folders\n")[2]
    found = {}
    for room, row in re.findall(r"^\| `(\w+)/` \| (.*) \|$", text.partition("\n## ")[0], re.MULTILINE):
        folders, *families = re.split(r"; (?:a family: )?", row)
        found[room] = order(folders)
        for family in families:
            name, _equals, inside = family.partition(" = ")
            found[f"{room}.{name}"] = order(inside)
    return found


def order(text: str) -> Order:
    """“a, (b, c)” as what stands beside each other."""
    groups = re.findall(r"\(([^)]*)\)|([^,()]+)", text)
    return [
        frozenset(re.split(r",\s*", (beside or alone).strip())) for beside, alone in groups if beside or alone.strip()
    ]


@cache
def contracts() -> dict[str, Order]:
    """The same as `pyproject.toml` has it."""
    table = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    return {
        container.removeprefix("trace_inspector."): [
            frozenset(re.split(r"\s*\|\s*", layer)) for layer in one["layers"]
        ]
        for one in table
        for container in one.get("containers", ())
    }


def test_a_row_is_read() -> None:
    assert order("a, (b, c), the other parts, d") == [{"a"}, {"b", "c"}, {"the other parts"}, {"d"}]


def test_the_page_has_the_rooms_and_families_that_have_an_order() -> None:
    assert {*page()} == {*contracts()}


@each("place", sorted(contracts()))
def test_the_order_on_the_page_is_the_one_that_is_held(place: str) -> None:
    held = contracts()[place]
    if frozenset([OTHERS]) in page()[place]:
        at = page()[place].index(frozenset([OTHERS]))
        assert len(held[at]) > 10
        held = [*held[:at], frozenset([OTHERS]), *held[at + 1 :]]
    assert page()[place] == held


@each("place", sorted(contracts()))
def test_the_page_lists_the_folders_that_are_there(place: str) -> None:
    listed = frozenset[str]().union(*page()[place])
    there = {file.parent.name for file in PACKAGE.joinpath(*place.split(".")).glob("*/__init__.py")}
    assert listed - {OTHERS} <= there
    assert OTHERS in listed or listed == there

"""CES's tables of goldens: rows by evaluation and turn, every cell kept, and rows that belong nowhere."""

from __future__ import annotations

from pathlib import Path

from tests.formats import ces_golden_files as made
from tests.helpers.tables import each
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.parts import Unknown
from trace_inspector.flows.opening.open_file import open_file


def table(text: str, folder: Path) -> Contents:
    """What a table holds."""
    path = folder / "goldens.csv"
    path.write_text(text, encoding="utf-8")
    return open_file(path).contents


def test_rows_stand_with_their_evaluation_and_turn(tmp_path: Path) -> None:
    contents = table(made.TABLE, tmp_path)
    (suite,) = contents.suites
    assert (contents.format, suite.id, [case.id for case in suite.cases]) == (
        "ces-golden-csv",
        "goldens",
        ["Seats", "Talk"],
    )
    seats, talk = suite.cases
    assert [(extra.name, extra.value) for extra in seats.extras] == [("tags", "smoke")]
    assert [(turn.index, turn.id, turn.place) for turn in seats.turns] == [(0, "0", "/1"), (1, "1", "/3")]
    assert [part for event in seats.turns[0].events for part in event.parts] == [
        Unknown("SAY", {"text": "Is seat 2 free?"}, "/1"),
        Unknown("CALL", {"text": {"tool": "look_up"}}, "/2"),
    ]
    assert [turn.id for turn in talk.turns] == ["0"]
    assert [(found.code, found.line) for found in contents.findings] == [("rows-as-they-stand", 1)]


@each(
    ("rows", "code", "place"),
    [
        (",0,SAY,Hi,", "no-display-name", "/0"),
        ("A,,,,\n,0,,Hi,", "incomplete-row", "/1"),
        ("A,,,,\n,,SAY,Hi,", "incomplete-row", "/1"),
        ("A,,,,\n,,,Hi,", "incomplete-row", "/1"),
        ("A,,,,\nB,,,,\nA,,,,", "duplicate-id", "/2"),
    ],
)
def test_a_row_that_belongs_nowhere_is_named(rows: str, code: str, place: str, tmp_path: Path) -> None:
    contents = table(f"display_name,turn_index,action_type,text,tags\n{rows}\n", tmp_path)
    assert contents.format == "ces-golden-csv"
    assert (code, place) in [(found.code, found.pointer) for found in contents.findings]


def test_other_tables_are_none(tmp_path: Path) -> None:
    assert table("display_name,turn_index\nA,0\n", tmp_path).format == ""

"""Text results that are tables, logs, blocks, listings or lists of sentences; and texts that are none."""

from __future__ import annotations

import pytest

from tests.engine.grounding.result_tables import SOURCE
from trace_inspector.engine.grounding.tables.record import Table
from trace_inspector.engine.grounding.tables.text_tables import MAX_CHARS, tables_in_text


def _values(table: Table) -> list[dict[str, object]]:
    return [{field.key: field.value for field in record.fields} for record in table.records]


def _only(text: str) -> list[dict[str, object]]:
    tables = tables_in_text(SOURCE, text)
    assert len(tables) == 1
    return _values(tables[0])


BIOGRAPHY = (
    "Marie Curie was born in Warsaw. She studied in Paris. She won two Nobel Prizes. She discovered polonium. "
    "She founded institutes in Paris and in Warsaw. She died in 1934. Her daughter also won a Nobel Prize."
)
NOTES = (
    "Note: this is a long explanation of why nothing in here is a table at all, as everybody can see.\n"
    "Warning: it goes on for another line and says that there is nothing to be found in here either."
)
PEOPLE = [
    {"name": "Ana", "age": 31, "remote": True, "score": 4.5},
    {"name": "Bo", "age": None, "remote": False, "score": 3.0},
]


@pytest.mark.parametrize(
    "text",
    [
        "name,age,remote,score\nAna,31,true,4.5\nBo,,false,3.0\n",
        "name\tage\tremote\tscore\nAna\t31\ttrue\t4.5\nBo\t\tfalse\t3.0",
        "name;age;remote;score\nAna;31;true;4.5\nBo;;false;3.0",
        "| name | age | remote | score |\n|---|---:|:---:|---|\n| Ana | 31 | true | 4.5 |\n| Bo |  | false | 3.0 |",
        "Here they are:\n\nname | age | remote | score\nAna | 31 | yes | 4.5\nBo | - | no | 3.0",
        "name  age  remote  score\n----  ---  ------  -----\nAna   31   true    4.5\nBo    -    false   3.0",
    ],
)
def test_tables(text: str) -> None:
    assert _only(text) == PEOPLE


def test_quoted_cells_keep_their_commas() -> None:
    assert _only('id,note\n7,"one, two"\n8,three')[0] == {"id": 7, "note": "one, two"}


def test_numbers_that_begin_with_noughts_are_names() -> None:
    assert _only("code,count\n0042,3\n0043,4")[0] == {"code": "0042", "count": 3}


def test_blocks_of_keys_and_values_are_records() -> None:
    text = "Name: Nord\nPrice: 12 EUR\nOpen: yes\n\nName: Süd\nPrice: 9 EUR\nOpen: no"
    assert _only(text) == [
        {"Name": "Nord", "Price": "12 EUR", "Open": True},
        {"Name": "Süd", "Price": "9 EUR", "Open": False},
    ]


@pytest.mark.parametrize(
    "lines",
    [
        "[10:02:11] WARN mailer: slow disk=3 ms=250\n[10:02:12] INFO mailer: fine",
        "10:02:11 | mailer | WARN | slow disk=3 ms=250\n10:02:12 | mailer | INFO | fine",
        'level=WARN ts=10:02:11 svc=mailer msg="slow disk=3 ms=250" disk=3 ms=250\nlevel=INFO ts=10:02:12 msg=fine',
    ],
)
def test_logs(lines: str) -> None:
    first = _only(lines)[0]
    wanted = {
        "time": "10:02:11",
        "level": "WARN",
        "service": "mailer",
        "message": "slow disk=3 ms=250",
        "disk": 3,
        "ms": 250,
    }
    assert first == wanted


def test_a_log_may_have_dates_and_no_service() -> None:
    text = "2026-03-05T10:02:11Z INFO started\n2026-03-05T10:02:12Z ERROR failed to bind"
    assert _only(text)[1] == {"time": "2026-03-05T10:02:12Z", "level": "ERROR", "message": "failed to bind"}


def test_listings_of_directories() -> None:
    text = (
        "total 16\ndrwxr-xr-x 2 ana staff 4096 Mar  5 10:02 docs\n-rw-r--r-- 1 ana staff 1234 Mar  6 11:00 a b.txt\n"
    )
    listed = _only(text)
    assert [(row["name"], row["size_bytes"], row["kind"]) for row in listed] == [
        ("docs", 4096, "directory"),
        ("a b.txt", 1234, "file"),
    ]


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        (
            "==== 2 failed, 44 passed, 1 skipped in 12.6s ====",
            {"failed": 2, "passed": 44, "skipped": 1, "duration_seconds": 12.6},
        ),
        ("Tests:       1 failed, 9 passed, 10 total", {"failed": 1, "passed": 9, "total": 10}),
        ("Tests run: 12, Failures: 1, Errors: 0", {"Tests run": 12, "Failures": 1, "Errors": 0}),
    ],
)
def test_summaries_of_test_runs(text: str, counts: dict[str, object]) -> None:
    assert counts in [row for table in tables_in_text(SOURCE, text) for row in _values(table)]


def test_lists_of_short_sentences() -> None:
    text = (
        "Lamp LM-4 costs 35 euros. Lamp LM-4 weighs 1.2 kg. LM-4 is not dimmable. LM-4 comes from Norden. "
        "Lamp LM-9 costs 80 euros. LM-9 weighs 3 kg. Lamp LM-9 is dimmable. Lamp LM-9 comes from Halle."
    )
    first, second = _only(text)
    assert first["name"] == "LM-4"
    assert second["name"] == "LM-9"
    assert {"35 euros", "1.2 kg", "Norden", False} <= set(first.values())
    assert {"80 euros", "3 kg", "Halle", True} <= set(second.values())


@pytest.mark.parametrize(
    "text",
    [
        "The bridge, opened in 1932, is long. It has six lanes, two tracks and a path.",
        "Dear team,\n\nwe meet on Monday.\nPlease bring the figures, the plans, the keys.\n\nThanks, Ana",
        BIOGRAPHY,
        NOTES,
        "",
        "   \n \n",
        "||||\n||||",
        ",,,\n,,,",
        "a,b,c\n1,2,3\n4,5",
        "[10:02:11] WARN a: slow\n[10:02:12] INFO a: fine\nand so on\nfor a while\nuntil the end",
        "LM-4 costs 35 euros. LM-4 weighs 1.2 kg. LM-4 is dimmable. LM-4 comes from Norden. It is new. It is blue.",
    ],
)
def test_prose_has_no_tables(text: str) -> None:
    assert tables_in_text(SOURCE, text) == []


@pytest.mark.parametrize("piece", ["a|", "a,b\n", "- a: b\n", "k=v ", "[10:02:11] WARN a: b\n", "A b. "])
def test_a_huge_text_is_read_in_part(piece: str) -> None:
    text = piece * (2 * MAX_CHARS // len(piece))
    assert all(not table.is_complete for table in tables_in_text(SOURCE, text))

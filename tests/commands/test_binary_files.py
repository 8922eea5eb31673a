"""Databases and protobuf files under every command: they are shown, judged and converted, and never written."""

from __future__ import annotations

import gzip
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.documents.wire import delimited, four_bytes, hexed, traces
from tests.formats.session_databases import LAYOUTS, database, exchange
from tests.formats.session_files import session
from tests.formats.span_files import Made, agent, model, otlp, says, tool, user, wants
from trace_inspector.cli import main
from trace_inspector.core.values.values import Json, JsonObject

SPANS = [
    agent("a", None, "guide"),
    model(
        "m1", "a", 1, asked=[user("Where?")], said=[wants("look", q="it")],
        usage={"prompt_token_count": 5, "candidates_token_count": 2},
    ),
    tool("x", "a", 5, "look", {"q": "it"}, {"found": 1}, call_id="adk-1"),
    model("m2", "a", 20, said=says("There.")),
    Made("h", "GET /", failed="late"),
]  # fmt: skip


def inspected(capsys: pytest.CaptureFixture[str], path: Path) -> JsonObject:
    assert main(["inspect", "--json", str(path)]) == 0
    (document,) = json.loads(capsys.readouterr().out)["documents"]
    assert isinstance(document, dict)
    del document["path"]
    return document


def put(path: Path, data: bytes | Json) -> Path:
    path.write_bytes(data if isinstance(data, bytes) else json.dumps(data).encode())
    return path


@pytest.mark.parametrize("suffix", ["pb", "json", "bin.gz"])
def test_the_same_spans_as_json_and_as_protobuf_are_shown_alike(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], suffix: str
) -> None:
    value = hexed(otlp(*SPANS))
    data = traces(value)
    packed = gzip.compress(data) if suffix.endswith("gz") else data
    shown = inspected(capsys, put(tmp_path / f"trace.{suffix}", packed))
    assert shown == inspected(capsys, put(tmp_path / "same.json", value))
    assert shown["format"] == "otlp"
    assert '"name": "look"' in json.dumps(shown)


def test_messages_in_one_file_are_shown_like_lines_of_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    values = [hexed(otlp(*SPANS[:3])), hexed(otlp(*SPANS[3:]))]
    lines = b"".join(json.dumps(value).encode() + b"\n" for value in values)
    same = inspected(capsys, put(tmp_path / "same.jsonl", lines))
    for framed in (four_bytes, delimited):
        assert inspected(capsys, put(tmp_path / "trace.pb", framed(*map(traces, values)))) == same


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_database_is_shown_like_its_session_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], layout: str
) -> None:
    told = session(*(one for number in range(2) for one in exchange(number)), id="s-1")
    shown = inspected(capsys, database(tmp_path / "session.db", layout))
    same = inspected(capsys, put(tmp_path / "same.json", told))
    assert shown["format"] == "adk-session-db"
    assert shown["traces"] == same["traces"]


def test_findings_name_the_file_and_its_beginning(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = database(tmp_path / "session.db", "0")
    assert main(["validate", str(path)]) == 0
    said = capsys.readouterr().out
    assert f"{path}:1:1: info database-tables A SQLite database that holds “sessions” (1 row)," in said
    assert f"{path}:1:1: warning pickled “actions” of 8 events is a Python pickle," in said
    cut = put(tmp_path / "cut.pb", traces(hexed(otlp(*SPANS)))[:-20])
    assert main(["validate", str(cut)]) == 1
    assert f"{cut}:1:1: error truncated The file ends at byte {cut.stat().st_size}," in capsys.readouterr().out


def test_another_database_says_which_tables_it_holds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE bookmarks (title)")
    assert main(["validate", str(path)]) == 1
    said = capsys.readouterr().out
    assert "“bookmarks” (0 rows)" in said
    assert "not-recognised" in said


def test_both_are_judged_and_converted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sources = (database(tmp_path / "session.db", "local"), put(tmp_path / "trace.pb", traces(hexed(otlp(*SPANS)))))
    for path in sources:
        golden = tmp_path / f"{path.stem}.evalset.json"
        assert main(["convert", str(path), "--to", "adk-eval-set", "-o", str(golden), "--allow-loss"]) == 0
        assert main(["evaluate", str(path), "--golden", str(golden)]) == 0
        assert "1 passed" in capsys.readouterr().out


def test_both_are_copied_and_never_edited(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sources = {
        "adk-session-db": database(tmp_path / "session.db", "1"),
        "otlp": put(tmp_path / "trace.pb", traces(hexed(otlp(*SPANS)))),
    }
    for name, path in sources.items():
        before, copy = path.read_bytes(), tmp_path / f"{name}.copy"
        assert main(["convert", str(path), "--to", name, "-o", str(copy)]) == 0
        assert copy.read_bytes() == before
        for edit in ("--set", "--insert", "--remove"):
            assert main(["edit", str(path), edit, "/sessions/0" + ("" if edit == "--remove" else "=1")]) == 2
            assert "can only be read" in capsys.readouterr().err
        assert path.read_bytes() == before

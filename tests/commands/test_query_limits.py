"""What `query` refuses: anything but one SELECT over the tables, files outside, and what takes too much."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.helpers.results_folders import asked, of_rows, of_small_set
from trace_inspector.cli import main
from trace_inspector.core.errors import InspectorError, ReadError
from trace_inspector.documents.results import NAME
from trace_inspector.documents.results import session as module
from trace_inspector.documents.results.manifest import Manifest, write_manifest
from trace_inspector.documents.results.session import ResultsSession
from trace_inspector.documents.saving.file_lock import lock

duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return of_small_set(tmp_path_factory.mktemp("results"))


@pytest.fixture(scope="module")
def session(results: Path) -> Iterator[ResultsSession]:
    with ResultsSession(results) as own:
        yield own


REFUSED = {
    "COPY verdicts TO '{out}'": "COPY",
    "COPY (SELECT 1) TO '{out}' (FORMAT csv)": "COPY",
    "ATTACH '{out}' AS other": "ATTACH",
    "EXPORT DATABASE '{out}'": "EXPORT",
    "INSTALL httpfs": "INSTALL or LOAD",
    "LOAD httpfs": "INSTALL or LOAD",
    "SET enable_external_access = true": "SET",
    "PRAGMA version": "PRAGMA",
    "CREATE TABLE more AS SELECT 1": "CREATE",
    "DROP VIEW verdicts": "DROP",
    "CALL pragma_version()": "CALL",
    "EXPLAIN SELECT 1": "EXPLAIN",
    "SELECT 1; SELECT 2": "there are 2",
    "SELECT 1; COPY (SELECT 1) TO '{out}'": "there are 2",
    "": "there is none",
    "-- nothing": "there is none",
    "SELECT * FROM read_csv('/etc/passwd')": "read_csv",
    "SELECT * FROM read_text('{outside}')": "read_text",
    "SELECT * FROM READ_BLOB('{outside}')": "read_blob",
    "SELECT 1 WHERE EXISTS (FROM glob('/*'))": "glob",
    "WITH x AS (FROM sniff_csv('/etc/passwd')) FROM x": "sniff_csv",
    "SELECT (SELECT max(name) FROM duckdb_settings())": "duckdb_settings",
    "FROM query('SELECT 1')": "query",
    "FROM enable_logging(storage := 'file')": "enable_logging",
    "SELECT getenv('HOME')": "getenv",
    "SELECT write_log('x')": "write_log",
    "SELECT * FROM '{outside}'": "",
    "SELECT * FROM '{results}'": "",
    "SELECT * FROM '{results}/trace-inspector-results.json'": "",
    "SELECT * FROM 'https://localhost/x.parquet'": "",
    "SELECT * FROM read_parquet('{results}/*/*.parquet')": "read_parquet",
    "SELECT nonsense FROM turns": "nonsense",
    "SELEC 1": "syntax error",
    "SELECT " + "(" * 5_000 + "1" + ")" * 5_000: "",
    "SELECT string_agg(repeat('x', 10000000), '') FROM range(1000)": "1 GB",
}


def test_what_is_no_select_over_the_tables_is_refused(results: Path, session: ResultsSession, tmp_path: Path) -> None:
    outside = tmp_path / "outside.csv"
    outside.write_text("secret\n1\n", encoding="utf-8")
    names = {"out": tmp_path / "out", "outside": outside, "results": results}
    before = sorted(tmp_path.iterdir())
    for template, word in REFUSED.items():
        sql = template.format(**names) if "{" in template else template
        with pytest.raises(InspectorError) as refused:
            asked(session, sql)
        assert word in refused.value.sentence, sql
        assert "\n" not in refused.value.sentence
    assert sorted(tmp_path.iterdir()) == before
    assert asked(session, "SELECT count(*) FROM turns") == [[5]]  # and it goes on answering


@pytest.mark.parametrize("sql", ["COPY turns TO '{out}'", "SELECT 1; SELECT 2", "SELECT * FROM '/etc/passwd'"])
def test_the_command_says_so_in_a_sentence(
    sql: str, results: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["query", str(results), sql.format(out=tmp_path / "out")]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("trace-inspector: ")
    assert len(printed.err.splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_an_endless_query_is_ended_with_all_that_it_wrote(results: Path) -> None:
    with ResultsSession(results, seconds=1.5) as session:
        temporary, process = session._temporary, session._process
        assert temporary.is_dir()
        with pytest.raises(ReadError, match=r"took longer than 1\.5 s"):
            asked(session, "SELECT count(*) FROM range(1000000000) a, range(1000000000) b, range(1000000000) c")
        assert not process.is_alive()
        assert not temporary.exists()
        with pytest.raises(ReadError):
            asked(session, "SELECT 1")


def test_the_time_that_a_pager_takes_is_not_the_query(
    session: ResultsSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited_s = 0.0
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: time.monotonic() + waited_s))
    rows = session.ask("SELECT repeat('x', 1000) FROM range(20000)").rows()
    for number, _row in enumerate(rows):
        waited_s += 60 if number % 1000 == 0 else 0
    assert number == 19_999


def test_of_long_texts_the_beginning_is_shown(session: ResultsSession) -> None:
    asked_for = "SELECT repeat('x', 100000) AS a, range(5000) AS b, 'y' AS c, [1] AS d"
    shown: list[list[Any]] = list(session.ask(asked_for, 5).rows())
    ((long, listed, short, few),) = shown
    assert (len(long), long[-1]) == (10_000, "…")
    assert (len(listed), listed[:6], listed[-1]) == (10_000, "[0, 1,", "…")
    assert (short, few) == ("y", [1])
    ((whole, *_rest),) = asked(session, asked_for)
    assert len(whole) == 100_000
    many: list[list[Any]] = list(session.ask("SELECT repeat('x', 11000) FROM range(1800)", 1_800).rows())
    assert (len(many[0][0]), len(many[-1][0])) == (10_000, 100)
    lists: list[list[Any]] = list(session.ask("SELECT range(1800) FROM range(1800)", 1_800).rows())
    assert (lists[0][0], len(lists[-1][0])) == ([*range(1800)], 100)


def test_what_a_killed_process_left_is_removed_by_the_next(
    results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    left, running, other = (tmp_path / f"trace-inspector-sql-{name}" for name in ("left", "running", "other"))
    for folder in (left, running, other):
        folder.mkdir()
    for folder in (left, running):
        (folder / "lock").touch()
        os.utime(folder / "lock", (0, 0))
    with (running / "lock").open("wb") as held:
        os.utime(running / "lock", (0, 0))
        assert lock(held.fileno())
        ResultsSession(results).close()
    assert sorted(tmp_path.iterdir()) == [other, running]


def test_rows_of_an_earlier_answer_are_not_taken_for_those_of_the_next(session: ResultsSession) -> None:
    begun = session.ask("SELECT range FROM range(5000)")
    assert next(begun.rows()) == [0]
    assert asked(session, "SELECT 'mine'") == [["mine"]]


@pytest.mark.parametrize(
    "name",
    ["/etc/passwd", "../outside.parquet", "s3://bucket/x.parquet", "turns/*.parquet", "link.parquet", "gone.parquet",
     "turns", "away/outside.parquet"],
)  # fmt: skip
def test_what_leads_out_of_the_folder_is_not_opened(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = of_rows(tmp_path / "written", turns=[{"run": "r", "turn": 1}])
    outside = tmp_path / "outside.parquet"
    outside.write_bytes((folder / "turns" / "00001.parquet").read_bytes())
    (folder / "link.parquet").symlink_to(outside)
    (folder / "away").symlink_to(tmp_path)
    manifest = json.loads((folder / NAME).read_text(encoding="utf-8"))
    manifest["tables"]["turns"]["files"] = [name]
    (folder / NAME).write_text(json.dumps(manifest), encoding="utf-8")
    assert main(["query", str(folder), "SELECT * FROM turns"]) == 2
    told = capsys.readouterr().err
    assert name in told
    assert "Nothing was read." in told


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"trace_inspector_results": 9, "run": "x"}', "[" * 100_000])
def test_an_odd_manifest_gives_a_sentence(tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    folder = of_rows(tmp_path / "written")
    (folder / NAME).write_text(text, encoding="utf-8")
    assert main(["query", str(folder), "SELECT 1"]) == 2
    assert "Traceback" not in (told := capsys.readouterr().err)
    assert len(told.splitlines()) == 1


def test_a_damaged_table_gives_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = of_rows(tmp_path / "written", turns=[{"run": "r", "turn": 1}])
    (folder / "turns" / "00001.parquet").write_bytes(b"PAR1 and nothing else PAR1")
    assert main(["query", str(folder), "SELECT * FROM turns"]) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_a_manifest_is_replaced_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = of_rows(tmp_path / "written")
    before = (folder / NAME).read_bytes()

    def full(_handle: int) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_manifest(folder, Manifest(1, "other"))
    assert (folder / NAME).read_bytes() == before
    assert [path.name for path in folder.iterdir()] == [NAME]

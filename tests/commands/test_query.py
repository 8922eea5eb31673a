"""`evaluate --results` and `query`: what is written, what one SELECT is told, and in which forms."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest

from tests.helpers.results_folders import asked, of_rows, of_small_set
from tests.helpers.small_set import small_set
from trace_inspector.cli import main
from trace_inspector.commands.query import MOST_SHOWN
from trace_inspector.documents.results import NAME
from trace_inspector.documents.results.manifest import Manifest, read_manifest
from trace_inspector.documents.results.session import ResultsSession
from trace_inspector.documents.results.tables import TABLES
from trace_inspector.documents.results.writing import ResultsWriter
from trace_inspector.flows.results.questions import QUESTIONS

duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return of_small_set(tmp_path_factory.mktemp("results"))


@pytest.fixture(scope="module")
def session(results: Path) -> Iterator[ResultsSession]:
    with ResultsSession(results) as own:
        yield own


def test_the_rows_are_the_verdicts_of_the_run(
    tmp_path: Path, session: ResultsSession, capsys: pytest.CaptureFixture[str]
) -> None:
    goldens, recording = small_set(tmp_path)
    main(["evaluate", str(recording), "--golden", str(goldens), "--json"])
    (case,) = json.loads(capsys.readouterr().out)["cases"]
    told = [(None, None, case["status"], None)]
    told += [(None, metric["name"], metric["status"], metric["score"]) for metric in case["metrics"]]
    for turn in case["turns"]:
        told.append((turn["index"] + 1, None, turn["status"], None))
        told += [(turn["index"] + 1, metric["name"], metric["status"], metric["score"]) for metric in turn["metrics"]]
    sql = "SELECT turn, criterion, status, score FROM verdicts"
    assert [tuple(row) for row in asked(session, sql)] == told
    assert asked(session, "SELECT DISTINCT case_id, suite, about FROM verdicts WHERE turn IS NULL") == [
        ["shoes", "shop", "case"]
    ]


def test_turns_calls_and_sentences_are_there(session: ResultsSession) -> None:
    assert asked(session, "SELECT turn, user_text, call_count, seconds FROM turns WHERE turn = 2") == [
        [2, "How many pairs of number 1 are on the shelf?", 1, 3.0]
    ]
    sql = "SELECT tool, agent, arguments, answered, failed, seconds FROM calls WHERE turn = 1"
    assert asked(session, sql) == [["count_shelf", "shop", '{"number": 0, "shop": "Chur"}', True, False, 1.0]]
    assert asked(session, "SELECT count(*), min(criterion), min(sentence) FROM sentences") == [
        [5, "local_grounding", "There are 3 pairs on shelf 0."]
    ]
    assert asked(session, "FROM votes") == []


def test_the_manifest_tells_what_was_evaluated_by_whom(results: Path) -> None:
    manifest = read_manifest(results)
    assert manifest.complete
    assert (manifest.engine, manifest.worker_processes, manifest.cases, manifest.turns) == ("local:1", 1, 1, 5)
    assert {Path(path).name: len(digest) for path, digest in manifest.inputs.items()} == {
        "session.json": 64,
        "shop.evalset.json": 64,
    }
    assert manifest.versions["duckdb"] == duckdb.__version__
    assert {name: table.files for name, table in manifest.tables.items()} == {
        name: (f"{name}/00001.parquet",) * (name != "votes")
        for name in ("verdicts", "turns", "calls", "votes", "sentences")
    }
    assert sorted(path.name for path in results.rglob("*") if path.is_file()) == ["00001.parquet"] * 4 + [NAME]


def test_no_column_has_a_name_that_sql_keeps_for_itself() -> None:
    names = [name for table in TABLES for name in (table.name, *table.columns)]
    sql = "SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category <> 'unreserved'"
    assert not {row[0] for row in duckdb.connect().execute(sql).fetchall()} & set(names)


def test_a_table_is_printed_and_says_how_many_rows_there_are(
    results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["query", str(results), "SELECT turn, 'a\x1b[31m' AS odd, NULL AS nothing FROM turns LIMIT 2"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "turn  odd     nothing",
        "1     a�[31m  –",
        "2     a�[31m  –",
        "2 rows.",
    ]
    assert main(["query", str(results), "SELECT range AS n FROM range(12345)"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == MOST_SHOWN + 2
    assert lines[-1] == "200 of 12,345 rows; --to csv or --to json gives all of them."
    assert main(["query", str(results), "SELECT turn FROM turns WHERE turn > 99"]) == 0
    assert capsys.readouterr().out.splitlines() == ["turn", "0 rows."]


@pytest.mark.parametrize(
    ("sql", "first", "total"),
    [
        ("SELECT range AS n FROM range(5000) ORDER BY n DESC", [[4999], [4998]], 5000),
        ("SELECT range AS n FROM range(5000) ORDER BY n DESC LIMIT 7 -- the last", [[4999], [4998]], 7),
        ("WITH twice AS (FROM range(9)) FROM twice UNION ALL FROM twice ORDER BY ALL DESC;", [[8], [8]], 18),
        ("SELECT range % 3 AS n, count(*) FROM range(9) GROUP BY ALL ORDER BY n", [[0, 3], [1, 3]], 3),
        ("SELECT DISTINCT ON (range % 3) range AS n FROM range(9) ORDER BY range % 3, n DESC", [[6], [7]], 3),
        ("FROM range(2)", [[0], [1]], 2),
    ],
)
def test_the_first_rows_are_those_of_the_whole_and_all_are_counted(
    session: ResultsSession, sql: str, first: list[list[int]], total: int
) -> None:
    answer = session.ask(sql, 2)
    assert list(answer.rows()) == first
    assert answer.total == total
    whole = session.ask(sql)
    assert list(whole.rows())[:2] == first
    assert whole.total == total


def test_a_figure_with_more_digits_than_a_number_keeps_them(session: ResultsSession) -> None:
    sql = "SELECT 12345678901234567890.5::DECIMAL(38, 1), 0.1, 2.50, 9007199254740993::DECIMAL(20, 0)"
    assert list(session.ask(sql).rows()) == [["12345678901234567890.5", 0.1, 2.5, "9007199254740993"]]


def test_columns_of_one_name_keep_it(session: ResultsSession) -> None:
    answer = session.ask("SELECT 1 AS n, 2 AS n, '3' AS N", 1)
    assert [name for name, _kind in answer.columns] == ["n", "n", "N"]
    assert list(answer.rows()) == [[1, 2, "3"]]


def test_csv_has_no_formulas_and_keeps_numbers(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sql = "SELECT '=1+1' AS \"@x\", -3 AS n, NULL AS nothing, ['+a'] AS some"
    assert main(["query", str(results), sql, "--to", "csv"]) == 0
    assert list(csv.reader(StringIO(capsys.readouterr().out))) == [
        ["'@x", "n", "nothing", "some"],
        ["'=1+1", "-3", "", '["+a"]'],
    ]


def test_json_has_all_rows_and_each_column_once(
    results: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sql = "SELECT range AS n, range * 2 AS n, 'nan'::DOUBLE AS odd FROM range(1300)"
    assert main(["query", str(results), sql, "--to", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert len(rows) == 1300
    assert rows[-1] == {"n": 1299, "n_2": 2598, "odd": None}
    file = tmp_path / "none.json"
    assert main(["query", str(results), "SELECT 1 WHERE false", "--to", "json", "-o", str(file)]) == 0
    assert json.loads(file.read_text(encoding="utf-8")) == []


def test_parquet_is_written_whole_and_outside_of_the_results(
    results: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "turns.parquet"
    assert main(["query", str(results), "SELECT * FROM turns -- all", "--to", "parquet", "-o", str(file)]) == 0
    (count,) = duckdb.connect().execute("SELECT count(*) FROM read_parquet(?)", [str(file)]).fetchall()
    assert count == (5,)
    before = file.read_bytes()
    for wrong in ("SELECT nonsense FROM turns", "SELECT 1; SELECT 2"):
        assert main(["query", str(results), wrong, "--to", "parquet", "-o", str(file)]) == 2
    assert file.read_bytes() == before
    inside = str(results / "more.parquet")
    assert main(["query", str(results), "SELECT 1", "--to", "parquet", "-o", inside]) == 2
    assert "outside" in capsys.readouterr().err
    assert main(["query", str(results), "SELECT 1", "--to", "parquet"]) == 2
    assert main(["query", str(results), "SELECT 1", "-o", str(file)]) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["turns.parquet"]


def test_odd_texts_come_back(tmp_path: Path) -> None:
    folder = of_rows(
        tmp_path / "written",
        turns=[{"answer": "a\0b \ud800 é 漢 “x” \n\t", "tags": ["y" * 5_000] * 3, "reason": None}],
    )
    with ResultsSession(folder) as session:
        ((answer, tags),) = asked(session, "SELECT answer, tags FROM turns")
    assert answer == "a\\0b \\ud800 é 漢 “x” \n\t"
    assert [len(tag) for tag in tags] == [500] * 3


def test_a_folder_that_holds_something_is_refused_before_anything_is_evaluated(
    tmp_path: Path, results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    goldens, recording = small_set(tmp_path)
    command = ["evaluate", str(recording), "--golden", str(goldens), "--results"]
    other = tmp_path / "other"
    other.mkdir()
    (other / "notes.txt").write_text("mine", encoding="utf-8")
    for folder, word in (
        (other, "something else"),
        (results, "results of the run"),
        (recording, "of their own"),
        (tmp_path, "something else"),
    ):
        assert main([*command, str(folder)]) == 2
        printed = capsys.readouterr()
        assert word in printed.err
        assert printed.out == ""
    assert [path.name for path in other.iterdir()] == ["notes.txt"]


def test_an_empty_folder_is_taken(tmp_path: Path) -> None:
    goldens, recording = small_set(tmp_path)
    (tmp_path / "empty").mkdir()
    command = ["evaluate", str(recording), "--golden", str(goldens), "--results", str(tmp_path / "empty")]
    assert main(command) == 0
    assert read_manifest(tmp_path / "empty").complete


def test_results_that_are_not_complete_say_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = of_rows(tmp_path / "written", turns=[{"run": "r", "turn": 1}])
    (folder / NAME).write_text((folder / NAME).read_text(encoding="utf-8").replace("true", "false"), encoding="utf-8")
    assert main(["query", str(folder), "SELECT turn FROM turns"]) == 0
    assert "not complete" in capsys.readouterr().err


def test_shards_are_separate_files_and_read_as_one(tmp_path: Path) -> None:
    folder = tmp_path / "sharded"
    with ResultsWriter(folder, Manifest(1, "run-1")) as writer:
        for shard in range(3):
            writer.add({"turns": [{"run": "r", "turn": shard}]}, 1, 1)
            assert not read_manifest(folder).complete
        writer.finish(complete=True)
    assert [path.name for path in sorted((folder / "turns").iterdir())] == [f"0000{n}.parquet" for n in (1, 2, 3)]
    with ResultsSession(folder) as session:
        assert asked(session, "SELECT turn FROM turns ORDER BY turn") == [[0], [1], [2]]


def test_what_is_redacted_is_in_no_table_and_not_in_the_manifest(tmp_path: Path) -> None:
    goldens, recording = small_set(tmp_path)
    out = tmp_path / "out"
    command = ["evaluate", str(recording), "--golden", str(goldens), "--results", str(out)]
    assert main([*command, "--redact-key", "shop", "--redact", r"pairs of number \d"]) == 0
    with ResultsSession(out) as session:
        everything = "".join(str(asked(session, f"FROM {table.name}")) for table in TABLES)
    everything += (out / NAME).read_text(encoding="utf-8")
    assert "[redacted]" in everything
    assert "Chur" not in everything
    assert "pairs of number" not in everything


@pytest.mark.parametrize(
    "command", [["query", "{results}", "SELECT 1"], ["evaluate", "{recording}", "--results", "{new}"]]
)
def test_without_the_library_there_is_a_sentence_with_what_to_install(
    command: list[str],
    results: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    names = {"results": results, "recording": small_set(tmp_path)[1], "new": tmp_path / "new"}
    assert main([word.format(**names) for word in command]) == 2
    assert "pip install 'trace-inspector[sql]'" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_every_ready_made_question_is_answered(session: ResultsSession) -> None:
    assert asked(session, QUESTIONS[0].sql) == [["(no tag)", 1, 1, 0, 1.0]]
    assert asked(session, QUESTIONS[1].sql)[0][:4] == ["count_shelf", 5, 5, 1.0]
    assert asked(session, QUESTIONS[2].sql) == []  # the small set tells of no tokens
    assert asked(session, QUESTIONS[3].sql) == [["response_match_score", "tool_trajectory_avg_score", 1, 0]]


def test_questions_are_listed_and_asked_by_name(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["query", str(results), "--list"]) == 0
    listed = capsys.readouterr().out
    assert all(question.name in listed for question in QUESTIONS)
    assert all(table.name in listed for table in TABLES)
    assert main(["query", str(results), "slowest-tools"]) == 0
    assert "count_shelf" in capsys.readouterr().out
    assert main(["query", str(results)]) == 2
    assert main(["query", str(results), "SELECT 1", "--list"]) == 2


def test_the_cost_by_agent_adds_up_tokens(tmp_path: Path) -> None:
    spent = [{"agent": "a", "model": "m", "input_tokens": 5, "output_tokens": None}]
    folder = of_rows(
        tmp_path / "written",
        turns=[{"spent": spent}, {"spent": [*spent, {"agent": "b", "model": "m", "output_tokens": 9}]}],
    )
    with ResultsSession(folder) as session:
        assert asked(session, QUESTIONS[2].sql) == [["a", "m", 2, 10, None], ["b", "m", 1, None, 9]]

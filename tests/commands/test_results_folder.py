"""A results folder opened like a file by the other commands, and the examples of docs/query.md."""

from __future__ import annotations

import json
import random
import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.results_folders import of_rows
from tests.helpers.small_set import small_set
from trace_inspector import resources
from trace_inspector.cli import main
from trace_inspector.core.rows.contents import collect
from trace_inspector.core.verdict.verdict import Provenance
from trace_inspector.documents.reading.reading import read
from trace_inspector.documents.results import NAME, folder_document, is_results
from trace_inspector.flows.opening.listing import expand
from trace_inspector.flows.opening.open_file import open_file

duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
PAGE = Path(__file__).resolve().parents[2] / "docs" / "query.md"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the small set and its results."""
    folder = tmp_path_factory.mktemp("run")
    goldens, recording = small_set(folder)
    assert main(["evaluate", str(recording), "--golden", str(goldens), "--results", str(folder / "out")]) == 0
    return folder


def test_it_is_one_document_with_what_was_reported(folder: Path) -> None:
    results = folder / "out"
    assert expand([folder]) == [results, folder / "session.json", folder / "shop.evalset.json"]
    contents = open_file(results).contents
    assert contents.format == "results"
    (verdict,) = contents.reported
    assert (verdict.case_id, len(verdict.turns), verdict.provenance) == ("shoes", 5, Provenance.REPORTED)
    assert {metric.provenance for turn in verdict.turns for metric in turn.metrics} == {Provenance.REPORTED}
    assert len(contents.traces[0].turns) == 5


def test_it_is_inspected_and_compared_and_never_evaluated(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results = str(folder / "out")
    assert main(["inspect", results]) == 0
    assert "How many pairs of number 4 are on the shelf?" in capsys.readouterr().out
    assert main(["compare-runs", results, results]) == 0
    assert "1 unchanged" in capsys.readouterr().out
    assert main(["evaluate", results]) == 2
    assert "as they were reported" in capsys.readouterr().err


def test_of_too_many_verdicts_those_of_failed_cases_are_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    goldens, recording = small_set(tmp_path)
    other = json.loads(recording.read_text(encoding="utf-8"))
    text = goldens.read_text(encoding="utf-8")
    cases = json.loads(text)
    cases["eval_cases"].append({**json.loads(text)["eval_cases"][0], "eval_id": "boots"})
    goldens.write_text(json.dumps(cases), encoding="utf-8")
    other["id"] = "boots"
    for event in other["events"]:
        if event["author"] == "shop" and "text" in event["content"]["parts"][0]:
            event["content"]["parts"][0]["text"] = "Nobody knows."
    (tmp_path / "other.json").write_text(json.dumps(other), encoding="utf-8")
    traces = [str(recording), str(tmp_path / "other.json")]
    results = tmp_path / "out"
    assert main(["evaluate", *traces, "--golden", str(goldens), "--results", str(results)]) == 1
    capsys.readouterr()
    monkeypatch.setattr(folder_document, "MOST_ROWS", 90)
    contents = open_file(results).contents
    assert [verdict.case_id for verdict in contents.reported] == ["boots"]
    assert [finding.code for finding in contents.findings] == ["results-too-large"]


def _case(number: int, status: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """A case of two turns with one criterion each: its verdicts, and its turns."""
    about: dict[str, Any] = {"run": "r", "case_id": f"case-{number}", "suite": "s", "attempt": 1}
    about["trace_id"] = f"trace-{number}"
    turns = [{**about, "turn": turn, "user_text": f"Question {turn} of {number}?"} for turn in (1, 2)]
    verdicts = [
        {**about, "about": "turn", "turn": turn, "criterion": criterion, "status": status}
        for turn in (1, 2)
        for criterion in (None, "right")
    ]
    return [{**about, "about": "case", "status": status}, *verdicts], turns


def test_cases_that_are_shown_are_whole_wherever_they_stand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cases = [_case(number, "PASSED" if number < 60 else "FAILED") for number in range(70)]
    results = of_rows(
        tmp_path / "out",
        verdicts=[row for verdicts, _turns in cases for row in verdicts],
        turns=[row for _verdicts, turns in cases for row in turns],
    )
    monkeypatch.setattr(folder_document, "MOST_ROWS", 300)
    monkeypatch.setattr(folder_document, "MOST_FAILING", 18)  # three cases of five verdicts, and a part of the next
    contents = open_file(results).contents
    assert [verdict.case_id for verdict in contents.reported] == ["case-60", "case-61", "case-62"]
    assert [len(verdict.turns) for verdict in contents.reported] == [2, 2, 2]
    assert [len(trace.turns) for trace in contents.traces] == [2, 2, 2]
    (finding,) = contents.findings
    assert finding.message.startswith("15 of 350 verdicts are shown, those of cases that failed")


def test_verdicts_and_turns_of_very_many_cases_are_of_the_same_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cases = [_case(number, "FAILED") for number in range(3_000)]
    random.Random(4).shuffle(cases)
    turns = [row for _verdicts, turns in cases for row in turns]
    random.Random(5).shuffle(turns)
    verdicts = [row for verdicts, _turns in cases for row in verdicts]
    results = of_rows(tmp_path / "out", verdicts=verdicts, turns=turns)
    monkeypatch.setattr(folder_document, "MOST_ROWS", 3_000)
    monkeypatch.setattr(folder_document, "MOST_FAILING", 2_000)
    contents = open_file(results).contents
    assert len(contents.reported) == len(contents.traces) == 400
    assert {len(verdict.turns) for verdict in contents.reported} == {2}
    assert {len(trace.turns) for trace in contents.traces} == {2}


def test_a_case_of_more_verdicts_than_are_shown_is_shown_in_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    verdicts, turns = _case(1, "FAILED")
    results = of_rows(tmp_path / "out", verdicts=verdicts, turns=turns)
    monkeypatch.setattr(folder_document, "MOST_ROWS", 3)
    monkeypatch.setattr(folder_document, "MOST_FAILING", 3)
    (verdict,) = open_file(results).contents.reported
    assert (verdict.case_id, len(verdict.turns)) == ("case-1", 1)


def test_a_score_that_is_not_finite_is_none(tmp_path: Path) -> None:
    verdicts, turns = _case(1, "FAILED")
    results = of_rows(tmp_path / "out", verdicts=verdicts, turns=turns)
    file = results / "verdicts" / "00001.parquet"
    odd = "SELECT * REPLACE (CASE WHEN criterion IS NOT NULL THEN 'nan'::DOUBLE END AS score)"
    duckdb.connect().execute(f"COPY ({odd} FROM read_parquet('{file}')) TO '{tmp_path}/odd.parquet'")
    (tmp_path / "odd.parquet").replace(file)
    (verdict,) = open_file(results).contents.reported
    assert [[metric.score for metric in turn.metrics] for turn in verdict.turns] == [[None], [None]]


@pytest.mark.parametrize(
    ("damage", "sentence"), [("cut", "cannot be read"), ("other columns", "could not be answered")]
)
def test_a_table_that_is_none_of_ours_is_a_sentence(
    tmp_path: Path, damage: str, sentence: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    verdicts, turns = _case(1, "FAILED")
    results = of_rows(tmp_path / "out", verdicts=verdicts, turns=turns)
    file = results / "verdicts" / "00001.parquet"
    if damage == "cut":
        file.write_bytes(file.read_bytes()[:-200])
    else:
        duckdb.connect().execute(f"COPY (SELECT 1 AS one) TO '{file}' (FORMAT parquet)")
    monkeypatch.setattr(folder_document, "MOST_ROWS", 0)
    assert main(["inspect", str(results)]) == 2
    (told,) = capsys.readouterr().err.splitlines()
    assert sentence in told


def test_how_many_rows_a_manifest_claims_is_not_believed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    verdicts, turns = _case(1, "FAILED")
    results = of_rows(tmp_path / "out", verdicts=verdicts, turns=turns)
    text = (results / NAME).read_text("utf-8")
    assert '"rows": 5' in text
    (results / NAME).write_text(text.replace('"rows": 5', '"rows": 5000000000'), encoding="utf-8")
    assert main(["inspect", str(results)]) == 0
    told = capsys.readouterr()
    assert "Question 2 of 1?" in told.out
    assert told.err == ""


def test_what_cannot_be_read_is_a_sentence(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(folder / "out", copy)
    (copy / "turns" / "00001.parquet").unlink()
    assert main(["inspect", str(copy)]) == 2
    assert "which is not there" in capsys.readouterr().err
    (copy / NAME).write_text("{", encoding="utf-8")
    assert main(["inspect", str(copy)]) == 2
    assert "no manifest of results" in capsys.readouterr().err


def test_a_folder_with_some_other_manifest_stays_a_folder(tmp_path: Path) -> None:
    (tmp_path / "results.json").write_text("{}", encoding="utf-8")
    assert not is_results(tmp_path)
    assert expand([tmp_path]) == [tmp_path / "results.json"]


def test_the_document_is_the_manifest_with_rows(folder: Path) -> None:
    document = read(folder / "out")
    assert isinstance(document.value, dict)
    assert isinstance(document.value["verdicts"], list)
    assert document.stamp is not None
    assert collect("results", ()).format == "results"


def test_the_examples_of_the_page_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    samples = resources.folder("samples")
    for name in ("run-0412.json", "retail.evalset.json", "test_config.json"):
        shutil.copy(samples / name, tmp_path)
    monkeypatch.chdir(tmp_path)
    (block,) = re.findall(r"```\n(trace-inspector .*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    evaluated, *queries = [shlex.split(line)[1:] for line in block.splitlines()]
    assert main(evaluated) in (0, 1, 3)
    capsys.readouterr()
    for query in queries:
        assert main(query) == 0, query
    assert "get_rents" in capsys.readouterr().out
    assert (tmp_path / "failed.csv").read_text(encoding="utf-8").count("FAILED") > 3

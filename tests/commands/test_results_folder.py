"""A results folder opened like a file by the other commands, and the examples of docs/query.md."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest

from tests.helpers.small_set import small_set
from trace_inspector import resources
from trace_inspector.cli import main
from trace_inspector.core.rows.contents import collect
from trace_inspector.core.verdict.verdict import Provenance
from trace_inspector.documents.reading.reading import read
from trace_inspector.documents.results import NAME, folder_document, is_results
from trace_inspector.flows.opening.listing import expand
from trace_inspector.flows.opening.open_file import open_file

pytest.importorskip("duckdb", reason="duckdb is not installed")
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

"""`evidence`: one page of a run, without secrets, that opens again as it was."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks import evidence_secrets
from tests.formats import adk_files, ces_result_files, vertex_files
from trace_inspector.cli import main
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.trace import answer_text, calls_of, user_text
from trace_inspector.core.verdict.verdict import CaseVerdict, Provenance
from trace_inspector.flows.opening.open_file import open_file

OF_SYSTEMS = {
    "adk": adk_files.RESULT,
    "ces": json.dumps(ces_result_files.RESULTS["golden"]),
    "vertex": json.dumps(vertex_files.full_list()),
}


@pytest.fixture(name="run", params=OF_SYSTEMS)
def _run(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / f"{request.param}.json"
    path.write_text(OF_SYSTEMS[request.param])
    return path


def test_opened_again_it_is_the_same(run: Path, tmp_path: Path) -> None:
    target = tmp_path / "evidence.html"
    assert main(["evidence", str(run), "-o", str(target)]) == 0
    before, after = open_file(run).contents, open_file(target).contents
    assert after.format == "evidence"
    assert [*_told(after)] == [*_told(before)]
    assert [_reported(verdict) for verdict in after.reported] == [_reported(verdict) for verdict in before.reported]
    assert {metric.provenance for verdict in after.reported for metric in verdict.metrics} <= {Provenance.REPORTED}


def _told(contents: Contents) -> Iterator[object]:
    for trace in contents.traces:
        yield trace.id, trace.case_id, trace.final_state
        for turn in trace.turns:
            yield turn.id, user_text(turn), answer_text(turn), [(call.name, call.args) for call in calls_of(turn)]
    for suite in contents.suites:
        yield suite.id
        for case in suite.cases:
            yield case.id, [answer_text(turn) for turn in case.turns]


def _reported(verdict: CaseVerdict) -> object:
    parts = [(metric.metric, metric.score, metric.status, metric.reason) for metric in verdict.metrics]
    return verdict.case_id, verdict.trace_id, verdict.status, verdict.reason, parts, len(verdict.turns)


def test_the_same_run_is_the_same_page(run: Path, tmp_path: Path) -> None:
    pages = [tmp_path / "a.html", tmp_path / "b.html"]
    for page in pages:
        assert main(["evidence", str(run), "-o", str(page)]) == 0
    assert pages[0].read_bytes() == pages[1].read_bytes()


def test_no_secret_is_left_in_any_field_or_spelling(tmp_path: Path) -> None:
    pairs = evidence_secrets.planted(195, seed=7)
    run, target = evidence_secrets.write_session(pairs, tmp_path), tmp_path / "evidence.html"
    assert main(["evidence", str(run), "-o", str(target)]) == 0
    page = target.read_text()
    assert [pairs[number] for number in evidence_secrets.left_in(page, pairs)] == []
    assert "plain " in page  # all else stays


def test_the_page_runs_and_loads_nothing(run: Path, tmp_path: Path) -> None:
    target = tmp_path / "evidence.html"
    main(["evidence", str(run), "-o", str(target)])
    page = target.read_text()
    assert "default-src &#39;none&#39;" in page or "default-src &#x27;none&#x27;" in page
    assert "<script" not in page
    assert " src=" not in page


def test_one_case_alone(tmp_path: Path) -> None:
    run, target = tmp_path / "run.json", tmp_path / "evidence.html"
    run.write_text(adk_files.RESULT)
    assert main(["evidence", str(run), "--case", "b", "-o", str(target)]) == 0
    contents = open_file(target).contents
    assert [verdict.case_id for verdict in contents.reported] == ["b"]
    assert [trace.case_id for trace in contents.traces] == ["b"]


def test_a_secret_that_would_be_left_is_exit_1_and_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run, target = tmp_path / "run.json", tmp_path / "evidence.html"
    run.write_text(json.dumps(json.loads(adk_files.SESSION)))
    assert main(["evidence", str(run), "-o", str(target), "--redact", "call b[o]ok"]) == 1
    assert not target.exists()
    assert "Nothing was written" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nothing.json", "-o", "x.html"], "There is no file and no run named"),
        (["{run}", "--case", "zzz", "-o", "x.html"], "There is no case “zzz” in it."),
        (["{run}", "-o", "{folder}/not/there/x.html"], "folder"),
        (["{run}", "-o", "{run}"], "one of those evaluated or compared"),
        (["{run}", "-o", "{folder}"], ""),
        (["{run}", "-o", "x.html", "--redact", "("], "cannot redact"),
    ],
)
def test_bad_input_is_a_sentence(
    arguments: list[str],
    sentence: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    run = tmp_path / "run.json"
    run.write_text(adk_files.RESULT)
    filled = [word.replace("{run}", str(run)).replace("{folder}", str(tmp_path)) for word in arguments]
    assert main(["evidence", *filled]) == 2
    assert sentence in capsys.readouterr().err
    assert run.read_text() == adk_files.RESULT
    assert not (tmp_path / "x.html").exists()


def test_a_hundred_calls_of_five_kilobytes_fit_into_two_megabytes(tmp_path: Path) -> None:
    run, target = tmp_path / "run.json", tmp_path / "evidence.html"
    run.write_text(json.dumps(evidence_secrets.many_calls(100, 5_000)))
    assert main(["evidence", str(run), "-o", str(target)]) == 0
    assert target.stat().st_size <= 2_000_000
    (trace,) = open_file(target).contents.traces
    assert len(calls_of(trace.turns[0])) == 100


def test_a_damaged_page_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run, target = tmp_path / "run.json", tmp_path / "evidence.html"
    run.write_text(adk_files.RESULT)
    main(["evidence", str(run), "-o", str(target)])
    page = target.read_bytes()
    start = page.index(b"<template") + 200
    for damaged in (page[:start], page[:start] + b"AAAA" + page[start + 4 :], page[:start] + b"&" + page[start:]):
        target.write_bytes(damaged)
        assert main(["inspect", str(target)]) == 2
        assert "damaged" in capsys.readouterr().err


def test_another_page_is_no_evidence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "page.html"
    target.write_text("<!DOCTYPE html><html><body><template id='x'>AAAA</template></body></html>")
    assert main(["inspect", str(target)]) == 2
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("options", [(), ("--without-texts",)])
def test_a_pattern_that_matches_words_of_every_page_is_told_of(
    options: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run, target = tmp_path / "run.json", tmp_path / "evidence.html"
    messages = [{"role": "user", "content": "Pay"}, {"role": "assistant", "content": "Done."}]
    run.write_text(json.dumps({"messages": messages}))
    assert main(["evidence", str(run), *options, "-o", str(target), "--redact", "user"]) == 1
    assert "make it narrower" in capsys.readouterr().err
    assert not target.exists()

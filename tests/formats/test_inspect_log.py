"""Logs of Inspect: samples as conversations and goldens, scores as reported, archives as one document."""

from __future__ import annotations

import json
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.formats import inspect_files
from tests.helpers.tables import each
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.trace import Usage, answer_text, paired_calls, turn_usage, user_text
from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.verdict import Provenance, Status
from trace_inspector.flows.opening.open_file import open_file


def contents_of(folder: Path, value: Json | bytes) -> Contents:
    """What is read of a log, as JSON or as an archive."""
    path = folder / ("log.eval" if isinstance(value, bytes) else "log.json")
    path.write_bytes(value if isinstance(value, bytes) else json.dumps(value).encode())
    return open_file(path).contents


FORMS: dict[str, Json | bytes] = {
    "one object": inspect_files.log(),
    "archive": inspect_files.archive(),
    "archive of Zstandard": inspect_files.archive(is_zstandard=True),
    "broken off": inspect_files.archive(is_broken_off=True),
}


@each("form", FORMS)
def test_samples_are_conversations_and_goldens(tmp_path: Path, form: str) -> None:
    contents = contents_of(tmp_path, FORMS[form])
    assert contents.format == "inspect"
    first, second = contents.traces
    assert [first.id, second.id] == ["pier (epoch 1)", "pier (epoch 2)"]
    assert (first.case_id, first.suite_id, first.case_runs) == ("pier", "parking", 2)
    assert first.agents[0].instruction == "Be short."
    (turn,) = first.turns
    assert (user_text(turn), answer_text(turn)) == ("Where may I park?", "At Pier 4.")
    (pair,) = paired_calls(turn)
    assert (pair.call.name, pair.call.args) == ("find", {"what": "garage"})
    assert pair.result is not None
    assert (pair.result.value, pair.result.is_error) == ("no map", True)
    assert turn_usage(turn) == Usage(prompt=60, candidates=14, thoughts=4, cached=14)
    shown = [extra.name for extra in (*first.extras, *turn.extras)]
    assert shown.count("total_time") == 1
    assert [event.duration_s for event in turn.events] == [0.5, 0.25, 0.5]
    assert [span.duration_s for span in first.spans] == [4.0, 0.5, 0.25, 0.5]
    (case,) = contents.suites[0].cases
    assert (case.id, user_text(case.turns[0]), answer_text(case.turns[0])) == ("pier", "Where may I park?", "Pier 4")
    assert case.extras[0].value == ["the fourth pier"]
    codes = {finding.code for finding in contents.findings}
    assert ("run-unfinished" in codes) == (form == "broken off")


def test_scores_are_reported_and_numbers_decide_nothing(tmp_path: Path) -> None:
    first, second = contents_of(tmp_path, inspect_files.log()).reported
    assert (first.status, first.trace_id, second.repeat) == (Status.FAILED, "pier (epoch 1)", 1)
    told = [(one.metric, one.score, one.status, one.provenance) for one in first.metrics]
    assert told == [
        ("match", 1.0, Status.PASSED, Provenance.REPORTED),
        ("tone", 0.25, Status.INFORMATIONAL, Provenance.REPORTED),
        ("parts: polite", 1.0, Status.PASSED, Provenance.REPORTED),
        ("parts: short", 0.5, Status.INFORMATIONAL, Provenance.REPORTED),
        ("people", 0.0, Status.FAILED, Provenance.HUMAN),
    ]
    assert first.metrics[0].reason == "correct; It is in the answer.; answer: Pier 4"
    assert first.metrics[-1].reason == "incorrect; changed by ann from C (correct)"


def test_events_of_an_unknown_kind_are_counted(tmp_path: Path) -> None:
    contents = contents_of(tmp_path, inspect_files.log())
    (message,) = (one.message for one in contents.findings if one.code == "records-understood")
    assert "“hologram” 2" in message


def test_a_log_without_samples_says_so(tmp_path: Path) -> None:
    contents = contents_of(tmp_path, inspect_files.header() | {"status": "error", "error": {"message": "no key"}})
    messages = {finding.code: finding.message for finding in contents.findings}
    assert messages["run-failed"] == "The run ended with an error: no key"
    assert "no-samples" in messages


ODD: dict[str, Json] = {
    "fields of no kind": {
        "version": [],
        "eval": {"task": 3, "model": 4},
        "samples": [1, {"messages": 5, "events": {}}],
    },
    "scores of no kind": {
        **inspect_files.header(),
        "samples": [{"id": None, "scores": {"a": 1, "b": {}, "c": {"value": [1]}}, "messages": [{"role": "user"}]}],
    },
}


@each("kind", ODD)
def test_odd_logs_are_read_as_far_as_they_go(tmp_path: Path, kind: str) -> None:
    assert contents_of(tmp_path, ODD[kind]).format == "inspect"


def _plain_counts(folder: Path) -> None:
    paths = sorted(folder.iterdir())
    assert len(paths) >= 4
    for path in paths:
        if path.suffix == ".eval":
            with ZipFile(path) as archive:
                samples = [
                    json.loads(archive.read(name)) for name in archive.namelist() if name.startswith("samples/")
                ]
        else:
            samples = json.loads(path.read_bytes()).get("samples") or []
        contents = open_file(path).contents
        assert contents.format == "inspect", path
        assert len(contents.traces) == len(samples), path
        for sample, trace in zip(samples, contents.traces, strict=True):
            pairs = [pair for turn in trace.turns for pair in paired_calls(turn)]
            assert len(pairs) == sum(len(one.get("tool_calls") or []) for one in sample["messages"]), path
        assert len(contents.reported) == sum(bool(sample.get("scores")) for sample in samples), path


@pytest.mark.second_corpus
def test_real_logs_hold_what_a_plain_count_finds(second_corpus: Path) -> None:
    _plain_counts(second_corpus / "inspect")


@pytest.mark.corpus
def test_more_real_logs(corpus: Path) -> None:
    _plain_counts(corpus / "other-inspect")

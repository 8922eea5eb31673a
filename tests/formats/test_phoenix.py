"""Databases of Phoenix, tables of its spans and data sets."""

from __future__ import annotations

import json
from pathlib import Path

from tests.formats import phoenix_files
from tests.helpers.tables import each
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.trace import Turn, Usage, answer_text, paired_calls, turn_usage, user_text
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.verdict import Provenance, Status
from trace_inspector.flows.opening.open_file import open_file


def contents_of(folder: Path, data: Json | bytes, suffix: str = ".json") -> Contents:
    """What is read of a file of Phoenix."""
    path = folder / f"spans{suffix}"
    path.write_bytes(data if isinstance(data, bytes) else json.dumps(data).encode())
    contents = open_file(path).contents
    assert contents.format == "phoenix"
    return contents


def _is_as_recorded(turn: Turn) -> None:
    assert (user_text(turn), answer_text(turn)) == ("Where may I park?", "At Pier 4.")
    (pair,) = paired_calls(turn)
    assert pair.result is not None
    assert (pair.call.name, pair.call.args, pair.result.value) == ("find", {"what": "garage"}, "Pier 4")
    assert pair.result.is_error
    assert turn_usage(turn) == Usage(prompt=100, candidates=11, cached=10)
    assert {event.model for event in turn.events if event.usage} == {"small"}
    assert turn.duration_s == 1.0


def test_runs_of_experiments_stand_alone_others_in_their_session(tmp_path: Path) -> None:
    contents = contents_of(tmp_path, phoenix_files.database(), ".db")
    run, day, _judge = contents.traces
    (first,), (second,) = run.turns, day.turns
    assert [(trace.id, trace.span_count) for trace in contents.traces] == [("t1", 4), ("day", 1), ("evaluators", 2)]
    assert (run.case_id, run.suite_id, run.candidate) == ("example 1", "parking", "first try")
    _is_as_recorded(first)
    assert (user_text(second), answer_text(second)) == ("Is it open?", "Until ten.")
    (said,) = [finding.message for finding in contents.findings if finding.code == "records-understood"]
    assert "14 of 14 records" in said


def test_annotations_are_reported_of_their_turn(tmp_path: Path) -> None:
    verdicts = contents_of(tmp_path, phoenix_files.database(), ".db").reported
    (first,), (second,) = (verdict.turns for verdict in verdicts)
    stated = {metric.metric: metric for metric in first.metrics}
    assert stated.keys() == {"useful", "relevance (document 1)", "correct"}
    assert (stated["useful"].score, stated["useful"].provenance) == (1.0, Provenance.HUMAN)
    assert stated["useful"].reason == "yes; It helped."
    assert stated["relevance (document 1)"].status is Status.INFORMATIONAL
    (tone,) = second.metrics
    assert (tone.metric, tone.reason, tone.status) == ("tone", "friendly", Status.NOT_EVALUATED)


def test_examples_are_cases_by_their_last_revision(tmp_path: Path) -> None:
    (suite,) = contents_of(tmp_path, phoenix_files.database(), ".db").suites
    assert [case.id for case in suite.cases] == ["example 1", "example 2"]
    said = [(user_text(turn), answer_text(turn)) for case in suite.cases for turn in case.turns]
    assert said == [("Where may I park?", "At Pier 4."), ('{"from": "A", "to": "B"}', "")]


def test_a_database_without_spans_says_so(tmp_path: Path) -> None:
    contents = contents_of(tmp_path, phoenix_files.empty_database(), ".db")
    assert not contents.traces
    assert any(finding.code == "no-traces" for finding in contents.findings)


@each("form", ("rows", "table"))
def test_a_table_of_spans_is_a_trace(tmp_path: Path, form: str) -> None:
    data: Json | bytes = phoenix_files.table().encode() if form == "table" else phoenix_files.columns()
    (trace,) = contents_of(tmp_path, data, ".csv" if form == "table" else ".json").traces
    (turn,) = trace.turns
    assert (trace.session_id, trace.span_count) == ("day", 4)
    assert (user_text(turn), answer_text(turn)) == ("Where may I park?", "At Pier 4.")
    (pair,) = paired_calls(turn)
    assert pair.result is not None
    assert (pair.call.name, pair.call.args, pair.result.value) == ("find", {"what": "garage"}, "Pier 4")
    assert turn_usage(turn) == Usage(prompt=100, candidates=11, cached=10)


def test_a_data_set_of_its_page_is_a_suite(tmp_path: Path) -> None:
    (suite,) = contents_of(tmp_path, phoenix_files.dataset()).suites
    said = [(user_text(turn), turn.final_response is None) for case in suite.cases for turn in case.turns]
    assert said == [("Where may I park?", False), ('{"from": "A", "to": "B"}', True)]


HOSTILE: dict[str, Json] = {
    "rows": [{"context.span_id": 3, "attributes.input.value": "x"}, {"span_id": "a", "attributes.input.value": None}],
    "tables": {
        "projects": [3], "traces": [{"id": None}, {"id": 1, "trace_id": 3}],
        "spans": [{"trace_rowid": 1, "span_id": "a", "name": "x", "span_kind": "LLM", "attributes": "{"}],
        "span_annotations": [{"span_rowid": 9, "name": "x"}], "experiment_runs": [{"id": 1, "experiment_id": 4}],
        "dataset_example_revisions": [{"dataset_example_id": 5, "input": "[", "output": 3}],
    },
    "examples": [{"example_id": 3, "input_x": [1], "output_x": {}, "metadata_x": 2}],
}  # fmt: skip


_ROWS: dict[str, JsonObject] = {
    "projects": {"id": 1},
    "project_sessions": {"id": 1, "session_id": "day"},
    "traces": {"id": 1, "trace_id": "t", "project_session_rowid": 1},
    "spans": {"id": 1, "trace_rowid": 1, "span_id": "a", "parent_id": None, "span_kind": "EVALUATOR", "name": "x"},
    "span_annotations": {"id": 1, "span_rowid": 1, "name": "x"},
    "document_annotations": {"id": 1, "span_rowid": 1, "name": "x"},
    "trace_annotations": {"id": 1, "trace_rowid": 1, "name": "x"},
    "datasets": {"id": 1, "name": "d"},
    "dataset_examples": {"id": 1, "dataset_id": 1},
    "dataset_example_revisions": {"id": 1, "dataset_example_id": 1, "input": "i", "output": "o"},
    "experiments": {"id": 1, "dataset_id": 1, "name": "e"},
    "experiment_runs": {"id": 1, "experiment_id": 1, "dataset_example_id": 1, "trace_id": "t"},
    "experiment_run_annotations": {"id": 1, "experiment_run_id": 1, "name": "x"},
}


@each("odd", ([1], {"a": 1}))
def test_a_number_that_is_none_joins_nothing(tmp_path: Path, odd: Json) -> None:
    """Cells in MessagePack may be lists and objects, where a database has numbers."""
    for table, row in _ROWS.items():
        for column in row:
            tables: JsonObject = {name: [stated] for name, stated in _ROWS.items()}
            tables[table] = [{**row, column: odd}]
            contents = contents_of(tmp_path, tables)
            assert all(finding.message for finding in contents.findings)
    everywhere: JsonObject = {name: [dict.fromkeys(row, odd)] for name, row in _ROWS.items()}
    assert not contents_of(tmp_path, everywhere).suites


def test_what_is_said_of_a_whole_session_is_counted_as_not_understood(tmp_path: Path) -> None:
    tables: JsonObject = {name: [row] for name, row in _ROWS.items()}
    tables["project_session_annotations"] = [{"id": 1, "project_session_id": 1, "name": "tone", "score": 1.0}]
    findings = contents_of(tmp_path, tables).findings
    (said,) = [finding for finding in findings if finding.code == "records-understood"]
    assert "“project_session_annotations” 1" in said.message
    assert said.pointer == "/project_session_annotations/0"


@each("form", HOSTILE)
def test_what_is_no_span_is_told_and_ends_nothing(tmp_path: Path, form: str) -> None:
    contents = contents_of(tmp_path, HOSTILE[form])
    assert all(finding.message for finding in contents.findings)

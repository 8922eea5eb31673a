"""What Phoenix keeps: its database, tables of spans with a column a name, data sets as its page downloads them."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from trace_inspector.core.values.values import Json, JsonObject

_TABLES = """
CREATE TABLE projects (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE project_sessions (id INTEGER PRIMARY KEY, session_id TEXT);
CREATE TABLE traces (id INTEGER PRIMARY KEY, project_rowid INTEGER, trace_id TEXT, project_session_rowid INTEGER);
CREATE TABLE spans (id INTEGER PRIMARY KEY, trace_rowid INTEGER, span_id TEXT, parent_id TEXT, name TEXT,
    span_kind TEXT, start_time TIMESTAMP, end_time TIMESTAMP, attributes JSONB, events JSONB, status_code TEXT,
    status_message TEXT);
CREATE INDEX ix_spans_session_id ON spans (JSON_EXTRACT(attributes, '$."session"."id"'))
    WHERE JSON_EXTRACT(attributes, '$."session"."id"') IS NOT NULL;
CREATE TABLE span_annotations (id INTEGER PRIMARY KEY, span_rowid INTEGER, name TEXT, label TEXT, score FLOAT,
    explanation TEXT, annotator_kind TEXT);
CREATE TABLE trace_annotations (id INTEGER PRIMARY KEY, trace_rowid INTEGER, name TEXT, label TEXT, score FLOAT,
    explanation TEXT, annotator_kind TEXT);
CREATE TABLE document_annotations (id INTEGER PRIMARY KEY, span_rowid INTEGER, document_position INTEGER, name TEXT,
    label TEXT, score FLOAT, explanation TEXT, annotator_kind TEXT);
CREATE TABLE datasets (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE dataset_examples (id INTEGER PRIMARY KEY, dataset_id INTEGER);
CREATE TABLE dataset_example_revisions (id INTEGER PRIMARY KEY, dataset_example_id INTEGER, input JSONB,
    output JSONB, revision_kind TEXT);
CREATE TABLE experiments (id INTEGER PRIMARY KEY, dataset_id INTEGER, name TEXT);
CREATE TABLE experiment_runs (id INTEGER PRIMARY KEY, experiment_id INTEGER, dataset_example_id INTEGER,
    trace_id TEXT, output JSONB);
CREATE TABLE experiment_run_annotations (id INTEGER PRIMARY KEY, experiment_run_id INTEGER, name TEXT,
    annotator_kind TEXT, label TEXT, score FLOAT, explanation TEXT, trace_id TEXT, error TEXT);
"""
_ASKED: JsonObject = {"message": {"role": "user", "content": "Where may I park?"}}
_CALL: JsonObject = {"id": "c1", "function": {"name": "find", "arguments": '{"what": "garage"}'}}


def _model(answer: JsonObject, prompt: int, completion: int) -> JsonObject:
    return {
        "openinference": {"span": {"kind": "LLM"}},
        "llm": {
            "model_name": "small",
            "input_messages": [_ASKED],
            "output_messages": [{"message": {"role": "assistant", **answer}}],
            "token_count": {"prompt": prompt, "completion": completion, "prompt_details": {"cache_read": 5}},
        },
    }


def _spans() -> list[tuple[int, str, str | None, str, str, JsonObject, str]]:
    """Row of the trace, id, parent, name, kind, attributes, status."""
    tool: JsonObject = {
        "openinference": {"span": {"kind": "TOOL"}}, "tool": {"name": "find"},
        "input": {"value": '{"what": "garage"}', "mime_type": "application/json"}, "output": {"value": "Pier 4"},
    }  # fmt: skip
    raw: JsonObject = {
        "openinference": {"span": {"kind": "LLM"}},
        "input": {"value": json.dumps({"messages": [{"role": "user", "content": "Is it open?"}]})},
        "output": {"value": json.dumps({"choices": [{"message": {"role": "assistant", "content": "Until ten."}}]})},
    }
    judge = _model({"content": "correct"}, 9, 1)
    return [
        (1, "a1", None, "agent", "AGENT", {"openinference": {"span": {"kind": "AGENT"}}}, "OK"),
        (1, "a2", "a1", "chat", "LLM", _model({"tool_calls": [{"tool_call": _CALL}]}, 40, 8), "OK"),
        (1, "a3", "a1", "find", "TOOL", tool, "ERROR"),
        (1, "a4", "a1", "chat", "LLM", _model({"content": "At Pier 4."}, 60, 3), "OK"),
        (2, "b1", None, "chat", "LLM", raw, "OK"),
        (3, "e1", None, "Evaluation: correct", "EVALUATOR", {}, "OK"),
        (3, "e2", "e1", "chat", "LLM", judge, "OK"),
    ]


def database() -> bytes:
    """A conversation of two traces, the first of which is a run of an experiment, and what was said of them."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "phoenix.db"
        with closing(sqlite3.connect(path)) as made:
            made.executescript(_TABLES)
            _rows(made, "projects", [(1, "default")])
            _rows(made, "project_sessions", [(1, "day")])
            _rows(made, "traces", [(1, 1, "t1", 1), (2, 1, "t2", 1), (3, 1, "t3", None)])
            for number, (trace, identity, above, name, kind, attributes, status) in enumerate(_spans()):
                times = (f"2026-05-01 10:00:0{number}.500000", f"2026-05-01 10:00:0{number + 1}.500000")
                cells = (trace, identity, above, name, kind, *times, json.dumps(attributes), "[]", status, "")
                _rows(made, "spans", [(number + 1, *cells)])
            _rows(made, "span_annotations", [(1, 4, "useful", "yes", 1.0, "It helped.", "HUMAN")])
            _rows(made, "trace_annotations", [(1, 2, "tone", "friendly", None, None, "LLM")])
            _rows(made, "document_annotations", [(1, 3, 0, "relevance", "relevant", 0.5, None, "LLM")])
            _rows(made, "datasets", [(1, "parking")])
            _rows(made, "dataset_examples", [(1, 1), (2, 1), (3, 1)])
            revisions = [
                (1, 1, '{"question": "Where may I park?"}', '{"answer": "somewhere"}', "CREATE"),
                (2, 1, '{"question": "Where may I park?"}', '{"answer": "At Pier 4."}', "PATCH"),
                (3, 2, '{"from": "A", "to": "B"}', "{}", "CREATE"),
                (4, 3, '{"question": "gone"}', "{}", "CREATE"),
                (5, 3, '{"question": "gone"}', "{}", "DELETE"),
            ]
            _rows(made, "dataset_example_revisions", revisions)
            _rows(made, "experiments", [(1, 1, "first try")])
            _rows(made, "experiment_runs", [(1, 1, 1, "t1", "{}")])
            said = [(1, 1, "correct", "LLM", "correct", 1.0, "As expected.", "t3", None)]
            _rows(made, "experiment_run_annotations", said)
            made.commit()
        return path.read_bytes()


def empty_database() -> bytes:
    """A database in which nothing was recorded."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "phoenix.db"
        with closing(sqlite3.connect(path)) as made:
            made.executescript(_TABLES)
        return path.read_bytes()


def _rows(made: sqlite3.Connection, table: str, rows: Sequence[tuple[object, ...]]) -> None:
    marks = ", ".join("?" * len(rows[0]))
    made.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)


def columns() -> list[Json]:
    """The spans of the first trace, a row a span; messages flat in one, as lists in the other."""
    calling: JsonObject = {
        "attributes.llm.output_messages.0.message.role": "assistant",
        "attributes.llm.output_messages.0.message.tool_calls.0.tool_call.id": "c1",
        "attributes.llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "find",
        "attributes.llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": '{"what": "garage"}',
    }
    answered: Json = [{"message.role": "assistant", "message.content": "At Pier 4."}]
    return [
        _column_row("a1", None, "agent", "AGENT", 0, {"attributes.session.id": "day"}),
        _column_row("a2", "a1", "chat", "LLM", 1, {**_asked_flat(), **calling, **_counts(40, 8)}),
        _column_row("a3", "a1", "find", "TOOL", 2, {
            "attributes.tool.name": "find", "attributes.input.value": '{"what": "garage"}',
            "attributes.output.value": "Pier 4", "status_code": "ERROR",
        }),
        _column_row("a4", "a1", "chat", "LLM", 3, {
            "attributes.llm.input_messages": [{"message.role": "user", "message.content": "Where may I park?"}],
            "attributes.llm.output_messages": answered, **_counts(60, 3),
        }),
    ]  # fmt: skip


def _asked_flat() -> JsonObject:
    start = "attributes.llm.input_messages.0.message."
    return {f"{start}role": "user", f"{start}content": "Where may I park?"}


def _counts(prompt: int, completion: int) -> JsonObject:
    start = "attributes.llm.token_count."
    return {
        "attributes.llm.model_name": "small", f"{start}prompt": prompt, f"{start}completion": completion,
        f"{start}prompt_details.cache_read": 5,
    }  # fmt: skip


def _column_row(identity: str, above: str | None, name: str, kind: str, at: int, more: JsonObject) -> JsonObject:
    return {
        "id": "U3Bhbjox", "name": name, "span_kind": kind, "parent_id": above, "status_code": "OK",
        "start_time": f"2026-05-01T10:00:0{at}.5+00:00", "end_time": f"2026-05-01T10:00:0{at + 1}.5+00:00",
        "context.trace_id": "t1", "context.span_id": identity, "attributes.openinference.span.kind": kind, **more,
    }  # fmt: skip


def table() -> str:
    """The same as a table."""
    rows = [row for row in columns() if isinstance(row, dict)]
    named = [*dict.fromkeys(column for row in rows for column in row)]
    text = io.StringIO()
    writer = csv.DictWriter(text, named)
    writer.writeheader()
    writer.writerows(
        {name: json.dumps(cell) if isinstance(cell, list) else cell for name, cell in row.items()} for row in rows
    )
    return text.getvalue()


def dataset() -> list[Json]:
    """A data set as its page downloads it."""
    return [
        {"example_id": "RXg6MQ==", "input_question": "Where may I park?", "output_answer": "At Pier 4.",
         "metadata_span_kind": "LLM"},
        {"example_id": "RXg6Mg==", "input_from": "A", "input_to": "B", "output_answer": "", "metadata_span_kind": ""},
    ]  # fmt: skip

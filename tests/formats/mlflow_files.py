"""Traces of MLflow: as a client gives them, as an artifact of both generations, and as its database has them."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from trace_inspector.core.values.values import Json, JsonObject

TRACE = "tr-1"
_BEGAN = 1_767_225_600_000_000_000
_TABLES = """
CREATE TABLE experiments (experiment_id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE trace_info (request_id TEXT, experiment_id INTEGER, timestamp_ms BIGINT, execution_time_ms BIGINT,
    status TEXT, request_preview TEXT, response_preview TEXT);
CREATE TABLE trace_request_metadata (key TEXT, value TEXT, request_id TEXT);
CREATE TABLE spans (trace_id TEXT, span_id TEXT, parent_span_id TEXT, start_ns BIGINT, end_ns BIGINT,
    duration_ns BIGINT GENERATED ALWAYS AS (end_ns - start_ns) STORED, content TEXT NOT NULL);
CREATE TABLE assessments (trace_id TEXT, name TEXT, assessment_type TEXT, value TEXT, error TEXT, source_type TEXT,
    source_id TEXT, span_id TEXT, rationale TEXT, valid BOOLEAN);
"""


def _span(identity: str, above: str | None, kind: str, name: str, at: int, given: Json, answer: Json,
          **more: Json) -> JsonObject:  # fmt: skip
    attributes: JsonObject = {
        "mlflow.traceRequestId": json.dumps(TRACE),
        "mlflow.spanType": json.dumps(kind),
        "mlflow.spanInputs": json.dumps(given),
        "mlflow.spanOutputs": json.dumps(answer),
    }
    attributes.update({name: json.dumps(value) for name, value in more.items() if name != "status"})
    return {
        "trace_id": "AAE=", "span_id": identity, "parent_span_id": above, "name": name,
        "start_time_unix_nano": _BEGAN + at * 10**9, "end_time_unix_nano": _BEGAN + (at + 1) * 10**9,
        "events": [], "status": more.get("status", {"code": "STATUS_CODE_OK", "message": ""}),
        "attributes": attributes, "links": [],
    }  # fmt: skip


def spans() -> list[JsonObject]:
    """An agent that calls a model of LangChain, a tool, which fails, and the model once more by another service."""
    asked: list[Json] = [
        {"content": "Be short.", "type": "system"},
        {"content": "Where may I park?", "type": "human"},
    ]
    call: JsonObject = {"name": "find", "args": {"what": "garage"}, "id": "c1", "type": "tool_call"}
    calling: JsonObject = {"text": "", "message": {"content": "", "type": "ai", "tool_calls": [call]}}
    tool: JsonObject = {"content": "no map", "type": "tool", "tool_call_id": "c1", "status": "error"}
    answer: JsonObject = {"role": "assistant", "content": "At Pier 4."}
    tokens: JsonObject = {"input_tokens": 40, "output_tokens": 8, "total_tokens": 48, "cache_read_input_tokens": 5}
    declared: Json = [{"type": "function", "function": {"name": "find", "parameters": {}}}]
    failed: JsonObject = {"code": "STATUS_CODE_ERROR", "message": "no map"}
    return [
        _span("s1", None, "CHAIN", "LangGraph", 0, {"messages": [asked[1]]}, "At Pier 4."),
        _span("s2", "s1", "CHAT_MODEL", "ChatOpenAI", 1, [asked], {"generations": [[calling]]},
              **{"mlflow.chat.tokenUsage": tokens, "mlflow.chat.tools": declared, "mlflow.llm.model": "small"}),
        _span("s3", "s1", "TOOL", "find", 2, {"what": "garage"}, tool, status=failed, tool_call_id="c1"),
        _span("s4", "s1", "CHAT_MODEL", "Completions", 3,
              {"model": "large", "messages": [{"role": "user", "content": "Where may I park?"}]},
              {"choices": [{"message": answer, "finish_reason": "stop"}], "model": "large-1",
               "usage": {"prompt_tokens": 60, "completion_tokens": 3}}),
        _span("s5", "s1", "RETRIEVER", "Search", 2, "garage", [{"page_content": "Pier 4"}]),
    ]  # fmt: skip


def artifact() -> JsonObject:
    """The file beside a run, of the third generation."""
    return {"spans": [*spans()]}


def older() -> JsonObject:
    """The same in the names of the second generation."""
    listed: list[Json] = []
    for span in spans():
        status = span["status"]
        assert isinstance(status, dict)
        listed.append(
            {
                "name": span["name"],
                "context": {"span_id": span["span_id"], "trace_id": "0x01"},
                "parent_id": span["parent_span_id"],
                "start_time": span["start_time_unix_nano"],
                "end_time": span["end_time_unix_nano"],
                "status_code": str(status["code"]).removeprefix("STATUS_CODE_"),
                "status_message": status["message"],
                "attributes": span["attributes"],
                "events": [],
            }
        )
    metadata: list[Json] = [{"key": "mlflow.trace.session", "value": "day"}]
    return {
        "info": {"request_id": TRACE, "timestamp_ms": _BEGAN // 10**6, "status": "OK", "request_metadata": metadata},
        "data": {"spans": listed, "request": "{}", "response": "{}"},
    }


def assessments() -> list[Json]:
    """What a judge, a person and a program said, one of it no more."""
    judge: JsonObject = {"source_type": "LLM_JUDGE", "source_id": "judge"}
    person: JsonObject = {"source_type": "HUMAN", "source_id": "ada"}
    return [
        {"assessment_name": "correct", "source": judge, "feedback": {"value": "no"}, "rationale": "It is Pier 5."},
        {"assessment_name": "useful", "source": person, "feedback": {"value": True}},
        {"assessment_name": "length", "source": {"source_type": "CODE"}, "feedback": {"value": 0.5}},
        {"assessment_name": "place", "source": person, "expectation": {"value": "Pier 5"}},
        {"assessment_name": "useful", "source": person, "feedback": {"value": False}, "valid": False},
    ]


def exported() -> JsonObject:
    """A trace as its client writes it, with assessments."""
    metadata: JsonObject = {"mlflow.trace.session": "day", "mlflow.trace_schema.version": "3"}
    info: JsonObject = {
        "trace_id": TRACE, "state": "OK", "request_time": "2026-01-01T00:00:00Z", "trace_metadata": metadata,
        "assessments": assessments(),
    }  # fmt: skip
    return {"info": info, "data": {"spans": [*spans()]}}


def row() -> JsonObject:
    """The same as a row of a table of traces, with JSON in its cells."""
    whole = exported()
    info, data = whole["info"], whole["data"]
    assert isinstance(info, dict)
    assert isinstance(data, dict)
    cells: JsonObject = {name: json.dumps(info[name]) for name in ("trace_metadata", "assessments")}
    return {"trace_id": TRACE, "state": "OK", **cells, "request": "{}", "spans": json.dumps(data["spans"])}


def database(*, with_spans: bool = True) -> bytes:
    """The tracking database, with the trace and another one whose spans are files."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "mlflow.db"
        with closing(sqlite3.connect(path)) as made:
            made.executescript(_TABLES)
            heads = [(TRACE, "Where may I park?", "At Pier 4."), ("tr-2", '{"question": "And when?"}', '"At noon."')]
            for number, (identity, asked, answer) in enumerate(heads):
                head = (identity, _BEGAN // 10**6 + number * 60_000, 4_000, "OK", asked, answer)
                made.execute("INSERT INTO trace_info VALUES (?, 1, ?, ?, ?, ?, ?)", head)
                made.execute(
                    "INSERT INTO trace_request_metadata VALUES ('mlflow.trace.session', 'day', ?)", (identity,)
                )
            for span in spans() if with_spans else ():
                times = (span["start_time_unix_nano"], span["end_time_unix_nano"])
                cells = (TRACE, span["span_id"], span["parent_span_id"], *times, json.dumps(span))
                made.execute("INSERT INTO spans VALUES (?, ?, ?, ?, ?, ?)", cells)
            rows = (
                ("correct", "feedback", '"no"', "LLM_JUDGE", "judge", "It is Pier 5.", 1),
                ("useful", "feedback", "true", "HUMAN", "ada", None, 1),
                ("useful", "feedback", "false", "HUMAN", "ada", None, 0),
                ("length", "feedback", "0.5", "CODE", "len", None, 1),
                ("place", "expectation", '"Pier 5"', "HUMAN", "ada", None, 1),
            )
            for name, kind, value, by, who, why, valid in rows:
                said = (TRACE, name, kind, value, None, by, who, "s1", why, valid)
                made.execute("INSERT INTO assessments VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", said)
            made.commit()
        return path.read_bytes()


def empty_database() -> bytes:
    """A database in which nothing was traced."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "mlflow.db"
        with closing(sqlite3.connect(path)) as made:
            made.executescript(_TABLES)
        return path.read_bytes()

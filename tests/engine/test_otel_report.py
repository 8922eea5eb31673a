"""The report `otel`: read by OpenTelemetry's own definitions, with the ids of the spans that it is about."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from trace_inspector.cli import main
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, RunVerdict, Status
from trace_inspector.engine.reports import otel
from trace_inspector.engine.reports.sources import Sources
from trace_inspector.flows.opening.open_file import open_file
from trace_inspector.resources import folder

SAMPLES = folder("samples")


def records(text: str) -> list[dict[str, Any]]:
    return [
        record
        for line in text.splitlines()
        for resource in json.loads(line)["resourceLogs"]
        for scope in resource["scopeLogs"]
        for record in scope["logRecords"]
    ]


def attributes(record: dict[str, Any]) -> dict[str, Any]:
    return {each["key"]: next(iter(each["value"].values())) for each in record["attributes"]}


def written(tmp_path: Path, *words: str) -> str:
    path = tmp_path / "out.otlp.jsonl"
    given = [str(SAMPLES / "run-0412.json"), "--golden", str(SAMPLES / "retail.evalset.json")]
    assert main(["evaluate", *given, "--judge", "none", "--report", f"otel={path}", *words]) in {0, 1, 3}
    return path.read_text("utf-8")


def test_events_name_the_span_that_they_are_about(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = written(tmp_path)
    capsys.readouterr()
    found = records(text)
    assert {record["eventName"] for record in found} == {"gen_ai.evaluation.result"}
    trajectory = [
        record
        for record in found
        if attributes(record)["gen_ai.evaluation.name"] == "tool_trajectory_avg_score"
        and attributes(record)["gen_ai.conversation.id"] == "seattle_coffee_001"
    ]
    case, *turns = trajectory
    assert "trace_inspector.turn" not in attributes(case)
    assert [attributes(turn)["trace_inspector.turn"] for turn in turns] == ["0", "1", "2"]
    failed = turns[1]
    told = attributes(failed)
    assert (told["gen_ai.evaluation.score.value"], told["gen_ai.evaluation.score.label"]) == (0.0, "failed")
    assert "search_places" in told["gen_ai.evaluation.explanation"]
    assert failed["severityText"] == "WARN"
    raw = json.loads((SAMPLES / "run-0412.json").read_text("utf-8"))
    spans = {
        span["spanID"]: (trace["traceID"], span["operationName"]) for trace in raw["data"] for span in trace["spans"]
    }
    trace_id, name = spans[failed["spanId"]]
    assert trace_id == failed["traceId"]
    assert name == "call_llm"


def test_opentelemetry_reads_every_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logs = pytest.importorskip("opentelemetry.proto.logs.v1.logs_pb2", reason="opentelemetry-proto is not installed")
    from google.protobuf import json_format

    text = written(tmp_path)
    capsys.readouterr()
    count = 0
    for line in text.splitlines():
        raw = json.loads(line)
        for record in records(line):
            # In OTLP's JSON ids are hexadecimal, in that of protobuf base64.
            assert {len(record.get("traceId", "0" * 32)), len(record.get("spanId", "0" * 16))} == {32, 16}
        as_protobuf = json.loads(json.dumps(raw), object_hook=_in_base64)
        message = json_format.ParseDict(as_protobuf, logs.LogsData())
        for read in message.resource_logs[0].scope_logs[0].log_records:
            count += 1
            assert read.event_name == "gen_ai.evaluation.result"
            assert read.time_unix_nano > 1_700_000_000_000_000_000
    assert count == len(records(text)) > 30


def _in_base64(value: dict[str, Any]) -> dict[str, Any]:
    ids: dict[str, Any] = {
        key: base64.b64encode(bytes.fromhex(value[key])).decode() for key in ("traceId", "spanId") if key in value
    }
    return {**value, **ids}


def test_our_own_reader_knows_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written(tmp_path)
    capsys.readouterr()
    opened = open_file(tmp_path / "out.otlp.jsonl")
    assert opened.contents.format == "otlp"
    assert opened.contents.holds["log records"] > 30
    assert [finding for finding in opened.contents.findings if finding.severity.value == "error"] == []


def test_secrets_are_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "search_places" not in written(tmp_path, "--redact", "search_places")
    capsys.readouterr()


def test_what_is_no_number_and_what_broke() -> None:
    odd = MetricVerdict("a\x1b", float("nan"), Status.ERROR, 0.5, "half \ud83d")
    run = RunVerdict("r", Status.ERROR, 1.5, "", "", (CaseVerdict("c", "s", None, Status.ERROR, (odd,)),))
    (record,) = records(otel.write(run, Sources()))
    told = attributes(record)
    assert told["error.type"] == "evaluation_error"
    assert "gen_ai.evaluation.score.value" not in told
    assert told["gen_ai.evaluation.name"] == "a\\x1b"
    assert told["gen_ai.evaluation.explanation"] == "half \\ud83d"
    assert "gen_ai.conversation.id" not in told
    assert (record["timeUnixNano"], record["severityText"]) == ("1500000000", "ERROR")
    assert otel.write(RunVerdict("r", Status.NOT_EVALUATED, 0, "", ""), Sources()) == ""

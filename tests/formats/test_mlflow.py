"""Traces of MLflow, in whatever file they stand."""

from __future__ import annotations

import json
from pathlib import Path

from tests.formats import mlflow_files
from tests.helpers.tables import each
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.trace import Turn, Usage, answer_text, paired_calls, turn_usage, user_text
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.verdict import Provenance, Status
from trace_inspector.flows.opening.open_file import open_file

FORMS: dict[str, Json] = {
    "artifact": mlflow_files.artifact(),
    "older": mlflow_files.older(),
    "exported": mlflow_files.exported(),
    "list": [mlflow_files.exported()],
    "rows": [mlflow_files.row()],
    "spans alone": [*mlflow_files.spans()],
    "answer": {"traces": [mlflow_files.row()]},
    "column": [{"trace": json.dumps(mlflow_files.exported())}],
}


def contents_of(folder: Path, data: Json | bytes) -> Contents:
    """What is read of a file of MLflow."""
    path = folder / ("mlflow.db" if isinstance(data, bytes) else "traces.json")
    path.write_bytes(data if isinstance(data, bytes) else json.dumps(data).encode())
    contents = open_file(path).contents
    assert contents.format == "mlflow"
    return contents


def _is_as_recorded(turn: Turn) -> None:
    assert (user_text(turn), answer_text(turn)) == ("Where may I park?", "At Pier 4.")
    assert turn.start_s == 1_767_225_600.0
    (pair,) = paired_calls(turn)
    assert pair.result is not None
    assert (pair.call.name, pair.call.args, pair.call.call_id) == ("find", {"what": "garage"}, "c1")
    assert (pair.result.value, pair.result.is_error) == ("no map", True)
    assert turn_usage(turn) == Usage(prompt=100, candidates=11, cached=5)
    assert [event.model for event in turn.events if event.usage] == ["small", "large-1"]
    assert {name for event in turn.events for name in event.active_tools} == {"find"}
    assert [agent.instruction for agent in turn.agents] == ["Be short."]


@each("form", FORMS)
def test_a_trace_is_a_turn(tmp_path: Path, form: str) -> None:
    (trace,) = contents_of(tmp_path, FORMS[form]).traces
    (turn,) = trace.turns
    assert trace.span_count == 5
    _is_as_recorded(turn)


@each("form", ("older", "exported", "rows"))
def test_traces_of_a_session_are_its_turns(tmp_path: Path, form: str) -> None:
    (trace,) = contents_of(tmp_path, FORMS[form]).traces
    assert (trace.id, trace.session_id) == ("day", "day")


def test_a_database_has_spans_of_its_own_or_beginnings_of_what_is_in_files(tmp_path: Path) -> None:
    contents = contents_of(tmp_path, mlflow_files.database())
    (trace,) = contents.traces
    first, second = trace.turns
    _is_as_recorded(first)
    assert (user_text(second), answer_text(second), second.duration_s) == ("And when?", "At noon.", 4.0)
    assert "The spans of 1 trace are not in this file" in _said(contents, "spans-elsewhere")
    assert "12 of 12 records" in _said(contents, "records-understood")


def test_a_database_without_spans_shows_each_trace_by_its_beginnings(tmp_path: Path) -> None:
    (trace,) = contents_of(tmp_path, mlflow_files.database(with_spans=False)).traces
    assert [user_text(turn) for turn in trace.turns] == ["Where may I park?", "And when?"]


def test_a_trace_that_failed_before_it_answered_is_a_turn(tmp_path: Path) -> None:
    assessment: Json = {"assessment_name": "kept", "feedback": {"value": "no"}}
    head: Json = {"trace_id": "t", "state": "ERROR", "request_preview": "And when?", "assessments": [assessment]}
    contents = contents_of(tmp_path, {"info": head, "data": {"spans": []}})
    (trace,) = contents.traces
    assert [(user_text(turn), answer_text(turn), turn.spans[0].error) for turn in trace.turns] == [
        ("And when?", "", "error")
    ]
    assert not trace.turns[0].agents
    assert len(contents.reported[0].turns[0].metrics) == 1


def test_a_database_without_traces_says_so(tmp_path: Path) -> None:
    contents = contents_of(tmp_path, mlflow_files.empty_database())
    assert not contents.traces
    assert "no traces" in _said(contents, "no-traces")


@each("form", ("exported", "rows", "database"))
def test_assessments_are_reported_of_their_turn(tmp_path: Path, form: str) -> None:
    data = mlflow_files.database() if form == "database" else FORMS[form]
    (verdict,) = contents_of(tmp_path, data).reported
    (turn,) = verdict.turns
    assert turn.index == 0
    stated = {metric.metric: metric for metric in turn.metrics}
    assert len(turn.metrics) == 4
    assert stated["correct"].status is Status.FAILED
    assert "It is Pier 5." in stated["correct"].reason
    assert (stated["useful"].status, stated["useful"].by) == (Status.PASSED, "ada")
    assert stated["useful"].provenance is Provenance.HUMAN
    assert (stated["length"].status, stated["length"].score) == (Status.INFORMATIONAL, 0.5)
    assert (stated["place"].status, stated["place"].reason) == (Status.NOT_EVALUATED, "expected: Pier 5")


def test_a_function_without_a_model_is_a_turn_of_what_it_took_and_gave(tmp_path: Path) -> None:
    attributes: JsonObject = {
        "mlflow.spanType": '"CHAIN"',
        "mlflow.spanInputs": '{"text": "Summarise this."}',
        "mlflow.spanOutputs": '{"input_text": "Summarise this.", "answer": "Short."}',
    }
    span: Json = {"span_id": "a", "name": "summarise", "start_time_unix_nano": 10**18, "attributes": attributes}
    (trace,) = contents_of(tmp_path, {"spans": [span]}).traces
    (turn,) = trace.turns
    assert (user_text(turn), answer_text(turn)) == ("Summarise this.", "Short.")


_SAID: Json = [{"type": "text", "text": "Yes."}]
ANSWERS: dict[str, Json] = {
    "Anthropic": {"role": "assistant", "content": _SAID, "stop_reason": "end_turn"},
    "Responses": {
        "output": [{"type": "message", "role": "assistant", "content": [{"type": "text", "text": "Yes."}]}]
    },
    "Gemini": {"candidates": [{"content": {"parts": [{"text": "Yes."}], "role": "model"}}]},
    "words": "Yes.",
    "list of words": ["Yes."],
    "LangChain": {"generations": [[{"text": "Yes.", "message": {"content": "Yes.", "type": "ai"}}]]},
    "message": {"content": "Yes.", "type": "ai"},
}


@each("service", ANSWERS)
def test_answers_of_services_are_answers(tmp_path: Path, service: str) -> None:
    asked: Json = (
        {"contents": "Ready?"} if service == "Gemini" else {"messages": [{"role": "user", "content": "Ready?"}]}
    )
    attributes: JsonObject = {
        "mlflow.spanType": '"LLM"',
        "mlflow.spanInputs": json.dumps(asked),
        "mlflow.spanOutputs": json.dumps(ANSWERS[service]),
    }
    span: Json = {"span_id": "a", "name": "chat", "start_time_unix_nano": 10**18, "attributes": attributes}
    (trace,) = contents_of(tmp_path, {"spans": [span]}).traces
    (turn,) = trace.turns
    assert (user_text(turn), answer_text(turn)) == ("Ready?", "Yes.")


def test_calls_of_the_responses_interface_are_calls(tmp_path: Path) -> None:
    item: Json = {"type": "function_call", "name": "find", "arguments": '{"what": "garage"}', "call_id": "c9"}
    attributes: JsonObject = {
        "mlflow.spanType": '"CHAT_MODEL"',
        "mlflow.spanInputs": '{"input": "Where?", "instructions": "Be short."}',
        "mlflow.spanOutputs": json.dumps({"output": [item]}),
    }
    span: Json = {"span_id": "a", "name": "chat", "start_time_unix_nano": 10**18, "attributes": attributes}
    (trace,) = contents_of(tmp_path, {"spans": [span]}).traces
    (turn,) = trace.turns
    (pair,) = paired_calls(turn)
    assert (user_text(turn), pair.call.name, pair.call.args, pair.call.call_id) == (
        "Where?", "find", {"what": "garage"}, "c9",
    )  # fmt: skip
    assert [agent.instruction for agent in turn.agents] == ["Be short."]


HOSTILE: dict[str, Json] = {
    "info": {"info": {"trace_id": "x"}, "data": 3},
    "spans of texts": {"spans": [{"attributes": {"mlflow.spanType": '"', "mlflow.spanInputs": "{"}}, 3, "x"]},
    "assessments": [{"trace_id": "x", "trace_metadata": [3], "assessments": [{"feedback": []}], "spans": "["}],
    "tables": {
        "trace_info": [{"request_id": 3}, 4],
        "experiments": [],
        "spans": [{"content": "["}],
        "assessments": 3,
    },
    "deep": {
        "trace_info": [{"request_id": "x"}],
        "experiments": [],
        "assessments": [{"trace_id": "x", "assessment_type": "feedback", "value": "[" * 100_000}],
        "spans": [
            {"trace_id": "x", "content": json.dumps({"span_id": "a", "attributes": {"mlflow.spanType": '"LLM"'}})}
        ],
    },
    "parents": {"spans": [{"span_id": "a", "parent_span_id": "a", "attributes": {"mlflow.spanType": '"LLM"'}}]},
    "values": {
        "spans": [
            {
                "span_id": "a",
                "status": {"code": "STATUS_CODE_ERROR"},
                "events": [{"attributes": 3}, {"attributes": {"exception.message": 3}}],
                "attributes": {
                    "mlflow.spanType": '"LLM"',
                    "mlflow.chat.tokenUsage": '{"input_tokens": "many"}',
                    "mlflow.spanOutputs": '{"choices": [3, {"message": 4}, {"message": {"role": 3}}]}',
                },
            }
        ]
    },
}


@each("form", HOSTILE)
def test_what_is_no_trace_is_told_and_ends_nothing(tmp_path: Path, form: str) -> None:
    contents = contents_of(tmp_path, HOSTILE[form])
    assert all(finding.message for finding in contents.findings)


def _said(contents: Contents, code: str) -> str:
    return next(finding.message for finding in contents.findings if finding.code == code)


def test_an_empty_id_of_a_trace_is_none(tmp_path: Path) -> None:
    span: Json = {"span_id": "a", "trace_id": "t", "name": "x", "attributes": {"mlflow.spanType": '"AGENT"'}}
    path = tmp_path / "trace.json"
    path.write_text(json.dumps({"info": {"trace_id": "", "request_id": ""}, "data": {"spans": [span]}}))
    contents = open_file(path).contents
    assert (contents.format, [trace.span_count for trace in contents.traces]) == ("mlflow", [1])

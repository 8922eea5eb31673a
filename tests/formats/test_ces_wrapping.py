"""Replies of CES: whatever they are wrapped in, the result inside is found, at its place."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

from tests.formats import ces_result_files as made
from tests.formats.span_files import codes, opened
from tests.helpers.tables import each
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.flows.opening.open_file import open_file
from trace_inspector.formats import recognise

LIST: JsonObject = {"evaluationResults": [made.result()], "nextPageToken": "more"}
INSIDE = "/evaluationResults/0"


def tool(value: Json, **beside: Json) -> JsonObject:
    """The result of an MCP tool with JSON in a text."""
    return {"content": [{"type": "text", "text": json.dumps(value)}], **beside}


def reply(result: Json) -> JsonObject:
    """A reply of JSON-RPC."""
    return {"jsonrpc": "2.0", "id": 1, "result": result}


def operation(response: Json) -> JsonObject:
    """A long-running operation that is done."""
    return {"name": f"{made.APP}/operations/7", "done": True, "response": response}


NOTE: JsonObject = {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progress": 1}}
TEXT = "/content/0/text"
WRAPPED: list[tuple[Json, str]] = [
    (reply(LIST), f"/result{INSIDE}"),
    (reply(tool(LIST)), f"/result{TEXT}{INSIDE}"),
    (reply(tool("see beside", structuredContent=LIST)), f"/result/structuredContent{INSIDE}"),
    (tool(LIST, isError=False), f"{TEXT}{INSIDE}"),
    (tool("", structuredContent={"result": [made.result()]}), "/structuredContent/result/0"),
    ({"content": [{"text": "Here:"}, {"text": json.dumps(made.result())}]}, "/content/1/text"),
    (operation({"@type": "host/Reply", **LIST}), f"/response{INSIDE}"),
    (reply(tool(operation(LIST))), f"/result{TEXT}/response{INSIDE}"),
    ([NOTE, reply(tool(made.result()))], f"/1/result{TEXT}"),
]


@each(("value", "place"), WRAPPED)
def test_a_result_is_found_at_its_place(value: Json, place: str, tmp_path: Path) -> None:
    path = tmp_path / "reply.json"
    path.write_text(json.dumps(value))
    contents = open_file(path).contents
    assert contents.format == "ces-result"
    assert [trace.place for trace in contents.traces] == [place]
    assert [verdict.trace_place for verdict in contents.reported] == [place]
    assert "in-a-reply" in codes(contents)
    assert "not-recognised" not in codes(contents)


def test_frames_of_a_stream_are_replies(tmp_path: Path) -> None:
    path = tmp_path / "reply.txt"
    frames = [f"event: message\ndata: {json.dumps(value)}\n\n" for value in (NOTE, reply(tool(LIST)))]
    path.write_text("".join(frames))
    contents = open_file(path).contents
    assert (contents.format, [trace.place for trace in contents.traces]) == (
        "ces-result",
        [f"/1/result{TEXT}{INSIDE}"],
    )
    assert [(one.line, one.code) for one in contents.findings if one.code == "more-pages"] == [(5, "more-pages")]


def test_an_export_of_several_kinds_is_read_whole() -> None:
    value: JsonObject = {
        "evaluationRuns": [made.run()],
        "evaluations": [{"name": made.EVALUATION, "displayName": "Order", "golden": {"turns": []}}],
        "evaluationResults": [made.result(), made.result()],
        "conversations": [made.conversation()],
    }
    contents = opened(value)
    assert contents.format == "ces-result"
    assert [trace.place for trace in contents.traces] == [INSIDE, "/evaluationResults/1", "/conversations/0"]
    assert [(suite.id, len(suite.cases)) for suite in contents.suites] == [("made", 1), ("nightly", 0)]
    assert codes(contents) == ["in-a-reply"]


def test_lines_of_several_kinds_are_read_one_by_one() -> None:
    contents = opened([made.run(), made.result(), {"what": "else"}])
    assert (contents.format, [trace.place for trace in contents.traces]) == ("ces-result", ["/1"])
    assert [(one.code, one.pointer) for one in contents.findings] == [("not-recognised", "/2"), ("in-a-reply", "")]


def test_the_bytes_of_an_export_are_seen_through() -> None:
    data = base64.b64encode(json.dumps([made.result()]).encode()).decode()
    contents = opened(operation({"evaluationResultsContent": data}))
    assert [trace.id for trace in contents.traces] == ["r1"]


@pytest.mark.parametrize(
    ("beside", "code"),
    [
        ({"evaluationsUri": "gs://bucket/export"}, "stored-elsewhere"),
        ({"evaluationsContent": "UEsDBA=="}, "not-decoded"),
        ({"evaluationsContent": "no base64!"}, "not-decoded"),
    ],
)
def test_what_is_not_there_is_named(beside: JsonObject, code: str) -> None:
    contents = opened([reply(beside), reply(LIST)])
    assert code in codes(contents)
    assert len(contents.traces) == 1


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        ({"jsonrpc": "2.0", "error": {"code": -32000, "message": "Denied."}}, "an error: -32000: Denied."),
        (reply({"content": [{"type": "text", "text": "No such app."}], "isError": True}), "No such app."),
        ({"name": "operations/1", "done": True, "error": {"code": 7, "message": "Denied."}}, "an error: 7: Denied."),
    ],
)
def test_errors_among_replies_are_told(problem: Json, said: str) -> None:
    contents = opened([problem, reply(LIST)])
    (told,) = [one for one in contents.findings if one.code == "reply-is-error"]
    assert said in told.message
    assert len(contents.traces) == 1


def test_an_operation_that_is_not_done_says_so() -> None:
    assert "not-done" in codes(opened([{"name": "operations/1", "metadata": {}}, reply(LIST)]))


@each(
    "value",
    [
        {"role": "user", "content": [{"type": "text", "text": json.dumps(LIST)}]},
        {"content": [{"type": "text", "text": "words"}]},
        {"result": 3},
        {"jsonrpc": "2.0", "result": {}},
        {"jsonrpc": "2.0", "method": "x", "params": LIST},
        {"name": "operations/1"},
        {"evaluationsUri": "gs://b/x"},
        [],
        "words",
        3,
    ],
)
def test_other_documents_are_no_replies(value: Json) -> None:
    assert recognise(value) is None


def test_layers_end_somewhere() -> None:
    value: Json = LIST
    for _ in range(40):
        value = {"result": value}
    assert recognise(value) is None


def test_what_stands_in_a_reply_is_not_written_back() -> None:
    evaluation: Json = {"displayName": "Order", "golden": {"turns": []}}
    alone, wrapped = recognise(evaluation), recognise(reply(evaluation))
    assert alone is not None
    assert wrapped is not None
    assert (wrapped.name, wrapped.write, wrapped.edits) == (alone.name, None, False)
    assert alone.write is not None
    assert alone.edits

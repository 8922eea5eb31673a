"""Answers beside what was asked: of four services, in logs of pairs, in batches; items and LangChain's own forms."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.formats import chat_files
from tests.helpers.tables import each
from trace_inspector.cli import main
from trace_inspector.core.trace.trace import answer_text, turn_usage, user_text
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.flows.opening.open_file import open_file

Capture = pytest.CaptureFixture[str]
TOLD = ("Where may I park?", "At Pier 4.")
REASONS = {"completion": "stop", "Anthropic": "end_turn", "Gemini": "STOP", "response": "completed"}
TOKENS = {"completion": (50, 30), "Anthropic": (50, 30), "Gemini": (50, 30), "response": (70, 20)}


def inspected(capsys: Capture, folder: Path, value: Json, name: str = "log.json") -> dict[str, Any]:
    """The document that the command finds in a value; a list is written in lines."""
    lines = value if isinstance(value, list) and name.endswith("l") else [value]
    (folder / name).write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    main(["inspect", str(folder / name), "--json"])
    (document,) = json.loads(capsys.readouterr().out)["documents"]
    assert isinstance(document, dict)
    return document


def only_turn(document: dict[str, Any]) -> dict[str, Any]:
    """The one turn of its one conversation."""
    (trace,) = document["traces"]
    (turn,) = trace["turns"]
    assert isinstance(turn, dict)
    return turn


def of_the_answer(folder: Path) -> tuple[str | None, str | None]:
    """Its model and why it ended."""
    (trace,) = open_file(folder / "log.json").contents.traces
    event = trace.turns[0].events[-1]
    return event.model, event.finish_reason


@each("kind", [*chat_files.answers()])
def test_an_answer_beside_messages_is_the_answer(tmp_path: Path, capsys: Capture, kind: str) -> None:
    document = inspected(capsys, tmp_path, chat_files.answered(kind))
    turn = only_turn(document)
    assert (document["format"], turn["user"], turn["final_response"]) == ("openai-messages", *TOLD)
    assert (turn["tokens"]["input"], turn["tokens"]["output"]) == TOKENS[kind]
    assert of_the_answer(tmp_path) == ("small", REASONS[kind])
    assert [finding["message"] for finding in document["findings"]] == ["2 of 2 records are understood."]


def test_an_answer_in_words_follows_a_question_and_nothing_else(tmp_path: Path, capsys: Capture) -> None:
    turn = only_turn(inspected(capsys, tmp_path, {"messages": chat_files.asked(), "response": "At Pier 4."}))
    assert (turn["user"], turn["final_response"]) == TOLD
    answered: Json = [*chat_files.asked(), {"role": "assistant", "content": "Here."}]
    turn = only_turn(inspected(capsys, tmp_path, {"messages": answered, "response": "At Pier 4."}))
    assert turn["final_response"] == "Here."
    (trace,) = open_file(tmp_path / "log.json").contents.traces
    assert [(extra.name, extra.value) for extra in trace.extras] == [("response", "At Pier 4.")]


@each(
    ("kind", "format_"),
    [("completion", "openai-completion"), ("Anthropic", "openai-messages"), ("response", "openai-responses")],
)
@each("name", ["log.json", "log.jsonl"])
def test_a_request_with_its_answer_is_a_conversation(
    tmp_path: Path, capsys: Capture, kind: str, format_: str, name: str
) -> None:
    pair = {**chat_files.pairs()[kind], "timestamp": "2026-05-01T10:00:00Z"}
    document = inspected(capsys, tmp_path, [pair, pair] if name.endswith("l") else pair, name)
    assert (document["format"], document["cases"]) == (format_, [])
    assert len(document["traces"]) == (2 if name.endswith("l") else 1)
    (turn,) = document["traces"][-1]["turns"]
    assert (turn["user"], turn["final_response"]) == TOLD
    assert (turn["tokens"]["input"], turn["tokens"]["output"]) == TOKENS[kind]
    (tmp_path / "log.json").write_text(json.dumps(pair))
    assert of_the_answer(tmp_path) == ("small", REASONS[kind])
    (trace,) = open_file(tmp_path / "log.json").contents.traces
    assert trace.agents[0].instruction == ("Be short." if kind != "completion" else "")
    assert "timestamp" in {extra.name for extra in trace.extras}


def test_a_recording_of_http_has_what_was_sent_as_its_body(tmp_path: Path, capsys: Capture) -> None:
    pair = chat_files.pairs()["Anthropic"]
    value: JsonObject = {"method": "POST", "body": pair["request"], "response": pair["response"], "result": {"a": 1}}
    turn = only_turn(inspected(capsys, tmp_path, [value]))
    assert (turn["user"], turn["final_response"]) == TOLD
    (trace,) = open_file(tmp_path / "log.json").contents.traces
    assert [extra.name for extra in trace.extras] == ["method", "result"]


def test_choices_of_an_answer_are_conversations(tmp_path: Path) -> None:
    pair: JsonObject = {"request": {"messages": chat_files.asked()}, "response": chat_files.completion()}
    (tmp_path / "log.json").write_text(json.dumps(pair))
    first, second = open_file(tmp_path / "log.json").contents.traces
    assert (first.id, second.id, second.candidate) == ("chatcmpl-1", "chatcmpl-1~2", "choice 2")
    assert [user_text(trace.turns[0]) for trace in (first, second)] == [TOLD[0]] * 2
    assert [answer_text(trace.turns[0]) for trace in (first, second)] == ["At Pier 4.", "Nowhere."]
    assert [turn_usage(trace.turns[0]).prompt for trace in (first, second)] == [50, None]


def test_what_is_a_row_of_vertex_stays_one(tmp_path: Path, capsys: Capture) -> None:
    contents: Json = [{"role": "user", "parts": [{"text": "Where may I park?"}]}]
    row: JsonObject = {"request": {"contents": contents}, "response": chat_files.gemini_answer()}
    document = inspected(capsys, tmp_path, row)
    assert (document["format"], len(document["cases"]), len(document["traces"])) == ("vertex-dataset", 1, 1)
    plain: JsonObject = {"choices": [{"message": {"role": "assistant", "content": "At Pier 4."}}]}
    row = {"request": {"messages": chat_files.asked()}, "response": plain}
    assert inspected(capsys, tmp_path, row)["format"] == "vertex-dataset"


def test_gemini_alone_and_in_a_batch(tmp_path: Path, capsys: Capture) -> None:
    told = chat_files.gemini_answer()
    values: list[Json] = [told, {"key": "q1", "response": told}]
    for value in values:
        turn = only_turn(inspected(capsys, tmp_path, value))
        assert turn["final_response"] == TOLD[1]
        assert (turn["tokens"]["input"], turn["tokens"]["output"], turn["tokens"]["thoughts"]) == (50, 30, 12)


def test_lines_of_batches(tmp_path: Path, capsys: Capture) -> None:
    failed: JsonObject = {"custom_id": "q2", "response": None, "error": {"code": "expired", "message": "Too late."}}
    document = inspected(capsys, tmp_path, [chat_files.batch_answered(), failed], "out.jsonl")
    assert [trace["id"] for trace in document["traces"]] == ["q1", "q2"]
    assert document["traces"][0]["turns"][0]["final_response"] == TOLD[1]
    _, second = open_file(tmp_path / "out.jsonl").contents.traces
    assert second.turns[0].events[0].error == "expired: Too late."
    assert inspected(capsys, tmp_path, [chat_files.batch_answered()], "out.jsonl")["format"] == "openai-completion"
    document = inspected(capsys, tmp_path, [chat_files.batch_asked()] * 2, "in.jsonl")
    assert (document["format"], [trace["id"] for trace in document["traces"]]) == ("openai-messages", ["q1", "q1"])
    assert document["traces"][0]["turns"][0]["user"] == TOLD[0]
    result: JsonObject = {"type": "succeeded", "message": chat_files.anthropic_answer()}
    turn = only_turn(inspected(capsys, tmp_path, {"custom_id": "q1", "result": result}))
    assert (turn["final_response"], turn["tokens"]["input"]) == (TOLD[1], 50)


@each("name", ["log.json", "log.jsonl"])
def test_items_are_a_conversation(tmp_path: Path, capsys: Capture, name: str) -> None:
    document = inspected(capsys, tmp_path, chat_files.items(), name)
    turn = only_turn(document)
    assert (turn["user"], turn["final_response"]) == TOLD
    assert [(call["name"], call["args"], call["result"]) for call in turn["tool_calls"]] == [
        ("find", {"what": "garage"}, "Pier 4")
    ]
    assert [finding["message"] for finding in document["findings"]] == ["5 of 5 records are understood."]
    held = only_turn(inspected(capsys, tmp_path, {"messages": chat_files.items()}))
    assert (held["user"], held["final_response"], len(held["tool_calls"])) == (*TOLD, 1)


def test_calls_without_anybody_who_speaks_are_items(tmp_path: Path, capsys: Capture) -> None:
    turn = only_turn(inspected(capsys, tmp_path, chat_files.items()[2:4]))
    assert [(call["name"], call["result"]) for call in turn["tool_calls"]] == [("find", "Pier 4")]


FORMS: dict[str, Json] = {
    "flat": chat_files.langchain(),
    "constructors": chat_files.langchain_constructors(),
    "data": chat_files.langchain_data(),
    "constructors in an object": {"messages": chat_files.langchain_constructors()},
}


@each("form", FORMS)
def test_messages_of_langchain_in_each_form(tmp_path: Path, capsys: Capture, form: str) -> None:
    document = inspected(capsys, tmp_path, FORMS[form])
    turn = only_turn(document)
    assert (document["format"], turn["user"], turn["final_response"]) == ("openai-messages", *TOLD)
    assert [(call["name"], call["args"], call["result"]) for call in turn["tool_calls"]] == [
        ("find", {"what": "garage"}, "Pier 4")
    ]
    assert (turn["tokens"]["input"], turn["tokens"]["output"]) == (30, 9)
    assert [finding["message"] for finding in document["findings"]] == ["4 of 4 records are understood."]


def test_what_a_constructor_names_is_not_imported(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "hostile.py").write_text("raise SystemExit('imported')")
    made: JsonObject = {
        "lc": 1, "type": "constructor", "id": ["hostile", "HumanMessage"], "kwargs": {"content": "Where?"},
    }  # fmt: skip
    assert only_turn(inspected(capsys, tmp_path, [made]))["user"] == "Where?"


@each(
    "value",
    [
        {"request": {"messages": chat_files.asked()}, "response": {"id": "x", "choices": []}},
        {"request": {"url": "/health"}, "response": {"id": "x", "status": 200}},
        {"custom_id": "q1", "url": "/v1/embeddings", "body": {"input": ["a", "b"], "model": "m"}},
        {"custom_id": "q1", "url": "/v1/embeddings", "body": {"input": "a", "model": "m"}},
        {"candidates": [{"name": "Ada", "content": "CV"}]},
        [{"type": "reasoning", "summary": []}],
        [{"type": "human", "data": {"age": 4}}],
        [{"lc": 1, "type": "constructor", "id": ["langchain", "prompts", "PromptTemplate"], "kwargs": {}}],
    ],
)
def test_what_only_looks_alike_is_no_chat(tmp_path: Path, capsys: Capture, value: Json) -> None:
    assert not str(inspected(capsys, tmp_path, value)["format"]).startswith("openai")

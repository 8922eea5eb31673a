"""What conversion carries over as it stands: bytes, tokens, and of what has no place only that itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from trace_inspector.cli import main
from trace_inspector.core.values.values import Json, JsonObject

DATA = "aGVsbG8gd29ybGQ="
_ACTIONS: JsonObject = {
    "stateDelta": {},
    "artifactDelta": {},
    "requestedAuthConfigs": {},
    "requestedToolConfirmations": {},
}


def event(number: int, author: str, parts: list[Json], **beside: Json) -> JsonObject:
    """An event of a session, with its keys in an order that no writer here has."""
    return {
        "id": f"event-{number}",
        "invocationId": "i-1",
        "author": author,
        "timestamp": float(number),
        **beside,
        "content": {"role": "user" if author == "user" else "model", "parts": parts},
        "actions": _ACTIONS,
    }


def session(*events: JsonObject) -> JsonObject:
    return {"id": "s-1", "appName": "a", "userId": "u", "state": {}, "lastUpdateTime": 9.0, "events": [*events]}


def picture(mime_type: str = "image/png") -> JsonObject:
    return {"inlineData": {"mimeType": mime_type, "data": DATA}}


SHOWN = session(
    event(1, "user", [{"text": "What is this?"}, picture()]),
    event(2, "bot", [{"text": "A picture."}, picture("audio/wav")], usageMetadata={"promptTokenCount": 12}),
)


def converted(tmp_path: Path, value: Json, to: str, name: str = "in.json") -> Any:
    """The value of a file in another format."""
    (tmp_path / name).write_text(json.dumps(value), encoding="utf-8")
    made = tmp_path / f"{to}.json"
    assert main(["convert", str(tmp_path / name), "--to", to, "-o", str(made), "--allow-loss"]) == 0
    return json.loads(made.read_text(encoding="utf-8"))


def without_ours(value: Any) -> Any:
    """The value without what lies under our own key."""
    if isinstance(value, dict):
        return {key: without_ours(item) for key, item in value.items() if key != "traceInspector"}
    return [without_ours(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("to", ["adk-eval-set", "vertex-item", "agent-eval", "ces-evaluation", "adk-eval-result"])
def test_bytes_go_along_into_every_format(to: str, tmp_path: Path) -> None:
    text = json.dumps(without_ours(converted(tmp_path, SHOWN, to)))
    assert text.count(DATA) >= 2
    assert "image/png" in text
    assert "audio/wav" in text


@pytest.mark.parametrize("to", ["adk-eval-set", "adk-session", "vertex-item"])
@pytest.mark.parametrize("kind", ["image", "blob"])
def test_bytes_of_ces_go_along(kind: str, to: str, tmp_path: Path) -> None:
    mime_type = f"{kind}/png" if kind == "image" else "application/pdf"
    asked: JsonObject = {"userInput": {kind: {"mimeType": mime_type, "data": DATA}}}
    answer: JsonObject = {"role": "agent", "chunks": [{kind: {"mimeType": mime_type, "data": DATA}}]}
    steps: list[Json] = [asked, {"expectation": {"agentResponse": answer}}]
    golden: JsonObject = {"name": "e", "displayName": "e", "golden": {"turns": [{"steps": steps}]}}
    there = converted(tmp_path, golden, to)
    text = json.dumps(without_ours(there))
    assert text.count(DATA) >= 2
    assert mime_type in text
    back = converted(tmp_path, without_ours(there), "ces-evaluation", "back.json")
    assert asked in back["golden"]["turns"][0]["steps"]
    assert answer["chunks"] in [
        step["expectation"]["agentResponse"]["chunks"]
        for step in back["golden"]["turns"][0]["steps"]
        if "expectation" in step
    ]


def test_no_total_is_made_up(tmp_path: Path) -> None:
    written = without_ours(converted(tmp_path, SHOWN, "adk-eval-set"))
    events = written["eval_cases"][0]["conversation"][0]["intermediate_data"]["invocation_events"]
    assert [one["usage_metadata"] for one in events if "usage_metadata" in one] == [{"prompt_token_count": 12}]
    back = converted(tmp_path, written, "adk-session", "back.json")
    assert [one["usageMetadata"] for one in back["events"] if "usageMetadata" in one] == [{"promptTokenCount": 12}]


def test_a_total_is_the_one_that_the_file_states(tmp_path: Path) -> None:
    usage: JsonObject = {"promptTokenCount": 12, "totalTokenCount": 40}
    value = session(event(1, "user", [{"text": "Hi"}]), event(2, "bot", [{"text": "Hello"}], usageMetadata=usage))
    written = without_ours(converted(tmp_path, value, "adk-eval-set"))
    events = written["eval_cases"][0]["conversation"][0]["intermediate_data"]["invocation_events"]
    assert events[0]["usage_metadata"] == {"prompt_token_count": 12, "total_token_count": 40}


def test_what_is_kept_beside_does_not_repeat_what_the_file_says(tmp_path: Path) -> None:
    said = [f"answer number {number}, which is rather long" for number in range(40)]
    events = [event(0, "user", [{"text": "Count!"}])]
    events += [event(at + 1, "bot", [{"text": words}], longRunningToolIds=[]) for at, words in enumerate(said)]
    made = converted(tmp_path, session(*events), "adk-eval-set")
    kept = json.dumps(made["eval_cases"][0]["traceInspector"])
    assert not [words for words in said if words in kept]
    assert [f"event-{number}" in kept for number in range(41)] == [True] * 41
    assert converted(tmp_path, made, "adk-session", "back.json") == session(*events)


def test_the_order_of_keys_alone_comes_home(tmp_path: Path) -> None:
    made = converted(tmp_path, SHOWN, "adk-eval-set")
    converted(tmp_path, made, "adk-session", "there.json")
    text = (tmp_path / "adk-session.json").read_text(encoding="utf-8")
    assert json.dumps(json.loads(text)) == json.dumps(SHOWN)


def test_a_redacted_report_has_no_bytes(tmp_path: Path) -> None:
    file, report = tmp_path / "s.json", tmp_path / "r.json"
    file.write_text(json.dumps(SHOWN), encoding="utf-8")
    main(["evaluate", str(file), "--golden", str(file), "--report", f"adk={report}"])
    assert DATA in report.read_text(encoding="utf-8")
    report.unlink()
    main(["evaluate", str(file), "--golden", str(file), "--report", f"adk={report}", "--redact-secrets"])
    assert DATA not in report.read_text(encoding="utf-8")

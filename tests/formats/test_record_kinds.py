"""Every kind of record that a reader names: it is understood, it is shown somewhere, and it changes no words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from tests.formats import claude_code_files, codex_files, openhands_files
from tests.helpers.tables import each
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.trace import answer_text, calls_of, paired_calls, user_text
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.flows.opening.open_file import open_file
from trace_inspector.formats.coding.claude_code import lines as claude_lines
from trace_inspector.formats.coding.claude_code import session as claude_session
from trace_inspector.formats.coding.codex import records


def contents_of(folder: Path, lines: list[Json]) -> Contents:
    path = folder / "session.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return open_file(path).contents


def shown_at(contents: Contents) -> Iterator[str]:
    """The places of all that is shown of the conversations."""
    for trace in contents.traces:
        yield from (extra.place for extra in trace.extras)
        for turn in trace.turns:
            yield from (extra.place for extra in turn.extras)
            yield from (event.place for event in turn.events)


def understood(contents: Contents) -> str:
    (message,) = (one.message for one in contents.findings if one.code == "records-understood")
    return message


def check(contents: Contents, place: str) -> None:
    assert "The others" not in understood(contents)
    trace, *others = contents.traces
    (turn,) = trace.turns
    assert not others
    assert (user_text(turn), answer_text(turn), calls_of(turn)) == ("Go.", "Gone.", [])
    assert any(shown == place or shown.startswith(f"{place}/") for shown in shown_at(contents))


CLAUDE = dict.fromkeys(sorted(claude_lines.BOOKKEEPING), "") | {
    f"system {kind}": kind for kind in sorted(claude_session._KNOWN_EVENTS)
}


@each("name", CLAUDE)
def test_lines_of_claude_code_that_nobody_spoke(tmp_path: Path, name: str) -> None:
    kind = "system" if CLAUDE[name] else name
    subtype: JsonObject = {"subtype": CLAUDE[name]} if CLAUDE[name] else {}
    noted = claude_code_files.line(kind, "n1", "u1", 2, note="of the program", content="noted", **subtype)
    reply = claude_code_files.replied("a1", "n1", 3, "m1", claude_code_files.text("Gone."))
    check(contents_of(tmp_path, [claude_code_files.said("u1", None, 1, "Go."), noted, reply]), "/1")


CODEX = dict.fromkeys(sorted(records.BOOKKEEPING_EVENTS), "event_msg") | {
    kind: kind for kind in records.BOOKKEEPING_RECORDS
}


@each("name", CODEX)
def test_records_of_codex_that_say_nothing_else(tmp_path: Path, name: str) -> None:
    kind = CODEX[name]
    inner: JsonObject = {"type": name} if kind != name else {}
    noted = codex_files.record(kind, 2, note="of the program", **inner)
    said = codex_files.said("user", "Go.", 1), codex_files.said("assistant", "Gone.", 3)
    check(contents_of(tmp_path, [codex_files.meta(), said[0], noted, said[1]]), "/2")


@each("kind", sorted(records.CALLS))
def test_calls_of_codex_and_their_results(tmp_path: Path, kind: str) -> None:
    for output in sorted(records.OUTPUTS):
        call = codex_files.item(kind, 2, call_id="c1", name="find", arguments="{}", action={"type": "exec"})
        result = codex_files.item(output, 3, call_id="c1", output="found")
        lines: list[Json] = [codex_files.meta(), codex_files.said("user", "Go.", 1), call, result]
        contents = contents_of(tmp_path, lines)
        assert "The others" not in understood(contents)
        (pair,) = paired_calls(contents.traces[0].turns[0])
        assert pair.call.name
        assert pair.result is not None, (kind, output)


# Named here and not taken from the readers: what these services write is their matter, not that of our tables.
OF_THE_SERVICE = (
    "web_search_call", "file_search_call", "code_interpreter_call", "computer_call", "image_generation_call",
    "local_shell_call", "shell_call", "apply_patch_call", "tool_search_call", "function_call", "custom_tool_call",
    "mcp_call",
)  # fmt: skip
RESULTS = (
    "function_call_output", "custom_tool_call_output", "computer_call_output", "local_shell_call_output",
    "shell_call_output", "apply_patch_call_output", "tool_search_output",
)  # fmt: skip


def answered_with(folder: Path, *items: JsonObject) -> Contents:
    path = folder / "response.json"
    words: JsonObject = {"type": "output_text", "text": "Gone."}
    last: JsonObject = {"type": "message", "role": "assistant", "content": [words]}
    head: JsonObject = {"id": "r", "object": "response", "status": "completed", "model": "m", "input": "Go."}
    path.write_text(json.dumps({**head, "output": [*items, last]}), encoding="utf-8")
    return open_file(path).contents


@each("kind", OF_THE_SERVICE)
def test_calls_of_responses_with_what_they_gave(tmp_path: Path, kind: str) -> None:
    call: JsonObject = {"type": kind, "id": "i1", "call_id": "c1", "name": "find", "output": "found"}
    contents = answered_with(tmp_path, call)
    (pair,) = paired_calls(contents.traces[0].turns[0])
    assert pair.call.name
    assert pair.result is not None
    assert pair.result.value == "found"
    assert "The others" not in understood(contents)


@each("kind", RESULTS)
def test_results_of_responses_meet_their_calls(tmp_path: Path, kind: str) -> None:
    call: JsonObject = {"type": "function_call", "call_id": "c1", "name": "find", "arguments": "{}"}
    contents = answered_with(tmp_path, call, {"type": kind, "call_id": "c1", "output": "found"})
    (pair,) = paired_calls(contents.traces[0].turns[0])
    assert pair.result is not None
    assert pair.result.value == "found"
    assert "The others" not in understood(contents)


ASIDE = (
    "PauseEvent", "Condensation", "CondensationEvent", "CondensationRequestEvent", "TokenEvent",
    "LLMCompletionLogEvent", "UserRejectObservation", "AgentErrorEvent", "ConversationErrorEvent",
)  # fmt: skip


@each("kind", ASIDE)
def test_events_of_openhands_that_are_no_words(tmp_path: Path, kind: str) -> None:
    prompt, asked, *_others = openhands_files.events()
    head: JsonObject = {"timestamp": "2026-05-01T10:00:05", "source": "agent"}
    noted: JsonObject = {**head, "id": "n1", "kind": kind, "error": "noted", "summary": "noted", "detail": "noted"}
    words: JsonObject = {"role": "assistant", "content": [{"type": "text", "text": "Fixed."}]}
    said: JsonObject = {**head, "id": "n2", "kind": "MessageEvent", "llm_message": words}
    path = tmp_path / "events.json"
    path.write_text(json.dumps([prompt, asked, noted, said]), encoding="utf-8")
    contents = open_file(path).contents
    (turn,) = contents.traces[0].turns
    assert (user_text(turn), answer_text(turn), calls_of(turn)) == ("Fix it.", "Fixed.", [])
    assert any(place.startswith("/2") for place in shown_at(contents))
    assert "The others" not in understood(contents)

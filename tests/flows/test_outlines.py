"""What a session is about, by the beginning of its file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.formats import adk_files, claude_code_files, codex_files, gemini_cli_files, pi_files
from trace_inspector.core.trace.outline import Outline, below_their_sessions
from trace_inspector.core.trace.trace import calls_of, input_tokens, output_tokens, turn_usage
from trace_inspector.core.values.values import Json
from trace_inspector.documents.json.strict import fast_value
from trace_inspector.flows.opening import outlines as module
from trace_inspector.flows.opening.open_file import open_file
from trace_inspector.flows.opening.outlines import Outlines


def put(path: Path, lines: list[Json]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_an_outline_tells_what_the_whole_file_tells(tmp_path: Path) -> None:
    outlines = Outlines()
    for name, lines in (
        ("claude-code", claude_code_files.session()),
        ("codex", codex_files.rollout()),
        ("gemini-cli", gemini_cli_files.lines()),
        ("pi", pi_files.lines()),
    ):
        path = put(tmp_path / f"{name}.jsonl", lines)
        told, trace = outlines.outline(path), open_file(path).contents.traces[0]
        assert (told.format, told.id, told.size_bytes) == (name, trace.id, path.stat().st_size)
        assert told.title
        assert told.title in (trace.title, "Why is the price wrong?")
        assert told.start_s == trace.turns[0].start_s
        models = {event.model for turn in trace.turns for event in turn.events}
        assert told.model in models or not any(models)


def test_only_the_beginning_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = claude_code_files.session()
    more: Json = {"type": "progress", "data": "x" * 1_000}
    whole = put(tmp_path / "short.jsonl", lines)
    path = put(tmp_path / "long.jsonl", [*lines, *([more] * 500)])
    beginning = whole.stat().st_size + 100
    monkeypatch.setattr(module, "_BEGINNINGS", (beginning,))
    parsed: list[int] = []

    def noted(data: bytes, *, unique: bool = True) -> Json:
        parsed.append(len(data))
        return fast_value(data, unique=unique)

    monkeypatch.setattr(module, "fast_value", noted)
    told = Outlines().outline(path)
    assert sum(parsed) < beginning
    assert (told.title, told.model, told.size_bytes) == ("A price is wrong", "large", path.stat().st_size)


def test_a_longer_beginning_is_read_where_the_first_has_no_reply(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put(tmp_path / "a.jsonl", claude_code_files.session())
    monkeypatch.setattr(module, "_BEGINNINGS", (900, 1 << 18))
    assert Outlines().outline(path).model == "large"


def test_a_first_line_that_is_longer_than_the_first_beginning(tmp_path: Path) -> None:
    lines = codex_files.rollout()
    long: Json = {"text": "Be careful. " * 2_000}
    path = put(tmp_path / "a.jsonl", [codex_files.meta(instructions=long), *lines[1:]])
    told = Outlines().outline(path)
    assert (told.format, told.id, told.model) == ("codex", codex_files.THREAD, "gpt-large")
    assert told.title == "Why is the price wrong?"


@pytest.mark.parametrize("text", ["", "\n\n", "no json", '{"a": 1', "[1]\n[2]\n", '{"a": 1}\n{"a"', '{\n "a": 1\n}'])
def test_files_that_are_no_sessions_have_a_size_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(text, encoding="utf-8")
    assert Outlines().outline(path) == Outline(path, len(text), written_ns=path.stat().st_mtime_ns)


def test_files_of_several_formats_side_by_side(tmp_path: Path) -> None:
    outlines = Outlines()
    first = put(tmp_path / "a.jsonl", claude_code_files.session())
    second = put(tmp_path / "b.jsonl", pi_files.lines())
    third = put(tmp_path / "c.jsonl", [{"a": 1}, {"a": 2}])
    formats = [outlines.outline(path).format for path in (first, second, first, third, second)]
    assert formats == ["claude-code", "pi", "claude-code", "", "pi"]


def test_sub_agents_stand_below_their_session(tmp_path: Path) -> None:
    def made(name: str, parent: str = "") -> Outline:
        return Outline(tmp_path / name, 1, id=name, parent=parent)

    listed = [made("s1", "b"), made(""), made("a"), made("s2", "a"), made("s3", "gone"), made("b"), made("s4", "b")]
    assert [outline.id for outline in below_their_sessions(listed)] == ["", "a", "s2", "s3", "b", "s1", "s4"]


def test_sessions_stand_in_the_order_in_which_they_began(tmp_path: Path) -> None:
    listed = [
        Outline(tmp_path / "c", 1, id="c", start_s=3.0),
        Outline(tmp_path / "x", 1),
        Outline(tmp_path / "a", 1, id="a", start_s=1.0),
        Outline(tmp_path / "s", 1, id="s", start_s=0.5, parent="c"),
        Outline(tmp_path / "b", 1, id="b", start_s=2.0),
    ]
    assert [outline.path.name for outline in below_their_sessions(listed)] == ["a", "b", "c", "s", "x"]


def test_inspect_counts_what_the_beginning_does_not_tell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from trace_inspector.cli import main

    path = put(tmp_path / "a.jsonl", claude_code_files.session())
    (tmp_path / "other.json").write_text('{"a": 1}', encoding="utf-8")
    held = open_file(path).contents.traces
    turns = [turn for trace in held if not trace.abandoned for turn in trace.turns]
    usages = [turn_usage(turn) for turn in turns]
    tokens = [sum(count(usage) or 0 for usage in usages) for count in (input_tokens, output_tokens)]
    calls = sum(len(calls_of(turn)) for turn in turns)
    assert any(trace.abandoned for trace in held)
    assert main(["inspect", "--list", "--counts", str(tmp_path)]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert f" · {len(turns)} turns · {calls} calls · {tokens[0]:,} tokens in, {tokens[1]:,} out" in first
    assert second.startswith(f"{tmp_path / 'other.json'}: not recognised: ")
    assert "turn" not in second
    assert main(["inspect", "--list", "--counts", "--json", str(tmp_path)]) == 0
    told = json.loads(capsys.readouterr().out)["files"]
    assert (told[0]["turns"], told[0]["input_tokens"], told[0]["output_tokens"]) == (len(turns), *tokens)
    assert "turns" not in told[1]
    assert main(["inspect", "--counts", str(tmp_path)]) == 2


def test_counts_are_of_every_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from trace_inspector.cli import main

    path = tmp_path / "one.json"
    path.write_text(json.dumps(json.loads(adk_files.SESSION), indent=2), encoding="utf-8")
    contents = open_file(path).contents
    turns = sum(len(trace.turns) for trace in contents.traces)
    assert turns
    assert main(["inspect", "--list", str(path)]) == 0
    assert "not known by its beginning" in capsys.readouterr().out
    assert main(["inspect", "--list", "--counts", str(path)]) == 0
    line = capsys.readouterr().out
    assert line.startswith(f"{path}: {contents.format}: ")
    assert f" · {turns} turn" in line
    assert main(["inspect", "--list", "--counts", "--json", str(path)]) == 0
    (told,) = json.loads(capsys.readouterr().out)["files"]
    assert (told["format"], told["turns"]) == (contents.format, turns)


def test_an_eval_set_with_tools_in_one_line_is_listed_as_one(tmp_path: Path) -> None:
    tool: Json = {"name": "find", "parameters": {"type": "object"}}
    turn: Json = {"user_content": {"parts": [{"text": "Hi"}]}}
    case: Json = {"eval_id": "a", "conversation": [turn]}
    path = put(tmp_path / "set.jsonl", [{"eval_set_id": "s", "eval_cases": [case], "tools": [tool]}])
    assert Outlines().outline(path).format == "adk-eval-set"


def test_inspect_lists_a_project(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from trace_inspector.cli import main

    session = claude_code_files.SESSION
    put(tmp_path / f"{session}.jsonl", claude_code_files.session())
    agent: list[Json] = [
        {**line, "isSidechain": True, "agentId": "a7"}
        for line in claude_code_files.session()
        if isinstance(line, dict) and line.get("uuid") in ("u1", "a1", "a2")
    ]
    put(tmp_path / session / "subagents" / "agent-a7.jsonl", agent)
    (tmp_path / "other.json").write_text('{"a": 1}', encoding="utf-8")
    code = main(["inspect", "--list", str(tmp_path)])
    shown = capsys.readouterr()
    assert (code, shown.err) == (0, "")
    first, second, third = shown.out.splitlines()
    assert first.startswith(f"{tmp_path / session}.jsonl: claude-code: ")
    assert " · 2026-05-01 10:00:01 UTC · large · 0.01 MB" in first
    assert second.startswith("  ")
    assert second.endswith(f"sub-agent of {session}")
    assert third == f"{tmp_path / 'other.json'}: not known by its beginning: 0.00 MB"
    assert main(["inspect", "--list", "--json", str(tmp_path), str(tmp_path / "gone.jsonl")]) == 2
    told = json.loads(capsys.readouterr().out)["files"]
    assert [each["parent"] for each in told] == ["", session, ""]

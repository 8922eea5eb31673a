"""Sub-agents whose conversations are files of their own: their parent's file near by names the call."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.formats import claude_code_files, codex_files
from trace_inspector.cli import main
from trace_inspector.core.trace.trace import ParentCall, Trace
from trace_inspector.core.values.values import Json
from trace_inspector.flows.opening.open_file import open_file, stream_file

SESSION, THREAD = claude_code_files.SESSION, codex_files.THREAD


def put(path: Path, lines: Iterable[Json]) -> Path:
    """A file of lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def parent_in(path: Path) -> ParentCall | None:
    """The parent of the only conversation of a file."""
    (trace,) = open_file(path).contents.traces
    return trace.parent


@pytest.mark.parametrize("name", [f"{SESSION}/subagents/agent-ag01.jsonl", "agent-ag01.jsonl"])
def test_a_sub_agent_of_claude_code_stands_under_its_call(tmp_path: Path, name: str) -> None:
    session = json.dumps(claude_code_files.session()).replace('"ag1"', '"ag01"')
    put(tmp_path / f"{SESSION}.jsonl", json.loads(session))
    path = put(tmp_path / name, claude_code_files.sub_agent(agentId="ag01"))
    assert parent_in(path) == ParentCall(SESSION, "c3")
    (streamed,) = [item for item in stream_file(path) if isinstance(item, Trace)]
    assert streamed.parent == ParentCall(SESSION, "c3")


def test_the_folder_names_the_parent_whatever_the_lines_say(tmp_path: Path) -> None:
    put(tmp_path / f"{SESSION}.jsonl", claude_code_files.session())
    lines = claude_code_files.sub_agent(agentId="ag01", sessionId="agent-ag01")
    assert parent_in(put(tmp_path / SESSION / "subagents" / "agent-ag01.jsonl", lines)) == ParentCall(SESSION)


def test_a_sub_agent_of_codex_stands_under_its_call(tmp_path: Path) -> None:
    put(tmp_path / f"rollout-2026-05-01T10-00-00-{THREAD}.jsonl", codex_files.rollout())
    path = put(tmp_path / "rollout-2026-05-01T10-00-35-0199-sub.jsonl", codex_files.sub_agent())
    assert parent_in(path) == ParentCall(THREAD, "c4")


def test_without_the_parent_only_its_name_is_known(tmp_path: Path) -> None:
    path = put(tmp_path / "agent-ag01.jsonl", claude_code_files.sub_agent(agentId="ag01"))
    (tmp_path / f"{SESSION}.jsonl").write_text('{"type": "mode", "note": "ag01"}\n{"broken": "ag01"\n"ag01"\n')
    assert parent_in(path) == ParentCall(SESSION)


def test_a_project_folder_is_inspected_as_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    session = json.dumps(claude_code_files.session()).replace('"ag1"', '"ag01"')
    put(tmp_path / f"{SESSION}.jsonl", json.loads(session))
    put(tmp_path / SESSION / "subagents" / "agent-ag01.jsonl", claude_code_files.sub_agent(agentId="ag01"))
    assert main(["inspect", str(tmp_path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert "c3" in json.dumps(told)
    assert "~1" in json.dumps(told)

from __future__ import annotations

import os
from pathlib import Path

import pytest

from trace_inspector.cli import main


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for variable in ("CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def session(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_new_and_grown_sessions_are_copied_and_nothing_is_lost(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    claude = session(home / ".claude/projects/-srv-shop/one.jsonl", "a\nb\n")
    session(home / ".codex/sessions/2026/11/29/rollout-1.jsonl", "c\n")
    session(home / ".gemini/tmp/0af/chats/session-1.json", "{}")
    session(home / ".claude/projects/-srv-shop/notes.txt", "not one")
    (home / ".claude/projects/-srv-shop/link.jsonl").symlink_to(claude)
    kept = home / "kept"
    copy = kept / "claude-code/projects/-srv-shop/one.jsonl"
    assert main(["archive", str(kept)]) == 0
    assert capsys.readouterr().out.endswith("3 of 3 sessions copied, 0.00 MB\n")
    assert sorted(path.name for path in kept.rglob("*.json*")) == ["one.jsonl", "rollout-1.jsonl", "session-1.json"]
    assert main(["archive", str(kept)]) == 0
    assert capsys.readouterr().out == "0 of 3 sessions copied, 0.00 MB\n"
    session(claude, "a\nb\nc\n")
    assert main(["archive", str(kept)]) == 0
    assert copy.read_text(encoding="utf-8") == "a\nb\nc\n"
    session(claude, "a\n")  # compacted, or begun anew: less than the copy, which stays
    assert main(["archive", str(kept)]) == 0
    assert copy.read_text(encoding="utf-8") == "a\nb\nc\n"
    assert copy.with_name("one.1.jsonl").exists() is False
    assert copy.with_name("one.2.jsonl").read_text(encoding="utf-8") == "a\n"
    gemini = session(home / ".gemini/tmp/0af/chats/session-1.json", '{"a": 1}')
    assert main(["archive", str(kept)]) == 0
    assert (kept / "gemini-cli/tmp/0af/chats/session-1.json").read_text(encoding="utf-8") == '{"a": 1}'
    session(gemini, "{}")
    assert main(["archive", str(kept)]) == 0
    assert (kept / "gemini-cli/tmp/0af/chats/session-1.json").read_text(encoding="utf-8") == '{"a": 1}'
    gemini.unlink()
    claude.unlink()
    assert main(["archive", str(kept)]) == 0
    assert copy.exists()
    capsys.readouterr()
    os.utime(copy, (0, 0))
    assert main(["archive", str(kept), "--list"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[-1] == "5 copies, 0.00 MB"
    assert "days old" in next(line for line in told if line.endswith("/one.jsonl"))
    assert not list(kept.rglob("*.part"))


def test_a_file_is_no_folder_for_copies(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    there = session(home / "there", "x")
    assert main(["archive", str(there)]) == 2
    assert "This is a file, not a folder." in capsys.readouterr().err


def test_copies_kept_among_the_sessions_are_not_copied_themselves(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    session(home / ".claude/projects/-srv-shop/one.jsonl", "a\n")
    monkeypatch.chdir(home / ".claude/projects")
    for _time in range(2):
        assert main(["archive", "kept"]) == 0
    assert capsys.readouterr().out.endswith("0 of 1 sessions copied, 0.00 MB\n")


def test_a_copy_is_synced_through_a_handle_that_may_write_as_windows_wants_it(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fcntl = pytest.importorskip("fcntl")
    session(home / ".claude/projects/-srv-shop/one.jsonl", "a\n")
    modes: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda handle: modes.append(fcntl.fcntl(handle, fcntl.F_GETFL) & os.O_ACCMODE))
    assert main(["archive", str(home / "kept")]) == 0
    assert modes == [os.O_RDWR]

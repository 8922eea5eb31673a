from __future__ import annotations

import json
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
    (home / ".gemini/tmp/0af/chats/session-1.json").unlink()
    claude.unlink()
    assert main(["archive", str(kept)]) == 0
    assert copy.exists()
    capsys.readouterr()
    os.utime(copy, (0, 0))
    assert main(["archive", str(kept), "--list"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[-1] == "4 copies, 0.00 MB"
    assert "days old" in next(line for line in told if line.endswith("/one.jsonl"))
    assert not list(kept.rglob("*.part"))


FIRST = {"at": "2026-11-29T10:00:00Z", "messages": [{"text": "a"}]}
LATER = {"at": "2026-11-29T11:00:00Z", "messages": [{"text": "a"}, {"text": "b"}], "more": 1}


@pytest.mark.parametrize(
    ("then", "now", "copies"),
    [
        (FIRST, LATER, [LATER]),
        (FIRST, {**LATER, "messages": [{"text": "other"}, {"text": "b"}]}, 2),  # longer, and not the same
        (FIRST, {**FIRST, "messages": [{"text": "b"}]}, 2),  # as long
        (FIRST, {**LATER, "at": "2026-11-29T09:00:00Z"}, 2),
        (FIRST, {"messages": LATER["messages"]}, 2),
        (LATER, FIRST, 2),
        ([1], [1, 2], 2),
    ],
)
def test_a_session_of_one_object_replaces_its_copy_where_it_has_all_of_it(
    home: Path, then: object, now: object, copies: object
) -> None:
    chats = home / ".gemini/tmp/0af/chats"
    for written in (then, now, now):
        session(chats / "session-1.json", json.dumps(written))
        assert main(["archive", str(home / "kept")]) == 0
    kept = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((home / "kept").rglob("*.json"))]
    assert kept == (copies if copies != 2 else [now, then])


def test_objects_that_cannot_be_read_are_kept_beside_each_other(home: Path) -> None:
    chats = home / ".gemini/tmp/0af/chats"
    for text in ('{"messages": [', "[" * 100_000, '{"messages": []}'):
        session(chats / "session-1.json", text)
        assert main(["archive", str(home / "kept")]) == 0
    assert len([*(home / "kept").rglob("*.json")]) == 3


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

"""Sessions of coding agents are copied when a person asks for it, and by nothing else that the window does."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from tests.commands.test_archive import session
from tests.helpers.growing_files import claude_lines
from tests.views.doing import trigger, wait_for
from tests.views.test_listen_dialog import has_turns, listening, send, stopped
from trace_inspector.models.base.open_file import FileState
from trace_inspector.views.shell.main_window import MainWindow


def test_nothing_is_copied_by_opening_following_or_listening(
    window: MainWindow, tmp_path: Path, private_data: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where a person kept sessions before, and the program knows the folder."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    lines, target, workspace = claude_lines(), tmp_path / "kept", window.desk.workspace
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_given: str(target))
    old = session(tmp_path / ".claude/projects/-srv-shop/old.jsonl", lines[0].decode())
    trigger(window, "keep-sessions")
    assert wait_for((target / "claude-code/projects/-srv-shop/old.jsonl").exists)
    before = kept_in(target)
    new = session(old.with_name("new.jsonl"), lines[0].decode())
    workspace.files.open([new])
    assert wait_for(lambda: (file := workspace.files.by_path(new)) is not None and file.state is FileState.READY)
    file = workspace.files.by_path(new)
    assert file is not None
    rows = len(file.table)
    for path in (new, old):
        with path.open("ab") as growing:
            growing.write(b"".join(lines[1:]))
    assert wait_for(lambda: len(file.table) > rows)
    workspace.files.open([old.parent])
    assert wait_for(lambda: bool(workspace.session_folders.by_number) or workspace.files.by_path(old) is not None)
    shown = listening(window, qtbot)
    assert send(shown.live.port, 1, "There.") == 200
    assert wait_for(lambda: has_turns(shown, 1))
    stopped(shown, qtbot)
    assert kept_in(target) == before
    there = {path for place in (tmp_path, private_data) for path in place.rglob("*.jsonl")}
    assert there - {shown.live.record} == {old, new, *before}


def kept_in(folder: Path) -> dict[Path, bytes]:
    """What a folder holds."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}

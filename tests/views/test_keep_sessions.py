"""“Keep sessions” in the File menu: copies of what coding agents would delete, in a folder of the person's."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog

from tests.commands.test_archive import session
from tests.views.doing import trigger, wait_for
from trace_inspector.views.shell.main_window import MainWindow

pytestmark = pytest.mark.shared_window


def test_sessions_are_copied_where_a_person_wants_them(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "codex"))
    monkeypatch.setenv("HOME", str(tmp_path))
    session(tmp_path / "claude/projects/-srv-shop/one.jsonl", "a\n")
    told: list[str] = []
    window.desk.workspace.messages.posted.connect(told.append)
    asked_in: list[str] = []
    target = tmp_path / "kept"

    def choose(_window: object, _title: str, begin: str) -> str:
        asked_in.append(begin)
        return str(target)

    monkeypatch.setattr(QFileDialog, "getExistingDirectory", choose)
    trigger(window, "keep-sessions")
    assert wait_for(lambda: f"1 of 1 sessions copied, 0.00 MB, into {target}." in told)
    assert (target / "claude-code/projects/-srv-shop/one.jsonl").read_text(encoding="utf-8") == "a\n"
    target = session(tmp_path / "file", "x")
    trigger(window, "keep-sessions")
    assert wait_for(lambda: any("This is a file, not a folder." in sentence for sentence in told))
    assert asked_in[1] == str(tmp_path / "kept")

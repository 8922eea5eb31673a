"""Two coding agents that did one task, side by side in a real window."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.formats.same_task_files import ANSWER, session_of
from tests.views.compare.comparing import compared, told
from trace_inspector.views.shell.main_window import MainWindow


@pytest.mark.parametrize("other", ["claude-code", "codex"])
def test_sessions_of_one_task_meet_row_by_row(window: MainWindow, tmp_path: Path, other: str) -> None:
    first = session_of(tmp_path, "claude-code", ANSWER, "cat prices", name="first")
    second = session_of(tmp_path, other, ANSWER, "cat costs", "ls", name="second")
    page = compared(window, first, second)
    words = "\n".join(told(page))
    assert "1 argument differs" in words
    assert "Extra call" in words
    assert "cat costs" in words

"""Parts of the window trigger actions by their ids: what such a button does is what the menu does."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QToolButton

from tests.models.stories import put, trace, turn
from tests.views.doing import wait_for
from trace_inspector.models.base.selection import Selection
from trace_inspector.views.shell.main_window import MainWindow


def test_an_action_is_performed_where_it_can_be_done_now(window: MainWindow) -> None:
    workspace, made = window.desk.workspace, window.commands.actions["close-file"]
    file = put(workspace, "/made/a.json", trace("one", turn(0, "a")))
    workspace.selection.select(Selection(file.number))
    assert not made.isEnabled()  # it will be in the next turn of the loop; nobody has to wait for that
    window.desk.perform("close-file")
    assert wait_for(lambda: not workspace.files)


def test_an_action_that_cannot_be_done_does_nothing(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    monkeypatch.setattr(window.desk.workspace.evaluation, "ask_to_start", lambda: done.append("evaluate"))
    window.desk.perform("evaluate")
    assert not done


def test_the_plus_of_the_workspace_opens_files(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_args: ([str(tmp_path / "no.json")], ""))
    put(window.desk.workspace, "/made/a.json", trace("one", turn(0, "a")))
    buttons = window.desk.docks["workspace"].findChildren(QToolButton)
    plus = next(one for one in buttons if one.accessibleName() == "Open files")
    plus.click()
    assert wait_for(lambda: [file.name for file in window.desk.workspace.files] == ["a.json", "no.json"])

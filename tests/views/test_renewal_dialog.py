"""An edited evaluation item under another name is a new one: it is said first, and Escape writes nothing."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.formats import vertex_golden_files as made
from tests.views.saving_doing import WAIT_MS, opened, says, settle
from trace_inspector.core.golden.golden_change import UserSays
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.views.saving.dialog import SavingDialog
from trace_inspector.views.saving.save_as import NAME, save_under
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.widgets.controls import Button


def edited_item(window: MainWindow, qtbot: QtBot, path: Path) -> OpenFile:
    """An evaluation item in which the user asks something else."""
    path.write_text(json.dumps(made.whole(made.REQUESTS["asked"]), indent=2) + "\n")
    file = opened(window, qtbot, path)
    goldens = window.desk.workspace.goldens
    goldens.change(
        file.number,
        goldens.places(file.number)[0],
        "Ask",
        lambda case: [UserSays(case.turns[0].place, "Is seat 2 free?")],
    )
    settle(window, qtbot)
    assert file.unsaved == 1
    return file


def asked_first(window: MainWindow, qtbot: QtBot, file: OpenFile, path: Path) -> SavingDialog:
    """What is said before the item is saved there."""
    save_under(window.desk, file, path)
    qtbot.waitUntil(lambda: window.findChild(SavingDialog, NAME) is not None, timeout=WAIT_MS)
    found = window.findChild(SavingDialog, NAME)
    assert isinstance(found, SavingDialog)
    return found


def test_a_renewed_item_is_said_first(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    file = edited_item(window, qtbot, tmp_path / "item.json")
    before, copy = file.path.read_bytes(), tmp_path / "new.json"
    asked = asked_first(window, qtbot, file, copy)
    words = asked.words.text()
    assert "1 item of item.json changed" in words
    assert "Vertex AI gave" in words
    QTest.keyClick(asked, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: window.findChild(SavingDialog, NAME) is None, timeout=WAIT_MS)
    assert (copy.exists(), file.unsaved, file.path.read_bytes()) == (False, 1, before)
    asked = asked_first(window, qtbot, file, copy)
    focus = asked.focusWidget()
    assert isinstance(focus, Button)
    assert focus.text() == "Save as new.json"
    QTest.keyClick(focus, Qt.Key.Key_Return)
    qtbot.waitUntil(partial(says, window, "Saved as new.json"), timeout=WAIT_MS)
    settle(window, qtbot)
    written = json.loads(copy.read_text())
    assert "Is seat 2 free?" in json.dumps(written)
    assert not {"name", "createTime"} & written.keys()
    assert (tmp_path / "item.json").read_bytes() == before
    assert "createTime" in json.loads(before)


def test_an_item_that_nobody_edited_is_copied_unasked(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    file = edited_item(window, qtbot, tmp_path / "item.json")
    window.desk.workspace.steps.undo()
    settle(window, qtbot)
    before = file.path.read_bytes()
    save_under(window.desk, file, tmp_path / "copy.json")
    qtbot.waitUntil(partial(says, window, "Saved as copy.json"), timeout=WAIT_MS)
    assert window.findChild(SavingDialog, NAME) is None
    assert (tmp_path / "copy.json").read_bytes() == before

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QUrl
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from tests.views.doing import trigger, wait_for
from tests.views.saving_doing import says
from trace_inspector.models.base.open_file import FileState, OnDisk, OpenFile
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.files.pasting import LONG_CHARS
from trace_inspector.views.actions.files import open_paths
from trace_inspector.views.shell.change_bar import ChangeBar
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.shell.welcome import Welcome
from trace_inspector.views.widgets.controls import Button

pytestmark = pytest.mark.shared_window


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRACE_INSPECTOR_DATA", str(tmp_path / "data"))


def eval_set(*questions: str) -> str:
    conversation = [{"user_content": {"parts": [{"text": question}]}} for question in questions]
    return json.dumps({"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "conversation": conversation}]})


def ready(window: MainWindow) -> OpenFile:
    files = window.desk.workspace.files.in_order
    assert wait_for(lambda: bool(window.desk.workspace.files))
    (file,) = window.desk.workspace.files
    assert wait_for(lambda: file.state is FileState.READY), (files, file.sentence)
    return file


def test_a_file_that_changed_on_disk_is_offered_again_at_the_same_place(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "set.json"
    path.write_text(eval_set("One?", "Two?"))
    open_paths(window.desk, [path])
    file = ready(window)
    second = file.table.turns(file.table.tops[0])[1]
    window.desk.workspace.selection.select(Selection(file.number, second))
    bar = window.findChild(ChangeBar)
    assert bar is not None
    assert bar.isHidden()
    qtbot.waitUntil(lambda: file.number in window._disk.watch._states)
    path.write_text(eval_set("One?", "Another?"))
    qtbot.waitUntil(lambda: file.on_disk is OnDisk.CHANGED)
    assert not bar.isHidden()
    trigger(window, "reload")
    again = ready(window)
    assert again.table.label(second).endswith("“Another?”")
    assert wait_for(lambda: window.desk.workspace.selection.value == Selection(again.number, second))
    assert bar.isHidden()
    assert says(window, "set.json was read again.")
    qtbot.waitUntil(lambda: again.number in window._disk.watch._states)
    path.write_text(eval_set("One?", "A third?"))
    qtbot.waitUntil(lambda: says(window, "set.json changed on disk"))
    trigger(window, "close-file")
    assert says(window, "set.json was closed.")


def test_what_is_shown_can_be_kept(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "set.json"
    path.write_text(eval_set("One?"))
    open_paths(window.desk, [path])
    file = ready(window)
    window.desk.workspace.files.note_disk(file.number, there=True)
    bar = window.findChild(ChangeBar)
    assert bar is not None
    assert not bar.isHidden()
    keep = next(button for button in bar.findChildren(Button) if button.text().startswith("Keep"))
    keep.click()
    assert bar.isHidden()
    window.desk.workspace.files.note_disk(file.number, there=False)
    assert not bar.isHidden()


def test_copied_text_and_copied_files_open(window: MainWindow, tmp_path: Path) -> None:
    QGuiApplication.clipboard().setText(eval_set("Pasted?"))
    trigger(window, "open-clipboard")
    file = ready(window)
    assert file.path.parent == tmp_path / "data" / "pasted"
    window.desk.workspace.files.close(file.number)
    path = tmp_path / "copied.json"
    path.write_text(eval_set("Copied?"))
    copied = QMimeData()
    copied.setUrls([QUrl.fromLocalFile(str(path))])
    QGuiApplication.clipboard().setMimeData(copied)
    trigger(window, "open-clipboard")
    assert ready(window).path == path


def test_a_long_copied_text_opens_too(window: MainWindow, tmp_path: Path) -> None:
    QGuiApplication.clipboard().setText(eval_set("Pasted?") + " " * LONG_CHARS)
    trigger(window, "open-clipboard")
    assert window.desk.workspace.files.in_order == ()
    assert ready(window).path.parent == tmp_path / "data" / "pasted"


def test_an_empty_clipboard_is_said_so(window: MainWindow) -> None:
    QGuiApplication.clipboard().clear()
    said: list[str] = []
    window.desk.say = said.append
    trigger(window, "open-clipboard")
    assert window.desk.workspace.files.in_order == ()
    assert "neither files nor text" in said[0]


def test_the_welcome_page_lists_what_was_open_and_opens_it_again(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "<b>set.json"
    path.write_text(eval_set("One?"))
    open_paths(window.desk, [path])
    window.desk.workspace.files.close(ready(window).number)
    welcome = window.findChild(Welcome)
    assert welcome is not None
    row = next(button for button in welcome.findChildren(Button) if button.text() == path.name)
    assert "<b>" not in row.toolTip()
    row.click()
    assert ready(window).path == path

"""“Run a command and reload”: what will run is shown, what it changed is read again."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from tests.helpers.eval_sets import case, turn, write_eval_set
from tests.views.doing import trigger
from trace_inspector.core.golden.golden_change import Tagged
from trace_inspector.models.base.open_file import FileState, OnDisk
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.runs.command_run import CommandState
from trace_inspector.views.command_run.dialog import CommandDialog
from trace_inspector.views.shell.main_window import MainWindow

WAIT_MS = 60_000


def dialog(window: MainWindow) -> CommandDialog:
    trigger(window, "run-command")
    found = window.findChild(CommandDialog)
    assert found is not None
    return found


def python(code: str) -> str:
    return f"{shlex.quote(sys.executable)} -c {shlex.quote(code)}"


def run(shown: CommandDialog, line: str, folder: Path, qtbot: QtBot) -> None:
    shown.line.setText(line)
    shown.folder.setText(str(folder))
    QTest.keyClick(shown.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: shown.run.state is not CommandState.RUNNING, timeout=WAIT_MS)


def test_every_argument_stands_on_a_line_of_its_own(window: MainWindow) -> None:
    shown = dialog(window)
    shown.line.setText("adk eval 'my agent' ; rm x")
    assert shown.arguments.toPlainText().split("\n") == ["adk", "eval", "my agent", ";", "rm", "x"]
    shown.line.setText("adk 'open")
    assert "Close every quotation mark" in shown.arguments.toPlainText()
    shown.close()


def test_what_the_command_changed_is_read_again(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    file = tmp_path / "one.evalset.json"
    file.write_text(json.dumps({"eval_set_id": "before", "eval_cases": []}))
    workspace = window.desk.workspace
    workspace.files.open([file])
    qtbot.waitUntil(lambda: workspace.files.in_order[0].state is FileState.READY, timeout=WAIT_MS)
    shown = dialog(window)
    code = "print('<b>done</b>'); open('one.evalset.json', 'a').write(' ')"
    before = workspace.files.in_order[0].digest
    run(shown, python(code), tmp_path, qtbot)
    assert shown.run.sentence == "The command succeeded. 1 file is read again."
    assert shown.output.toPlainText() == "<b>done</b>\n"
    qtbot.waitUntil(lambda: workspace.files.in_order[0].digest not in ("", before), timeout=WAIT_MS)
    run(shown, python("import sys; sys.exit(1)"), tmp_path, qtbot)
    assert shown.run.sentence == "The command exited with code 1. Nothing was read again."
    assert shown.output.toPlainText() == ""
    assert window.desk.settings.value("command/folder") == str(tmp_path)
    shown.close()


def test_escape_stops_an_endless_command_first(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    shown = dialog(window)
    shown.line.setText(python("while True: print('y' * 100)"))
    shown.folder.setText(str(tmp_path))
    QTest.keyClick(shown.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(shown.output.toPlainText()), timeout=WAIT_MS)
    QTest.keyClick(shown, Qt.Key.Key_Escape)
    assert shown.run.state is CommandState.STOPPED
    assert shown.isVisible()
    assert any("Stopped" in label.text() for label in shown.findChildren(QLabel))
    QTest.keyClick(shown, Qt.Key.Key_Escape)
    assert not shown.isVisible()


def test_what_is_selected_stays_so_when_another_file_is_read_again(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.evalset.json").write_text(json.dumps({"eval_set_id": name, "eval_cases": []}))
    workspace = window.desk.workspace
    workspace.files.open([tmp_path / "one.evalset.json", tmp_path / "two.evalset.json"])
    qtbot.waitUntil(lambda: all(file.state is FileState.READY for file in workspace.files), timeout=WAIT_MS)
    first = workspace.files.in_order[0].number
    workspace.selection.select(Selection(first))
    shown = dialog(window)
    run(shown, python("open('two.evalset.json', 'a').write(' ')"), tmp_path, qtbot)
    qtbot.waitUntil(lambda: {file.state for file in workspace.files} == {FileState.READY}, timeout=WAIT_MS)
    assert shown.run.sentence == "The command succeeded. 1 file is read again."
    assert workspace.selection.value == Selection(first)
    shown.close()


def test_a_file_that_is_edited_here_is_not_read_over_its_edits(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    path = write_eval_set(tmp_path / "one.evalset.json", case("a", turn("Hi", "Hello.")))
    workspace = window.desk.workspace
    workspace.files.open([path])
    qtbot.waitUntil(lambda: workspace.files.in_order[0].state is FileState.READY, timeout=WAIT_MS)
    number = workspace.files.in_order[0].number
    workspace.goldens.change(number, "/eval_cases/0", "Tag", lambda _case: (Tagged(("mine",)),))
    qtbot.waitUntil(lambda: bool(workspace.files.in_order[0].unsaved), timeout=WAIT_MS)
    shown = dialog(window)
    run(shown, python("open('one.evalset.json', 'a').write(' ')"), tmp_path, qtbot)
    assert shown.run.sentence.startswith(
        "The command succeeded. one.evalset.json changed, and has edits that are not saved"
    )
    qtbot.waitUntil(lambda: workspace.files.in_order[0].on_disk is OnDisk.CHANGED, timeout=WAIT_MS)
    held = workspace.goldens.case(number, "/eval_cases/0")
    assert held is not None
    assert (held.tags, window.desk.undo.undoText()) == (("mine",), "Tag")
    shown.close()

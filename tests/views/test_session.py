"""What was open is opened again: a closed file at its place, and all of the last session."""

from __future__ import annotations

import json
from pathlib import Path

from PySide6.QtCore import QSettings
from pytestqt.qtbot import QtBot

from tests.views.doing import trigger, wait_for
from trace_inspector.models.base.open_file import FileState
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.resources import folder
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.shell import application
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.work.processes.jobs import Jobs

NAMES = ("run-0405.json", "run-0412.json")


def files(tmp_path: Path) -> list[Path]:
    """Two traces of one's own."""
    made = []
    for name in NAMES:
        path = tmp_path / name
        path.write_bytes((folder("samples") / name).read_bytes())
        made.append(path)
    return made


def are_read(window: MainWindow, count: int) -> bool:
    opened = window.desk.workspace.files
    return wait_for(lambda: len(opened) == count and all(file.state is FileState.READY for file in opened))


def select_a_turn(window: MainWindow, name: str) -> str:
    """The second turn of the first conversation of a file; its place."""
    file = next(file for file in window.desk.workspace.files if file.name == name)
    row = file.table.turns(file.table.tops[0])[1]
    window.desk.workspace.selection.select(Selection(file.number, row))
    return file.table.place(row)


def selected(window: MainWindow) -> tuple[str, str]:
    selection = window.desk.workspace.selection.value
    file = window.desk.workspace.files.get(selection.file) if selection is not None else None
    return (file.name, file.table.place(selection.row)) if selection is not None and file is not None else ("", "")


def started_again(window: MainWindow, theme: Theme, qtbot: QtBot, settings: Path) -> MainWindow:
    window.close()
    jobs = Jobs()
    again = MainWindow(theme, Workspace(jobs), jobs, QSettings(str(settings), QSettings.Format.IniFormat))
    qtbot.addWidget(again, before_close_func=lambda _window: again.saving.leave())
    again.show()
    return again


def test_a_closed_file_comes_back_with_its_selection(own_window: MainWindow, tmp_path: Path) -> None:
    own_window.desk.workspace.files.open(files(tmp_path))
    assert are_read(own_window, 2)
    place = select_a_turn(own_window, NAMES[0])
    trigger(own_window, "close-file")
    assert are_read(own_window, 1)
    own_window.commands.entries()
    assert own_window.commands.actions["reopen"].text().replace("&", "") == "Reopen closed file"
    trigger(own_window, "reopen")
    assert are_read(own_window, 2)
    assert wait_for(lambda: selected(own_window) == (NAMES[0], place))
    own_window.commands.entries()
    assert not own_window.commands.actions["reopen"].isEnabled()


def test_a_file_that_is_read_again_was_not_closed(own_window: MainWindow, tmp_path: Path) -> None:
    own_window.desk.workspace.files.open(files(tmp_path)[:1])
    assert are_read(own_window, 1)
    trigger(own_window, "reload")
    assert are_read(own_window, 1)
    assert own_window.desk.session.closed == []


def test_the_last_session_comes_back_by_one_action(
    own_window: MainWindow, theme: Theme, qtbot: QtBot, tmp_path: Path
) -> None:
    own_window.desk.workspace.files.open(files(tmp_path))
    assert are_read(own_window, 2)
    place = select_a_turn(own_window, NAMES[1])
    again = started_again(own_window, theme, qtbot, tmp_path / "window.ini")
    assert not again.desk.workspace.files
    trigger(again, "reopen")
    assert are_read(again, 2)
    assert wait_for(lambda: selected(again) == (NAMES[1], place))


def test_the_last_session_comes_back_by_itself_only_when_that_is_chosen(
    own_window: MainWindow, theme: Theme, qtbot: QtBot, tmp_path: Path
) -> None:
    own_window.desk.workspace.files.open(files(tmp_path))
    assert are_read(own_window, 2)
    again = started_again(own_window, theme, qtbot, tmp_path / "window.ini")
    application.open_wanted(again, application.Wanted())
    assert not again.desk.workspace.files
    again.desk.workspace.evaluation.preferences.set_reopens(reopens=True)
    application.open_wanted(again, application.Wanted([str(tmp_path / NAMES[0])]))
    assert are_read(again, 1)
    for file in again.desk.workspace.files:
        again.desk.workspace.files.close(file.number)
    again.desk.session.closed.clear()
    application.open_wanted(again, application.Wanted())
    assert are_read(again, 2)


def test_forgetting_recent_files_forgets_the_session(own_window: MainWindow, tmp_path: Path) -> None:
    paths = files(tmp_path)
    own_window.desk.recent.add(paths)
    own_window.desk.workspace.files.open(paths)
    assert are_read(own_window, 2)
    own_window.desk.session.keep()
    trigger(own_window, "close-file")
    trigger(own_window, "forget-recent")
    assert own_window.desk.session.last == ()
    assert own_window.desk.session.closed == []
    stored = {name: own_window.desk.settings.value(name) for name in own_window.desk.settings.allKeys()}
    assert NAMES[0] not in json.dumps(stored, default=str)

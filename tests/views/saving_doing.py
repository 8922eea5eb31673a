"""Saving as a person does: edit, press keys, answer the dialog that asks."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot

from tests.models.test_goldens import with_city
from trace_inspector.models.base.open_file import FileState, OpenFile
from trace_inspector.models.base.selection import Selection
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.shell.status import StatusBar
from trace_inspector.views.widgets.controls import Button

WAIT_MS = 60_000
CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
Dialog = TypeVar("Dialog", bound=QDialog)


def opened(window: MainWindow, qtbot: QtBot, path: Path) -> OpenFile:
    """A file, opened if it is not yet, and selected."""
    workspace = window.desk.workspace
    if all(file.path != path for file in workspace.files):
        workspace.files.open([path])
    (file,) = [file for file in workspace.files if file.path == path]
    qtbot.waitUntil(lambda: file.state is FileState.READY, timeout=WAIT_MS)
    workspace.selection.select(Selection(file.number))
    return file


def edited(window: MainWindow, qtbot: QtBot, path: Path, city: str = "Rome", case: int = 0) -> OpenFile:
    """A file of which a case, the first, asks for another city."""
    file = opened(window, qtbot, path)
    goldens = window.desk.workspace.goldens
    goldens.change(file.number, goldens.places(file.number)[case], "Set city", with_city(city))
    settle(window, qtbot)
    return file


def settle(window: MainWindow, qtbot: QtBot) -> None:
    done: list[bool] = []
    window.desk.workspace.goldens.settled(lambda: done.append(True))
    qtbot.waitUntil(lambda: bool(done), timeout=WAIT_MS)


def press(window: MainWindow, qtbot: QtBot, key: Qt.Key, modifiers: Qt.KeyboardModifier = CONTROL) -> None:
    if QApplication.activeModalWidget() is None:
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
    qtbot.wait(1)  # what can be done is found out in the next turn of the loop
    QTest.keyClick(window, key, modifiers)
    qtbot.wait(1)


def dialog(window: MainWindow, qtbot: QtBot, kind: type[Dialog]) -> Dialog:
    qtbot.waitUntil(lambda: bool(window.findChildren(kind)), timeout=WAIT_MS)
    return window.findChildren(kind)[0]


def push(inside: QDialog, words: str) -> None:
    """The button that says so, by the keyboard."""
    button = next(one for one in inside.findChildren(Button) if one.text().startswith(words))
    button.setFocus()
    QTest.keyClick(button, Qt.Key.Key_Return)


def says(window: MainWindow, words: str) -> bool:
    bar = window.statusBar()
    return isinstance(bar, StatusBar) and words in bar.message()


def messages(window: MainWindow) -> list[str]:
    said: list[str] = []
    window.desk.workspace.messages.posted.connect(said.append)
    return said

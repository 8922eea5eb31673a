from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from tests.views.doing import trigger
from tests.views.tales import opened
from trace_inspector.views.actions import ACTIONS
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.widgets.palette import Entry, Palette


class Asked:
    def __init__(self) -> None:
        self.ran: list[str] = []

    def entry(self, text: str, *, enabled: bool = True) -> Entry:
        return Entry(text, lambda: self.ran.append(text), enabled=enabled)


@pytest.fixture
def asked() -> Asked:
    return Asked()


@pytest.fixture
def palette(theme: Theme, qtbot: QtBot) -> Iterator[Palette]:
    holder = QWidget()
    qtbot.addWidget(holder)
    holder.resize(700, 600)
    below = QLineEdit(holder)
    holder.show()
    holder.activateWindow()
    qtbot.waitUntil(holder.isActiveWindow)
    below.setFocus()
    yield Palette(theme, holder)
    holder.close()


def test_it_lists_every_action_with_its_key(window: MainWindow) -> None:
    entries = window.commands.entries()
    assert [entry.text for entry in entries] == [action.text.replace("&", "") for action in ACTIONS]
    assert all(entry.key for entry, action in zip(entries, ACTIONS, strict=True) if action.key)


def test_typing_and_enter_run_the_best_match(palette: Palette, asked: Asked) -> None:
    palette.ask("What?", [asked.entry("Close file"), asked.entry("Open files"), asked.entry("Open folder")])
    QTest.keyClicks(palette.field, "opfo")
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert asked.ran == ["Open folder"]
    assert palette.isHidden()


def test_arrows_choose_and_stop_at_the_ends(palette: Palette, asked: Asked) -> None:
    palette.ask("What?", [asked.entry("one"), asked.entry("two")])
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Return):
        QTest.keyClick(palette.field, key)
    assert asked.ran == ["two"]


def test_what_cannot_be_done_now_is_listed_and_not_run(palette: Palette, asked: Asked) -> None:
    palette.ask("What?", [asked.entry("stop", enabled=False)])
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert asked.ran == []
    assert palette.isVisible()


def test_escape_gives_the_focus_back(palette: Palette, asked: Asked, qtbot: QtBot) -> None:
    before = palette.window().focusWidget()
    palette.ask("What?", [asked.entry("one")])
    qtbot.waitUntil(palette.field.hasFocus)
    QTest.keyClick(palette.field, Qt.Key.Key_Escape)
    assert palette.isHidden()
    assert palette.window().focusWidget() is before


def test_what_had_the_focus_may_be_gone(palette: Palette, asked: Asked, qtbot: QtBot) -> None:
    below = palette.window().focusWidget()
    assert below is not None
    palette.ask("do", [asked.entry("one")])
    below.deleteLater()
    qtbot.wait(1)
    palette.leave()
    assert not palette.isVisible()


def test_go_to_offers_every_case_trace_and_turn_and_selects_it(window: MainWindow) -> None:
    file = opened(window.desk.workspace)
    trigger(window, "go-to")
    field = window.desk.palette.field
    QTest.keyClicks(field, "turn 2 fails traces")
    QTest.keyClick(field, Qt.Key.Key_Return)
    selection = window.desk.workspace.selection.value
    assert selection is not None
    assert selection.file == file.number
    assert file.table.label(selection.row).startswith("Turn 2")
    assert window.desk.page.tree.hasFocus()

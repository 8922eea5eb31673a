"""Goldens and their turns added, doubled, deleted, split, joined, moved and copied, by keys alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QInputDialog
from pytestqt.qtbot import QtBot

from tests.helpers.eval_sets import case, turn, write_eval_set
from tests.views.doing import trigger
from tests.views.test_evaluate_dialog import open_all
from tests.views.test_promote_window import dialog_of, file_of, ids, settled
from trace_inspector.core.trace.trace import user_text
from trace_inspector.models.base.selection import Selection
from trace_inspector.views.shell.main_window import MainWindow

pytestmark = pytest.mark.shared_window

NAME = "shop.evalset.json"
WAIT_MS = 60_000
CONTROL = Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Three goldens, the first of two turns."""
    first = case("one", turn("A?", "a"), turn("B?", "b"))
    return [write_eval_set(tmp_path / NAME, first, case("two", turn("C?", "c")), case("three", turn("D?", "d")))]


def choose(window: MainWindow, *rows: int) -> None:
    """Rows of the file, as with Ctrl."""
    window.desk.workspace.selection.select(Selection(file_of(window, NAME), rows[0]))
    tree = window.desk.page.tree
    tree.setFocus()
    flags = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
    for row in rows[1:]:
        tree.selectionModel().select(window.desk.page.index_of(row), flags)
    window.commands.refresh()
    QTest.qWait(10)


def tops(window: MainWindow) -> list[int]:
    return list(window.desk.workspace.files.in_order[0].table.tops)


def said(window: MainWindow, at: int) -> list[str]:
    """What the user says in the turns of a golden."""
    goldens, number = window.desk.workspace.goldens, file_of(window, NAME)
    golden = goldens.case(number, goldens.places(number)[at])
    return [user_text(turn) for turn in golden.turns] if golden is not None else []


def undone(window: MainWindow, qtbot: QtBot) -> None:
    window.desk.undo.undo()
    settled(window, qtbot)
    assert ids(window, NAME) == ["one", "two", "three"]
    assert said(window, 0) == ["A?", "B?"]


def test_goldens_are_doubled_deleted_moved_and_joined(window: MainWindow, qtbot: QtBot, files: list[Path]) -> None:
    open_all(window, qtbot, files)
    tree = window.desk.page.tree
    choose(window, tops(window)[0], tops(window)[1])
    QTest.keyClick(tree, Qt.Key.Key_D, CONTROL)
    settled(window, qtbot)
    assert ids(window, NAME) == ["one", "one (2)", "two", "two (2)", "three"]
    undone(window, qtbot)
    choose(window, tops(window)[0], tops(window)[2])
    QTest.keyClick(tree, Qt.Key.Key_Delete)
    settled(window, qtbot)
    assert ids(window, NAME) == ["two"]
    undone(window, qtbot)
    choose(window, tops(window)[1])
    QTest.keyClick(tree, Qt.Key.Key_Up, ALT)
    settled(window, qtbot)
    assert ids(window, NAME) == ["two", "one", "three"]
    QTest.keyClick(tree, Qt.Key.Key_Down, ALT)
    settled(window, qtbot)
    assert ids(window, NAME) == ["one", "two", "three"]
    choose(window, tops(window)[0], tops(window)[1])
    trigger(window, "join-goldens")
    settled(window, qtbot)
    assert ids(window, NAME) == ["one", "three"]
    assert said(window, 0) == ["A?", "B?", "C?"]
    undone(window, qtbot)


def test_turns_are_added_doubled_deleted_moved_and_split_off(
    window: MainWindow, qtbot: QtBot, files: list[Path]
) -> None:
    open_all(window, qtbot, files)
    tree, table = window.desk.page.tree, window.desk.workspace.files.in_order[0].table
    choose(window, table.turns(tops(window)[0])[0])
    QTest.keyClick(tree, Qt.Key.Key_D, CONTROL)
    settled(window, qtbot)
    assert said(window, 0) == ["A?", "A?", "B?"]
    undone(window, qtbot)
    choose(window, window.desk.workspace.files.in_order[0].table.turns(tops(window)[0])[0])
    QTest.keyClick(tree, Qt.Key.Key_Down, ALT)
    settled(window, qtbot)
    assert said(window, 0) == ["B?", "A?"]
    undone(window, qtbot)
    choose(window, window.desk.workspace.files.in_order[0].table.turns(tops(window)[0])[0])
    QTest.keyClick(tree, Qt.Key.Key_Delete)
    settled(window, qtbot)
    assert said(window, 0) == ["B?"]
    undone(window, qtbot)
    choose(window, window.desk.workspace.files.in_order[0].table.turns(tops(window)[0])[1])
    trigger(window, "split-golden")
    settled(window, qtbot)
    assert ids(window, NAME) == ["one", "one (2)", "two", "three"]
    assert (said(window, 0), said(window, 1)) == (["A?"], ["B?"])
    undone(window, qtbot)
    choose(window, window.desk.workspace.files.in_order[0].table.turns(tops(window)[0])[0])
    trigger(window, "add-turn")
    settled(window, qtbot)
    assert said(window, 0) == ["A?", "", "B?"]
    undone(window, qtbot)


def test_a_golden_is_added_and_renamed(window: MainWindow, qtbot: QtBot, files: list[Path]) -> None:
    open_all(window, qtbot, files)
    choose(window, tops(window)[0])
    trigger(window, "add-case")
    settled(window, qtbot)
    assert ids(window, NAME) == ["one", "two", "three", "new_case"]
    choose(window, tops(window)[0])
    trigger(window, "rename-golden")
    dialog = window.findChild(QInputDialog)
    assert dialog is not None
    dialog.setTextValue("first")
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    settled(window, qtbot)
    assert ids(window, NAME)[0] == "first"


def ces(path: Path, count: int) -> Path:
    """Goldens as CES holds them."""
    steps = [
        {"userInput": {"text": "Hi"}},
        {"expectation": {"toolCall": {"tool": "find", "args": {"q": 1}}}},
    ]
    goldens = [{"displayName": f"g{at}", "golden": {"turns": [{"steps": steps}]}} for at in range(count)]
    path.write_text(json.dumps({"evaluations": goldens}, indent=2))
    return path


def test_ten_goldens_of_ces_come_into_an_eval_set(
    window: MainWindow, qtbot: QtBot, files: list[Path], tmp_path: Path
) -> None:
    open_all(window, qtbot, [*files, ces(tmp_path / "app.json", 10)])
    window.desk.workspace.selection.select(Selection(file_of(window, "app.json")))
    QTest.qWait(10)
    trigger(window, "copy-goldens")
    dialog = dialog_of(window, qtbot)
    assert dialog.windowTitle() == "Copy goldens"
    assert dialog.sentence.text() == f"Adds 10 goldens to {NAME}."
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    settled(window, qtbot)
    assert ids(window, NAME) == ["one", "two", "three", *(f"g{at}" for at in range(10))]
    window.desk.undo.undo()
    settled(window, qtbot)
    assert ids(window, NAME) == ["one", "two", "three"]
    app = next(file for file in window.desk.workspace.files if file.name == "app.json")
    window.desk.workspace.selection.select(Selection(app.number, app.table.tops[3]))
    QTest.qWait(10)
    trigger(window, "copy-goldens")
    dialog = dialog_of(window, qtbot)
    QTest.keyClick(dialog.target.moves, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: not dialog.promotion.waiting, timeout=WAIT_MS)
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    settled(window, qtbot)
    assert ids(window, NAME) == ["one", "two", "three", "g3"]
    assert ids(window, "app.json") == [f"g{at}" for at in range(10) if at != 3]

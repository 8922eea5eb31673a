"""The Golden tab of a suite's own row: name and description, typed as a person does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.models.test_goldens import eval_set
from tests.views.golden_doing import opened, until
from trace_inspector.core.golden import Suite
from trace_inspector.models.selection import Selection
from trace_inspector.views.main_window import MainWindow

pytestmark = pytest.mark.timeout(180)


def settle(window: MainWindow) -> None:
    done: list[bool] = []
    window.desk.workspace.goldens.settled(lambda: done.append(True))
    assert until(lambda: bool(done))
    QTest.qWait(1)


def test_a_suite_is_named_and_described_in_steps_that_are_undone(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    path = eval_set(tmp_path / "a.evalset.json", "Graz")
    tab = opened(window, path)
    workspace = window.desk.workspace
    (file,) = workspace.files
    workspace.select(Selection(file.number, file.table.parent(file.table.tops[0])))
    qtbot.waitUntil(tab.suite.isVisible)
    assert tab.said == ""
    assert tab.focus_first()
    QTest.keyClicks(tab.suite.name, "Weather")
    settle(window)
    tab.suite.description.setFocus()
    QTest.keyClicks(tab.suite.description, "By city.")
    settle(window)
    assert (tab.suite.name.text(), tab.suite.description.toPlainText(), file.unsaved) == ("Weather", "By city.", 2)
    workspace.goldens.save(file.number, None, force=False, then=lambda _answer: None)
    settle(window)
    saved = json.loads(path.read_text())
    assert (saved["name"], saved["description"]) == ("Weather", "By city.")
    workspace.steps.undo()
    settle(window)
    suite = file.table.body(file.table.parent(file.table.tops[0]))
    assert isinstance(suite, Suite)
    assert (suite.name, suite.description) == ("Weather", "")
    qtbot.waitUntil(lambda: (tab.suite.name.text(), tab.suite.description.toPlainText()) == ("Weather", ""))
    workspace.goldens.revert(file.number)
    settle(window)


def test_undo_redo_and_what_a_save_would_change_stand_at_the_foot(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    tab = opened(window, eval_set(tmp_path / "a.evalset.json", "Graz"))
    workspace = window.desk.workspace
    (file,) = workspace.files
    workspace.select(Selection(file.number, file.table.parent(file.table.tops[0])))
    qtbot.waitUntil(tab.suite.foot.isVisible)
    foot = tab.suite.foot
    assert not foot.undo.isEnabled()
    assert not foot.show_change.isVisible()
    assert tab.focus_first()
    QTest.keyClicks(tab.suite.name, "Weather")
    settle(window)
    qtbot.waitUntil(lambda: foot.undo.text() == "Undo: change the name of the eval set")
    assert until(lambda: foot.told == "Changes 2 lines"), foot.told
    assert foot.show_change.isVisible()
    foot.undo.setFocus()
    QTest.keyClick(foot.undo, Qt.Key.Key_Return)
    settle(window)
    qtbot.waitUntil(lambda: tab.suite.name.text() == "")
    qtbot.waitUntil(lambda: not foot.show_change.isVisible())
    assert foot.told == ""
    foot.redo.setFocus()
    QTest.keyClick(foot.redo, Qt.Key.Key_Return)
    settle(window)
    qtbot.waitUntil(lambda: tab.suite.name.text() == "Weather")
    workspace.goldens.revert(file.number)
    settle(window)


def test_a_format_without_names_of_suites_says_so(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "goldens.json"
    golden = {"turns": [{"steps": [{"userInput": {"text": "Hello"}}]}]}
    path.write_text(json.dumps([{"name": "a/evaluations/one", "displayName": "One", "golden": golden}]))
    tab = opened(window, path)
    (file,) = window.desk.workspace.files
    window.desk.workspace.select(Selection(file.number, file.table.parent(file.table.tops[0])))
    qtbot.waitUntil(tab.suite.isVisible)
    assert not tab.suite.name.isEnabled()
    assert not tab.focus_first()

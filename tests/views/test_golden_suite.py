"""The Golden tab of a suite's own row: name and description, typed as a person does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.models.test_goldens import eval_set
from tests.views.golden_doing import opened, saved, sentences, until
from trace_inspector.core.golden.golden import Suite
from trace_inspector.models.base.selection import Selection
from trace_inspector.views.golden.suite_page import SuitePage
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.widgets.controls import Label

pytestmark = pytest.mark.shared_window


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
    workspace.selection.select(Selection(file.number, file.table.parent(file.table.tops[0])))
    qtbot.waitUntil(tab.suite.isVisible)
    assert tab.reason == ""
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
    workspace.selection.select(Selection(file.number, file.table.parent(file.table.tops[0])))
    qtbot.waitUntil(tab.suite.foot.isVisible)
    foot = tab.suite.foot
    assert not foot.undo.isEnabled()
    assert not foot.show_change.isVisible()
    assert tab.focus_first()
    QTest.keyClicks(tab.suite.name, "Weather")
    settle(window)
    qtbot.waitUntil(lambda: foot.undo.text() == "Undo: change the name of the eval set")
    assert until(lambda: foot.summary == "Changes 2 lines"), foot.summary
    assert foot.show_change.isVisible()
    foot.undo.setFocus()
    QTest.keyClick(foot.undo, Qt.Key.Key_Return)
    settle(window)
    qtbot.waitUntil(lambda: tab.suite.name.text() == "")
    qtbot.waitUntil(lambda: not foot.show_change.isVisible())
    assert foot.summary == ""
    foot.redo.setFocus()
    QTest.keyClick(foot.redo, Qt.Key.Key_Return)
    settle(window)
    qtbot.waitUntil(lambda: tab.suite.name.text() == "Weather")
    workspace.goldens.revert(file.number)
    settle(window)


def suite_page(window: MainWindow, qtbot: QtBot, path: Path) -> SuitePage:
    """The page of the only suite of a file."""
    tab = opened(window, path)
    (file,) = window.desk.workspace.files
    window.desk.workspace.selection.select(Selection(file.number, file.table.parent(file.table.tops[0])))
    qtbot.waitUntil(tab.suite.isVisible)
    return tab.suite


def below(field: QWidget) -> str:
    """The sentence that stands right below a field."""
    page = field.parentWidget()
    assert page is not None
    labels = [label for label in page.findChildren(Label) if label.isVisible() and label.text()]
    near = [label for label in labels if label.x() == field.x() and 0 <= label.y() - field.geometry().bottom() < 10]
    return near[0].text() if near else ""


def test_a_description_that_is_refused_stays_with_the_sentence_below_it(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    path = eval_set(tmp_path / "a.evalset.json", "Graz")
    page = suite_page(window, qtbot, path)
    told = sentences(window)
    eval_set(path, "Graz", "Linz")
    page.description.setFocus()
    QTest.keyClicks(page.description, "B")
    settle(window)
    assert told
    assert page.description.toPlainText() == "B"
    assert below(page.description) in told
    assert below(page.name) == ""
    QTest.keyClick(page.description, Qt.Key.Key_Escape)
    assert (page.description.toPlainText(), below(page.description)) == ("", "")


def test_what_is_not_written_in_one_field_does_not_go_along_with_the_other(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    path = eval_set(tmp_path / "a.evalset.json", "Graz")
    path.write_text(json.dumps({**json.loads(path.read_text()), "name": "Old", "description": "By city."}))
    page = suite_page(window, qtbot, path)
    page.description.setFocus()
    page.description.insertPlainText("\ud800!")
    assert below(page.description).startswith("This text has an incomplete character")
    page.name.setFocus()
    page.name.selectAll()
    QTest.keyClicks(page.name, "New")
    value = saved(window, path)
    assert isinstance(value, dict)
    assert (value["name"], value["description"]) == ("New", "By city.")
    assert below(page.description).startswith("This text has an incomplete character")


def test_a_format_without_names_of_suites_says_so(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "goldens.json"
    golden = {"turns": [{"steps": [{"userInput": {"text": "Hello"}}]}]}
    path.write_text(json.dumps([{"name": "a/evaluations/one", "displayName": "One", "golden": golden}]))
    tab = opened(window, path)
    (file,) = window.desk.workspace.files
    window.desk.workspace.selection.select(Selection(file.number, file.table.parent(file.table.tops[0])))
    qtbot.waitUntil(tab.suite.isVisible)
    assert not tab.suite.name.isEnabled()
    assert not tab.focus_first()

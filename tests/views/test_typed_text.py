"""Typed text: one edit however quick the fingers, unsaved until it is in the file, and kept where it is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.models.test_goldens import eval_set
from tests.views.golden_doing import Field, opened, rest, retype, row_of, settle, undone, unfold, until
from tests.views.saving_doing import CONTROL, dialog, press, push, says
from trace_inspector.models.base.roles import Role
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.workspace.workspace_model import WorkspaceModel
from trace_inspector.settings import journal_folder
from trace_inspector.views.golden.fields.line_field import GoldenLine
from trace_inspector.views.golden.fields.text_field import GoldenText
from trace_inspector.views.golden.tab import GoldenTab
from trace_inspector.views.saving.saved_state import SavedState
from trace_inspector.views.saving.unsaved import UnsavedDialog
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.work.golden.requests import Change
from trace_inspector.work.processes.jobs import Jobs

pytestmark = pytest.mark.shared_window
UNFINISHED = '{"a": "long argument'
NOT_SAVED = "The text in “State at the start” is not in the golden yet and was not saved."


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return eval_set(tmp_path / "weather.evalset.json", "Graz", "Linz")


@pytest.fixture
def tab(window: MainWindow, path: Path) -> GoldenTab:
    return ready_to_type(window, path)


def ready_to_type(window: MainWindow, path: Path) -> GoldenTab:
    tab = opened(window, path, turn=0)
    tab.focus_first()
    settle(window)
    return tab


def words_of(tab: GoldenTab) -> GoldenText:
    field = unfold(tab, "user").findChild(GoldenText)
    assert isinstance(field, GoldenText)
    return field


def state_of(tab: GoldenTab) -> GoldenText:
    unfold(tab, "state")
    field = row_of(tab, "session-state").editor
    assert isinstance(field, GoldenText)
    return field


def argument_of(tab: GoldenTab) -> GoldenLine:
    field = next(each for each in tab.findChildren(GoldenLine) if each.accessibleName() == "Golden value of city")
    assert isinstance(field, GoldenLine)
    return field


def typed(field: Field, text: str) -> None:
    """In one go: nothing is answered meanwhile."""
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)


def text_of(field: Field) -> str:
    return field.text() if isinstance(field, GoldenLine) else field.toPlainText()


def user_says(path: Path) -> str:
    return str(json.loads(path.read_text())["eval_cases"][0]["conversation"][0]["user_content"]["parts"][0]["text"])


def told(window: MainWindow) -> SavedState:
    bar = window.statusBar().findChild(SavedState)
    assert isinstance(bar, SavedState)
    return bar


def says_saved(window: MainWindow) -> bool:
    return not told(window)._mark.isHidden() or told(window).words().startswith("Saved")


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The requests that go to the child."""
    requests: list[object] = []
    order = Jobs.order

    def noting(jobs: Jobs, service: Any, request: object, *rest: Any) -> None:
        requests.append(request)
        order(jobs, service, request, *rest)

    monkeypatch.setattr(Jobs, "order", noting)
    return requests


def test_keys_that_come_while_one_is_on_its_way_are_one_edit_and_one_step(
    window: MainWindow, tab: GoldenTab, path: Path, asked: list[object]
) -> None:
    field, before = words_of(tab), user_says(path)
    asked.clear()
    typed(field, "Where does the bus to the harbour leave?")
    settle(window)
    changes = [request for request in asked if isinstance(request, Change)]
    assert 1 <= len(changes) <= 2, "the first key, and the newest text"
    goldens, file = window.desk.workspace.goldens, window.desk.workspace.files.in_order[0]
    goldens.save(file.number)
    rest(window)
    assert user_says(path) == "Where does the bus to the harbour leave?"
    undone(window)
    assert text_of(field) == before
    window.desk.workspace.steps.redo()
    rest(window)
    assert text_of(field) == "Where does the bus to the harbour leave?"


def test_fields_do_not_take_each_others_place_in_the_queue(window: MainWindow, tab: GoldenTab, path: Path) -> None:
    typed(words_of(tab), "one")
    typed(argument_of(tab), '"Wels"')
    typed(words_of(tab), "two")
    settle(window)
    window.desk.workspace.goldens.save(window.desk.workspace.files.in_order[0].number)
    rest(window)
    assert user_says(path) == "two"
    assert '"city": "Wels"' in path.read_text()
    undone(window)
    assert text_of(words_of(tab)) == "one"


def test_what_is_typed_is_unsaved_before_anybody_has_taken_it(
    window: MainWindow, tab: GoldenTab, path: Path, qtbot: QtBot
) -> None:
    field, file = words_of(tab), window.desk.workspace.files.in_order[0]
    model = WorkspaceModel(window.desk.workspace)
    typed(field, "first")
    press(window, qtbot, Qt.Key.Key_S)
    assert until(lambda: says_saved(window))
    assert user_says(path) == "first"
    QTest.keyClicks(field, "!")
    assert not says_saved(window)
    assert told(window).words().startswith("Not saved: writing down what was typed… · last saved ")
    assert told(window).accessibleName() == told(window).words()
    assert window.isWindowModified()
    assert model.index_of(file.number).data(Role.UNSAVED)
    settle(window)
    assert until(lambda: "1 unsaved edit, all in the recovery journal" in told(window).words())


def test_the_status_never_says_saved_of_a_key_that_was_just_pressed(
    window: MainWindow, tab: GoldenTab, qtbot: QtBot
) -> None:
    field = words_of(tab)
    typed(field, "first")
    press(window, qtbot, Qt.Key.Key_S)
    assert until(lambda: says_saved(window))
    told_of: list[tuple[bool, str]] = []
    window.desk.workspace.saving.changed.connect(lambda: told_of.append((says_saved(window), text_of(field))))
    QTest.keyClicks(field, "!")
    assert told_of
    assert [text for is_saved, text in told_of if is_saved and text != "first"] == []


def test_a_save_says_only_what_it_saved(window: MainWindow, tab: GoldenTab, path: Path, qtbot: QtBot) -> None:
    field = words_of(tab)
    typed(field, "first")
    QTest.keyClick(window, Qt.Key.Key_S, CONTROL)
    QTest.keyClicks(field, " and more")
    assert until(lambda: says(window, "Saved weather.evalset.json"))
    assert says(window, "without what was typed since")
    assert user_says(path) == "first"
    assert not says_saved(window)
    settle(window)
    press(window, qtbot, Qt.Key.Key_S)
    assert until(lambda: user_says(path) == "first and more")
    assert until(lambda: says_saved(window))


def test_a_save_says_that_a_text_is_not_finished(
    window: MainWindow, tab: GoldenTab, path: Path, qtbot: QtBot
) -> None:
    typed(words_of(tab), "first")
    press(window, qtbot, Qt.Key.Key_S)
    assert until(lambda: says_saved(window))
    before = path.read_bytes()
    typed(state_of(tab), UNFINISHED)
    assert not says_saved(window)
    assert told(window).words().startswith("Not saved: 1 unfinished text in weather.evalset.json · last saved ")
    assert window.isWindowModified()
    press(window, qtbot, Qt.Key.Key_S)
    assert says(window, f"{NOT_SAVED} Line 1, column 7")
    assert not says_saved(window)
    typed(words_of(tab), "second")
    press(window, qtbot, Qt.Key.Key_S)
    assert until(lambda: user_says(path) == "second")
    assert until(lambda: says(window, NOT_SAVED))
    assert not says_saved(window)
    assert path.read_bytes() == before.replace(b"first", b"second")


def test_quitting_asks_for_text_that_is_not_finished(own_window: MainWindow, path: Path, qtbot: QtBot) -> None:
    before = path.read_bytes()
    asks_for_unfinished(own_window, ready_to_type(own_window, path), qtbot, Qt.Key.Key_Q)
    assert until(lambda: not own_window.isVisible())
    assert until(lambda: not any(journal_folder().iterdir()))
    assert path.read_bytes() == before


def test_closing_asks_for_text_that_is_not_finished(
    window: MainWindow, tab: GoldenTab, path: Path, qtbot: QtBot
) -> None:
    before = path.read_bytes()
    asks_for_unfinished(window, tab, qtbot, Qt.Key.Key_W)
    assert until(lambda: not window.desk.workspace.files)
    assert until(lambda: not any(journal_folder().iterdir()))
    assert path.read_bytes() == before


def asks_for_unfinished(window: MainWindow, tab: GoldenTab, qtbot: QtBot, key: Qt.Key) -> None:
    """Cancel leaves it where it is, and then it is thrown away."""
    field = state_of(tab)
    typed(field, UNFINISHED)
    press(window, qtbot, key)
    asking = dialog(window, qtbot, UnsavedDialog)
    assert "1 unfinished text in weather.evalset.json. The text in “State at the start”" in asking.words.text()
    push(asking, "Save")
    assert until(lambda: "Not everything could be saved" in asking.words.text())
    push(asking, "Cancel")
    assert until(lambda: not window.findChildren(UnsavedDialog))
    assert (window.isVisible(), text_of(field)) == (True, UNFINISHED)
    press(window, qtbot, key)
    push(dialog(window, qtbot, UnsavedDialog), "Discard")


def test_text_that_is_not_finished_waits_while_other_cases_are_shown(window: MainWindow, tab: GoldenTab) -> None:
    field, file = state_of(tab), window.desk.workspace.files.in_order[0]
    typed(field, UNFINISHED)
    here = window.desk.workspace.selection.value
    window.desk.workspace.selection.select(Selection(file.number, file.table.tops[1]))
    assert until(lambda: text_of(state_of(tab)) != UNFINISHED)
    window.commands.actions["show-unfinished"].trigger()
    assert until(lambda: text_of(state_of(tab)) == UNFINISHED)
    assert window.desk.workspace.selection.value is not None
    assert here is not None
    assert file.table.top_of(window.desk.workspace.selection.value.row) == file.table.top_of(here.row)
    assert row_of(tab, "session-state").problem
    QTest.keyClicks(state_of(tab), '"}')
    settle(window)
    assert not window.desk.workspace.goldens.drafts.unfinished(file.number)


def test_text_that_is_not_finished_is_dropped_with_the_edits_of_its_file(
    window: MainWindow, tab: GoldenTab, qtbot: QtBot
) -> None:
    field = state_of(tab)
    typed(field, UNFINISHED)
    press(window, qtbot, Qt.Key.Key_R)
    push(dialog(window, qtbot, UnsavedDialog), "Discard")
    assert until(lambda: text_of(state_of(tab)) == "")
    assert not window.isWindowModified()


@pytest.mark.parametrize("find", [words_of, argument_of], ids=["words", "an argument"])
def test_text_that_no_journal_takes_stays_and_is_asked_for(
    window: MainWindow, tab: GoldenTab, path: Path, qtbot: QtBot, find: Callable[[GoldenTab], Field]
) -> None:
    before, field = path.read_bytes(), find(tab)
    journal_folder().parent.mkdir(exist_ok=True)
    journal_folder().write_text("where a folder should be")
    said: list[str] = []
    window.desk.workspace.messages.posted.connect(said.append)
    typed(field, '"Rome"')
    settle(window)
    assert any("What is typed cannot be written to the recovery journal" in sentence for sentence in said)
    assert text_of(field) == '"Rome"'
    assert "its journal cannot be written" in field.problem
    assert told(window).words() == "Not saved: 1 unfinished text in weather.evalset.json"
    press(window, qtbot, Qt.Key.Key_S)
    assert says(window, "is not in the golden yet and was not saved.")
    assert says(window, "The edit was not made, because its journal cannot be written")
    press(window, qtbot, Qt.Key.Key_Q)
    push(dialog(window, qtbot, UnsavedDialog), "Cancel")
    journal_folder().unlink()
    QTest.keyClicks(field, " ")
    QTest.keyClick(field, Qt.Key.Key_Backspace)
    settle(window)
    assert not field.problem
    press(window, qtbot, Qt.Key.Key_S)
    assert until(lambda: b"Rome" in path.read_bytes())
    assert path.read_bytes() != before


def test_a_field_that_is_as_it_was_waits_for_nothing(window: MainWindow, tab: GoldenTab) -> None:
    field, file = state_of(tab), window.desk.workspace.files.in_order[0]
    retype(field, UNFINISHED)
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert not window.desk.workspace.saving.is_unsaved(file)
    assert not window.isWindowModified()
    settle(window)

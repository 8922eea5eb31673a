"""Keys that the child has not written down yet are edits, too: closing and quitting wait for them, and ask."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.models.test_goldens import eval_set
from tests.views.golden_doing import opened, unfold
from tests.views.golden_doing import settle as settled
from tests.views.saving_doing import CONTROL, WAIT_MS, dialog, press, push
from trace_inspector.flows.goldens.recovery import find_recoverable, state_at
from trace_inspector.views.golden.fields.text_field import GoldenText
from trace_inspector.views.golden.tab import GoldenTab
from trace_inspector.views.saving import waiting
from trace_inspector.views.saving.unsaved import UnsavedDialog
from trace_inspector.views.shell.main_window import MainWindow

ALT = Qt.KeyboardModifier.AltModifier
pytestmark = pytest.mark.shared_window


def typed(window: MainWindow, path: Path, words: str) -> GoldenTab:
    """Words of the user, without waiting for any answer."""
    tab = opened(window, path, turn=0)
    type_more(tab, words)
    assert window.desk.workspace.goldens.busy
    return tab


def type_more(tab: GoldenTab, words: str) -> None:
    editor = unfold(tab, "user").findChild(GoldenText)
    assert isinstance(editor, GoldenText)
    editor.setFocus()
    editor.moveCursor(editor.textCursor().MoveOperation.End)
    QTest.keyClicks(editor, words)


@pytest.mark.parametrize("key", [Qt.Key.Key_W, Qt.Key.Key_R])
def test_closing_and_reloading_right_behind_typing_ask(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, key: Qt.Key
) -> None:
    path = eval_set(tmp_path / "a.evalset.json", "Graz")
    typed(window, path, "LAST")
    press(window, qtbot, key)
    asked = dialog(window, qtbot, UnsavedDialog)
    assert [file.path for file in window.desk.workspace.files] == [path]
    # On a busy machine the question comes before the edit is written down.
    qtbot.waitUntil(lambda: window.desk.workspace.files.in_order[0].unsaved > 0, timeout=WAIT_MS)
    push(asked, "Cancel")
    settled(window)
    assert "LAST" in repr(
        window.desk.workspace.goldens.case(window.desk.workspace.files.in_order[0].number, "/eval_cases/0")
    )


def test_quitting_right_behind_typing_asks_and_leaves_all_letters(
    own_window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    typed(own_window, eval_set(tmp_path / "a.evalset.json", "Graz"), "LAST")
    assert not own_window.close()
    assert not own_window.close(), "a second key loses nothing"
    asked = dialog(own_window, qtbot, UnsavedDialog)
    assert own_window.isVisible()
    asked.reject()
    own_window.saving.leave()
    (found,) = find_recoverable().recoverable
    assert found.edits == 1, "quick typing is one edit"
    recovered = state_at(found, found.changes)
    assert recovered is not None
    assert "LAST" in recovered.data.decode()


@pytest.mark.parametrize(("key", "modifiers"), [(Qt.Key.Key_S, CONTROL), (Qt.Key.Key_S, CONTROL | ALT)])
def test_saving_right_behind_the_first_letter_saves_it(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, key: Qt.Key, modifiers: Qt.KeyboardModifier
) -> None:
    path = eval_set(tmp_path / "a.evalset.json", "Graz")
    tab = opened(window, path, turn=0)
    settled(window)
    editor = unfold(tab, "user").findChild(GoldenText)
    assert isinstance(editor, GoldenText)
    editor.setFocus()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(editor, Qt.Key.Key_X)
    QTest.keyClick(editor, key, modifiers)
    qtbot.waitUntil(
        lambda: (
            "x"
            in json.loads(path.read_text())["eval_cases"][0]["conversation"][0]["user_content"]["parts"][0]["text"]
        ),
        timeout=WAIT_MS,
    )


def test_an_edit_on_its_way_marks_the_window_and_makes_saving_possible(window: MainWindow, tmp_path: Path) -> None:
    typed(window, eval_set(tmp_path / "a.evalset.json", "Graz"), "L")
    file = window.desk.workspace.files.in_order[0]
    assert not file.unsaved
    assert window.isWindowModified()
    assert window.desk.workspace.saving.unsaved == [file]
    settled(window)
    window.desk.workspace.steps.undo()
    settled(window)
    assert not window.isWindowModified()


@pytest.fixture
def stopped(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Processes that were stopped in a test, and do not answer until it ends."""
    monkeypatch.setattr(waiting, "LONGEST_WAIT_MS", 300)
    numbers: list[int] = []
    yield numbers
    for number in numbers:
        with suppress(ProcessLookupError):  # the window ended it
            os.kill(number, signal.SIGCONT)


def hung(window: MainWindow, tmp_path: Path, stopped: list[int]) -> Path:
    """A golden whose process stopped before it could write the last letters down."""
    path = eval_set(tmp_path / "a.evalset.json", "Graz")
    tab = typed(window, path, "one")
    settled(window)
    edited = window.desk.workspace.goldens.edited(window.desk.workspace.files.in_order[0].number)
    assert edited is not None
    os.kill(edited.process, signal.SIGSTOP)
    stopped.append(edited.process)
    type_more(tab, "two")
    return path


def test_a_process_that_does_not_answer_is_not_waited_for_forever(
    own_window: MainWindow, qtbot: QtBot, tmp_path: Path, stopped: list[int]
) -> None:
    path = hung(own_window, tmp_path, stopped)
    before = path.read_bytes()
    assert not own_window.close()
    asked = dialog(own_window, qtbot, UnsavedDialog)
    assert "takes unusually long" in asked.words.text()
    push(asked, "Save")
    assert asked.keep.isEnabled()
    push(asked, "Cancel")
    qtbot.waitUntil(lambda: not own_window.findChildren(UnsavedDialog), timeout=WAIT_MS)
    assert path.read_bytes() == before
    assert not own_window.close()
    push(dialog(own_window, qtbot, UnsavedDialog), "Discard")
    qtbot.waitUntil(lambda: not own_window.isVisible(), timeout=WAIT_MS)
    assert path.read_bytes() == before


def test_who_does_not_wait_for_saving_finds_the_file_saved_and_open(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, stopped: list[int]
) -> None:
    path = hung(window, tmp_path, stopped)
    press(window, qtbot, Qt.Key.Key_W)
    asked = dialog(window, qtbot, UnsavedDialog)
    push(asked, "Save")
    push(asked, "Cancel")
    os.kill(stopped.pop(), signal.SIGCONT)
    settled(window)
    assert "onetwo" in path.read_text()
    assert [file.path for file in window.desk.workspace.files] == [path]


def test_typing_on_after_a_save_is_a_step_of_its_own(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    path = eval_set(tmp_path / "a.evalset.json", "Graz")
    tab = typed(window, path, " one")
    settled(window)
    press(window, qtbot, Qt.Key.Key_S)
    file = window.desk.workspace.files.in_order[0]
    qtbot.waitUntil(lambda: not file.unsaved, timeout=WAIT_MS)
    settled(window)
    type_more(tab, " two")
    settled(window)
    assert file.unsaved
    window.desk.workspace.steps.undo()
    settled(window)
    assert " one" in path.read_text()
    assert not file.unsaved, "one step back is what is on disk"

"""Keys that the child has not written down yet are edits, too: closing and quitting wait for them, and ask."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.models.test_goldens import eval_set
from tests.views.golden_doing import opened, unfold
from tests.views.golden_doing import settle as settled
from tests.views.saving_doing import WAIT_MS, dialog, press, push
from trace_inspector.flows.recovery import left_behind
from trace_inspector.views.golden.fields import GoldenText
from trace_inspector.views.golden.tab import GoldenTab
from trace_inspector.views.main_window import MainWindow
from trace_inspector.views.saving.unsaved import UnsavedDialog

pytestmark = pytest.mark.timeout(180)


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
    assert window.desk.workspace.files[0].unsaved > 0
    push(asked, "Cancel")
    settled(window)
    assert "LAST" in repr(window.desk.workspace.goldens.case(window.desk.workspace.files[0].number, "/eval_cases/0"))


def test_quitting_right_behind_typing_asks_and_leaves_all_letters(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    typed(window, eval_set(tmp_path / "a.evalset.json", "Graz"), "LAST")
    assert not window.close()
    assert not window.close(), "a second key loses nothing"
    asked = dialog(window, qtbot, UnsavedDialog)
    assert window.isVisible()
    asked.reject()
    window.saving.leave()
    (found,) = left_behind().found
    assert found.changes == 4


def test_typing_on_after_a_save_is_a_step_of_its_own(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    path = eval_set(tmp_path / "a.evalset.json", "Graz")
    tab = typed(window, path, " one")
    settled(window)
    press(window, qtbot, Qt.Key.Key_S)
    file = window.desk.workspace.files[0]
    qtbot.waitUntil(lambda: not file.unsaved, timeout=WAIT_MS)
    settled(window)
    type_more(tab, " two")
    settled(window)
    assert file.unsaved
    window.desk.workspace.steps.undo()
    settled(window)
    assert " one" in path.read_text()
    assert not file.unsaved, "one step back is what is on disk"

"""The samples belong to the program: what is edited in them is saved as a copy, in a folder of the person."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from tests.models.test_goldens import eval_set
from tests.views.saving_doing import WAIT_MS, dialog, edited, press, push, says
from trace_inspector import resources
from trace_inspector.models.golden import saving as golden_saving
from trace_inspector.views.saving.unsaved import UnsavedDialog
from trace_inspector.views.shell.main_window import MainWindow

pytestmark = pytest.mark.shared_window


@pytest.fixture
def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that is taken for one of the program's own: a test that fails must not write into those."""
    folder = tmp_path / "program" / "samples"
    folder.mkdir(parents=True)
    monkeypatch.setattr(resources, "folder", lambda _name: folder)
    return eval_set(folder / "a.evalset.json", "Graz")


def test_ctrl_s_asks_where_a_copy_is_to_be_and_goes_on_with_it(
    window: MainWindow, qtbot: QtBot, sample: Path, tmp_path: Path
) -> None:
    before, mine = sample.read_bytes(), tmp_path / "mine"
    mine.mkdir()
    window.desk.settings.setValue("folder", str(mine))
    file = edited(window, qtbot, sample)
    press(window, qtbot, Qt.Key.Key_S)
    asked = dialog(window, qtbot, QFileDialog)
    assert says(window, "a.evalset.json is one of the samples")
    assert asked.directory().absolutePath() == str(mine)
    asked.fileSelected.emit(str(sample.parent / "b.evalset.json"))
    assert says(window, "The samples stay as they are. Choose another folder.")
    asked.fileSelected.emit(str(mine / "a.evalset.json"))
    asked.reject()
    qtbot.waitUntil(lambda: not file.unsaved, timeout=WAIT_MS)
    assert sample.read_bytes() == before
    assert [path.name for path in sample.parent.iterdir()] == ["a.evalset.json"]
    assert file.path == mine / "a.evalset.json"
    assert "Rome" in file.path.read_text()
    edited(window, qtbot, file.path, "Bern")
    press(window, qtbot, Qt.Key.Key_S)
    qtbot.waitUntil(lambda: "Bern" in file.path.read_text(), timeout=WAIT_MS)


def test_at_first_the_copy_is_to_be_in_the_persons_folder(window: MainWindow, qtbot: QtBot, sample: Path) -> None:
    edited(window, qtbot, sample)
    press(window, qtbot, Qt.Key.Key_S)
    asked = dialog(window, qtbot, QFileDialog)
    assert asked.directory().absolutePath() == str(Path.home())
    asked.reject()


def test_nothing_else_writes_a_sample_either(
    window: MainWindow, qtbot: QtBot, sample: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(golden_saving, "REST_MS", 0)
    before = sample.read_bytes()
    window.desk.workspace.evaluation.preferences.set_autosave(autosave=True)
    file = edited(window, qtbot, sample)
    window.desk.workspace.saving._autosave()
    press(window, qtbot, Qt.Key.Key_W)
    asked = dialog(window, qtbot, UnsavedDialog)
    push(asked, "Save")
    qtbot.waitUntil(partial(_tells_why, asked), timeout=WAIT_MS)
    asked.reject()
    assert (sample.read_bytes(), file.unsaved) == (before, 1)


def _tells_why(asked: UnsavedDialog) -> bool:
    return any("one of the samples" in why.text() for _name, _edits, why in asked._rows.values())

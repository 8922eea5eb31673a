"""A file that becomes another one on disk, or goes, while a dialog about its goldens is open: nothing is lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.helpers.eval_sets import call, case, turn, write_eval_set
from tests.views.doing import trigger
from tests.views.test_bulk_edit import opened, previewed, rules
from tests.views.test_evaluate_dialog import open_all, session
from tests.views.test_golden_hints import hints
from tests.views.test_promote_window import dialog_of, file_of, ids, select, settled
from trace_inspector.core.golden.matcher import Match
from trace_inspector.models.base.open_file import OnDisk
from trace_inspector.models.base.selection import Selection
from trace_inspector.views.problems.panel import ProblemsPanel
from trace_inspector.views.saving.conflict_dialog import ClashDialog
from trace_inspector.views.shell.main_window import MainWindow

NAME = "shop.evalset.json"
WAIT_MS = 60_000


def written(folder: Path, *ids: str) -> Path:
    cases = [case(one, turn(f"Find {one}", "Found it.", [call("search", at="2026-01-02T03:04:05Z")])) for one in ids]
    return write_eval_set(folder / NAME, *cases)


def changed(window: MainWindow, qtbot: QtBot, path: Path, becomes: OnDisk) -> bytes | None:
    """Somebody else writes another file, or deletes it; what lies there then."""
    if becomes is OnDisk.GONE:
        path.unlink()
    else:
        written(path.parent, "other")
    qtbot.waitUntil(lambda: window.desk.workspace.files.in_order[0].on_disk is becomes, timeout=WAIT_MS)
    return path.read_bytes() if path.exists() else None


def saved(window: MainWindow, qtbot: QtBot, path: Path, becomes: OnDisk, on_disk: bytes | None) -> None:
    """What was edited is kept, nothing was written; saving asks first where there is somebody else's file."""
    assert (path.read_bytes() if path.exists() else None) == on_disk
    assert window.desk.workspace.files.in_order[0].unsaved == 1
    window.desk.workspace.selection.select(Selection(file_of(window, NAME)))
    trigger(window, "save")
    if becomes is OnDisk.CHANGED:
        qtbot.waitUntil(lambda: window.findChild(ClashDialog) is not None, timeout=WAIT_MS)
        assert path.read_bytes() == on_disk
    else:
        qtbot.waitUntil(path.exists, timeout=WAIT_MS)
    settled(window, qtbot)


@pytest.mark.parametrize("becomes", [OnDisk.CHANGED, OnDisk.GONE], ids=["another", "gone"])
def test_under_a_bulk_edit(window: MainWindow, qtbot: QtBot, tmp_path: Path, becomes: OnDisk) -> None:
    path = written(tmp_path, "a", "b")
    open_all(window, qtbot, [path])
    window.desk.workspace.selection.select(Selection(file_of(window, NAME)))
    dialog = opened(window)
    for name, text in (("tool", "search"), ("argument", "at")):
        QTest.keyClicks(dialog.fields[name], text)
    previewed(dialog, qtbot)
    on_disk = changed(window, qtbot, path, becomes)
    QTest.keyClick(dialog, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    settled(window, qtbot)
    assert rules(window) == [Match.IGNORE] * 2
    saved(window, qtbot, path, becomes, on_disk)


@pytest.mark.parametrize("becomes", [OnDisk.CHANGED, OnDisk.GONE], ids=["another", "gone"])
def test_under_a_promotion(window: MainWindow, qtbot: QtBot, tmp_path: Path, becomes: OnDisk) -> None:
    path = written(tmp_path, "a", "b")
    run = session(tmp_path / "run.json", "s-parking", "Where can I park?", "In the garage.")
    open_all(window, qtbot, [path, run])
    select(window, "run.json", 0)
    trigger(window, "promote")
    dialog = dialog_of(window, qtbot)
    on_disk = changed(window, qtbot, path, becomes)
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    settled(window, qtbot)
    assert ids(window, NAME) == ["a", "b", "where_can_i_park"]
    saved(window, qtbot, path, becomes, on_disk)


@pytest.mark.parametrize("becomes", [OnDisk.CHANGED, OnDisk.GONE], ids=["another", "gone"])
def test_under_a_hint(window: MainWindow, qtbot: QtBot, tmp_path: Path, becomes: OnDisk) -> None:
    path = written(tmp_path, "a")
    open_all(window, qtbot, [path])
    panel = window.desk.docks["problems"].widget()
    assert isinstance(panel, ProblemsPanel)
    qtbot.waitUntil(lambda: hints(panel) == ["Volatile value compared exactly"], timeout=WAIT_MS)
    on_disk = changed(window, qtbot, path, becomes)
    panel.view.setCurrentIndex(panel.model.index(0, 0))
    said: list[str] = []
    window.desk.workspace.messages.posted.connect(said.append)
    QTest.keyClick(panel.view, Qt.Key.Key_M)
    settled(window, qtbot)
    # Nothing of it was being edited yet: what is shown is not what would be changed.
    assert len(said) == 1
    assert said[0]
    assert rules(window) == []
    assert (path.read_bytes() if path.exists() else None) == on_disk
    assert not window.desk.undo.canUndo()

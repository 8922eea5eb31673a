"""Hints about goldens among the problems: explained, mended by one key, told anew after each edit."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.helpers.eval_sets import call, case, turn, write_eval_set
from tests.views.test_evaluate_dialog import open_all
from tests.views.test_promote_window import settled
from trace_inspector.core.values.values import Json
from trace_inspector.views.problems.panel import ProblemsPanel
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.widgets.controls import Elided

WAIT_MS = 60_000


def hints(panel: ProblemsPanel) -> list[str]:
    return [str(panel.model.index(row, 3).data()) for row in range(panel.model.rowCount())]


def test_a_hint_is_explained_and_mended_by_a_key_and_comes_back_with_undo(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    wanted: list[Json] = [call("search", moment="2026-01-02T03:04:05Z", city="Graz")]
    path = write_eval_set(tmp_path / "shop.evalset.json", case("one", turn("Find it.", "Found.", wanted)))
    open_all(window, qtbot, [path])
    panel = window.desk.docks["problems"].widget()
    assert isinstance(panel, ProblemsPanel)
    qtbot.waitUntil(lambda: hints(panel) == ["Volatile value compared exactly"], timeout=WAIT_MS)
    panel.view.setCurrentIndex(panel.model.index(0, 0))
    shown = panel.findChildren(Elided)
    assert any("different in every run" in label.text() and "M fixes it" in label.text() for label in shown)
    QTest.keyClick(panel.view, Qt.Key.Key_M)
    settled(window, qtbot)
    qtbot.waitUntil(lambda: hints(panel) == [], timeout=WAIT_MS)
    assert window.desk.undo.undoText() == "Fix: Volatile value compared exactly"
    window.desk.undo.undo()
    settled(window, qtbot)
    qtbot.waitUntil(lambda: hints(panel) == ["Volatile value compared exactly"], timeout=WAIT_MS)

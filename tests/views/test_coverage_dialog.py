"""What goldens cover, by keys: untouched first, and Enter goes to a golden."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.helpers.eval_sets import call, case, turn, write_eval_set
from tests.views.doing import trigger
from tests.views.test_evaluate_dialog import open_all, session
from tests.views.test_every_panel import nameless, unreachable
from trace_inspector.core.values.values import Json
from trace_inspector.views.coverage.dialog import NAME, CoverageDialog
from trace_inspector.views.shell.main_window import MainWindow

WAIT_MS = 60_000


def test_untouched_come_first_and_enter_goes_to_a_golden(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    wanted: list[Json] = [call("search", city="Graz")]
    path = write_eval_set(tmp_path / "a.evalset.json", case("one", turn("Find it.", "Found.", wanted)))
    run = session(tmp_path / "run.json", "s", "Hello?", "Yes.")
    open_all(window, qtbot, [path, run])
    trigger(window, "coverage")
    dialog = window.findChild(CoverageDialog, NAME)
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.table.rowCount() == 2 and not dialog.table.working, timeout=WAIT_MS)
    assert nameless(dialog) == []
    assert unreachable(dialog) == []
    shown = [[dialog.table.index(row, at).data() for at in (0, 1, 3, 4)] for row in range(2)]
    assert shown == [["Agent", "shop_agent", "none", "1"], ["Tool", "search", "1", ""]]
    assert dialog.summary.text() == "1 of 2 are exercised by 1 golden."
    QTest.keyClick(dialog.view, Qt.Key.Key_Return)
    assert dialog.isVisible()
    QTest.keyClick(dialog.view, Qt.Key.Key_Down)
    QTest.keyClick(dialog.view, Qt.Key.Key_Return)
    assert not dialog.isVisible()
    selection = window.desk.workspace.selection.value
    assert selection is not None
    table = window.desk.workspace.files.in_order[0].table
    assert table.turn_of(selection.row) == table.turns(table.tops[0])[0]

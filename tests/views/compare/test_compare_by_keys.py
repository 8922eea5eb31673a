"""Job 1 with nothing but the keyboard: where a failing case parts, taken into the golden, and back."""

from __future__ import annotations

import json
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from tests.views.compare.comparing import compare_page
from tests.views.golden_tab import MADE, WANTED, golden_file, trace_file, until
from tests.views.test_curating_by_keys import CONTROL, Keyboard, judged, mark, settled, started_with
from trace_inspector.views.shell.main_window import MainWindow


def test_a_failing_case_is_opened_taken_into_the_golden_and_taken_back(window: MainWindow, tmp_path: Path) -> None:
    keys = Keyboard(window)
    golden = golden_file(tmp_path, WANTED[:1])
    before = golden.read_bytes()
    started_with(window, golden, trace_file(tmp_path, MADE[:1]))
    keys.press(Qt.Key.Key_F5)
    judged(window)
    keys.press(Qt.Key.Key_F8)
    assert mark(window) == "failed"
    keys.press(Qt.Key.Key_4, CONTROL)
    page = compare_page(window)
    until(lambda: page.compare.rows is not None and not page.compare.busy)
    assert QApplication.focusWidget() is page.rows
    keys.press(Qt.Key.Key_F)
    keys.press(Qt.Key.Key_Right)
    keys.press(Qt.Key.Key_2)
    until(lambda: mark(window) == "passed")
    settled(window)
    until(lambda: not page.compare.busy)
    assert page.compare.first_divergence == -1
    keys.press(Qt.Key.Key_Z, CONTROL)
    until(lambda: mark(window) == "failed")
    settled(window)
    until(lambda: not page.compare.busy)
    assert page.compare.first_divergence >= 0
    keys.press(Qt.Key.Key_Z, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    until(lambda: mark(window) == "passed")
    keys.press(Qt.Key.Key_S, CONTROL)
    until(lambda: not window.desk.workspace.saving.unsaved)
    assert golden.read_bytes() != before
    assert '"radius_m": 500' in json.dumps(json.loads(golden.read_text()))

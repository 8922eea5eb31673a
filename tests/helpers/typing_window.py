"""The whole window, in which keys that come through a pipe are typed into a field of a golden, until it is killed.

It reports to a file, a line each: "ready"; "field LENGTH SECONDS" when so much of the text stands in the field;
"journal LENGTH SECONDS" when so much is in the journal of typed text; "saved LENGTH" when the status bar says that
all is saved while so much stands in the field.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QSocketNotifier, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.helpers.window import main_window
from tests.views.golden_doing import opened, row_of, unfold, until
from trace_inspector.core.golden.recoverable_edits import DraftText, Spot
from trace_inspector.documents.saving.draft_journal import DraftJournal
from trace_inspector.views.golden.fields.text_field import GoldenText
from trace_inspector.views.golden.tab import GoldenTab
from trace_inspector.views.saving.saved_state import SavedState
from trace_inspector.views.shell.main_window import MainWindow

SAVE = "\x13"
WORDS, JSON = "user", "session-state"
_BEFORE = {WORDS: "", JSON: '{"a": "'}


def script(field: str, length: int) -> str:
    """What is typed into a field, up to a length. Of the JSON the end never comes."""
    text, number = _BEFORE[field], 0
    while len(text) < length:
        text += f"{number} "
        number += 1
    return text[:length]


def run(path: Path, state: Path, field: str, keys: int, report: int) -> None:
    """Type what comes, for as long as anything does."""
    _report_writes(report)
    with main_window(state) as window:
        tab = opened(window, path, turn=0)
        editor = _editor(tab, field)
        window.activateWindow()
        assert until(window.isActiveWindow), "keys of the window's actions need that"
        editor.setFocus()
        editor.selectAll()
        bar = window.statusBar().findChild(SavedState)
        assert isinstance(bar, SavedState)
        application = QApplication.instance()
        assert application is not None

        def tell() -> None:
            if not bar._mark.isHidden():
                os.write(report, f"saved {len(editor.toPlainText())}\n".encode())

        def read() -> None:
            pressed = os.read(keys, 1 << 12).decode()
            if not pressed:
                application.quit()
            for key in pressed:
                _press(window, editor, key)
                os.write(report, f"field {len(editor.toPlainText())} {time.monotonic()}\n".encode())
                tell()

        window.desk.workspace.saving.changed.connect(tell)
        coming = QSocketNotifier(keys, QSocketNotifier.Type.Read)
        coming.activated.connect(read)
        os.write(report, b"ready\n")
        application.exec()


def _editor(tab: GoldenTab, field: str) -> GoldenText:
    body = unfold(tab, "user" if field == WORDS else "state")
    editor = body.findChild(GoldenText) if field == WORDS else row_of(tab, field).editor
    assert isinstance(editor, GoldenText)
    return editor


def _press(window: MainWindow, editor: GoldenText, key: str) -> None:
    if key == SAVE:
        QTest.keyClick(window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    else:
        QTest.keyClicks(editor, key)


def _report_writes(report: int) -> None:
    """Tell when text is in the journal, from the thread that writes it."""
    write = DraftJournal.write

    def told(self: DraftJournal, changes: Mapping[Spot, DraftText | None]) -> None:
        write(self, changes)
        lengths = [len(draft.text) for draft in changes.values() if draft is not None]
        if lengths:
            os.write(report, f"journal {max(lengths)} {time.monotonic()}\n".encode())

    DraftJournal.write = told  # type: ignore[method-assign]

"""Editing goldens as a person does: open a file, choose a case, unfold a section, type."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from trace_inspector.core.values.values import Json
from trace_inspector.models.base.open_file import FileState
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.golden import rows as golden_rows
from trace_inspector.views.details.panel import GOLDEN, DetailsPanel
from trace_inspector.views.golden import foot
from trace_inspector.views.golden.fields.field_row import FieldRow
from trace_inspector.views.golden.fields.line_field import GoldenLine
from trace_inspector.views.golden.fields.text_field import GoldenText
from trace_inspector.views.golden.tab import GoldenTab
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.widgets.fields import Choice

LONGEST_MS = 60_000
Field = GoldenLine | GoldenText


def opened_golden(window: MainWindow, path: Path, value: Json, *, turn: int | None = None) -> GoldenTab:
    """The Golden tab of the first case of a file with that value, or of a turn of it."""
    path.write_text(json.dumps(value, indent=2) + "\n")
    return opened(window, path, turn=turn)


def opened(window: MainWindow, path: Path, *, turn: int | None = None) -> GoldenTab:
    """The Golden tab of the first case of a file."""
    workspace = window.desk.workspace
    workspace.files.open([path])
    assert until(lambda: any(file.path == path and file.state is FileState.READY for file in workspace.files))
    file = next(file for file in workspace.files if file.path == path)
    top = file.table.tops[0]
    workspace.selection.select(Selection(file.number, top if turn is None else file.table.turns(top)[turn]))
    panel = window.desk.docks["details"].widget()
    assert isinstance(panel, DetailsPanel)
    panel.tabs.setCurrentIndex(GOLDEN)
    QTest.qWait(1)
    assert panel.golden.context is not None
    return panel.golden


def unfold(tab: GoldenTab, section: str) -> QWidget:
    """The body of a section, in sight."""
    group = tab.groups[section]
    assert not group.isHidden(), f"{section} is not shown"
    body = group.body
    assert body is not None
    inside = body.parentWidget()
    assert inside is not None
    inside.show()
    QTest.qWait(1)
    return body


def row_of(tab: GoldenTab, field: str) -> FieldRow:
    """The row of a field, wherever it stands."""
    row = tab.findChild(FieldRow, f"golden-{field}")
    assert isinstance(row, FieldRow), f"no field {field}"
    return row


def type_into(tab: GoldenTab, field: str, text: str) -> None:
    """Replace what stands in a field, key by key."""
    editor = row_of(tab, field).editor
    assert not isinstance(editor, Choice)
    retype(editor, text)


def retype(editor: Field, text: str) -> None:
    """Select all that stands there and type something else."""
    editor.setFocus()
    QTest.qWait(1)
    editor.selectAll()
    for at, line in enumerate(text.split("\n")):
        if at:
            QTest.keyClick(editor, Qt.Key.Key_Return)
        QTest.keyClicks(editor, line)


def settle(window: MainWindow) -> None:
    """Until all that was asked for is answered and shown."""
    done: list[bool] = []
    window.desk.workspace.goldens.settled(lambda: done.append(True))
    assert until(lambda: bool(done)), "the edits do not come to an end"
    QTest.qWait(20)


def rest(window: MainWindow) -> None:
    """Until no timer has anything more to do."""
    settle(window)
    QTest.qWait(max(golden_rows.REST_MS, foot.REST_MS) + 50)
    settle(window)


def saved(window: MainWindow, path: Path) -> Json:
    """The file as it is saved."""
    settle(window)
    workspace = window.desk.workspace
    file = next(file for file in workspace.files if file.path == path)
    workspace.goldens.save(file.number)
    rest(window)
    value: Json = json.loads(path.read_text())
    return value


def undone(window: MainWindow, times: int = 1) -> None:
    """Ctrl+Z."""
    for _time in range(times):
        settle(window)
        window.desk.workspace.steps.undo()
    rest(window)


def sentences(window: MainWindow) -> list[str]:
    """What the status bar is told from now on."""
    told: list[str] = []
    window.desk.workspace.messages.posted.connect(told.append)
    return told


def until(there: Callable[[], bool]) -> bool:
    """Let the event loop run until something holds, also where a child is slow to start."""
    for _turn in range(LONGEST_MS // 10):
        if there():
            return True
        QTest.qWait(10)
    return False

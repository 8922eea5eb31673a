"""Real files with very large values: bytes as base64, and a result of 20 MB shown whole. The watchdog looks on."""

from __future__ import annotations

import json
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from tests.views.conversation.reading import Show, click_on, press, said
from tests.views.doing import wait_for, whole_details
from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.values.values import Json
from trace_inspector.models.base.open_file import FileState, OpenFile
from trace_inspector.models.base.selection import Selection
from trace_inspector.views.conversation.item_layout import ItemAction
from trace_inspector.views.shell.main_window import MainWindow

MANY = 50_000_000
LONG = 20_000_000


def session(path: Path, *parts: Json) -> Path:
    """A recorded conversation whose agent said these parts, one an event."""
    events: list[Json] = [
        {"id": "e0", "author": "user", "timestamp": 1.0, "content": {"parts": [{"text": "Go on."}]}}
    ]
    for at, part in enumerate(parts, 1):
        content: Json = {"role": "model", "parts": [part]}
        events.append({"id": f"e{at}", "author": "agent", "timestamp": 1.0 + at, "content": content})
    value: Json = {"id": "s", "app_name": "a", "user_id": "u", "state": {}, "events": events}
    path.write_text(json.dumps(value), "utf-8")
    return path


def opened(window: MainWindow, qtbot: QtBot, path: Path) -> OpenFile:
    workspace = window.desk.workspace
    workspace.files.open([path])
    qtbot.waitUntil(lambda: [file.state for file in workspace.files] == [FileState.READY], timeout=60_000)
    return workspace.files.in_order[0]


def first(file: OpenFile, kind: Kind) -> int:
    return next(row for row in range(len(file.table)) if file.table.kind(row) is kind)


def test_fifty_megabytes_of_base64_are_named_and_not_decoded(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    picture: Json = {"inline_data": {"mime_type": "image/png", "data": "QUJD" * (MANY // 4)}}
    file = opened(window, qtbot, session(tmp_path / "s.json", picture, {"text": "Done."}))
    row = first(file, Kind.MEDIA)
    assert f"{MANY // 4 * 3} bytes" in file.table.label(row)
    for key in (Qt.Key.Key_2, Qt.Key.Key_3, Qt.Key.Key_1):
        QTest.keyClick(window, key, Qt.KeyboardModifier.ControlModifier)
        window.desk.workspace.selection.select(Selection(file.number, row))
        qtbot.wait(20)
    panel = whole_details(window)
    shown = [label.text() for label in panel.content.findChildren(QLabel)]
    assert any("image/png" in text for text in shown)
    assert max(map(len, shown)) < 100_000


def test_twenty_megabytes_show_whole_when_asked(window: MainWindow, qtbot: QtBot, show: Show, tmp_path: Path) -> None:
    said_by_tool = "".join(f"line {at:08} of a very long result\n" for at in range(LONG // 36))
    result: Json = {"function_response": {"id": "c", "name": "dump", "response": {"result": said_by_tool}}}
    call: Json = {"function_call": {"id": "c", "name": "dump", "args": {}}}
    file = opened(window, qtbot, session(tmp_path / "s.json", call, result, {"text": "Done."}))
    reader = show(file)
    row = first(file, Kind.RESULT)
    window.desk.workspace.selection.select(Selection(file.number, row))
    press(reader, Qt.Key.Key_Right)
    folded = reader.verticalScrollBar().maximum()
    assert "Show all 20.0 MB" in said(reader)
    click_on(reader, row, ItemAction.SHOW_ALL)
    assert wait_for(lambda: reader.verticalScrollBar().maximum() > max(folded, 10_000))
    press(reader, Qt.Key.Key_End)
    assert wait_for(lambda: "Done." in said(reader))
    panel = whole_details(window)
    for button in panel.content.findChildren(QPushButton):
        if "Show all" in button.text():
            QTest.mouseClick(button, Qt.MouseButton.LeftButton)
            qtbot.wait(20)
    assert not window.desk.fault

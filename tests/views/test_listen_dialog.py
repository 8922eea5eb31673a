"""Listen in the window: what is sent is judged and shown while it grows; pause, stop, and the recordings."""

from __future__ import annotations

import http.client
from pathlib import Path

from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from tests.flows.live.test_growing import golden_file
from tests.helpers.sent_spans import request, turn_spans
from tests.views.doing import trigger
from trace_inspector.models.base.open_file import FileState
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.runs.live_run import LiveState
from trace_inspector.views.live.dialog import LINES, ListenDialog
from trace_inspector.views.shell.main_window import MainWindow

WAIT_MS = 60_000


def send(port: int, number: int, said: str) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    body = request(turn_spans(number, f"c{number}", "one?", said, at_ms=1000 * number))
    connection.request("POST", "/v1/traces", body, {"Content-Type": "application/json"})
    response = connection.getresponse()
    response.read()
    connection.close()
    return response.status


def dialog(window: MainWindow) -> ListenDialog:
    trigger(window, "listen")
    found = window.findChild(ListenDialog)
    assert found is not None
    return found


def listening(window: MainWindow, qtbot: QtBot) -> ListenDialog:
    shown = dialog(window)
    shown._take_port(0)
    shown.start.click()
    qtbot.waitUntil(lambda: shown.live.state is LiveState.LISTENING, timeout=WAIT_MS)
    return shown


def stopped(shown: ListenDialog, qtbot: QtBot) -> None:
    shown.stop.click()
    qtbot.waitUntil(lambda: shown.live.state is LiveState.NONE, timeout=WAIT_MS)


def test_turns_are_judged_and_the_recording_grows_with_its_selection(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    files = window.desk.workspace.files
    files.open([golden_file(tmp_path, ("one?", "one is the answer"))])
    qtbot.waitUntil(lambda: [file.state for file in files] == [FileState.READY], timeout=WAIT_MS)
    shown = listening(window, qtbot)
    assert send(shown.live.port, 1, "one is the answer") == 200
    qtbot.waitUntil(lambda: len(shown.live.turns.records) == 1, timeout=WAIT_MS)

    def rows() -> int:
        file = files.by_path(shown.live.record)
        return len(file.table.tops) if file is not None and file.state is FileState.READY else 0

    qtbot.waitUntil(lambda: rows() == 1, timeout=WAIT_MS)
    file = files.by_path(shown.live.record)
    assert file is not None
    window.desk.workspace.selection.select(Selection(file.number, file.table.tops[0]))
    assert send(shown.live.port, 2, "nothing of it") == 200
    qtbot.waitUntil(lambda: rows() == 2, timeout=WAIT_MS)
    assert [(row.verdict, row.case, row.turn) for row in shown.live.turns.records] == [
        ("passed", "case", 1),
        ("failed", "case", 1),
    ]
    again = files.by_path(shown.live.record)
    assert again is not None
    assert window.desk.workspace.selection.value == Selection(again.number, again.table.tops[0])
    stopped(shown, qtbot)


def test_pause_stop_and_the_recordings(window: MainWindow, qtbot: QtBot) -> None:
    shown = listening(window, qtbot)
    assert send(shown.live.port, 1, "1") == 200
    shown.pause.click()
    qtbot.waitUntil(lambda: send(shown.live.port, 2, "2") == 503, timeout=WAIT_MS)
    assert shown.pause.text() == "Go on"
    shown.pause.click()
    qtbot.waitUntil(lambda: send(shown.live.port, 3, "3") == 200, timeout=WAIT_MS)
    shown.list_recordings()
    shown.list.setCurrentIndex(shown.recordings.index(0, 0))
    assert not shown.delete.isEnabled()  # it is being written
    stopped(shown, qtbot)
    assert shown.live.record.exists()
    shown.list.setCurrentIndex(shown.recordings.index(0, 0))
    shown.delete.click()
    assert not shown.live.record.exists()
    assert list(shown.recordings.records) == []


def test_a_taken_port_is_a_sentence_and_lines_can_be_copied(window: MainWindow, qtbot: QtBot) -> None:
    shown = listening(window, qtbot)
    for name in LINES:
        shown._take_program(name)
        shown.copy.click()
        assert f"127.0.0.1:{shown.live.port}" in QGuiApplication.clipboard().text()
    other = ListenDialog(window.desk)
    other._take_port(shown.live.port)
    other.start.click()
    qtbot.waitUntil(lambda: "is taken" in other.sentence.text(), timeout=WAIT_MS)
    assert other.start.isEnabled()
    stopped(shown, qtbot)
    other.deleteLater()

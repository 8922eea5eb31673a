"""Listen in the window: what is sent is judged and shown while it grows; pause, stop, and the recordings."""

from __future__ import annotations

import http.client
import threading
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.flows.live.test_growing import golden_file
from tests.helpers.sent_spans import request, turn_spans
from tests.views.doing import trigger
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.documents.recording.recordings import part
from trace_inspector.flows.live.arrivals import Arrival
from trace_inspector.models.base.open_file import FileState
from trace_inspector.models.base.roles import Role
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.evaluation.marks import mark_of
from trace_inspector.models.runs import live_run
from trace_inspector.models.runs.live_run import LiveState
from trace_inspector.views.live.dialog import LINES, ListenDialog
from trace_inspector.views.promote.dialog import PromoteDialog
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.work.live.listening import Grown
from trace_inspector.work.processes.child import Channel

WAIT_MS = 60_000


def send(port: int, number: int, said: str) -> int:
    return post(port, request(turn_spans(number, f"c{number}", "one?", said, at_ms=1000 * number)))


def post(port: int, body: bytes) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=240)
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


def has_turns(shown: ListenDialog, count: int) -> bool:
    return len(shown.live.turns.records) == count


def stopped(shown: ListenDialog, qtbot: QtBot) -> None:
    shown.stop.click()
    qtbot.waitUntil(lambda: shown.live.state is LiveState.NONE, timeout=WAIT_MS)


def test_turns_are_judged_and_the_recording_grows_with_its_selection(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QApplication, "activeWindow", lambda: None)  # the person turned away
    called: list[object] = []
    files = window.desk.workspace.files
    files.open([golden_file(tmp_path, ("one?", "one is the answer"))])
    qtbot.waitUntil(lambda: [file.state for file in files] == [FileState.READY], timeout=WAIT_MS)
    shown = listening(window, qtbot)
    shown.call = called.append
    shown.calls.click()
    assert window.desk.workspace.evaluation.preferences.calls_on_failure
    assert send(shown.live.port, 1, "one is the answer") == 200
    qtbot.waitUntil(lambda: len(shown.live.turns.records) == 1, timeout=WAIT_MS)

    def rows() -> int:
        file = files.by_path(shown.live.record)
        return len(file.table.tops) if file is not None and file.state is FileState.READY else 0

    qtbot.waitUntil(lambda: rows() == 1, timeout=WAIT_MS)
    file = files.by_path(shown.live.record)
    assert file is not None
    window.desk.workspace.selection.select(Selection(file.number, file.table.tops[0]))
    assert called == []
    assert send(shown.live.port, 2, "nothing of it") == 200
    qtbot.waitUntil(lambda: rows() == 2 and has_turns(shown, 2), timeout=WAIT_MS)
    table = shown.live.turns
    assert [[table.index(row, column).data() for column in (1, 2, 3)] for row in range(table.rowCount())] == [
        ["passed", "case", "1"],
        ["failed", "case", "1"],
    ]
    assert [table.index(row, 1).data(Role.MARK) for row in range(table.rowCount())] == ["passed", "failed"]
    assert called == [window]
    again = files.by_path(shown.live.record)
    assert again is not None
    assert window.desk.workspace.selection.value == Selection(again.number, again.table.tops[0])

    def marks() -> list[str]:
        grown, run = files.by_path(shown.live.record), window.desk.workspace.run.value
        return [mark_of(grown, top, run) for top in grown.table.tops] if grown is not None and run is not None else []

    qtbot.waitUntil(lambda: marks() == ["passed", "failed"], timeout=WAIT_MS)  # nobody pressed F5
    run = window.desk.workspace.run.value
    assert run is not None
    assert {problem.selection.row for problem in run.problems if problem.selection.file == again.number} & set(
        again.table.turns(again.table.tops[1])
    )
    stopped(shown, qtbot)


def silent(channel: Channel, _record: str) -> None:
    """In the place of who judges."""
    for _word in channel.incoming():
        pass
    threading.Event().wait()


def test_what_is_recorded_is_shown_though_nobody_has_judged_it(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_run, "judge", silent)
    files, read = window.desk.workspace.files, list[object]()
    monkeypatch.setattr(files, "_load", lambda *given, **_named: read.append(given))
    shown, growth = listening(window, qtbot), window.desk.workspace.growth
    assert growth._prepared is not None
    path, number, service = growth._prepared  # a child that waits for the recording
    for trace in (1, 2):
        assert send(shown.live.port, trace, "one is the answer") == 200

        def are_shown(count: int = trace) -> bool:
            file = files.by_path(shown.live.record)
            return file is not None and len(file.table.tops) == count

        qtbot.waitUntil(are_shown, timeout=WAIT_MS)
    file = files.by_path(path)
    assert file is not None
    assert (file.number, growth._followed[number].service) == (number, service)
    assert not has_turns(shown, 1)
    assert read == []  # who follows it reads it
    stopped(shown, qtbot)


def test_who_waits_for_a_recording_ends_where_nothing_comes(window: MainWindow, qtbot: QtBot) -> None:
    shown, growth = listening(window, qtbot), window.desk.workspace.growth
    prepared = growth._prepared
    assert prepared is not None
    stopped(shown, qtbot)
    assert growth._prepared is None
    assert prepared[2] not in window.desk.jobs._warm


def test_turns_are_listed_as_they_end_the_newest_thousands(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_run, "MOST_SHOWN", 3)
    monkeypatch.setattr(live_run, "_ROOM", 1)
    live, moved = dialog(window).live, list[object]()
    live.record = tmp_path / "recording.otlp.jsonl"
    live.turns.rowsRemoved.connect(lambda *rows: moved.append(rows))

    def end(*names: str, status: Status = Status.PASSED) -> list[str]:
        arrivals = tuple(Arrival(name, "", 0, "asked", status) for name in names)
        live._grown(Grown(arrivals, {}))
        assert [live.turns.index(row, 2).data() for row in range(live.turns.rowCount())] == [
            row.conversation for row in live.turns.records
        ]
        return [row.conversation for row in live.turns.records]

    assert end("a", "b") == ["a", "b"]
    assert end("c", "d") == ["a", "b", "c", "d"]
    assert moved == []
    assert end("b", status=Status.FAILED) == ["b", "c", "d"]
    assert [row.status for row in live.turns.records] == [Status.FAILED, Status.PASSED, Status.PASSED]
    live.turns.sort(2, Qt.SortOrder.DescendingOrder)
    assert end("aa") == ["d", "c", "aa"]
    assert end("e") == ["e", "d", "aa"]


def test_a_turn_is_shown_and_its_conversation_frozen_while_it_listens(window: MainWindow, qtbot: QtBot) -> None:
    files, shown = window.desk.workspace.files, listening(window, qtbot)
    assert not shown.freeze.isEnabled()
    assert send(shown.live.port, 1, "one is the answer") == 200
    assert send(shown.live.port, 2, "another one") == 200
    qtbot.waitUntil(lambda: len(shown.live.turns.records) == 2, timeout=WAIT_MS)

    def rows() -> int:
        file = files.by_path(shown.live.record)
        return len(file.table.tops) if file is not None and file.state is FileState.READY else 0

    qtbot.waitUntil(lambda: rows() == 2, timeout=WAIT_MS)
    shown.turns.setCurrentIndex(shown.live.turns.index(1, 0))
    shown.show_turn.click()
    file = files.by_path(shown.live.record)
    assert file is not None
    assert window.desk.workspace.selection.value == Selection(file.number, file.table.turns(file.table.tops[1])[0])
    shown.freeze.click()
    promoting = window.findChild(PromoteDialog)
    assert promoting is not None
    assert [picked.top for picked in promoting.promotion.picked] == [file.table.tops[1]]
    promoting.reject()
    stopped(shown, qtbot)


def test_pause_stop_and_the_recordings(window: MainWindow, qtbot: QtBot) -> None:
    shown = listening(window, qtbot)
    assert send(shown.live.port, 1, "1") == 200
    shown.pause.click()
    qtbot.waitUntil(lambda: send(shown.live.port, 2, "2") == 503, timeout=WAIT_MS)
    assert shown.pause.text() == "Go on"
    shown.pause.click()
    qtbot.waitUntil(lambda: send(shown.live.port, 3, "3") == 200, timeout=WAIT_MS)
    shown.kept.show_now()
    shown.kept.list.setCurrentIndex(shown.kept.recordings.index(0, 0))
    assert not shown.kept.delete.isEnabled()  # it is being written
    stopped(shown, qtbot)
    assert shown.live.record.exists()
    shown.kept.list.setCurrentIndex(shown.kept.recordings.index(0, 0))
    shown.kept.delete.click()
    assert shown.kept.question.text().startswith(f"Delete {shown.live.record.name} (")
    shown.kept.keep.click()
    assert shown.live.record.exists()
    shown.kept.delete.click()
    shown.kept.confirm.click()
    assert not shown.live.record.exists()
    assert list(shown.kept.recordings.records) == []


def test_clearing_says_how_much_and_leaves_what_is_being_written(window: MainWindow, qtbot: QtBot) -> None:
    shown = listening(window, qtbot)
    assert send(shown.live.port, 1, "1") == 200
    before = [shown.live.record.with_name(f"before-{number}.otlp.jsonl") for number in range(3)]
    for path in before:
        path.write_bytes(b"{}\n" * 1_000)
    shown.kept.show_now()
    shown.kept.clear.click()
    assert shown.kept.question.text() == "Delete 3 recordings (9.0 kB) for good? The one being written stays."
    assert shown.kept.keep.hasFocus()
    assert all(path.exists() for path in before)
    late = shown.live.record.with_name("late.otlp.jsonl")
    late.write_bytes(b"{}\n")  # nobody was asked about it
    shown.kept.confirm.click()
    assert sorted(file.path.name for file in shown.kept.recordings.records) == sorted(
        [shown.live.record.name, late.name]
    )
    stopped(shown, qtbot)
    shown.kept.clear.click()
    assert "Delete all 2 recordings (" in shown.kept.question.text()
    shown.kept.confirm.click()
    assert not shown.kept.clear.isEnabled()


def test_a_turn_that_has_not_ended_neither_passes_nor_fails(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    files = window.desk.workspace.files
    files.open([golden_file(tmp_path, ("one?", "one is the answer"))])
    qtbot.waitUntil(lambda: [file.state for file in files] == [FileState.READY], timeout=WAIT_MS)
    shown = listening(window, qtbot)
    *begun, root = turn_spans(1, "c1", "one?", "another one")

    def marks() -> list[str]:
        file, run = files.by_path(shown.live.record), window.desk.workspace.run.value
        return [mark_of(file, top, run) for top in file.table.tops] if file and run and not run.running else []

    assert post(shown.live.port, request(begun)) == 200
    qtbot.waitUntil(lambda: bool(marks()), timeout=WAIT_MS)
    assert marks() == ["pending"]
    assert post(shown.live.port, request([root])) == 200
    qtbot.waitUntil(lambda: marks() == ["failed"], timeout=WAIT_MS)
    stopped(shown, qtbot)


def test_the_next_part_of_a_recording_opens_and_stays_while_it_is_written(window: MainWindow, qtbot: QtBot) -> None:
    files, shown = window.desk.workspace.files, listening(window, qtbot)
    assert send(shown.live.port, 1, "1") == 200
    qtbot.waitUntil(lambda: files.by_path(shown.live.record) is not None, timeout=WAIT_MS)
    following = part(shown.live.record, 2)
    following.write_bytes(request(turn_spans(2, "c2", "two?", "2")) + b"\n")  # as the recorder begins it

    def is_shown() -> bool:
        opened = files.by_path(following)
        return opened is not None and len(opened.table.tops) == 1 and has_turns(shown, 2)

    qtbot.waitUntil(is_shown, timeout=WAIT_MS)
    file = files.by_path(following)
    assert file is not None
    (turn,) = (row for row in shown.live.turns.records if row.words.startswith("two?"))
    assert shown.live.place_of(turn) == Selection(file.number, file.table.turns(file.table.tops[0])[0])
    shown.kept.show_now()
    shown.kept.list.selectAll()
    assert not shown.kept.delete.isEnabled()
    stopped(shown, qtbot)


def offered(shown: ListenDialog) -> list[str]:
    """What the menu of the tray shows."""
    return [action.text() for action in shown.tray.menu.actions() if action.isVisible()]


@pytest.mark.qt_log_ignore("systemTrayWindowChanged", "This plugin does not support")  # has no tray
def test_the_tray_says_how_it_goes_where_the_system_has_one(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QApplication, "activeWindow", lambda: None)  # the person turned away
    files = window.desk.workspace.files
    files.open([golden_file(tmp_path, ("one?", "one is the answer"), case="<b>shop</b>")])
    qtbot.waitUntil(lambda: [file.state for file in files] == [FileState.READY], timeout=WAIT_MS)
    shown = listening(window, qtbot)
    preferences = window.desk.workspace.evaluation.preferences
    told: list[tuple[str, str]] = []
    now_s = 100.0
    monkeypatch.setattr(shown.tray, "notify", lambda *words: told.append(words))
    monkeypatch.setattr(shown.tray, "clock", lambda: now_s)
    assert not shown.in_tray.isChecked()
    monkeypatch.setattr(shown.tray, "is_available", lambda: False)
    QTest.keyClick(shown.in_tray, Qt.Key.Key_Space)
    assert not shown.in_tray.isChecked()
    assert "This system has no tray." in shown.sentence.text()
    assert [preferences.shows_tray] == [False]
    monkeypatch.setattr(shown.tray, "is_available", lambda: True)
    assert (send(shown.live.port, 1, "nothing of it"), told, shown.tray.tip) == (200, [], "")
    qtbot.waitUntil(lambda: len(shown.live.turns.records) == 1, timeout=WAIT_MS)
    QTest.keyClick(shown.in_tray, Qt.Key.Key_Space)
    assert [preferences.shows_tray] == [True]
    assert shown.tray.tip == "Trace Inspector, listening: failed 1 of the last 1 turns"
    assert offered(shown) == ["Show &window", "&Pause", "&Stop"]
    for number in (2, 3):
        assert send(shown.live.port, number, "nothing of it") == 200
        qtbot.waitUntil(partial(has_turns, shown, number), timeout=WAIT_MS)
    assert told == [("A turn failed", "b shop /b, turn 1")]  # without tags, and not each of them
    assert shown.tray.later.isActive()
    now_s = 200.0
    shown.tray.later.timeout.emit()  # nothing more has to fail
    assert told[1:] == [("A turn failed", "b shop /b, turn 1")]
    assert send(shown.live.port, 4, "nothing of it") == 200
    qtbot.waitUntil(partial(has_turns, shown, 4), timeout=WAIT_MS)
    monkeypatch.setattr(QApplication, "activeWindow", lambda: shown)  # the person is back, and sees it
    now_s = 300.0
    shown.tray.later.timeout.emit()
    assert len(told) == 2
    menu = shown.tray.menu.actions()
    menu[1].trigger()
    assert shown.live.state is LiveState.PAUSED
    assert shown.tray.tip == "Trace Inspector, paused: failed 4 of the last 4 turns"
    assert offered(shown) == ["Show &window", "&Go on", "&Stop"]
    assert shown.tray.menu.actions() == menu  # none goes while a person points at it
    menu[3].trigger()
    qtbot.waitUntil(lambda: shown.live.state is LiveState.NONE, timeout=WAIT_MS)
    assert shown.tray.tip == ""


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

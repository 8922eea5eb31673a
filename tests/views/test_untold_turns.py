"""In a window that listens no turn is judged before it is known whether it has ended."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.flows.live.test_growing import golden_file
from tests.helpers.sent_spans import request, turn_spans
from tests.views.test_listen_dialog import WAIT_MS, listening, post, send, silent, stopped
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.models.base.open_file import FileState
from trace_inspector.models.evaluation.marks import mark_of
from trace_inspector.models.runs import live_run
from trace_inspector.models.runs.live_run import LiveState
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.work.live.listening import judge
from trace_inspector.work.processes.child import Channel


def held(channel: Channel, record: str) -> None:
    """Who judges, held back until a file is there, as a busy machine holds it back."""
    while not Path(f"{record}.go-on").exists():
        time.sleep(0.01)
    judge(channel, record)


def test_while_it_is_not_known_which_turns_have_ended_those_of_the_recording_have_no_verdict(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_run, "judge", held)
    files = window.desk.workspace.files
    finished = tmp_path / "finished.otlp.jsonl"
    finished.write_bytes(request(turn_spans(9, "c9", "one?", "one is the answer")) + b"\n")
    files.open([golden_file(tmp_path, ("one?", "one is the answer")), finished])
    qtbot.waitUntil(lambda: [file.state for file in files] == [FileState.READY] * 2, timeout=WAIT_MS)
    shown, shown_run = listening(window, qtbot), window.desk.workspace.run

    def marks(path: Path) -> list[str]:
        file, run = files.by_path(path), shown_run.value
        return [mark_of(file, top, run) for top in file.table.tops] if file and run else []

    def have_ended(*expected: str) -> bool:
        run = shown_run.value
        return run is not None and not run.running and marks(shown.live.record) == [*expected]

    seen: set[str] = set()
    shown_run.changed.connect(lambda: seen.update(marks(shown.live.record)[:1]))
    *begun, root = turn_spans(1, "c1", "one?", "another one")
    assert post(shown.live.port, request(begun)) == 200
    qtbot.waitUntil(lambda: have_ended("pending"), timeout=WAIT_MS)
    assert marks(finished) == ["passed"]  # another file waits for nobody
    assert send(shown.live.port, 2, "one is the answer") == 200
    qtbot.waitUntil(lambda: have_ended("pending", "pending"), timeout=WAIT_MS)
    Path(f"{shown.live.record}.go-on").touch()
    qtbot.waitUntil(lambda: have_ended("pending", "passed"), timeout=WAIT_MS)
    assert seen <= {"", "none", "pending"}
    assert post(shown.live.port, request([root])) == 200
    qtbot.waitUntil(lambda: have_ended("failed", "passed"), timeout=WAIT_MS)
    stopped(shown, qtbot)


def test_where_nobody_tells_any_more_which_turns_have_ended_all_get_verdicts(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_run, "judge", silent)
    files, shown_run = window.desk.workspace.files, window.desk.workspace.run
    files.open([golden_file(tmp_path, ("one?", "one is the answer"))])
    qtbot.waitUntil(lambda: [file.state for file in files] == [FileState.READY], timeout=WAIT_MS)
    shown = listening(window, qtbot)

    def statuses() -> list[Status]:
        run = shown_run.value
        return [case.status for case in run.cases] if run is not None and not run.running else []

    assert send(shown.live.port, 1, "one is the answer") == 200
    qtbot.waitUntil(lambda: statuses() == [Status.PENDING], timeout=WAIT_MS)
    window.desk.jobs.stop(shown.live._judging)
    qtbot.waitUntil(lambda: statuses() == [Status.PASSED], timeout=WAIT_MS)
    assert shown.live.state is LiveState.LISTENING
    stopped(shown, qtbot)

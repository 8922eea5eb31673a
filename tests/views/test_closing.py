"""Whatever the window is doing when it is closed: no process, thread or timer is left, and it does not take long."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from tests.views.doing import trigger
from trace_inspector.models.base.open_file import FileState
from trace_inspector.models.base.selection import Selection
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.work.processes.jobs import JobState
from trace_inspector.work.reading.disk_watch import DiskWatch

SPANS = 20_000


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that takes a while to read."""
    span = {"traceID": "t", "operationName": "call_llm", "startTime": 1, "duration": 1, "tags": []}
    spans = [{**span, "spanID": str(number)} for number in range(SPANS)]
    path = tmp_path_factory.mktemp("large") / "large.json"
    path.write_text(json.dumps({"data": [{"traceID": "t", "spans": spans}]}))
    return path


def read_samples(window: MainWindow, qtbot: QtBot) -> None:
    workspace = window.desk.workspace
    workspace.open_samples()
    qtbot.waitUntil(
        lambda: bool(workspace.files) and all(file.state is FileState.READY for file in workspace.files),
        timeout=60_000,
    )


def loading(window: MainWindow, _qtbot: QtBot, large: Path) -> None:
    window.desk.workspace.files.open([large])


def loading_a_folder(window: MainWindow, _qtbot: QtBot, large: Path) -> None:
    window.desk.workspace.files.open([large.parent])


def evaluating(window: MainWindow, qtbot: QtBot, _large: Path) -> None:
    read_samples(window, qtbot)
    trigger(window, "evaluate")


def exporting(window: MainWindow, qtbot: QtBot, large: Path) -> None:
    evaluating(window, qtbot, large)
    workspace = window.desk.workspace
    qtbot.waitUntil(
        lambda: workspace.run.value is not None and workspace.run.value.verdict is not None, timeout=60_000
    )
    workspace.evaluation.export("html", large.with_name("report.html"))


def reading_the_file_itself(window: MainWindow, qtbot: QtBot, _large: Path) -> None:
    read_samples(window, qtbot)
    window.desk.workspace.raw_text.read(
        Selection(window.desk.workspace.files.in_order[0].number), lambda _answer: None
    )


def filtering(window: MainWindow, qtbot: QtBot, large: Path) -> None:
    workspace = window.desk.workspace
    workspace.files.open([large])
    qtbot.waitUntil(lambda: len(workspace.files.in_order[0].table) > SPANS // 4, timeout=90_000)
    workspace.filtering.set_text("nobody said this")


def told_of_a_change_on_disk(window: MainWindow, qtbot: QtBot, large: Path) -> None:
    """Closed in the very turn of the loop in which the watcher says that the file is another now."""
    own = large.with_name("own.json")
    own.write_text('{"data": []}', "utf-8")
    window.desk.workspace.files.open([own])
    disk = window.findChild(DiskWatch)
    assert disk is not None
    with qtbot.waitSignal(disk.changed, timeout=60_000):
        own.write_text('{"data": [{}]}', "utf-8")


WAYS: tuple[Callable[[MainWindow, QtBot, Path], None], ...] = (
    loading, loading_a_folder, evaluating, exporting, reading_the_file_itself, filtering,
    told_of_a_change_on_disk,
)  # fmt: skip


@pytest.mark.parametrize("begin", WAYS, ids=lambda begin: begin.__name__)
def test_closing_leaves_nothing_running(
    window: MainWindow, qtbot: QtBot, large: Path, begin: Callable[[MainWindow, QtBot, Path], None]
) -> None:
    begin(window, qtbot, large)
    qtbot.wait(5)
    window.close()
    assert not window.desk.jobs.busy
    assert working() == []
    timers = [*window.desk.jobs.findChildren(QTimer), *window.desk.workspace.findChildren(QTimer)]
    assert [timer for timer in timers if timer.isActive()] == []


@pytest.mark.parametrize("begin", [loading, loading_a_folder], ids=lambda begin: begin.__name__)
def test_stop_ends_a_job_at_once(
    window: MainWindow, qtbot: QtBot, large: Path, begin: Callable[[MainWindow, QtBot, Path], None]
) -> None:
    begin(window, qtbot, large)
    qtbot.wait(200)
    jobs = window.desk.jobs
    while jobs.busy:
        window.desk.workspace.stop()
    assert JobState.STOPPED in {job.state for job in jobs.jobs}
    qtbot.waitUntil(lambda: not any(name.startswith("job") for name in working()))


def working() -> list[str]:
    """The threads that jobs wait in."""
    names = [thread.name for thread in threading.enumerate()]
    return [name for name in names if name.startswith(("job", "warm", "feeder", "disk"))]

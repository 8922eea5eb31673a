from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from tests.helpers.screen import running_in, wait_until
from tests.helpers.signals import heeding_ctrl_c
from tests.views.doing import trigger
from trace_inspector.engine.running.interrupts import SIGNALS
from trace_inspector.views.appearance.appearance import Scheme
from trace_inspector.views.layout.panels import PANELS
from trace_inspector.views.shell import application
from trace_inspector.views.shell.application import (
    AfterFirstPaint,
    Faults,
    Wanted,
    _prepare,
    _quit_on_signals,
    remembered_scheme,
)
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.shell.status import StatusBar
from trace_inspector.work.processes.fork_server import HAS_SERVER

LIMIT_S = 100


@pytest.fixture
def program(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "TRACE_INSPECTOR_DATA": str(tmp_path / "data")}
    command = [sys.executable, "-m", "trace_inspector", "--samples"]
    with heeding_ctrl_c():
        started = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
    with started:
        yield started
        started.kill()


def children_of(process: int) -> list[int]:
    """The ids of the running children of a process."""
    found = []
    with suppress(OSError):  # it ended just now
        for task in Path(f"/proc/{process}/task").iterdir():
            found += [int(one) for one in (task / "children").read_text().split()]
    return found


def runs(process: int) -> bool:
    """Whether it is there, and not only waiting to be noticed by a system that adopted it."""
    try:
        return ") Z" not in Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False


def first_readers(process: subprocess.Popen[bytes]) -> list[int]:
    """Wait until there are some: forked from a server, which is among them, or children themselves."""
    deadline_s = time.monotonic() + LIMIT_S
    while time.monotonic() < deadline_s and process.poll() is None:
        children = children_of(process.pid)
        found = [one for child in children for one in children_of(child)] if HAS_SERVER else children
        if found:
            return [*children, *found]
        time.sleep(0.005)  # whoever looks without a rest takes the time of the window that is looked at
    return []


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="needs /proc to see a process's children")
@pytest.mark.parametrize("asked", SIGNALS)
def test_asked_to_end_while_it_reads_it_leaves_nothing_running(
    program: subprocess.Popen[bytes], asked: signal.Signals
) -> None:
    readers = first_readers(program)
    assert readers, "no child began to read the samples"
    program.send_signal(asked)
    assert program.wait(LIMIT_S) == 0
    assert wait_until(lambda: not any(map(runs, readers)), LIMIT_S)


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="needs /proc to see a process's children")
def test_a_terminal_that_closes_closes_the_window_in_order(tmp_path: Path) -> None:
    ours, theirs = os.openpty()
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "TRACE_INSPECTOR_DATA": str(tmp_path / "data")}
    code = (
        "import fcntl, sys, termios\n"
        "fcntl.ioctl(0, termios.TIOCSCTTY, 0)\n"
        "sys.argv = ['trace-inspector', '--samples']\n"
        "from trace_inspector.__main__ import run\n"
        "run()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code],
        env=environment, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
    ) as program:  # fmt: skip
        try:
            os.close(theirs)
            assert wait_until(lambda: program.poll() is not None or is_reading(tmp_path / "data"), LIMIT_S)
            os.close(ours)
            assert program.wait(LIMIT_S) == 0
        finally:
            program.kill()
    assert wait_until(lambda: not running_in(program.pid), LIMIT_S)
    assert list((tmp_path / "data" / "windows").iterdir()) == []  # it ended well


def is_reading(data: Path) -> bool:
    """Whether a window has opened files: it notes them at once."""
    return any(note.stat().st_size for note in (data / "windows").glob("*.open"))


def has_begun(process: int) -> bool:
    """Whether our code runs, which imports this first: until then Python itself answers a signal, in its own way."""
    maps = Path(f"/proc/{process}/maps")
    return not maps.exists() or "msgspec" in maps.read_text()


@pytest.mark.parametrize("patience_s", [0.0, 0.2, 0.6])
def test_interrupted_while_the_window_is_made_it_ends(program: subprocess.Popen[bytes], patience_s: float) -> None:
    assert wait_until(lambda: program.poll() is not None or has_begun(program.pid), LIMIT_S)
    time.sleep(patience_s)
    program.send_signal(signal.SIGINT)
    assert program.wait(LIMIT_S) in (0, -signal.SIGINT)


@pytest.mark.parametrize("asked", SIGNALS)
def test_asked_to_end_before_the_loop_runs_it_ends_in_the_loop(qtbot: QtBot, asked: signal.Signals) -> None:
    closed: list[bool] = []
    with _quit_on_signals(lambda: closed.append(True)):
        signal.raise_signal(asked)
        assert closed == [], "what is closed now would not end a loop that begins later"
        qtbot.waitUntil(lambda: closed == [True])


def test_a_theme_that_is_not_known_is_the_systems(tmp_path: Path) -> None:
    settings = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    assert remembered_scheme(settings) is Scheme.SYSTEM
    settings.setValue("theme", "sepia")
    assert remembered_scheme(settings) is Scheme.SYSTEM
    settings.setValue("theme", "dark")
    assert remembered_scheme(settings) is Scheme.DARK


def test_a_fault_is_one_quiet_sentence_and_a_report_in_help(window: MainWindow) -> None:
    faults = Faults(window)
    assert not window.commands.actions["fault"].isEnabled()
    faults.reported.emit("builtins.ValueError\n  views/x.py:1 in y")
    status = window.statusBar()
    assert isinstance(status, StatusBar)
    assert status.message().startswith("Something in Trace Inspector failed")
    trigger(window, "fault")
    (dialog,) = window.findChildren(QDialog)
    assert [text.toPlainText() for text in dialog.findChildren(QPlainTextEdit)] == [window.desk.fault]
    dialog.close()


def test_panels_are_there_before_the_files(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    made: list[int] = []
    window.desk.workspace.files.added.connect(lambda _number: made.append(len(window.desk.docks)))
    _prepare(window, Wanted([str(tmp_path / "gone.json")]))
    assert window.desk.docks == {}
    qtbot.waitUntil(lambda: made == [len(PANELS)])


def test_what_follows_the_first_paint_waits_for_it_and_comes_once(qtbot: QtBot) -> None:
    called: list[int] = []
    widget = QWidget()
    qtbot.addWidget(widget)
    AfterFirstPaint(widget, lambda: called.append(1))
    QTest.qWait(20)
    assert called == []
    widget.show()
    qtbot.waitUntil(lambda: called == [1])
    widget.repaint()
    QTest.qWait(application.NO_PAINT_MS + 50)
    assert called == [1]


def test_what_follows_the_first_paint_comes_where_nothing_is_painted(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(application, "NO_PAINT_MS", 1)
    called: list[int] = []
    widget = QWidget()
    qtbot.addWidget(widget)
    AfterFirstPaint(widget, lambda: called.append(1))
    qtbot.waitUntil(lambda: called == [1])
    assert not widget.isVisible()
    widget.show()
    qtbot.wait(20)
    assert called == [1]

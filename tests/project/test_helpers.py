from __future__ import annotations

import faulthandler
import os
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QThread, QTimer
from PySide6.QtWidgets import QWidget

from tests.helpers import hangs, leaks, network
from tests.helpers.tables import each

PROJECT = Path(__file__).resolve().parents[2]


def test_a_running_thread_is_named_with_the_place_that_started_it(leak_recorder: leaks.Recorder) -> None:
    go = threading.Event()
    thread = threading.Thread(target=go.wait, name="left-behind")
    thread.start()
    quick = [leaks.Started(one.kind, one.thing, one.where) for one in leak_recorder.started]
    assert [one.thing() for one in quick] == [thread]
    assert "tests/project/test_helpers.py:" in str(quick[0].where)
    assert str(quick[0].where).endswith("in test_a_running_thread_is_named_with_the_place_that_started_it")
    go.set()
    assert leaks.left_running(quick) == []


def test_a_child_process_is_found_until_it_ended(
    leak_recorder: leaks.Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leaks, "GRACE_S", 0.01)
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    left = leaks.left_running(leak_recorder.started)
    child.communicate(b"\n")
    assert len(left) == 1
    assert left[0].startswith("child process ")
    assert leaks.left_running(leak_recorder.started) == []


@pytest.mark.usefixtures("qapp")
def test_an_active_timer_is_found_until_it_stops(leak_recorder: leaks.Recorder) -> None:
    leak_recorder.take()  # the watchdog's
    timer = QTimer()
    timer.setObjectName("ticker")
    timer.start(10_000)
    assert leaks.left_running(leak_recorder.started)[0].startswith("QTimer 'ticker', started at tests/project/")
    timer.stop()
    assert leaks.left_running(leak_recorder.started) == []


@pytest.mark.usefixtures("qapp")
def test_a_qthread_is_found_until_it_ended(leak_recorder: leaks.Recorder, monkeypatch: pytest.MonkeyPatch) -> None:
    leak_recorder.take()  # the watchdog's
    thread = QThread()
    thread.start()
    with monkeypatch.context() as patch:
        patch.setattr(leaks, "GRACE_S", 0.01)
        left = leaks.left_running(leak_recorder.started)
    thread.quit()
    thread.wait()
    assert [one[:7] for one in left] == ["QThread"]
    assert leaks.left_running(leak_recorder.started) == []


@pytest.mark.usefixtures("qapp")
def test_a_window_is_found_until_it_is_deleted() -> None:
    before = leaks.top_level_widgets()
    window = QWidget()
    window.setWindowTitle("forgotten")
    left = leaks.left_open(before, leaks.top_level_widgets())
    assert left == ["window 'forgotten', a PySide6.QtWidgets.QWidget, was left open"]
    window.deleteLater()
    assert leaks.left_open(before, leaks.top_level_widgets()) == []


@each(
    ("address", "stays"),
    [
        (("127.0.0.1", 80), True),
        (("localhost", 80), True),
        (("::1", 80, 0, 0), True),
        ("/run/some.socket", True),
        (("192.0.2.7", 80), False),
        (("2001:db8::1", 80, 0, 0), False),
        (("example.invalid", 443), False),
    ],
)
def test_only_loopback_stays_on_this_machine(address: object, stays: bool) -> None:
    assert network.is_loopback(address) is stays


def test_a_connection_beyond_loopback_fails_the_test() -> None:
    with socket.socket() as outgoing, pytest.raises(pytest.fail.Exception, match="stay on this machine"):
        outgoing.connect(("192.0.2.7", 9))


HANGS = """
from tests.conftest import pytest_addoption
from tests.helpers import hangs

def pytest_configure(config):
    config.pluginmanager.register(hangs.Watch(60.0, most_s=0.2))
"""
HANGING = """
import signal, time
import pytest

@pytest.mark.timeout(3)
def test_deaf():
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
    time.sleep(100)
"""


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="needs POSIX")
def test_what_hears_no_signal_is_shown_and_ends(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\ntimeout_method = signal\n")
    (tmp_path / "conftest.py").write_text(HANGS)
    (tmp_path / "test_a.py").write_text(HANGING)
    line = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n0"]
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    done = subprocess.run(line, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "in test_deaf" in done.stderr


def test_many_short_tests_are_watched_by_one_thread(monkeypatch: pytest.MonkeyPatch, request: Any) -> None:
    told: list[float | None] = []
    monkeypatch.setattr(faulthandler, "dump_traceback_later", lambda patience_s, **_how: told.append(patience_s))
    monkeypatch.setattr(faulthandler, "cancel_dump_traceback_later", lambda: told.append(None))
    watch = hangs.Watch(300.0)
    assert request.node.get_closest_marker("timeout") is None
    for nextitem in [request.node] * 100 + [None]:
        around = watch.pytest_runtest_protocol(request.node, nextitem)
        next(around)
        next(around, None)
    assert told == [300.0 + hangs.MOST_S, None]
    request.node.add_marker(pytest.mark.timeout(1_000))
    next(watch.pytest_runtest_protocol(request.node, request.node))
    assert told[-1] == 1_000.0 + hangs.MOST_S

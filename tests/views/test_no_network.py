"""Whoever uses the window without a judge reaches no network, and neither does any process that it starts."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.helpers import network
from tests.views.doing import trigger
from trace_inspector.models.base.open_file import FileState
from trace_inspector.models.runs.live_run import LiveState
from trace_inspector.views.layout.centre_views import VIEWS
from trace_inspector.views.layout.panels import PANELS
from trace_inspector.views.live.dialog import ListenDialog
from trace_inspector.views.shell.main_window import MainWindow

# Python runs this in every process before anything else; what it notes outlives whoever swallows errors.
HOOK = """
import os, sys
def note(event, given):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.sendto", "socket.bind"):
        if not (event in ("socket.connect", "socket.bind") and isinstance(given[1], (str, bytes))):
            with open(os.environ["NOTED_CONNECTIONS"], "a") as noted:
                noted.write(f"{os.getpid()} {event} {given[1:]!r} {sys.argv[:2]}\\n")
sys.addaudithook(note)
"""


@pytest.fixture
def noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file into which children write what they connect to, and where they listen."""
    (tmp_path / "sitecustomize.py").write_text(HOOK)
    path = tmp_path / "connections.txt"
    path.touch()
    monkeypatch.setenv("NOTED_CONNECTIONS", str(path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return path


def test_the_hook_notes_connections_of_children(noted: Path) -> None:
    program = "import socket; socket.socket().connect_ex(('127.0.0.1', 9))"
    subprocess.run([sys.executable, "-c", program], timeout=240, check=True)
    assert "socket.connect" in noted.read_text()


def test_all_of_the_window_is_used_without_the_network(
    window: MainWindow, qtbot: QtBot, noted: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRACE_INSPECTOR_DATA", str(tmp_path / "data"))
    network.none_at_all(monkeypatch)
    workspace = window.desk.workspace
    workspace.open_samples()
    qtbot.waitUntil(
        lambda: bool(workspace.files) and all(file.state is FileState.READY for file in workspace.files),
        timeout=60_000,
    )
    trigger(window, "evaluate")
    qtbot.waitUntil(
        lambda: workspace.run.value is not None and workspace.run.value.verdict is not None, timeout=60_000
    )
    assert workspace.navigation.next_failing(1)
    centre = window.views
    for view in VIEWS:
        QTest.keyClick(centre.show_view(view.id), Qt.Key.Key_Down)
        qtbot.wait(1)
        centre.grab()
    for panel in PANELS:
        window.desk.docks[panel.id].show()
        window.desk.docks[panel.id].raise_()
        qtbot.wait(1)
    report = tmp_path / "report.html"
    workspace.evaluation.export("html", report)
    qtbot.waitUntil(report.is_file, timeout=60_000)
    trigger(window, "listen")
    shown = window.findChild(ListenDialog)
    assert shown is not None
    shown._take_port(0)
    qtbot.wait(50)
    shown.grab()
    assert shown.live.state is LiveState.NONE
    assert noted.read_text() == ""
    shown.start.click()  # asked for, it listens, and would be noted
    qtbot.waitUntil(lambda: shown.live.state is LiveState.LISTENING, timeout=60_000)
    assert " socket.bind (('127.0.0.1', 0),)" in noted.read_text()
    shown.stop.click()
    qtbot.waitUntil(lambda: shown.live.state is LiveState.NONE, timeout=60_000)

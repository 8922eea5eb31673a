"""Files and folders are watched as long as there are no more of them at a time than the system is asked for."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from trace_inspector.work.reading import disk_notices
from trace_inspector.work.reading.disk_notices import DiskNotices

MOST = 3
# A drive answers after two seconds; the window waits a twentieth of one for it, and is gone.
CLOSED = """
import sys
import time
from PySide6.QtCore import QCoreApplication
from shiboken6 import Shiboken
from trace_inspector.work.reading import disk_notices

def exists(path):
    print("asked", flush=True)
    time.sleep(2)
    return True

app = QCoreApplication([])
disk_notices.Path.exists = exists
disk_notices._LEAVING_S = 0.05
notices = disk_notices.DiskNotices()
notices.watch(sys.argv[1])
time.sleep(0.5)
notices.stop()
Shiboken.delete(notices)
if sys.argv[2] == "stays":
    time.sleep(3)
print("closed", flush=True)
"""


@pytest.fixture
def watched() -> list[str]:
    """What the thread has begun to watch."""
    return []


@pytest.fixture
def notices(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, watched: list[str]) -> Iterator[DiskNotices]:  # noqa: ARG001
    begin = disk_notices._Watching.watch

    def noting(watching: disk_notices._Watching, path: str) -> None:
        begin(watching, path)
        if path in watching._watched:
            watched.append(path)

    monkeypatch.setattr(disk_notices, "MOST_WATCHED", MOST)
    monkeypatch.setattr(disk_notices, "_LEAVING_S", 30)
    monkeypatch.setattr(disk_notices._Watching, "watch", noting)
    made = DiskNotices()
    yield made
    made.stop()


def test_a_file_that_is_replaced_again_and_again_is_told_of_each_time(
    notices: DiskNotices, watched: list[str], qtbot: QtBot, tmp_path: Path
) -> None:
    path, fresh = tmp_path / "a.json", tmp_path / "fresh"
    path.write_text("0")
    for number in range(2 * MOST):
        notices.watch(str(path))
        qtbot.waitUntil(lambda number=number: len(watched) > number)  # type: ignore[misc]
        with qtbot.waitSignal(notices.file_changed):
            fresh.write_text(str(number))
            fresh.replace(path)


def test_folders_that_come_and_go_leave_room_for_others(
    notices: DiskNotices, watched: list[str], qtbot: QtBot, tmp_path: Path
) -> None:
    for number in range(2 * MOST):
        folder = tmp_path / str(number)
        folder.mkdir()
        notices.watch(str(folder))
        qtbot.waitUntil(lambda folder=folder: str(folder) in watched)  # type: ignore[misc]
        with qtbot.waitSignal(notices.folder_changed):
            folder.rmdir()


def test_what_is_forgotten_is_not_told_of(
    notices: DiskNotices, watched: list[str], qtbot: QtBot, tmp_path: Path
) -> None:
    paths = [tmp_path / name for name in ("a.json", "b.json")]
    told: list[str] = []
    notices.file_changed.connect(told.append)
    for path in paths:
        path.write_text("0")
        notices.watch(str(path))
    qtbot.waitUntil(lambda: len(watched) == 2)
    notices.forget(str(paths[0]))
    notices.watch(str(paths[1]))  # is answered after the other, and changes nothing
    qtbot.waitUntil(lambda: len(watched) == 3)
    for path in paths:
        path.write_text("1")
    qtbot.waitUntil(lambda: told == [str(paths[1])])


def test_nothing_begins_after_the_end(notices: DiskNotices, tmp_path: Path) -> None:
    notices.watch(str(tmp_path))
    notices.stop()  # the thread may not even have begun
    notices.forget(str(tmp_path))
    notices.watch(str(tmp_path))  # as of a file that a closing window hears of
    assert notices._thread is None
    assert not [thread for thread in threading.enumerate() if thread.name == "disk notices"]


@pytest.mark.parametrize("program", ["stays", "ends"])
def test_a_drive_that_answers_late_crashes_nothing(tmp_path: Path, program: str) -> None:
    line = [sys.executable, "-c", CLOSED, str(tmp_path), program]
    done = subprocess.run(line, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (0, "asked\nclosed\n")
    assert "Traceback" not in done.stderr

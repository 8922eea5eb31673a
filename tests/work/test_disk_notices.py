"""Files and folders are watched as long as there are no more of them at a time than the system is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from trace_inspector.work.reading import disk_notices
from trace_inspector.work.reading.disk_notices import DiskNotices

MOST = 3


@pytest.fixture
def notices(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[DiskNotices]:  # noqa: ARG001
    monkeypatch.setattr(disk_notices, "MOST_WATCHED", MOST)
    made = DiskNotices()
    yield made
    made.stop()


def watch(notices: DiskNotices, qtbot: QtBot, path: Path) -> None:
    notices.watch(str(path))
    assert notices._watching is not None
    watching = notices._watching
    qtbot.waitUntil(lambda: str(path) in watching._watched)


def test_a_file_that_is_replaced_again_and_again_is_told_of_each_time(
    notices: DiskNotices, qtbot: QtBot, tmp_path: Path
) -> None:
    path, fresh = tmp_path / "a.json", tmp_path / "fresh"
    path.write_text("0")
    for number in range(2 * MOST):
        watch(notices, qtbot, path)
        with qtbot.waitSignal(notices.file_changed):
            fresh.write_text(str(number))
            fresh.replace(path)


def test_folders_that_come_and_go_leave_room_for_others(notices: DiskNotices, qtbot: QtBot, tmp_path: Path) -> None:
    for number in range(2 * MOST):
        folder = tmp_path / str(number)
        folder.mkdir()
        watch(notices, qtbot, folder)
        with qtbot.waitSignal(notices.folder_changed):
            folder.rmdir()

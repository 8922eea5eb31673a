from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pytest
from PySide6.QtCore import QAbstractItemModel
from PySide6.QtWidgets import QApplication

from tests.helpers.fork_server import has_imported  # noqa: F401
from trace_inspector.models.base.open_file import FileState, OpenFile
from trace_inspector.models.files.disk import Disk
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.work.processes.jobs import Jobs

if TYPE_CHECKING:
    from pytestqt.modeltest import ModelTester  # imports before Qt is chosen fail
    from pytestqt.qtbot import QtBot

WAIT_MS = 60_000

HoldToRules: TypeAlias = Callable[[QAbstractItemModel], None]


@pytest.fixture
def hold_to_rules(qtmodeltester: ModelTester) -> HoldToRules:
    """Checks a model now and at every signal until the test ends."""
    check: HoldToRules = qtmodeltester.check
    return check


@pytest.fixture
def jobs(qapp: QApplication) -> Iterator[Jobs]:
    made = Jobs(qapp)
    yield made
    made.stop_all()
    made.deleteLater()


@pytest.fixture
def workspace(jobs: Jobs) -> Workspace:
    return Workspace(jobs, jobs)


@pytest.fixture
def opened(qtbot: QtBot, workspace: Workspace, jobs: Jobs) -> Callable[..., OpenFile]:
    def do(*paths: Path) -> OpenFile:
        workspace.files.open(paths)
        qtbot.waitUntil(lambda: not jobs.busy, timeout=WAIT_MS)
        assert all(file.state is FileState.READY for file in workspace.files)
        return workspace.files.in_order[0]

    return do


@pytest.fixture
def settled(qtbot: QtBot, workspace: Workspace) -> Callable[[], None]:
    def do() -> None:
        done: list[bool] = []
        workspace.goldens.settled(lambda: done.append(True))
        qtbot.waitUntil(lambda: bool(done), timeout=WAIT_MS)

    return do


@pytest.fixture
def disk(workspace: Workspace, jobs: Jobs) -> Iterator[Disk]:
    made = Disk(jobs, workspace.files, workspace.session_folders, workspace.growth, workspace.messages)
    yield made
    made.stop()
    made.deleteLater()

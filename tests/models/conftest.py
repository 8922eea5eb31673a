from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias

import pytest
from PySide6.QtCore import QAbstractItemModel
from PySide6.QtWidgets import QApplication

from tests.helpers.fork_server import has_imported  # noqa: F401
from trace_inspector.models.workspace import Workspace
from trace_inspector.work.jobs import Jobs

if TYPE_CHECKING:
    from pytestqt.modeltest import ModelTester  # imports before Qt is chosen fail

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

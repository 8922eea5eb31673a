from __future__ import annotations

import gc
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.helpers.fork_server import has_imported  # noqa: F401
from tests.helpers.shared_window import SharedWindow, take_style
from trace_inspector.models.golden import rows as golden_rows
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.views.appearance.appearance import Scheme, Theme
from trace_inspector.views.golden import foot
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.work.processes.jobs import Jobs


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The offscreen platform says of itself what it cannot do; everything else that is logged fails a test."""
    here = Path(__file__).parent
    is_here = cache(lambda path: here in path.parents)
    for item in items:
        if is_here(item.path):
            item.add_marker(pytest.mark.qt_log_ignore("This plugin does not support"))


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    hurry(monkeypatch)


def hurry(patch: pytest.MonkeyPatch) -> None:
    """Somebody who types is not held up by rows that are told anew; nobody types between the lines of these tests."""
    for where in (foot, golden_rows):
        patch.setattr(where, "REST_MS", 30)


@pytest.fixture(scope="module", autouse=True)
def shared_window(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[SharedWindow | None]:
    """In a module that is marked so, the window of all its tests: there before the first looks at what is left."""
    if request.node.get_closest_marker("shared_window") is None:
        yield None
        return
    app = request.getfixturevalue("qapp")
    gc.disable()  # as in each test of the window
    with pytest.MonkeyPatch.context() as patch:
        hurry(patch)
        made = SharedWindow(app, tmp_path_factory.mktemp("shared") / "window.ini")
    yield made
    made.end()


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[Theme]:
    take_style(qapp)
    made = Theme(qapp)
    made.choose(Scheme.LIGHT)
    yield made
    made.choose(Scheme.SYSTEM)
    made.deleteLater()


@pytest.fixture
def window(request: pytest.FixtureRequest, qtbot: QtBot, shared_window: SharedWindow | None) -> Iterator[MainWindow]:
    """A shown window with nothing open; its workspace can be filled without a child process.

    In a module marked `shared_window` it is the same one for all tests, else each has its own.
    """
    if shared_window is None:
        yield request.getfixturevalue("own_window")
        return
    shared_window.window.activateWindow()
    qtbot.waitUntil(shared_window.window.isActiveWindow)
    yield shared_window.window
    shared_window.reset()


@pytest.fixture
def own_window(theme: Theme, qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    """A window that no test had before."""
    jobs = Jobs()
    settings = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    made = MainWindow(theme, Workspace(jobs), jobs, settings)
    qtbot.addWidget(made, before_close_func=lambda _window: made.saving.leave())
    made.resize(1600, 1000)
    made.show()
    made.activateWindow()
    qtbot.waitUntil(made.isActiveWindow)
    yield made
    made.saving.leave()  # whatever is not saved; timers of what is open must not start a child again
    jobs.stop_all()

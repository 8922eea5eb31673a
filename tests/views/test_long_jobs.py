"""A job that took long calls for attention at its end, where nobody is looking."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.shell.status import LongJobs
from trace_inspector.work.processes.jobs import Job, Jobs

pytestmark = pytest.mark.shared_window


@dataclass
class Told:
    """The jobs, a clock that is set by hand, and who was called."""

    jobs: Jobs
    now_s: float = 0.0
    called: list[QWidget] = field(default_factory=list)


class Nothing:
    """A job that says nothing."""

    def messages(self) -> Iterator[object]:
        """Nothing."""
        yield from ()

    def stop(self) -> None:
        """It ends by itself."""

    def crash(self) -> str:
        """It did not."""
        return ""


@pytest.fixture
def told(window: MainWindow) -> Told:
    made = Told(window.desk.jobs)
    long_jobs = LongJobs(window, window.desk.jobs, lambda: made.now_s)
    long_jobs.call = made.called.append
    return made


def run_for(told: Told, qtbot: QtBot, seconds: float, *, stopped: bool = False) -> None:
    ended: list[Job] = []
    number = told.jobs.follow("any", "Any", Nothing(), receive=lambda _message: None, end=ended.append)
    told.now_s += seconds
    if stopped:
        told.jobs.stop(number)
    qtbot.waitUntil(lambda: bool(ended))
    told.jobs.changed.emit()


@pytest.mark.parametrize(("seconds", "active", "stopped", "calls"), [
    (60, False, False, 1),
    (60, True, False, 0),
    (60, False, True, 0),
    (2, False, False, 0),
])  # fmt: skip
def test_only_a_long_job_that_ended_by_itself_behind_another_window_calls(
    window: MainWindow,
    told: Told,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    seconds: float,
    active: bool,
    stopped: bool,
    calls: int,
) -> None:
    monkeypatch.setattr(window, "isActiveWindow", lambda: active)
    run_for(told, qtbot, seconds, stopped=stopped)
    assert told.called == [window] * calls


def test_without_a_desktop_a_call_does_nothing(window: MainWindow) -> None:
    window.long_jobs.call(window)
    assert window.isVisible()

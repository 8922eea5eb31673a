"""The jobs as a flat table: running ones, then those that ended lately."""

from __future__ import annotations

from operator import attrgetter

from PySide6.QtCore import QObject

from trace_inspector.core.translatable import N_
from trace_inspector.models.base.figures import seconds_text
from trace_inspector.models.base.record_table import Column, RecordTable
from trace_inspector.models.base.roles import Role
from trace_inspector.work.processes.jobs import Job, Jobs, JobState

_MARKS = {JobState.RUNNING: "pending", JobState.DONE: "passed", JobState.STOPPED: "skip", JobState.FAILED: "warning"}


def _remaining_time(job: Job) -> str:
    return f"about {seconds_text(job.left_s)} left" if job.left_s is not None else ""


_COLUMNS: tuple[Column[Job], ...] = (
    Column(N_("Job"), attrgetter("title"), cells={Role.MARK: lambda job: _MARKS[job.state]}),
    Column(N_("State"), attrgetter("state.value")),
    Column(
        N_("Progress"),
        lambda job: job.note or job.sentence,
        cells={Role.FRACTION: lambda job: job.fraction if job.state is JobState.RUNNING else None},
    ),
    Column(N_("Time left"), _remaining_time),
)


class JobsModel(RecordTable[Job]):
    """Follows the jobs."""

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(_COLUMNS, attrgetter("number"), parent, {Role.NUMBER: attrgetter("number")})
        self._jobs = jobs
        jobs.changed.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        self.show(self._jobs.jobs)

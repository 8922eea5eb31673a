"""Writes to the store of runs one after the other, in the background; none is lost when the window closes."""

from __future__ import annotations

from collections import deque

from PySide6.QtCore import QObject, Signal

from trace_inspector.models.runs import pending as runs_pending
from trace_inspector.work.processes.jobs import Job, Jobs, JobState
from trace_inspector.work.runs import run_store
from trace_inspector.work.runs.run_store import WithdrawOverrule, Write, Written

KEEPING = "keeping"
_STOPPED = "Storing the changes of runs was stopped."


class RunWriter(QObject):
    """Writes in the order of the person's actions."""

    written = Signal(object)  # a Write that is on the disk
    failed = Signal(object, str)  # a Write, and why it is not

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._waiting: deque[Write] = deque()
        self._given: deque[Write] = deque()  # given to the running child
        self._job = 0  # the job that writes; 0 for none
        pending = runs_pending.pending_writes()
        self.unreadable = pending.problems  # for the window to show once it is open
        self._waiting.extend(pending.writes)
        self.changed_runs = {write.run_id for write in pending.writes if not isinstance(write, WithdrawOverrule)}
        self._go_on()

    @property
    def busy(self) -> bool:
        """Whether some writes are not on disk yet."""
        return bool(self._waiting or self._given)

    def write(self, write: Write) -> None:
        """Write after all earlier writes. It is noted first: a child takes time to start, a window may be killed."""
        runs_pending.note(write)
        if not isinstance(write, WithdrawOverrule):
            self.changed_runs.add(write.run_id)
        self._waiting.append(write)
        self._go_on()

    def finish(self) -> None:
        """Write the rest at once, in this process: the window closes, and its children end with it."""
        remaining = [*self._given, *self._waiting]
        self._given.clear()
        self._waiting.clear()
        if self._job:
            self._jobs.stop(self._job)
        for write in remaining:
            run_store.write_now(write)  # writing twice has no effect
            runs_pending.drop(write)

    def _go_on(self) -> None:
        if self._job or not self._waiting:
            return
        self._given, self._waiting = self._waiting, deque()
        self._job = self._jobs.start(
            KEEPING,
            "Storing changes of runs",
            run_store.write_all,
            (tuple(self._given),),
            receive=self._take,
            end=self._end,
        )

    def _take(self, message: Written) -> None:
        if self._given:
            self._tell(self._given.popleft(), message.sentence)

    def _end(self, job: Job) -> None:
        self._job = 0
        remaining, self._given = self._given, deque()
        for write in remaining:
            self._tell(write, job.sentence or (_STOPPED if job.state is JobState.STOPPED else ""))
        self._go_on()

    def _tell(self, write: Write, sentence: str) -> None:
        runs_pending.drop(write)
        if sentence:
            self.failed.emit(write, sentence)
        else:
            self.written.emit(write)

"""Evaluating what is open: starts runs and reports in the background, and holds the run whose verdicts are shown."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from trace_inspector.models.counting import counted
from trace_inspector.models.files import Files
from trace_inspector.models.open_file import FileState, Group, OpenFile
from trace_inspector.models.run import CurrentRun
from trace_inspector.work import evaluating, reporting
from trace_inspector.work.jobs import Job, Jobs, JobState

EVALUATING = "evaluating"
EXPORTING = "exporting"

_NO_TRACES = "There are no traces to evaluate yet. Open a file that holds recorded conversations."
_NOT_READY = {
    FileState.LOADING: "The traces are still being read. Evaluate when they are there.",
    FileState.STOPPED: "The traces were not read to their end. Open the file again to evaluate it.",
    FileState.FAILED: "The traces could not be read to their end. Mend the file and open it again to evaluate it.",
}
_RUN_STOPPED = "The evaluation was stopped; verdicts that came before are kept."


class Evaluation(QObject):
    """The current run. `changed`: a run began, got verdicts, ended, or was dropped."""

    changed = Signal()
    message = Signal(str)

    def __init__(self, jobs: Jobs, files: Files, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._files = files
        self.run: CurrentRun | None = None
        self.recorded: Path | None = None  # judge replies, once the samples are open
        files.closed.connect(self._forget)

    def start(self) -> None:
        """Score the open traces against the open suites in the background; or say in a message why not."""
        files = tuple(self._files.by_number.values())
        ready = [file for file in files if file.state is FileState.READY]
        traces = [file for file in ready if file.has_traces]
        goldens = [file for file in ready if file.has_suites and not file.has_traces]
        if not traces:
            states = {file.state for file in files if file.has_traces or file.state is FileState.LOADING}
            self.message.emit(next((_NOT_READY[state] for state in _NOT_READY if state in states), _NO_TRACES))
            return
        # A result's own criteria are for that result; those of a criteria file are for everything.
        criteria = next((file.criteria for file in reversed(ready) if file.group is Group.CRITERIA), None)
        for file in ready:
            file.table.clear_ghosts()
        run = self.run = CurrentRun(self._files.by_number, traces, goldens)
        self._jobs.start(
            EVALUATING,
            f"Evaluating {counted(len(traces), 'file')} against {counted(len(goldens), 'eval set')}",
            evaluating.evaluate,
            (run.given_traces(), run.given_goldens(), criteria, self._judge(goldens)),
            payload=run.bodies(),
            receive=partial(self.take, run),
            end=partial(self._end, run),
            latest=True,
        )
        self.changed.emit()

    def export(self, kind: str, path: Path) -> None:
        """Write a report of the finished run in the background."""
        run = self.run
        if run is None or run.verdict is None:
            self.message.emit("There is no finished evaluation to report yet. Press F5 first.")
            return
        self._jobs.start(
            EXPORTING,
            f"Saving {path.name}",
            reporting.report,
            (kind, str(path), run.verdict, len(run.cases), run.given_traces(), run.given_goldens()),
            payload=reporting.payload(tuple(run.cases), run.bodies()),
            receive=lambda _message: None,
            end=partial(self._end_export, path),
        )

    def take(self, run: CurrentRun, message: object) -> None:
        """What the child that evaluates says next."""
        match message:
            case evaluating.RunPlanned():
                run.metrics = message.metrics
            case evaluating.CasesJudged():
                run.take(message.cases)
            case evaluating.RunEnded():
                run.end(message.run)
                self.message.emit(" ".join(filter(None, (run.summary(), message.not_kept))))
        self.changed.emit()

    def _forget(self, number: int) -> None:
        if self.run is not None:
            self.run.forget(number)

    def _judge(self, goldens: Sequence[OpenFile]) -> str:
        """The replies recorded for the samples judge the samples alone; no other judge starts by itself."""
        recorded = self.recorded
        if recorded is None or not goldens or any(file.path.parent != recorded.parent for file in goldens):
            return ""
        return f"recorded:{recorded}"

    def _end(self, run: CurrentRun, job: Job) -> None:
        if run.running:
            run.end(None, job.sentence or _RUN_STOPPED)
            self.message.emit(run.sentence)
            self.changed.emit()

    def _end_export(self, path: Path, job: Job) -> None:
        if job.state is not JobState.STOPPED:
            self.message.emit(job.sentence or f"Saved {path.name}.")

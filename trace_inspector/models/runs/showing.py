"""Shows a stored run on the open files: its verdicts as if it had just been made, with later overrules."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import PurePath

from msgspec import Struct
from PySide6.QtCore import QObject

from trace_inspector.models.base.messages import Messages
from trace_inspector.models.base.open_file import FileState, OpenFile
from trace_inspector.models.base.translation import tr
from trace_inspector.models.evaluation.current_run import CurrentRun
from trace_inspector.models.evaluation.shown_run import ShownRun
from trace_inspector.models.files.files import Files
from trace_inspector.work.processes.jobs import Job, Jobs, JobState
from trace_inspector.work.runs import run_store
from trace_inspector.work.runs.run_store import CasesOpened, RunOpened

SHOWING = "showing a run"
_TOLD = 3  # files that do not match, listed by name


class FileMatch(Struct, frozen=True):
    """Compares the open files with those that a run read; without a digest, equal paths are enough."""

    same: tuple[OpenFile, ...] = ()
    changed: tuple[str, ...] = ()
    shut: tuple[str, ...] = ()

    def sentence(self) -> str:
        """What does not match, and what to do; "" when everything matches."""
        parts = []
        if self.shut:
            parts.append(tr("{0} not open: open it to see its verdicts").format(_names(self.shut)))
        if self.changed:
            parts.append(tr("{0} has changed since, so its verdicts are not shown").format(_names(self.changed)))
        return "; ".join(parts) + "." if parts else ""


def match_files(inputs: Mapping[str, str], files: Mapping[int, OpenFile]) -> FileMatch:
    """Compare a run's files with the open ones."""
    by_path = {str(file.path): file for file in files.values() if file.state is FileState.READY}
    same, changed, shut = [], [], []
    for path, digest in inputs.items():
        file = by_path.get(path)
        if file is None:
            shut.append(path)
        elif digest and file.digest and digest != file.digest:
            changed.append(path)
        else:
            same.append(file)
    return FileMatch(tuple(same), tuple(changed), tuple(shut))


class RunShowing(QObject):
    """Opens runs; `Messages` gets a sentence about files that do not match."""

    def __init__(
        self, jobs: Jobs, files: Files, shown: ShownRun, messages: Messages, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._files = files
        self._shown = shown
        self._messages = messages

    def show(self, run_id: str, title: str) -> None:
        """Read a run in the background and make it the current one."""
        now = self._shown.value
        if now is not None and now.running:
            self._messages.tell(tr("An evaluation is running. Stop it first (Esc), or wait for its end."))
            return
        opened = _Opened()
        self._jobs.start(
            SHOWING,
            tr("Opening the run of {0}").format(title),
            run_store.open_run,
            (run_id,),
            receive=partial(self._take, opened),
            end=partial(self._end, opened),
            latest=True,
        )

    def _take(self, opened: _Opened, message: RunOpened | CasesOpened) -> None:
        if isinstance(message, RunOpened):
            opened.opening, opened.run = message, self._begin(message)
        elif opened.run is not None:
            opened.run.take(message.cases)
            self._shown.tell()

    def _begin(self, opened: RunOpened) -> CurrentRun | None:
        fit = match_files(opened.inputs, self._files.by_number)
        if not fit.same:
            self._messages.tell(tr("None of the run’s files can be shown: {0}").format(fit.sentence()))
            return None
        for file in self._files.by_number.values():
            file.table.clear_ghosts()
        traces = [file for file in fit.same if str(file.path) in opened.traces]
        goldens = [file for file in fit.same if file not in traces]
        run = CurrentRun({file.number: file for file in fit.same}, traces, goldens)
        run.head, run.metrics = opened.run, opened.metrics
        self._shown.put(run)
        self._shown.tell()
        self._messages.tell(fit.sentence() or tr("All files of the run are open as they were."))
        return run

    def _end(self, opened: _Opened, job: Job) -> None:
        run, opening = opened.run, opened.opening
        if run is None or opening is None:
            self._messages.tell(job.sentence)
            return
        if job.state is not JobState.DONE:
            run.end(None, job.sentence or tr("Opening the run was stopped; what was read of it is shown."))
            self._messages.tell(run.sentence)
        else:
            run.end(opening.run)
            run.use_overrules(overrule for overrule in opening.overrules if overrule.withdrawn_s is None)
        self._shown.tell()


class _Opened(Struct):
    """The parts of a run that is being opened, as they arrive."""

    opening: RunOpened | None = None
    run: CurrentRun | None = None


def _names(paths: tuple[str, ...]) -> str:
    more = f" and {len(paths) - _TOLD:,} more" if len(paths) > _TOLD else ""
    return ", ".join(PurePath(path).name for path in paths[:_TOLD]) + more

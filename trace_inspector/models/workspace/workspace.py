"""The one Document model: what is open, what is selected, and the current run's verdicts on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QUndoStack

from trace_inspector.core.verdict.verdict import CaseVerdict, TurnVerdict
from trace_inspector.models.base.file_verdicts import Counts, FileVerdicts
from trace_inspector.models.base.open_file import FileState, OpenFile
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.evaluation import problems
from trace_inspector.models.evaluation.evaluation import Evaluation
from trace_inspector.models.evaluation.problems import Problem
from trace_inspector.models.files import next_previous as going
from trace_inspector.models.files.files import Files
from trace_inspector.models.golden.recovery import GoldenRecovery
from trace_inspector.models.golden.saving import GoldenSaving
from trace_inspector.models.golden.sessions import Goldens
from trace_inspector.models.runs.current_run import CurrentRun
from trace_inspector.models.runs.runs import Runs
from trace_inspector.models.search.filtering import Filtering
from trace_inspector.models.tree import marks
from trace_inspector.resources import folder
from trace_inspector.work.processes.jobs import Jobs, JobState
from trace_inspector.work.processes.request_child import Answer
from trace_inspector.work.reading.excerpts import ExcerptReader, Wanted

_RECORDED = "judge-replies.json"
_NOT_IN_FILE = "The golden expects this; it does not stand in this file."


class Workspace(QObject):
    """Files, selection and verdicts. Each signal tells what changed; whoever listens asks for the rest."""

    file_added = Signal(int)
    file_changed = Signal(int)  # state, format, findings or criteria
    rows_arrived = Signal(int)
    file_renewing = Signal(int)  # its rows are about to be others, and
    file_renewed = Signal(int)  # they are
    file_closed = Signal(int)
    run_changed = Signal()  # a run began, got verdicts, ended, or was dropped
    selected = Signal(object)  # Selection or None
    message = Signal(str)  # one sentence for the status bar

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self.reading = Files(jobs, self)
        self.evaluation = Evaluation(jobs, self.reading, self)
        self.filtering = Filtering(self.reading, self.evaluation, self)
        self.steps = QUndoStack(self)  # what can be undone, newest last
        self.runs = Runs(jobs, self.reading, self.evaluation, self.steps, self)
        self.goldens = Goldens(jobs, self.reading, self.evaluation, self.steps, self)
        self.saving = GoldenSaving(self.reading, self.goldens, self.evaluation, self)
        self.recovery = GoldenRecovery(self.reading, self.goldens, self)
        self._selection: Selection | None = None
        self._own_problems: dict[int, tuple[tuple[FileState, int, int], Sequence[Problem]]] = {}
        self._places: going.Places | None = None  # what failed, kept until it may have changed
        self.reading.added.connect(self.file_added)
        self.reading.changed.connect(self._file_moved)
        self.reading.rows_arrived.connect(self.rows_arrived)
        self.reading.begins_again.connect(self._keep_place)
        self.reading.renewing.connect(self._before_renewal)
        self.reading.renewed.connect(self._after_renewal)
        self.reading.closed.connect(self._close)
        self.reading.found.connect(self.select)
        self.reading.found_again.connect(self._select_again)
        self.evaluation.changed.connect(self._run_moved)
        self.filtering.changed.connect(self._forget_places)
        for part in (self.reading, self.evaluation, self.runs, self.goldens):
            part.message.connect(self.message)

    # Files

    @property
    def files(self) -> tuple[OpenFile, ...]:
        """What is open, in the order of opening."""
        return tuple(self.reading.by_number.values())

    def file(self, number: int) -> OpenFile | None:
        """The open file of that number."""
        return self.reading.by_number.get(number)

    def open(self, paths: Sequence[Path | str]) -> None:
        """Open files, and what lies in folders; files are announced at once and read in the background."""
        self.reading.open(paths)

    def open_samples(self) -> None:
        """Open the sample workspace, with the judge replies recorded for it, and then what other systems write."""
        samples = folder("samples")
        recorded = self.evaluation.recorded = samples / _RECORDED
        beside = sorted(path for path in (samples / "other-systems").iterdir() if not path.name.startswith("."))
        self.open([*(path for path in sorted(samples.glob("*.json")) if path != recorded), *beside])

    def reload(self, number: int) -> None:
        """Read a file again; what is selected of it now is selected then."""
        selection = self._selection
        self.reading.reload(number, selection.row if selection is not None and selection.file == number else None)

    def close(self, number: int) -> None:
        """Forget a file; verdicts on it go with it."""
        self.reading.close(number)

    # Evaluation

    @property
    def run(self) -> CurrentRun | None:
        """The run whose verdicts are shown."""
        return self.evaluation.run

    def evaluate(self) -> None:
        """Score the open traces against the open suites in the background; or say in a message why not."""
        self.evaluation.ask_to_start()

    def export(self, kind: str, path: Path) -> None:
        """Write a report of the finished run in the background."""
        self.evaluation.export(kind, path)

    def read_raw(self, selection: Selection, then: Callable[[Answer], None], lines_around: int = 200) -> None:
        """Read the file around a row in the background; `then` gets an `Excerpt`, or a sentence.

        Only the newest request is answered.
        """
        file = self.file(selection.file)
        if file is None or file.table.ghost(selection.row) is not None:
            then(Answer(sentence=_NOT_IN_FILE))
            return
        place = file.table.place(selection.row) if selection.row >= 0 else ""
        self._jobs.ask(ExcerptReader, Wanted(str(file.path), place, lines_around), then)

    def stop(self) -> None:
        """Stop the evaluation, or the newest job where none runs."""
        if self.evaluation.stop():
            return
        running = [job for job in self._jobs.jobs if job.state is JobState.RUNNING]
        if running:
            self._jobs.stop(max(job.number for job in running))

    def end(self) -> None:
        """The window goes: whatever runs is ended, and nothing goes on by itself for views that are gone."""
        self.goldens.rows.stop()
        self.runs.keeping.finish()
        self._jobs.stop_all()
        self.goldens.drafts.stop()
        for timer in self.findChildren(QTimer):
            timer.stop()

    # Selection

    @property
    def selection(self) -> Selection | None:
        """What is selected."""
        return self._selection

    def select(self, selection: Selection | None) -> None:
        """Select it everywhere."""
        if selection != self._selection:
            self._selection = selection
            self.selected.emit(selection)

    def next_failing(self, step: int) -> bool:
        """Select the next (1) or previous (-1) failing turn that is shown, over all files and around the end."""
        place = self._failing().next(self._selection, step)
        if place is not None:
            self.select(place)
        return place is not None

    def failing_position(self) -> tuple[int, int]:
        """The how-manieth failing turn is selected (0 when none is), and how many there are."""
        places = self._failing()
        return places.position(self._selection) + 1, len(places)

    def next_turn(self, step: int) -> bool:
        """Select the next (1) or previous (-1) turn of the file; false at its end."""
        selection = self._selection
        file = self.file(selection.file) if selection else None
        if selection is None or file is None:
            return False
        row = going.next_turn(file, selection.row, step)
        if row >= 0:
            self.select(Selection(file.number, row))
        return row >= 0

    # Verdicts

    def case_verdict(self, file: int, row: int) -> CaseVerdict | None:
        """The verdict on the case or trace that the row belongs to; the worst when there are several."""
        verdicts = self._verdicts(file)
        return verdicts.case(self.reading.by_number[file].table.top_of(row)) if verdicts else None

    def turn_verdict(self, file: int, row: int) -> TurnVerdict | None:
        """The verdict on the turn that the row belongs to."""
        verdicts = self._verdicts(file)
        return verdicts.turn(verdicts.turn_of(row)) if verdicts else None

    def mark_of(self, file: int, row: int) -> str:
        """The mark's name for any row, "" for rows nobody judges."""
        return marks.mark_of(self.reading.by_number[file], row, self.run)

    def counts(self, file: int) -> Counts:
        """How the file's cases or traces fared: in the run, and before any as the file itself reports."""
        verdicts = self._verdicts(file)
        if verdicts is not None:
            return verdicts.counts()
        return self.reading.by_number[file].reported.counts() if file in self.reading.by_number else Counts()

    def problems(self) -> tuple[Problem, ...]:
        """Failing verdicts and audit flags of the run, then what is odd about the files."""
        judged = self.run.problems if self.run else ()
        return (*judged, *(problem for file in self.files for problem in self._odd(file)))

    def _odd(self, file: OpenFile) -> Sequence[Problem]:
        """A file's own problems, the same objects while nothing new is found: lists compare them by the thousand."""
        known = self._own_problems.get(file.number)
        now = file.state, len(file.findings), min(len(file.reported.odd_rows), problems.MOST_AUDITED + 1)
        if known is None or known[0] != now:
            found = (*problems.of_file(file), *problems.of_audit(file))
            known = self._own_problems[file.number] = now, found
        return known[1]

    def _verdicts(self, number: int) -> FileVerdicts | None:
        run, file = self.run, self.file(number)
        return run.on(file) if run is not None and file is not None else None

    def _failing(self) -> going.Places:
        if self._places is None:
            run = self.run
            self._places = going.Places(
                {file.number: file.table for file in self.files},
                [
                    Selection(file.number, row)
                    for file in self.files
                    if file.has_traces
                    for row in (run.on(file).failing() if run is not None else file.reported.failing())
                    if file.table.visible.passes(row)
                ],
            )
        return self._places

    def _forget_places(self) -> None:
        self._places = None

    def _file_moved(self, number: int) -> None:
        self._places = None  # the file may report what failed
        self.file_changed.emit(number)

    def _keep_place(self, number: int) -> None:
        file, selection = self.file(number), self._selection
        if file is not None and selection is not None and selection.file == number and selection.row >= 0:
            self.reading.want(number, file.table.place_around(selection.row), selection.row)

    def _select_again(self, place: Selection) -> None:
        """What was selected before the file was read again, unless somebody went elsewhere meanwhile."""
        if self._selection is None or self._selection.file == place.file:
            self.select(place)

    def _before_renewal(self, number: int) -> None:
        self._keep_place(number)
        self.file_renewing.emit(number)

    def _after_renewal(self, number: int) -> None:
        """What was selected is selected where it stands now."""
        self._forget_places()
        self._own_problems.pop(number, None)
        file, selection = self.reading.by_number[number], self._selection
        if self.run is not None:
            self.run.renew(file)
        row = self.reading.wanted_row(file)
        if selection is not None and selection.file == number:
            self._selection = Selection(number, row)
        self.file_renewed.emit(number)
        if selection is not None and selection.file == number:
            self.selected.emit(self._selection)

    def _close(self, number: int) -> None:
        self._places = None
        self._own_problems.pop(number, None)
        self.file_closed.emit(number)
        if self._selection is not None and self._selection.file == number:
            self.select(None)

    def _run_moved(self) -> None:
        self._places = None
        self.run_changed.emit()

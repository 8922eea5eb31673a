"""The one Document model: what is open, what is selected, and the current run's verdicts on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from trace_inspector.core.verdict import CaseVerdict, TurnVerdict
from trace_inspector.models import going, marks, problems
from trace_inspector.models.file_verdicts import Counts, FileVerdicts
from trace_inspector.models.open_file import FileState, Group, OpenFile
from trace_inspector.models.problems import Problem
from trace_inspector.models.run import CurrentRun
from trace_inspector.models.selection import Selection
from trace_inspector.resources import folder
from trace_inspector.work import evaluating, loading, reporting
from trace_inspector.work.excerpts import ExcerptReader, Wanted
from trace_inspector.work.jobs import Job, Jobs, JobState
from trace_inspector.work.reopening import Opening
from trace_inspector.work.warm import Answer

LOADING = "loading"
EVALUATING = "evaluating"
EXPORTING = "exporting"
_RECORDED = "judge-replies.json"

_NO_TRACES = "There are no traces to evaluate yet. Open a file that holds recorded conversations."
_NOT_READY = {
    FileState.LOADING: "The traces are still being read. Evaluate when they are there.",
    FileState.STOPPED: "The traces were not read to their end. Open the file again to evaluate it.",
    FileState.FAILED: "The traces could not be read to their end. Mend the file and open it again to evaluate it.",
}
_NOT_IN_FILE = "The golden expects this; it does not stand in this file."
_RUN_STOPPED = "The evaluation was stopped; verdicts that came before are kept."


class Workspace(QObject):
    """Files, selection and verdicts. Each signal tells what changed; whoever listens asks for the rest."""

    file_added = Signal(int)
    file_changed = Signal(int)  # state, format, findings or criteria
    rows_arrived = Signal(int)
    file_closed = Signal(int)
    run_changed = Signal()  # a run began, got verdicts, ended, or was dropped
    selected = Signal(object)  # Selection or None
    message = Signal(str)  # one sentence for the status bar

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._files: dict[int, OpenFile] = {}
        self._by_path: dict[Path, int] = {}
        self._last_file = 0
        self._wanted: dict[int, str] = {}  # file → the place to select when it is read
        self._run: CurrentRun | None = None
        self._selection: Selection | None = None
        self._recorded: Path | None = None  # judge replies, once the samples are open
        self._own_problems: dict[int, tuple[tuple[FileState, int], Sequence[Problem]]] = {}
        self._places: going.Places | None = None  # what failed, kept until it may have changed

    # Files

    @property
    def files(self) -> tuple[OpenFile, ...]:
        """What is open, in the order of opening."""
        return tuple(self._files.values())

    def file(self, number: int) -> OpenFile | None:
        """The open file of that number."""
        return self._files.get(number)

    def open(self, paths: Sequence[Path | str]) -> None:
        """Open files, and what lies in folders; files are announced at once and read in the background."""
        asked = [loading.split_place(str(path)) for path in paths]
        folders = [path for path, _place in asked if loading.is_folder(path)]
        files = [self._add(path, place) for path, place in asked if path not in folders]
        self._load([file for file in files if file is not None], folders)

    def open_samples(self) -> None:
        """Open the sample workspace, with the judge replies recorded for it."""
        samples = folder("samples")
        self._recorded = samples / _RECORDED
        self.open([path for path in sorted(samples.glob("*.json")) if path != self._recorded])

    def close(self, number: int) -> None:
        """Forget a file; verdicts on it go with it."""
        file = self._files.pop(number, None)
        if file is None:
            return
        del self._by_path[file.path]
        if self._run is not None:
            self._run.forget(number)
        self._places = None
        self._own_problems.pop(number, None)
        self.file_closed.emit(number)
        if self._selection is not None and self._selection.file == number:
            self.select(None)

    # Evaluation

    @property
    def run(self) -> CurrentRun | None:
        """The run whose verdicts are shown."""
        return self._run

    def evaluate(self) -> None:
        """Score the open traces against the open suites in the background; or say in a message why not."""
        ready = [file for file in self.files if file.state is FileState.READY]
        traces = [file for file in ready if file.has_traces]
        goldens = [file for file in ready if file.has_suites and not file.has_traces]
        if not traces:
            states = {file.state for file in self.files if file.has_traces or file.state is FileState.LOADING}
            self.message.emit(next((_NOT_READY[state] for state in _NOT_READY if state in states), _NO_TRACES))
            return
        # A result's own criteria are for that result; those of a criteria file are for everything.
        criteria = next((file.criteria for file in reversed(ready) if file.group is Group.CRITERIA), None)
        for file in ready:
            file.table.clear_ghosts()
        run = self._run = CurrentRun(self._files, traces, goldens)
        self._jobs.start(
            EVALUATING,
            f"Evaluating {_count(len(traces), 'file')} against {_count(len(goldens), 'eval set')}",
            evaluating.evaluate,
            (
                run.given_traces(),
                run.given_goldens(),
                criteria,
                self._judge(goldens),
            ),
            payload=run.bodies(),
            receive=partial(self._take_verdicts, run),
            end=partial(self._end_run, run),
            latest=True,
        )
        self._run_moved()

    def export(self, kind: str, path: Path) -> None:
        """Write a report of the finished run in the background."""
        run = self._run
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

    def read_raw(self, selection: Selection, then: Callable[[Answer], None], lines_around: int = 200) -> None:
        """Read the file around a row in the background; `then` gets a `documents.places.Excerpt`, or a sentence.

        Only the newest request is answered.
        """
        file = self._files.get(selection.file)
        if file is None or file.table.ghost(selection.row) is not None:
            then(Answer(sentence=_NOT_IN_FILE))
            return
        place = file.table.place(selection.row) if selection.row >= 0 else ""
        self._jobs.ask(ExcerptReader, Wanted(str(file.path), place, lines_around), then)

    def stop(self) -> None:
        """Stop the newest job."""
        running = [job for job in self._jobs.jobs if job.state is JobState.RUNNING]
        if running:
            self._jobs.stop(max(job.number for job in running))

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
        """Select the next (1) or previous (-1) failing turn, over all files and around the end; false when none."""
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
        file = self._files.get(selection.file) if selection else None
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
        return verdicts.case(self._files[file].table.top_of(row)) if verdicts else None

    def turn_verdict(self, file: int, row: int) -> TurnVerdict | None:
        """The verdict on the turn that the row belongs to."""
        verdicts = self._verdicts(file)
        return verdicts.turn(verdicts.turn_of(row)) if verdicts else None

    def mark_of(self, file: int, row: int) -> str:
        """The mark's name for any row, "" for rows nobody judges."""
        return marks.mark_of(self._files[file], row, self._run)

    def counts(self, file: int) -> Counts:
        """How the file's cases or traces fared; all zero before any run."""
        verdicts = self._verdicts(file)
        return verdicts.counts() if verdicts else Counts()

    def problems(self) -> tuple[Problem, ...]:
        """Failing verdicts and audit flags of the run, then what is odd about the files."""
        judged = self._run.problems if self._run else ()
        return (*judged, *(problem for file in self.files for problem in self._odd(file)))

    def _odd(self, file: OpenFile) -> Sequence[Problem]:
        """A file's own problems, the same objects while nothing new is found: lists compare them by the thousand."""
        known = self._own_problems.get(file.number)
        if known is None or known[0] != (file.state, len(file.findings)):
            known = self._own_problems[file.number] = (
                (file.state, len(file.findings)),
                tuple(problems.of_file(file)),
            )
        return known[1]

    def _verdicts(self, number: int) -> FileVerdicts | None:
        file = self._files.get(number)
        return self._run.on(file) if self._run is not None and file is not None else None

    def _failing(self) -> going.Places:
        if self._places is None:
            run = self._run
            self._places = going.Places(
                {file.number: file.table for file in self.files},
                [
                    Selection(file.number, row)
                    for file in self.files
                    if run is not None and file.has_traces
                    for row in run.on(file).failing()
                ],
            )
        return self._places

    def _run_moved(self) -> None:
        self._places = None
        self.run_changed.emit()

    def _judge(self, goldens: Sequence[OpenFile]) -> str:
        """The replies recorded for the samples judge the samples alone; no other judge starts by itself."""
        recorded = self._recorded
        if recorded is None or not goldens or any(file.path.parent != recorded.parent for file in goldens):
            return ""
        return f"recorded:{recorded}"

    # Reading, as the child tells it

    def _add(self, path: Path, place: str) -> OpenFile | None:
        known = self._files.get(self._by_path.get(path, 0))
        if known is not None and known.state in (FileState.LOADING, FileState.READY):
            self.message.emit(f"{known.name} is already open.")
            self.select(Selection(known.number, known.table.row_near(place)))
            return None
        if known is not None:  # it was not read to its end: this time takes its place
            self.close(known.number)
        self._last_file += 1
        self._by_path[path] = self._last_file
        file = self._files[self._last_file] = OpenFile(self._last_file, path)
        if place:
            self._wanted[file.number] = place
        self.file_added.emit(file.number)
        return file

    def _load(self, files: Sequence[OpenFile], folders: Sequence[Path]) -> None:
        if not files and not folders:
            return
        names = [file.name for file in files] or [path.name for path in folders]
        title = f"Opening {names[0]}" + (f" and {len(names) - 1} more" if len(names) > 1 else "")
        given = [(file.number, str(file.path)) for file in files]
        listed: list[int] = []  # announced, and not given to a job of their own yet
        self._jobs.follow(
            LOADING,
            title,
            Opening(given, [str(path) for path in folders]),
            receive=partial(self._take, listed),
            end=partial(self._end_loading, [file.number for file in files], listed),
        )

    def _take(self, listed: list[int], message: loading.Listed | loading.FileMessage) -> None:
        if not isinstance(message, loading.Listed):
            self._take_loaded(message)
            return
        if message.sentence:
            self.message.emit(message.sentence)
        listed.extend(file.number for path in message.paths if (file := self._add(path, "")) is not None)
        if message.begin:
            files = [file for number in listed if (file := self._files.get(number)) is not None]
            listed.clear()
            self._load(files, [])

    def _take_loaded(self, message: loading.FileMessage) -> None:
        file = self._files.get(message.file)
        if file is None:
            return  # closed meanwhile
        if file.take(message):
            self.file_changed.emit(file.number)
        if isinstance(message, loading.RowsRead):
            self.rows_arrived.emit(file.number)
        place = self._wanted.pop(file.number, "") if file.state is not FileState.LOADING else ""
        if place:
            self.select(Selection(file.number, file.table.row_near(place)))

    def _end_loading(self, given: Sequence[int], listed: Sequence[int], job: Job) -> None:
        numbers = (*given, *listed)
        cut = [file for number in numbers if (file := self._files.get(number)) and file.state is FileState.LOADING]
        for file in cut:
            file.state = FileState.STOPPED if job.state is JobState.STOPPED else FileState.FAILED
            file.sentence = job.sentence or _stopped(file)
            self.file_changed.emit(file.number)
        sentence = job.sentence or (cut[0].sentence if cut else "")
        if sentence:
            self.message.emit(sentence)

    # A run, as the child tells it

    def _take_verdicts(self, run: CurrentRun, message: object) -> None:
        match message:
            case evaluating.RunPlanned():
                run.metrics = message.metrics
            case evaluating.CasesJudged():
                run.take(message.cases)
            case evaluating.RunEnded():
                run.end(message.run)
                self.message.emit(" ".join(filter(None, (run.summary(), message.not_kept))))
        self._run_moved()

    def _end_export(self, path: Path, job: Job) -> None:
        if job.state is not JobState.STOPPED:
            self.message.emit(job.sentence or f"Saved {path.name}.")

    def _end_run(self, run: CurrentRun, job: Job) -> None:
        if run.running:
            run.end(None, job.sentence or _RUN_STOPPED)
            self.message.emit(run.sentence)
            self._run_moved()


def _stopped(file: OpenFile) -> str:
    read = f" after {_count(len(file.table), 'row')}, which are shown" if len(file.table) else ""
    return f"Reading {file.name} was stopped{read}. Open it again to read all of it."


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number:,} {noun}s"

"""All models of one window: each part is made once and given what it needs of the others."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QUndoStack

from trace_inspector.models.base.messages import Messages
from trace_inspector.models.base.selection import CurrentSelection
from trace_inspector.models.base.translation import tr
from trace_inspector.models.compare.file_pair import FilePair
from trace_inspector.models.details.raw_text import RawText
from trace_inspector.models.evaluation.evaluation import Evaluation
from trace_inspector.models.evaluation.grown_verdicts import GrownVerdicts
from trace_inspector.models.evaluation.problem_list import ProblemList
from trace_inspector.models.evaluation.shown_run import ShownRun
from trace_inspector.models.evaluation.verdicts import Verdicts
from trace_inspector.models.files.files import Files
from trace_inspector.models.files.growth import Growth
from trace_inspector.models.files.session_folders import SessionFolders
from trace_inspector.models.golden.recovery import GoldenRecovery
from trace_inspector.models.golden.saving import GoldenSaving
from trace_inspector.models.golden.sessions import Goldens
from trace_inspector.models.review.calibrations import Calibrations
from trace_inspector.models.review.failure_modes import FailureModes
from trace_inspector.models.review.output_places import OutputPlaces
from trace_inspector.models.review.review import Review
from trace_inspector.models.runs.explained_runs import ExplainedRuns
from trace_inspector.models.runs.runs import Runs
from trace_inspector.models.search.filtering import Filtering
from trace_inspector.models.search.next_previous import Navigation
from trace_inspector.models.workspace.first_look import CasePlace, FirstLook
from trace_inspector.resources import folder
from trace_inspector.work.processes.jobs import Jobs, JobState
from trace_inspector.work.reading import loading

SAMPLE_PLACE = CasePlace("run-0412.json", "seattle_coffee_001", 2)  # two arguments, and a sentence without support
KEEPING_SESSIONS = "keeping sessions"
_RECORDED = "judge-replies.json"


class Workspace(QObject):
    """Owns the parts, and has the actions that need several of them. Views connect to signals of the parts."""

    samples_opened = Signal()  # for a look at them

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self.messages = Messages(self)
        self.selection = CurrentSelection(self)
        self.files = Files(jobs, self.selection, self.messages, self)
        self.session_folders = SessionFolders(jobs, self.files, self.selection, self.messages, self)
        self.growth = Growth(jobs, self.files, self.messages, self)
        self.run = ShownRun(self.files, self)
        self.evaluation = Evaluation(jobs, self.files, self.run, self.messages, self)
        self.verdicts = Verdicts(self.files, self.run)
        self.problems = ProblemList(self.files, self.run)
        self.filtering = Filtering(self.files, self.run, self)
        self.navigation = Navigation(self.files, self.selection, self.run, self.filtering)
        self.steps = QUndoStack(self)  # the undo stack
        self.runs = Runs(jobs, self.files, self.run, self.steps, self.messages, self)
        self.goldens = Goldens(jobs, self.files, self.run, self.evaluation, self.steps, self.messages, self)
        self.grown_verdicts = GrownVerdicts(self.files, self.growth, self.run, self.evaluation, self)
        self.growth.grew.connect(self.filtering.follow_grown)
        self.grown_verdicts.is_used = self.runs.is_used
        self.saving = GoldenSaving(self.files, self.goldens, self.evaluation, self)
        self.recovery = GoldenRecovery(self.files, self.goldens, self.messages, self)
        self.file_pair = FilePair(self.files, self)
        self.places = OutputPlaces(self.files, self)
        self.review = Review(self.files, self.run, self.selection, self.places, self.messages, self)
        self.calibrations = Calibrations(jobs, self.files, self.run, self.review, self.messages, self)
        self.failure_modes = FailureModes(
            self.files, self.filtering, self.selection, self.places, self.steps, self.messages, self
        )
        self.runs.pair.codebook = self.failure_modes.chosen_codebook
        self.explained = ExplainedRuns(jobs, self.files, self.run, self.filtering, self)
        self.raw_text = RawText(self.files, jobs)
        self.first_look = FirstLook(self.files, self.selection, self.evaluation, self.run, self.navigation, self)

    def open_samples(self) -> None:
        """Open the sample workspace with its recorded judge replies, then samples of other systems."""
        samples = folder("samples")
        recorded = self.evaluation.recorded = samples / _RECORDED
        beside = sorted(path for path in (samples / "other-systems").iterdir() if not path.name.startswith("."))
        self.files.open([*(path for path in sorted(samples.glob("*.json")) if path != recorded), *beside])

    def look_at_samples(self, place: CasePlace = SAMPLE_PLACE) -> None:
        """Open the samples, evaluate them with the replies recorded for them, and select a place in them."""
        self.open_samples()
        self.first_look.expect(place)
        self.samples_opened.emit()

    def keep_sessions(self, folder: Path) -> None:
        """Copy the sessions of coding agents into a folder in the background, before their programs delete them."""
        self._jobs.start(
            KEEPING_SESSIONS,
            tr("Copying sessions into {0}").format(folder.name),
            loading.archive_sessions,
            (str(folder),),
            receive=self.messages.tell,
            end=lambda job: self.messages.tell(job.sentence) if job.sentence else None,
            latest=True,
        )

    def stop(self) -> None:
        """Stop the evaluation, or the newest job where none runs."""
        if self.evaluation.stop():
            return
        running = [job for job in self._jobs.jobs if job.state is JobState.RUNNING]
        if running:
            self._jobs.stop(max(job.number for job in running))

    def end(self) -> None:
        """End with the window: stop all jobs, timers and signals, because the views are deleted."""
        self.goldens.rows.stop()
        self.places.stop()
        self.review.finish()
        self.failure_modes.finish()
        self.runs.writer.finish()
        self._jobs.stop_all()
        self.goldens.drafts.stop()
        for timer in self.findChildren(QTimer):
            timer.stop()

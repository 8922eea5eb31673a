"""The two runs that are held against each other: which they are, and what a child found."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from trace_inspector.models.base.messages import Messages
from trace_inspector.models.base.translation import tr
from trace_inspector.models.runs.keeping import Keeping
from trace_inspector.models.runs.run_pair_words import headline, searched
from trace_inspector.work.processes.jobs import Job, Jobs, JobState
from trace_inspector.work.runs.comparison import compare_pair, save_pair
from trace_inspector.work.runs.comparison_messages import CaseLine, CaseLines, PairHead, RunSide
from trace_inspector.work.runs.run_store import Renamed, Said, TakenBack, Write

COMPARING, EXPORTING = "comparing runs", "exporting"


@dataclass(slots=True)
class Compared:
    """What a child told so far."""

    head: PairHead | None = None
    lines: list[CaseLine] = field(default_factory=list)
    searched: list[str] = field(default_factory=list)  # what each of them is found by

    def take(self, message: PairHead | CaseLines) -> None:
        """More of it."""
        if isinstance(message, PairHead):
            self.head = message
        else:
            self.lines += message.lines
            self.searched += map(searched, message.lines)


class RunPair(QObject):
    """`changed`: other runs, or what was found."""

    changed = Signal()

    def __init__(self, jobs: Jobs, keeping: Keeping, messages: Messages, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._messages = messages
        self.base: RunSide | None = None
        self.new: RunSide | None = None
        self.compared = Compared()
        self.problem = ""  # why there is nothing
        self.busy = False
        self._coming = Compared()
        keeping.written.connect(self._follow)

    @property
    def head(self) -> PairHead | None:
        """What was found, but for the cases; None as long as nothing is."""
        return self.compared.head

    def compare(self, base: RunSide | None, new: RunSide | None) -> None:
        """Hold these against each other, as soon as both are known."""
        if (base, new) != (self.base, self.new):
            self.compared, self.problem = Compared(), ""
        self.base, self.new = base, new
        self.again()

    def swap(self) -> None:
        """Each in the other's place."""
        self.compare(self.new, self.base)

    def again(self) -> None:
        """Read both anew."""
        self.busy = self.base is not None and self.new is not None
        if self.base is not None and self.new is not None:
            self._coming = coming = Compared()
            self._jobs.start(
                COMPARING,
                tr("Comparing {0} with {1}").format(self.base.title, self.new.title),
                compare_pair,
                (self.base, self.new),
                receive=coming.take,
                end=self._end,
                latest=True,
            )
        self.changed.emit()

    def export(self, kind: str, path: Path) -> None:
        """Write a report of the comparison in the background."""
        if self.base is None or self.new is None:
            return
        self._jobs.start(
            EXPORTING,
            tr("Saving {0}").format(path.name),
            save_pair,
            (kind, str(path), self.base, self.new),
            receive=lambda _message: None,
            end=partial(self._end_export, path),
        )

    def _end(self, job: Job) -> None:
        self.busy = False
        done = job.state is JobState.DONE
        self.compared = self._coming if done else Compared()
        self.problem = "" if done else job.sentence or tr("The comparison was stopped.")
        self.changed.emit()
        self._messages.tell(f"{headline(self.head)}." if self.head is not None else self.problem)

    def _end_export(self, path: Path, job: Job) -> None:
        saved = tr("{0} is saved.").format(path.name)
        self._messages.tell(saved if job.state is JobState.DONE else job.sentence)

    def _follow(self, write: Write) -> None:
        """What people say of verdicts counts here too; a run's name is what it is called."""
        names = {side.name for side in (self.base, self.new) if side is not None}
        if isinstance(write, Renamed) and write.run_id in names and write.name:
            self.base, self.new = (
                replace(side, title=write.name) if side is not None and side.name == write.run_id else side
                for side in (self.base, self.new)
            )
            self.changed.emit()
        elif (isinstance(write, Said) and write.run_id in names) or (isinstance(write, TakenBack) and names):
            self.again()

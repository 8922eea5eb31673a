"""The two compared runs, and the results of a child process."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from trace_inspector.models.base.messages import Messages
from trace_inspector.models.base.translation import tr
from trace_inspector.models.runs.run_pair_words import headline, searched
from trace_inspector.models.runs.run_writer import RunWriter
from trace_inspector.work.processes.jobs import Job, Jobs, JobState
from trace_inspector.work.runs.comparison import compare_pair, save_pair
from trace_inspector.work.runs.comparison_messages import CaseLine, CaseLines, PairHead, RunSide
from trace_inspector.work.runs.run_store import AddOverrule, RenameRun, WithdrawOverrule, Write

COMPARING, EXPORTING = "comparing runs", "exporting"


class Compared(Struct):
    """The results so far."""

    head: PairHead | None = None
    lines: list[CaseLine] = field(default_factory=list)
    searched: list[str] = field(default_factory=list)  # the text of each line for filtering

    def take(self, message: PairHead | CaseLines) -> None:
        """Add results."""
        if isinstance(message, PairHead):
            self.head = message
        else:
            self.lines += message.lines
            self.searched += map(searched, message.lines)


class RunPair(QObject):
    """`changed` when there are other runs or results."""

    changed = Signal()

    def __init__(self, jobs: Jobs, writer: RunWriter, messages: Messages, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._messages = messages
        self.base: RunSide | None = None
        self.new: RunSide | None = None
        self.compared = Compared()
        self.problem = ""  # why there are no results
        self.codebook: Callable[[], Path | None] = lambda: None  # of failure modes; None is the usual one
        self.busy = False
        self._coming = Compared()
        writer.written.connect(self._follow)

    @property
    def head(self) -> PairHead | None:
        """The results without the cases; None before there are any."""
        return self.compared.head

    def compare(self, base: RunSide | None, new: RunSide | None) -> None:
        """Compare these runs, as soon as both are chosen."""
        if (base, new) != (self.base, self.new):
            self.compared, self.problem = Compared(), ""
        self.base, self.new = base, new
        self.again()

    def swap(self) -> None:
        """Swap the two runs."""
        self.compare(self.new, self.base)

    def again(self) -> None:
        """Read both runs again."""
        self.busy = self.base is not None and self.new is not None
        if self.base is not None and self.new is not None:
            self._coming = coming = Compared()
            self._jobs.start(
                COMPARING,
                tr("Comparing {0} with {1}").format(self.base.title, self.new.title),
                compare_pair,
                (self.base, self.new, self.codebook()),
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
            (kind, str(path), self.base, self.new, self.codebook()),
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
        """Follow overrules and new names of the runs, which change the comparison."""
        names = {side.name for side in (self.base, self.new) if side is not None}
        if isinstance(write, RenameRun) and write.run_id in names and write.name:
            self.base, self.new = (
                replace(side, title=write.name) if side is not None and side.name == write.run_id else side
                for side in (self.base, self.new)
            )
            self.changed.emit()
        elif (isinstance(write, AddOverrule) and write.run_id in names) or (
            isinstance(write, WithdrawOverrule) and names
        ):
            self.again()

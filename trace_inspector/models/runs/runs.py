"""Stored runs: listing them, showing one again, and overruling verdicts with undo steps."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QUndoStack

from trace_inspector.models.base.messages import Messages
from trace_inspector.models.evaluation.shown_run import ShownRun
from trace_inspector.models.files.files import Files
from trace_inspector.models.runs.baseline import Baselines
from trace_inspector.models.runs.overruling import Overruling
from trace_inspector.models.runs.run_list import RunsList
from trace_inspector.models.runs.run_pair import RunPair
from trace_inspector.models.runs.run_writer import RunWriter
from trace_inspector.models.runs.showing import RunShowing
from trace_inspector.work.processes.jobs import Jobs
from trace_inspector.work.runs.run_store import AddOverrule, DeleteRun, RenameRun, WithdrawOverrule, Write

_NOT_WRITTEN = {
    RenameRun: "The run keeps its old name: {0}",
    DeleteRun: "The run is not deleted: {0}",
    WithdrawOverrule: "The overruling you withdrew is still stored: {0}",
}


class Runs(QObject):
    """Made once by the workspace, which shares its undo stack."""

    def __init__(
        self,
        jobs: Jobs,
        files: Files,
        shown: ShownRun,
        steps: QUndoStack,
        messages: Messages,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._shown = shown
        self._messages = messages
        self.writer = RunWriter(jobs, self)
        self.list = RunsList(jobs, shown, self.writer, self)
        self.baselines = Baselines(self.list, self)
        self.pair = RunPair(jobs, self.writer, messages, self)
        self.overruling = Overruling(shown, self.writer, steps, messages, self)
        self.showing = RunShowing(jobs, files, shown, messages, self)
        self.writer.failed.connect(self._tell)

    def is_shown(self, run_id: str) -> bool:
        """Whether a run is the current one."""
        run = self._shown.value
        return run is not None and run.verdict is not None and run.verdict.id == run_id

    def is_used(self, run_id: str) -> bool:
        """Whether a person named a run, said something of it, or compares others with it."""
        compared = {side.name for side in (self.pair.base, self.pair.new) if side is not None}
        return run_id in self.writer.changed_runs or run_id in self.baselines.chosen() or run_id in compared

    def rename(self, run_id: str, name: str) -> None:
        """Rename a stored run; "" removes its name."""
        self.writer.write(RenameRun(run_id, name))

    def delete(self, run_id: str) -> None:
        """Delete a stored run and its overrules."""
        self.writer.write(DeleteRun(run_id))

    def _tell(self, write: Write, sentence: str) -> None:
        never_kept = isinstance(write, WithdrawOverrule) and self.overruling.is_unkept(write.overrule_id)
        if not isinstance(write, AddOverrule) and not never_kept:
            self._messages.tell(_NOT_WRITTEN[type(write)].format(sentence))

"""The stored runs, read page by page in a process that stays alive, and read again after changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from trace_inspector.core.verdict.run_summary import RunSummary
from trace_inspector.core.verdict.verdict import RunVerdict, Status
from trace_inspector.models.evaluation.shown_run import ShownRun
from trace_inspector.models.runs.run_writer import RunWriter
from trace_inspector.store.runs import RunLine
from trace_inspector.work.processes.jobs import Jobs
from trace_inspector.work.processes.request_child import Answer
from trace_inspector.work.runs.run_store import ListedRun, ListRuns, RunFacts, RunsPage, run_facts_service, run_lister


class RunsList(QObject):
    """Reads nothing before `wake`. `changed` when the list or its problem changed; `facts_read` has RunFacts."""

    changed = Signal()
    facts_read = Signal(object)  # RunFacts

    def __init__(self, jobs: Jobs, shown: ShownRun, writer: RunWriter, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._shown = shown
        self._kept: tuple[ListedRun, ...] = ()
        self._coming: list[ListedRun] = []
        self._also: tuple[str, ...] = ()
        self._awake = False
        self.newest = ""  # id of the run that was made or shown last
        self.read = False  # whether the list was read to the end once
        self.sought: frozenset[str] = frozenset()  # ids of runs that the last reading included, however old
        self.problem = ""
        shown.changed.connect(self._follow)
        writer.written.connect(lambda _write: self.refresh())

    @property
    def runs(self) -> tuple[ListedRun, ...]:
        """The newest first, including a new run that could not be stored."""
        unkept = self._unkept()
        return (unkept, *self._kept) if unkept is not None else self._kept

    def wake(self) -> None:
        """The view became visible: read the list."""
        if not self._awake:
            self._awake = True
            self.refresh()

    def refresh(self) -> None:
        """Read the list again."""
        if self._awake:
            self._jobs.ask(run_lister, ListRuns(also=self._also), self._take)

    def seek(self, run_ids: Iterable[str]) -> None:
        """Include these runs in the list, however old they are."""
        before, self._also = self._also, tuple(run_ids)
        if {*self._also} - {*before}:
            self.refresh()

    def tell(self, run_id: str) -> None:
        """Ask for the facts of one run beside its figures."""
        self._jobs.ask(run_facts_service, run_id, self._take_facts)

    def is_kept(self, run_id: str) -> bool:
        """Whether a run is in the store."""
        return any(run.line.id == run_id for run in self._kept)

    def _take(self, answer: Answer) -> None:
        page = answer.value
        if not isinstance(page, RunsPage):
            self.problem, self.read = answer.sentence, True
            self.changed.emit()
            return
        request = page.request
        self._coming = [*self._coming[: request.first], *page.runs]
        if page.more:
            self._jobs.ask(run_lister, replace(request, first=request.first + len(page.runs)), self._take)
            if self.read:
                return  # the shown list stays until the new one is complete
        unmade = [run.line.id for run in self._kept if run.line.summary is None]
        self._kept, self.problem = tuple(self._coming), page.problem
        if not page.more:
            self.read, self.sought = True, frozenset(request.also)
            still_unmade = [run.line.id for run in self._kept if run.line.summary is None]
            if still_unmade and still_unmade != unmade:
                self.refresh()  # figures are computed for a few runs at a time
        self.changed.emit()

    def _take_facts(self, answer: Answer) -> None:
        if isinstance(answer.value, RunFacts):
            self.facts_read.emit(answer.value)

    def _follow(self) -> None:
        run = self._shown.value
        if run is not None and run.verdict is not None and run.verdict.id != self.newest:
            self.newest = run.verdict.id
            self.refresh()

    def _unkept(self) -> ListedRun | None:
        run = self._shown.value
        verdict = run.verdict if run is not None else None
        if run is None or verdict is None or not self.read or self.is_kept(verdict.id):
            return None
        return ListedRun(_line_of(verdict, run.counts()))


def _line_of(verdict: RunVerdict, counts: Mapping[Status, int]) -> RunLine:
    """The line of a run that is not in the store, without figures of its criteria."""
    cases = sum(counts.values())
    decided = sum(counts.get(status, 0) for status in (Status.PASSED, Status.FAILED, Status.ERROR))
    summary = RunSummary(
        verdict.status,
        verdict.criteria_source,
        verdict.rules,
        cases,
        tuple(counts.items()),
        counts.get(Status.PASSED, 0) / decided if decided else None,
        stopped=verdict.stopped,
    )
    return RunLine(verdict.id, verdict.started_s, verdict.status, cases, "", summary)

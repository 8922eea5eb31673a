"""Writes what the centre shows into a file, read in small batches so that the window stays responsive."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer

from trace_inspector.flows.opening.table_text import Line
from trace_inspector.models.base.translation import tr
from trace_inspector.models.evaluation.evaluation import EXPORTING
from trace_inspector.views.actions.view_text import MOST_EXPORTED
from trace_inspector.work.processes.jobs import Job, Jobs, JobState
from trace_inspector.work.reading.view_writing import ViewRequest, pieces, write_view

BUDGET_S = 0.006


class ViewExport(QObject):
    """One export; it deletes itself when it is done."""

    def __init__(self, parent: QObject, jobs: Jobs, report: Callable[[str], None]) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._report = report
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._step)
        self._rows: Iterator[Line] = iter(())
        self._lines: list[Line] = []
        self._head: tuple[str, tuple[str, ...], str, Path] = ("", (), "", Path())

    def start(self, title: str, columns: tuple[str, ...], rows: Iterator[Line], kind: str, path: Path) -> None:
        """Write these rows as that kind into that file."""
        self._rows, self._lines, self._head = rows, [], (title, columns, kind, path)
        self._timer.start()

    def break_off(self) -> None:
        """Stop: the view shows something else now."""
        if self._timer.isActive():
            self._timer.stop()
            self._report(tr("The export stopped because another file is shown now. Export again."))
            self.deleteLater()

    def _step(self) -> None:
        until_s = time.perf_counter() + BUDGET_S
        for line in self._rows:
            if len(self._lines) >= MOST_EXPORTED:
                self._write(more=True)
                return
            self._lines.append(line)
            if time.perf_counter() > until_s:
                return
        self._write(more=False)

    def _write(self, *, more: bool) -> None:
        self._timer.stop()
        title, columns, kind, path = self._head
        lines, self._rows, self._lines = self._lines, iter(()), []
        words = (
            tr("Only the first {0} rows were saved in {1}; the view has more.")
            if more
            else tr("{0} rows saved in {1}.")
        )
        self._jobs.start(
            EXPORTING,
            tr("Saving {0}").format(path.name),
            write_view,
            (ViewRequest(kind, str(path), title, columns, more),),
            payload=pieces(lines),
            receive=lambda _message: None,
            end=partial(self._end, words.format(f"{len(lines):,}", path.name)),
        )

    def _end(self, words: str, job: Job) -> None:
        if job.state is not JobState.STOPPED:
            self._report(job.sentence or words)
        self.deleteLater()

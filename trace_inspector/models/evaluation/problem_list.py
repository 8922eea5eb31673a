"""All problems: those of the run, and the findings in the open files."""

from __future__ import annotations

from collections.abc import Sequence

from trace_inspector.core.finding import Finding
from trace_inspector.models.base.open_file import FileState, OpenFile
from trace_inspector.models.evaluation import problems
from trace_inspector.models.evaluation.problems import Problem
from trace_inspector.models.evaluation.shown_run import ShownRun
from trace_inspector.models.files.files import Files


class ProblemList:
    """Caches the problems of each file, because tables compare thousands of them by identity."""

    def __init__(self, files: Files, shown: ShownRun) -> None:
        self._files = files
        self._shown = shown
        self._cached: dict[int, tuple[tuple[FileState, tuple[Finding, ...], int], Sequence[Problem]]] = {}
        files.renewed.connect(self._forget)
        files.closed.connect(self._forget)

    @property
    def every(self) -> tuple[Problem, ...]:
        """Failing verdicts and audit flags of the run, then the findings in the files."""
        run = self._shown.value
        judged = run.problems if run else ()
        return (*judged, *(problem for file in self._files for problem in self._odd(file)))

    def _odd(self, file: OpenFile) -> Sequence[Problem]:
        kept = self._cached.get(file.number)
        now = file.state, tuple(file.findings), min(len(file.reported.contradictory_rows), problems.MOST_AUDITED + 1)
        if kept is None or kept[0] != now:
            kept = self._cached[file.number] = now, (*problems.of_file(file), *problems.of_audit(file))
        return kept[1]

    def _forget(self, number: int) -> None:
        self._cached.pop(number, None)

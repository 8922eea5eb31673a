"""The verdict on a row of an open file: from the shown run, or as the file reports when there is no run."""

from __future__ import annotations

from trace_inspector.core.verdict.verdict import CaseVerdict, TurnVerdict
from trace_inspector.models.base.file_verdicts import Counts, FileVerdicts
from trace_inspector.models.evaluation import marks
from trace_inspector.models.evaluation.shown_run import ShownRun
from trace_inspector.models.files.files import Files


class Verdicts:
    """Looks verdicts up by the number of a file and a row."""

    def __init__(self, files: Files, shown: ShownRun) -> None:
        self._files = files
        self._shown = shown

    def case(self, file: int, row: int) -> CaseVerdict | None:
        """The run's verdict on the case or trace that the row belongs to; the worst when there are several."""
        verdicts = self._of_run(file)
        return verdicts.case(self._files.by_number[file].table.top_of(row)) if verdicts else None

    def turn(self, file: int, row: int) -> TurnVerdict | None:
        """The run's verdict on the turn that the row belongs to."""
        verdicts = self._of_run(file)
        return verdicts.turn(verdicts.turn_of(row)) if verdicts else None

    def mark_of(self, file: int, row: int) -> str:
        """The name of the mark that stands at a row, "" for rows without verdicts."""
        return marks.shown_mark(self._files.by_number[file], row, self._shown.value)

    def counts(self, file: int) -> Counts:
        """The counts of the file's cases or traces by status."""
        verdicts, shown = self._of_run(file), self._files.get(file)
        if verdicts is not None:
            return verdicts.counts()
        return shown.reported.counts() if shown is not None else Counts()

    def _of_run(self, number: int) -> FileVerdicts | None:
        run, file = self._shown.value, self._files.get(number)
        return run.on(file) if run is not None and file is not None else None

"""The marks of all rows of a file as numbers, computed turn by turn and cached until verdicts change."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from trace_inspector.core.verdict.triage import Bucket
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.roles import MARK_NAMES
from trace_inspector.models.base.row_table import TOP
from trace_inspector.models.evaluation import marks
from trace_inspector.models.evaluation.current_run import CurrentRun

MARKS = ("", *MARK_NAMES)  # the number of a mark is its index here
_NUMBERS = {mark: number for number, mark in enumerate(MARKS)}
_UNKNOWN = 255
_WAITING = bytes(_UNKNOWN if number in marks.JUDGED_KINDS else 0 for number in range(256))
_LOOK_EVERY = 20  # turns


class VerdictColumn:
    """Computes the numbers of rows on demand, and those of other rows ahead in idle time."""

    def __init__(self, file: OpenFile, run: Callable[[], CurrentRun | None]) -> None:
        self._file = file
        self._run = run
        self._numbers = bytearray()
        self._ahead = 0  # all rows before it are known

    def numbers(self, rows: Sequence[int]) -> bytearray:
        """The number of each row's mark; 0 for rows without verdicts."""
        self._grow()
        marks = self._numbers
        if isinstance(rows, range):
            row_unknown = marks.find(_UNKNOWN, rows.start, rows.stop)
            while row_unknown >= 0:
                self._work_out(row_unknown)
                row_unknown = marks.find(_UNKNOWN, row_unknown + 1, rows.stop)
            return marks[rows.start : rows.stop]
        for row in rows:
            if marks[row] == _UNKNOWN:
                self._work_out(row)
        return bytearray(map(marks.__getitem__, rows))

    def bucket(self, row: int) -> Bucket | None:
        """How a case or trace failed: in the run, or as its file reports when there is no run."""
        run = self._run()
        if run is None:
            return self._file.reported.bucket(row)
        case = run.on(self._file).case(row)
        return run.bucket_of(case) if case is not None else None

    def work_ahead(self, until_s: float) -> bool:
        """Compute numbers ahead until that time; false when all are known."""
        self._grow()
        numbers = self._numbers
        while True:
            for _ in range(_LOOK_EVERY):
                self._ahead = numbers.find(_UNKNOWN, self._ahead)
                if self._ahead < 0:
                    self._ahead = len(numbers)
                    return False
                self._work_out(self._ahead)
            if time.perf_counter() > until_s:
                return True

    def forget(self, tops: Sequence[int] | None = None) -> None:
        """Forget the numbers of these cases and traces, or of all: their verdicts changed."""
        table = self._file.table
        if tops is None or len(tops) == len(table.tops):
            self._numbers.clear()
            self._ahead = 0
            return
        for top in tops:
            self._forget_rows([top, table.parent(top), *table.turns(top)])
            for turn in table.turns(top):
                inner = table.children(turn)
                self._forget_rows(inner)
                for row in inner:
                    self._forget_rows(table.children(row))

    def _forget_rows(self, rows: Sequence[int]) -> None:
        kinds, numbers = self._file.table.columns.kind, self._numbers
        for row in rows:
            if 0 <= row < len(numbers):
                numbers[row] = _WAITING[kinds[row]]
                self._ahead = min(self._ahead, row)

    def _grow(self) -> None:
        kinds = self._file.table.columns.kind
        if len(kinds) > len(self._numbers):
            self._numbers += kinds[len(self._numbers) :].translate(_WAITING)

    def _work_out(self, row: int) -> None:
        file, run = self._file, self._run()
        turn = file.table.turn_of(row) if run is not None else TOP
        if run is not None and turn != TOP:
            for inside, mark in marks.marks_in(file, turn, run):
                if inside < len(self._numbers):
                    self._numbers[inside] = _NUMBERS[mark]
        if self._numbers[row] == _UNKNOWN:
            self._numbers[row] = _NUMBERS[marks.mark_of(file, row, run)]

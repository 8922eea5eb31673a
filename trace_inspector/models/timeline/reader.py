"""Reads the timed work of one conversation: a few turns in this process in small steps; many in a child."""

from __future__ import annotations

import time
from bisect import bisect_right
from collections import deque
from collections.abc import Sequence
from functools import partial
from itertools import chain

from PySide6.QtCore import QObject, QTimer, Signal

from trace_inspector.core.rows.timing import Work
from trace_inspector.models.base.counting import counted
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.row_table import TOP
from trace_inspector.models.timeline.tree_rows import first_span
from trace_inspector.work.processes.jobs import Job, Jobs, JobState
from trace_inspector.work.processes.timing import TurnsTimed, time_turns, work_of

TIMING = "timing"
BUDGET_S = 0.006
HERE_TURNS = 100
HERE_BYTES = 60_000  # of one turn: read in some milliseconds
STEP_MS = 4


class TimelineReader(QObject):
    """Works of one case or trace by their head: a turn's row; the top's own row for spans outside of turns."""

    arrived = Signal()
    ended = Signal()

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._file: OpenFile | None = None
        self._top = TOP
        self.heads: list[int] = []  # in file order
        self.works: dict[int, Work] = {}
        self.sentence = ""  # why some works are missing
        self._asked: dict[int, int] = {}  # head → number of its rows when it was requested
        self._waiting: deque[int] = deque()
        self._job = 0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._step)

    @property
    def busy(self) -> bool:
        """Whether some works are being read."""
        return bool(self._waiting) or bool(self._job)

    def read(self, file: OpenFile | None, top: int) -> None:
        """Read another conversation, or none."""
        self.stop()
        self._file, self._top = file, top
        self.heads, self.works, self.sentence = [], {}, ""
        self._asked.clear()
        self.go_on()

    def go_on(self) -> None:
        """Read new turns: the file has more rows now."""
        file = self._file
        if file is None or self._top == TOP:
            return
        table = file.table
        turns = table.turns(self._top)
        new = turns[len([head for head in self.heads if head != self._top]) :]
        if self.heads and self.heads[-1] == self._top:
            self.heads.pop()
        self.heads.extend(new)
        self._waiting.extend(new)
        children = table.children(self._top)
        outside = len(children) - first_span(table, self._top)
        if outside:
            self.heads.append(self._top)
            if self._asked.get(self._top) != outside:
                self._asked[self._top] = outside
                self._waiting.append(self._top)
        if self._waiting and not self._job:
            self._begin()

    def stop(self) -> None:
        """Stop reading."""
        self._timer.stop()
        self._waiting.clear()
        number, self._job = self._job, 0
        if number:
            self._jobs.stop(number)

    def _begin(self) -> None:
        if len(self._waiting) > HERE_TURNS:
            self._send(list(self._waiting))
            self._waiting.clear()
        else:
            self._timer.start(0)

    def _step(self) -> None:
        until_s = time.perf_counter() + BUDGET_S
        large = []
        took = False
        while self._waiting and time.perf_counter() < until_s:
            head = self._waiting.popleft()
            stored = self._stored()
            bodies = [stored[number] for number in self._numbers(head)]
            if sum(map(len, bodies)) > HERE_BYTES:
                large.append(head)
            else:
                self.works[head] = work_of(bodies)
                took = True
        if large and not self._job:
            self._send([*large, *self._waiting])
            self._waiting.clear()
        else:
            self._waiting.extendleft(reversed(large))
        if self._waiting and not self._job:
            self._timer.start(STEP_MS)
        if took:
            self.arrived.emit()
        if not self.busy:
            self.ended.emit()

    def _send(self, heads: Sequence[int]) -> None:
        numbers = [self._numbers(head) for head in heads]
        stored = self._stored()
        self._job = self._jobs.start(
            TIMING,
            f"Timing {counted(len(heads), 'turn')}",
            time_turns,
            ([len(of_head) for of_head in numbers],),
            payload=map(stored.__getitem__, chain.from_iterable(numbers)),
            receive=partial(self._take, heads),
            end=self._end,
            latest=True,
        )

    def _take(self, heads: Sequence[int], message: TurnsTimed) -> None:
        for number, work in message.works:
            self.works[heads[number]] = work
        self.arrived.emit()

    def _end(self, job: Job) -> None:
        if job.number != self._job:
            return
        self._job = 0
        if job.state is not JobState.DONE:
            self.sentence = job.sentence or "Working out the times was stopped."
            self._waiting.clear()
        if self._waiting:
            self._begin()
        else:
            self.ended.emit()

    def _numbers(self, head: int) -> Sequence[int]:
        file = self._file
        if file is None:
            return ()
        table = file.table
        if head != self._top:
            return table.turn_bodies(head)
        rows, numbers = table.children(head), []
        index = first_span(table, head)
        while index < len(rows):  # hundreds of spans have the same body
            numbers.append(table.address(rows[index])[0])
            index = bisect_right(rows, numbers[-1], lo=index, key=lambda row: table.address(row)[0])
        return numbers

    def _stored(self) -> Sequence[bytes]:
        return self._file.table.bodies() if self._file is not None else ()

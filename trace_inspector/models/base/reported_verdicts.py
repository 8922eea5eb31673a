"""The verdicts that an open file itself reports on its traces, by row: shown before and beside an evaluation."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Collection, Iterator, Mapping, Sequence, Set

from trace_inspector.core.errors import ReadError
from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.rows.safe_unpickle import unpack
from trace_inspector.core.verdict.contradiction import Contradiction
from trace_inspector.core.verdict.reported import BAD, BUCKETS, STATUSES, ReportedBatch
from trace_inspector.core.verdict.triage import Bucket
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, Status, TurnVerdict, compose
from trace_inspector.models.base.file_verdicts import Counts
from trace_inspector.models.base.row_table import TOP, RowTable

_KEPT_OPEN = 64
_NAMES_FROM = 16  # verdicts: those of one file name the same metrics


class ReportedVerdicts:
    """Grows while the file is read. A verdict is unpickled when its row is shown."""

    def __init__(self, table: RowTable) -> None:
        self._table = table
        self._bodies: list[bytes] = []
        self._number_of_row: dict[int, int] = {}  # row of a trace → number of its verdict
        self._statuses = bytearray()
        self._failing: list[tuple[int, ...]] = []
        self._tally: Counter[Status] = Counter()
        self._buckets = bytearray()
        self.buckets: Counter[Bucket] = Counter()  # how many failed in which way
        self._odd: dict[int, tuple[Contradiction, ...]] = {}  # row of a trace → where its verdict contradicts itself
        self._open: OrderedDict[int, CaseVerdict | None] = OrderedDict()
        self._named: tuple[int, dict[str, set[Status]]] = (0, {})  # by how many verdicts

    def __len__(self) -> int:
        return len(self._bodies)

    def take(self, batch: ReportedBatch) -> None:
        """Some more."""
        start = len(self._bodies)
        self._number_of_row.update(zip(batch.rows, range(start, start + len(batch)), strict=True))
        self._bodies += batch.bodies
        self._statuses += batch.statuses
        self._failing += batch.failing
        self._tally.update(STATUSES[number] for number in batch.statuses)
        self._buckets += batch.buckets
        self.buckets.update(bucket for number in batch.buckets if (bucket := BUCKETS[number]) is not None)
        self._odd.update((row, odd) for row, odd in zip(batch.rows, batch.odd, strict=True) if odd)

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics of which the file gives scores, in its order."""
        return tuple(self._outcomes())

    def outcomes(self, metric: str) -> Set[Status]:
        """The statuses that the first verdicts of the file give by a metric."""
        return self._outcomes().get(metric, set())

    def _outcomes(self) -> Mapping[str, Set[Status]]:
        count = min(len(self), _NAMES_FROM)
        if count != self._named[0]:
            found: dict[str, set[Status]] = {}
            for case in (_opened(body) for body in self._bodies[:count]):
                for metric in (metric for metrics in (_all(case) if case else ()) for metric in metrics):
                    if metric.score is not None:
                        found.setdefault(metric.metric, set()).add(metric.status)
            self._named = count, found
        return self._named[1]

    def case(self, row: int) -> CaseVerdict | None:
        """What is reported of the trace that the row belongs to."""
        number = self._number_of_row.get(self._table.top_of(row)) if row != TOP else None
        if number is None:
            return None
        if number not in self._open:
            self._open[number] = _opened(self._bodies[number])
            if len(self._open) > _KEPT_OPEN:
                self._open.popitem(last=False)
        self._open.move_to_end(number)
        return self._open[number]

    def turn(self, row: int) -> TurnVerdict | None:
        """What is reported of the turn that the row belongs to."""
        turn, case = self._table.turn_of(row), self.case(row)
        if turn == TOP or case is None:
            return None
        rows = self._table.turns(self._table.top_of(row))
        index = self._table.order_of(turn)
        # A verdict's turns carry the index of the turn they are about.
        return (
            next((verdict for verdict in case.turns if verdict.index == index), None)
            if 0 <= index < len(rows)
            else None
        )

    def status(self, row: int) -> Status | None:
        """What is reported of a trace, of a golden that found none, a turn, or the runs of a case together."""
        kind = self._table.kind(row)
        if kind is Kind.RUNS:
            statuses = [status for child in self._table.children(row) if (status := self.status(child)) is not None]
            return compose(statuses) if statuses else None
        if kind in (Kind.TRACE, Kind.CASE):
            number = self._number_of_row.get(row)
            return STATUSES[self._statuses[number]] if number is not None else None
        turn = self.turn(row) if kind is Kind.TURN else None
        return turn.status if turn else None

    def bucket(self, row: int) -> Bucket | None:
        """The kind of failure of a trace; None for one that did not fail, and for all other rows."""
        number = self._number_of_row.get(row)
        return BUCKETS[self._buckets[number]] if number is not None else None

    @property
    def contradictory_rows(self) -> Collection[int]:
        """The traces whose verdicts contradict themselves, in the order of arrival."""
        return self._odd.keys()

    def contradictions(self, row: int) -> tuple[Contradiction, ...]:
        """The contradictions in the verdict on a trace; for a row of a turn, those about the turn."""
        contradictions = self._odd.get(self._table.top_of(row), ()) if self._odd and row != TOP else ()
        turn = self._table.turn_of(row) if contradictions else TOP
        if turn == TOP:
            return contradictions
        index = self._table.order_of(turn)
        return tuple(contradiction for contradiction in contradictions if contradiction.turn == index)

    def counts(self) -> Counts:
        """The counts of verdicts that the file reports."""
        tally = self._tally
        failed, errors, passed = tally[Status.FAILED], tally[Status.ERROR], tally[Status.PASSED]
        return Counts(failed, errors, len(self) - failed - errors - passed, passed, 0)

    def failing(self) -> Sequence[int]:
        """The rows to stop at when stepping through failures, in order: turns, and traces that failed as a whole."""
        bad = {STATUSES.index(status) for status in BAD}
        failed = (
            (row, self._failing[number])
            for row, number in self._number_of_row.items()
            if self._statuses[number] in bad
        )
        return sorted(stop for row, turns in failed for stop in self._stops(row, turns))

    def _stops(self, row: int, turns: Sequence[int]) -> list[int]:
        rows = self._table.turns(row)
        return [rows[index] for index in turns if 0 <= index < len(rows)] or [row]


def _all(case: CaseVerdict) -> Iterator[tuple[MetricVerdict, ...]]:
    yield case.metrics
    yield from (turn.metrics for turn in case.turns)


def _opened(body: bytes) -> CaseVerdict | None:
    try:
        verdict = unpack(body)
    except ReadError:
        return None
    return verdict if isinstance(verdict, CaseVerdict) else None

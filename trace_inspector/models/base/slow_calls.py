"""The calls of a file by how long they took: the slowest ones, and which are slow among all of them."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator

from trace_inspector.core.rows.rows import Kind
from trace_inspector.models.base.row_table import RowTable

MOST_LISTED = 200
_MOST_MEASURED = 200_000  # rows; of larger files their beginning is representative
_ALWAYS_AGAIN = 1_000  # rows of a file that grows; beyond them it is measured again when it has twice as many
_FEWEST = 10  # calls, below which none is called slow
_SHARES = (0.9, 0.99)
_CALL = int(Kind.CALL)


def slowest_calls(table: RowTable) -> list[int]:
    """The rows of the slowest calls, the slowest first."""
    return [row for _seconds, row in heapq.nlargest(MOST_LISTED, _timed_calls(table, len(table)))]


class SlowCalls:
    """Two limits of a file, by which a call is slow (1) or very slow (2) among its calls; 0 for all others."""

    def __init__(self, table: RowTable) -> None:
        self._table = table
        self._measured = -1  # how many rows the limits are of
        self._limits_s: tuple[float, ...] = ()

    def level(self, row: int) -> int:
        """How slow a call is."""
        if self._table.kind(row) is not Kind.CALL:
            return 0
        seconds = self._table.duration_s(row)
        return sum(seconds >= limit_s for limit_s in self._limits()) if seconds is not None else 0

    def _limits(self) -> tuple[float, ...]:
        rows = min(len(self._table), _MOST_MEASURED)
        if rows != self._measured and (rows < _ALWAYS_AGAIN or rows >= 2 * self._measured):
            self._measured = rows
            ordered = sorted(seconds for seconds, _row in _timed_calls(self._table, rows))
            count = len(ordered)
            self._limits_s = (
                tuple(ordered[math.ceil(share * count) - 1] for share in _SHARES) if count >= _FEWEST else ()
            )
        return self._limits_s


def _timed_calls(table: RowTable, rows: int) -> Iterator[tuple[float, int]]:
    kinds, durations_s = table.columns.kind, table.columns.duration_s
    row = kinds.find(_CALL, 0, rows)  # a large file has a million rows, and few of them are calls
    while row >= 0:
        if math.isfinite(durations_s[row]):
            yield durations_s[row], row
        row = kinds.find(_CALL, row + 1, rows)

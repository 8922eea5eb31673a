"""The rows of a file that grew: the first ones are those of the table before, and others follow."""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from trace_inspector.core.rows.rows import NO_TOKENS, NOT_TIMED, PLAIN_COLUMNS, Kind, RowBatch
from trace_inspector.models.base import bulk_append
from trace_inspector.models.base.row_table import TOP, RowTable
from trace_inspector.work.reading.file_messages import GrowthBegun

_CALL = int(Kind.CALL)


class GrownTable(RowTable):
    """Begins like `before`, in columns of its own, so that the other one can be shown meanwhile."""

    def __init__(self, before: RowTable, begun: GrowthBegun) -> None:
        super().__init__()
        self.before: RowTable | None = before  # until the rows are shown
        self.kept = rows = begun.rows
        self.moved: array[int] | None = None  # the rows behind those in the table before, as numbers of this one
        self._own: set[int] = set()  # rows whose children are no array of the other table
        self._take_columns(before, begun)
        self._take_children(before, rows)
        cut = before.tops[bisect_left(before.tops, rows) :]
        self.tops = before.tops[: len(before.tops) - len(cut)]
        self.named = before.named.before(rows, [(before.place(top), before.name(top)) for top in cut])
        self.details.take(before.details.before(rows), self._rows.parent)
        self.modes = {row: modes for row, modes in before.modes.items() if row < rows}
        self.causes = {row: causes for row, causes in before.causes.items() if row < rows}
        self.visible.take_over(before.visible, rows)
        self._take_sums(before, rows)

    def follows(self, table: RowTable) -> bool:
        """Whether the rows of that table are known by their numbers here."""
        return self.before is table and self.moved is not None

    def row_now(self, row: int) -> int:
        """The number of a row of the table before; TOP where it is gone."""
        if row < self.kept:
            return row
        place = row - self.kept
        return self.moved[place] if self.moved is not None and place < len(self.moved) else TOP

    def row_again(self, row: int, place: str) -> int:
        """The same row as before, where that is known, else by its place."""
        now = self.row_now(row) if self.moved is not None and row != TOP else TOP
        return now if now != TOP else super().row_again(row, place)

    def grown_tops(self) -> list[int]:
        """The cases and traces that are new, or have other contents than in the table before.

        Where nobody looked which rows went where, they are those at the same place.
        """
        before = self.before
        if before is None:
            return []
        if self.moved is not None:
            were = {self.row_now(top): top for top in before.tops}
        else:
            by_place = {before.place(top): top for top in before.tops}
            were = {top: by_place[self.place(top)] for top in self.tops if self.place(top) in by_place}
        first = self.top_of(self.kept) if self.kept < len(self) else TOP
        return [
            top
            for top in self.tops[bisect_left(self.tops, min(self.kept, max(first, 0))) :]
            if top not in were or _bodies_of(self, top) != _bodies_of(before, were[top])
        ]

    def append(self, batch: RowBatch) -> None:
        """Append rows; children of earlier rows are put into arrays of this table."""
        for parent in set(batch.parent) - self._own:
            if parent in self._children:
                self._children[parent] = array("i", self._children[parent])
        self._own.update(batch.parent)
        super().append(batch)

    def _take_columns(self, before: RowTable, begun: GrowthBegun) -> None:
        mine, theirs, rows = self._rows, before.columns, begun.rows
        mine.label, mine.place = theirs.label.slice(0, rows), theirs.place.slice(0, rows)
        for name in PLAIN_COLUMNS:
            getattr(mine, name).extend(getattr(theirs, name)[:rows])
        mine.authors = theirs.authors[: begun.authors]
        self._bodies.extend(before.bodies()[: begun.bodies])
        for number, body in begun.changed.items():
            self._bodies.replace(number, body)
        self._position.extend(before._position[:rows])

    def _take_children(self, before: RowTable, rows: int) -> None:
        self._children.update(before._children)
        gone = range(rows, len(before))
        for row in gone:
            self._children.pop(row, None)
        parents = {parent for parent in before.columns.parent[rows:] if parent < rows}
        for parent in parents:
            kept = before._children[parent]
            self._children[parent] = kept[: bisect_left(kept, rows)]
        self._own = parents
        for mine, theirs in ((self._turns, before._turns), (self._states, before._states)):
            mine.update((top, kept[: bisect_left(kept, rows)]) for top, kept in theirs.items() if top < rows)
        self._agents = {above: row for above, row in before._agents.items() if row < rows}

    def _take_sums(self, before: RowTable, rows: int) -> None:
        """What is added up over turns, without those that do not stay."""
        columns = self._rows
        self.has_starts = any(map(math.isfinite, columns.start_s))
        self.has_durations = any(map(math.isfinite, columns.duration_s))
        self.has_tokens = max(columns.tokens, default=NO_TOKENS) != NO_TOKENS
        self._calls = {top: count for top, count in before._calls.items() if top < rows}
        less: set[int] = set()
        for row, kind in bulk_append.counted_rows(before.columns.kind[rows:], rows):
            top = before.top_of(row)
            if top < rows:
                less.add(top)
                if kind == _CALL and top in self._calls:
                    self._calls[top] -= 1
        self._calls = {top: count for top, count in self._calls.items() if count}
        self.longest_turn_s = before.longest_turn_s
        for top in less:
            columns.duration_s[top], columns.tokens[top] = NOT_TIMED, NO_TOKENS
            for turn in self.turns(top):
                self._add_up(turn, top)
        if any(before.duration_s(row) == before.longest_turn_s for row in range(rows, len(before))):
            turns = (turn for listed in self._turns.values() for turn in listed)
            self.longest_turn_s = max((self.duration_s(turn) or 0.0 for turn in turns), default=0.0)


def _bodies_of(table: RowTable, top: int) -> Sequence[bytes]:
    """What stands behind a case or trace and all below it."""
    after = table.tops[(at := bisect_right(table.tops, top)) : at + 1]
    first = table.address(top)[0]
    return table.bodies()[first : table.address(after[0])[0]] if after else table.bodies()[first:]

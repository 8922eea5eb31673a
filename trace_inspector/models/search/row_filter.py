"""A filter over one table: which rows match and which are shown, updated in slices as rows and verdicts arrive.

A row matches when every term holds for it. Terms of a `context` (case, turn) also hold for all rows inside a row
that they hold for; a verdict also holds for rows without a verdict of their own. Shown are matching rows, their
ancestors and their descendants.
"""

from __future__ import annotations

import operator
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import compress
from typing import NamedTuple

from trace_inspector.core.rows.rows import Kind
from trace_inspector.models.base.row_table import TOP, RowTable
from trace_inspector.models.search.filter_language import Term
from trace_inspector.models.search.row_terms import INHERITS, RowSlice, RowVerdicts, holding, holds_for_ghost

_TURNED = bytes([1, 0]) + bytes(254)
_TOPS = frozenset({int(Kind.CASE), int(Kind.TRACE)})


class Renewed(NamedTuple):
    """The changes after rows were checked again: some appeared, others may have disappeared."""

    rows: list[int]
    ghosts: list[int]
    gone: bool


class RowFilter:
    """Parents are checked before their children. `shown` and `ghosts` are what the table should show."""

    def __init__(self, terms: Sequence[Term], table: RowTable, judged: RowVerdicts) -> None:
        self.terms = terms
        self.matches = bytearray()  # 1 for rows that match
        self.shown = bytearray()
        self.ghosts: set[int] = set()
        self.tops = 0  # cases and traces that are shown
        self._table = table
        self._judged = judged
        self._holds = [bytearray() for _term in terms]  # before negation
        self._inside = bytearray()  # 1 for rows that match or are inside a matching row
        self._in_bodies: list[set[int]] = [set() for _term in terms]

    @property
    def judged(self) -> int:
        """How many rows were checked so far."""
        return len(self.shown)

    def advance(self, stop: int) -> list[int]:
        """Check the rows up to a number; returns the newly shown ones and their ancestors, in order."""
        rows, parents, inside, shown = range(self.judged, stop), self._table.columns.parent, self._inside, self.shown
        matches = self._match(rows)
        self.matches.extend(matches)
        inside.extend(matches)
        for row, parent in zip(rows, parents[rows.start : rows.stop], strict=True):
            if parent >= 0 and inside[parent]:
                inside[row] = 1
        shown.extend(inside[rows.start :])
        new = [*compress(rows, shown[rows.start :]), *self._above(compress(rows, matches))]
        self._count_tops(new)
        return sorted(new)

    def cut(self, row: int) -> None:
        """Forget the rows from one on, which are others now, and all ghosts: they are checked again."""
        for listed in (self.matches, self.shown, self._inside, *self._holds):
            del listed[row:]
        self.tops = sum(self.shown[top] for top in self._table.tops[: bisect_left(self._table.tops, self.judged)])
        for found in self._in_bodies:
            found.difference_update([each for each in found if each >= row])
        self.ghosts.clear()
        above = self._table.parent(row) if row < len(self._table) else TOP
        while above != TOP and above < self.judged:
            self.shown[above] = self._inside[above] or self._holds_shown(above)
            above = self._table.parent(above)

    def advance_ghosts(self, ghosts: Iterable[int]) -> Renewed:
        """Check ghosts; returns the shown ones, and their newly shown ancestors."""
        new = [row for row in ghosts if row not in self.ghosts and self._lets(row)]
        self.ghosts.update(new)
        above = sorted(self._above(new))
        self._count_tops(above)
        return Renewed(above, new, gone=False)

    def renew(self, rows: Sequence[int]) -> Renewed:
        """Check rows again, in ascending order and with all descendants; rows not checked yet are skipped."""
        rows = [row for row in rows if row < self.judged]
        parents, inside, shown = self._table.columns.parent, self._inside, self.shown
        before = bytes(map(shown.__getitem__, rows))
        for row, hit in zip(rows, self._match(rows), strict=True):
            self.matches[row] = hit
            inside[row] = hit or (parents[row] >= 0 and inside[parents[row]])
        visible = self._table.visible
        ghosts = [ghost for row in rows for ghost in visible.ghosts_under(row)]
        fading = [ghost for ghost in ghosts if ghost in self.ghosts and not self._lets(ghost)]
        self.ghosts.difference_update(fading)
        new = [ghost for ghost in ghosts if not visible.passes(ghost) and self._lets(ghost)]
        self.ghosts.update(new)
        for row in reversed(rows):
            shown[row] = inside[row] or self._holds_shown(row)
        now = bytes(map(shown.__getitem__, rows))
        come = list(compress(rows, map(operator.gt, now, before)))
        come += self._above(compress(rows, now))
        gone = bool(fading) or any(map(operator.lt, now, before))
        self._count_tops(come)
        self.tops -= sum(1 for row in compress(rows, map(operator.lt, now, before)) if self._is_top(row))
        return Renewed(sorted(come), new, gone)

    def outermost(self, most: int) -> list[int]:
        """The first rows that match and are not inside a matching row."""
        rows: list[int] = []
        row = self.matches.find(1)
        while row >= 0 and len(rows) < most:
            above = self._table.columns.parent[row]
            if above < 0 or not self._inside[above]:
                rows.append(row)
            row = self.matches.find(1, row + 1)
        return rows

    def find_in_bodies(self, term: int, row: int) -> None:
        """Note that a term matches a row's whole text, though not its line. Takes effect with `renew`."""
        self._in_bodies[term].add(row)

    def found_in_line(self, term: int, row: int) -> bool:
        """Whether a text term matches the row's line."""
        return bool(self._holds[term][row])

    def is_group_changed(self, row: int) -> bool:
        """Whether the result of a suite or of the runs of a case changed, which may contain many rows."""
        before = self._inside[row] if row < self.judged else 0
        self.renew([row])
        return row < self.judged and self._inside[row] != before

    def _match(self, rows: Sequence[int]) -> bytearray:
        piece, parents = RowSlice(self._table, rows), self._table.columns.parent
        matches = bytearray(b"\1") * len(rows)
        for which, (term, whole) in enumerate(zip(self.terms, self._holds, strict=True)):
            holds = holding(term, piece, self._judged)
            if self._in_bodies[which]:
                holds = bytearray(map(operator.or_, holds, piece.holding(self._in_bodies[which])))
            if isinstance(rows, range):
                whole[rows.start : rows.stop] = holds
            for index, row in enumerate(rows) if INHERITS in holds or not isinstance(rows, range) else ():
                if holds[index] == INHERITS:
                    holds[index] = whole[parents[row]] if parents[row] >= 0 else 0
                whole[row] = holds[index]
            matches = bytearray(map(operator.and_, matches, holds.translate(_TURNED) if term.negated else holds))
        return matches

    def _lets(self, ghost_row: int) -> bool:
        ghost = self._table.ghost(ghost_row)
        if ghost is None or ghost.parent >= self.judged:
            return False
        if self._inside[ghost.parent]:
            return True
        return all(
            holds_for_ghost(term, ghost, bool(whole[ghost.parent])) is not term.negated
            for term, whole in zip(self.terms, self._holds, strict=True)
        )

    def _holds_shown(self, row: int) -> bool:
        return any(self.shown[child] for child in self._table.children(row) if child < self.judged) or any(
            ghost in self.ghosts for ghost in self._table.visible.ghosts_under(row)
        )

    def _above(self, rows: Iterable[int]) -> Iterator[int]:
        """The ancestors of rows that were not shown; marks them as shown."""
        shown, table = self.shown, self._table
        for row in rows:
            above = table.parent(row)
            while above != TOP and not shown[above]:
                shown[above] = 1
                yield above
                above = table.parent(above)

    def _count_tops(self, rows: Iterable[int]) -> None:
        self.tops += sum(map(self._is_top, rows))

    def _is_top(self, row: int) -> bool:
        return self._table.columns.kind[row] in _TOPS


def rows_below(table: RowTable, rows: Iterable[int], most: int) -> list[int] | None:
    """The rows and all their descendants, in order; None when there are more than `most`."""
    below: set[int] = set()
    waiting = list(rows)
    while waiting and len(below) <= most:
        row = waiting.pop()
        if row not in below:  # some of the rows may be below others
            below.add(row)
            waiting.extend(table.children(row))
    return sorted(below) if len(below) <= most else None

"""The selected rows of the tree as conversations or goldens with their turns, for actions on several of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.models.base.edited_file import bodies_of
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.row_table import TOP, RowTable
from trace_inspector.work.golden.bulk_requests import Recorded
from trace_inspector.work.reading.contents_from_rows import Bodies

_NONE: Mapping[int, int] = {}
MOST_BYTES = 64 << 20  # of conversations that are sent to the child at once


class Picked(Struct, frozen=True):
    """A conversation or golden of a file by its row; its chosen turns, none for all; and the row of a chosen call."""

    file: OpenFile
    table: RowTable  # with the rows at the time of selection; edits may replace it, and growth moves rows in it
    top: int
    turns: tuple[int, ...] = ()
    call: int = TOP

    @property
    def place(self) -> str | None:
        """Its place in the file now; None when it was deleted."""
        return self.table.place_now(self.top)

    @property
    def name(self) -> str:
        """Its name as shown."""
        return self.table.label(self.top)

    @property
    def is_golden(self) -> bool:
        """Whether it is a case rather than a recorded conversation."""
        return self.table.kind(self.top) is Kind.CASE


def picked(file: OpenFile, rows: Iterable[int]) -> list[Picked]:
    """The conversations or goldens of these rows, in file order. The row of the file itself means all of them."""
    table = file.table
    turns: dict[int, set[int] | None] = {}
    calls: list[int] = []
    for row in rows:
        if row != TOP and not table.has(row):
            continue
        tops = list(_tops(file, row))
        if tops == [row] or len(tops) != 1:
            turns.update(dict.fromkeys(tops))
            continue
        turn = table.turn_of(row)
        chosen = turns.setdefault(tops[0], set())
        if chosen is not None and turn != TOP and table.kind(turn) is Kind.TURN:
            chosen.add(table.order_of(turn))
        if table.kind(row) is Kind.CALL:
            calls.append(row)
    call = calls[0] if len(calls) == len(turns) == 1 else TOP
    return [Picked(file, table, top, tuple(sorted(turns[top] or ())), call) for top in sorted(turns)]


def recorded(
    picked: Picked, turns: Sequence[int], verdict: Status | None, faults: Mapping[int, int] = _NONE
) -> Recorded:
    """The conversation as sent to a child process; all of it when no turns are given."""
    bodies = bodies_of(picked.table, picked.top)
    described = Bodies(str(picked.file.path), picked.file.format, len(bodies), picked.file.digest)
    return Recorded(described, bodies, tuple(turns) or None, verdict, faults)


def size_of(some: Iterable[Picked]) -> int:
    """How many bytes would be sent."""
    return sum(len(body) for picked in some for body in bodies_of(picked.table, picked.top))


def _tops(file: OpenFile, row: int) -> Iterator[int]:
    table = file.table
    if row == TOP:
        yield from table.tops
    elif (top := table.top_of(row)) != TOP:
        yield top
    else:
        yield from (each for each in table.tops if _is_below(file, each, row))


def _is_below(file: OpenFile, row: int, above: int) -> bool:
    while row not in (TOP, above):
        row = file.table.parent(row)
    return row == above

"""Where the rows of a comparison stand in the files that are open, and what is selected of them."""

from __future__ import annotations

from trace_inspector.engine.trace_grid.row import RowKind
from trace_inspector.models.base.row_table import TOP
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.compare.rows import ComparedRows
from trace_inspector.models.compare.sides import SideRef, top_of
from trace_inspector.models.workspace.workspace import Workspace


def side_of(workspace: Workspace, sides: tuple[SideRef, ...], selection: Selection | None) -> int | None:
    """Which of the sides is selected, -1 for the file of one; None for something else."""
    file = workspace.file(selection.file) if selection is not None else None
    if file is None or selection is None:
        return None
    if selection.row == TOP and any(ref.file == file.number for ref in sides):
        return -1
    top = file.table.top_of(selection.row) if file.table.has(selection.row) else TOP
    for at, ref in enumerate(sides):
        if ref.file == file.number and top != TOP and top == top_of(workspace, ref):
            return at
    return None


def head_of(workspace: Workspace, rows: ComparedRows, side: int, selection: Selection | None) -> int:
    """The row of the turn in which something is selected, -1 for none."""
    file = workspace.file(selection.file) if selection is not None else None
    if file is None or selection is None:
        return -1
    turn = file.table.turn_of(selection.row)
    heads = rows.packed.heads[side] if side < len(rows.packed.heads) else ()
    order = file.table.order_of(turn) if turn != TOP else len(heads)
    return heads[order] if order < len(heads) else -1


def place_of(workspace: Workspace, sides: tuple[SideRef, ...], rows: ComparedRows, number: int) -> Selection | None:
    """A row in the file of the last side that has it."""
    row, head = rows.row(number), rows.row(rows.turn_head(number))
    for at, ref in reversed(list(enumerate(sides))):
        file, top, cell, turn = workspace.file(ref.file), top_of(workspace, ref), row.cells[at], head.cells[at]
        if cell is None or turn is None or file is None or top == TOP:
            continue
        turns = file.table.turns(top)
        if not 0 <= turn.at < len(turns):
            continue
        calls = file.table.calls(turns[turn.at]) if row.kind is RowKind.CALL else ()
        return Selection(file.number, calls[cell.at] if 0 <= cell.at < len(calls) else turns[turn.at])
    return None
